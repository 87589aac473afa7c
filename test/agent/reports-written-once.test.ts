// What an agent tells of its machine is told once, also if the store fails in the middle of it, or its answer is lost.
import { afterEach, expect, test, vi } from 'vitest'
import type { Observation } from '../../src/agent/io/observation.js'
import { Reports } from '../../src/agent/io/reports.js'
import { absentUnit, freshMemory } from '../../src/agent/report.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { UnitName } from '../../src/model/unit.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { decodeEvents, prefixes } from '../../src/store/records.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { openMemoryStore } from '../store/memory-store.js'
import { machine, name } from './small-agent.js'

const away = new StoreError('store/unreachable', 'the store is unreachable', 'wait')

/** What becomes of a write. */
type Fate = 'made' | 'lost' | 'answer-lost'

const opened: Registry[] = []
afterEach(async () => {
  for (const registry of opened.splice(0)) await registry.close()
})

/** Reports of a machine whose writes meet these fates, one after the other. `isDeaf`: changes are seen by listing alone. */
async function reporting(fates: Fate[], isDeaf = false) {
  const store = openMemoryStore({ clock: systemClock })
  const unsteady: Store = Object.assign(Object.create(store) as Store, {
    get: (key: string) => store.get(key),
    range: (prefix: string) => store.range(prefix),
    watch: (prefix: string, after: number, signal: AbortSignal) =>
      store.watch(isDeaf ? 'nothing/' : prefix, after, signal),
    txn: async (...args: Parameters<Store['txn']>) => {
      const fate = fates.shift() ?? 'made'
      if (fate === 'lost') throw away
      const result = await store.txn(...args)
      if (fate === 'answer-lost') throw away
      return result
    },
  })
  const registry = await openRegistry(unsteady, { onError: () => {}, patienceMs: 1 })
  opened.push(registry)
  const events = openEventLog(systemClock, machine)
  const told = () => registry.entriesUnder(prefixes.event).flatMap(decodeEvents)
  return { ...{ registry, events }, told: () => told().map(({ message }) => message) }
}

const runs = { ...absentUnit(name, 'process'), active: 'active' as const, pid: 7, since: 1 }
const instance = { project: 'default', service: 'web', name: 'web-1', n: 1, uuid: 'i', version: 'v' }

/** The reports of a machine, where a unit runs or none is placed. */
function reportsOf({ registry, events }: Awaited<ReturnType<typeof reporting>>, isPlaced = false) {
  const wake = vi.fn()
  const observation = {
    units: new Map([[name, runs]]),
    ...{ isUnsure: false, unknownSince: () => null, isStale: () => false, isUnlisted: () => false },
  } as unknown as Observation
  const reports = new Reports({
    ...{
      machine,
      registry,
      events,
      clock: systemClock,
      log: silentLog,
      drivers: new Map(),
      observation,
      wake,
    },
    ...{ driverOf: () => null, runsOnce: () => false, memoryOf: () => freshMemory },
    ...{ remember: () => {}, chainOf: () => undefined },
  })
  const unit = { name, hash: 'h', desired: 'launched' as const, instance, createdAt: 0 }
  const placement = { unit: name, machine, ports: [], cause: { kind: 'new' as const }, at: 0 }
  const none: ReadonlySet<UnitName> = new Set()
  const write = () =>
    reports.write(
      {
        open: isPlaced ? [{ unit, placement }] : [],
        ...{ placed: new Set(isPlaced ? [name] : []), reported: registry.view.reportsOf(machine) },
        ...{ held: none, undecided: none, elsewhere: none, holdsRuns: false },
      },
      systemClock.now(),
    )
  return { reports, write, wake }
}

test('of events in several writes those that were written are not written again after a failure', async () => {
  const world = await reporting(['made', 'lost'])
  const { reports, write } = reportsOf(world)
  const messages = Array.from({ length: 250 }, (_, n) => `file ${n} was written`)
  const about = { project: null, service: null, instance: null, machine }
  for (const message of messages) reports.noteEvent({ kind: 'files-replaced', ...about, message })
  await expect(write()).rejects.toThrow('unreachable')
  await write()
  expect(world.told()).toEqual(messages)
})

test('an event is told once if nobody heard that it was written', async () => {
  const world = await reporting(['answer-lost'])
  const { reports, write } = reportsOf(world)
  reports.noteMachine({ isSick: true, sickForMs: 0, slowness: 20 })
  await expect(write()).rejects.toThrow('unreachable')
  await write()
  await write()
  expect(world.told()).toHaveLength(1)
})

test('a start is told once if nobody heard that it was reported, and the view does not have it yet', async () => {
  const world = await reporting(['answer-lost'], true)
  const { write, wake } = reportsOf(world, true)
  await expect(write()).rejects.toThrow('unreachable')
  expect(world.told()).toEqual([])
  await write()
  expect(wake).toHaveBeenCalledOnce()
  expect(world.told()).toEqual(['web-1 runs as process 7'])
  await write()
  expect(world.told()).toHaveLength(1)
})
