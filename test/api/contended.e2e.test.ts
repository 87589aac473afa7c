// A change of many services at once comes through while passes change the same services one by one, without an end.
import { afterEach, describe, expect, test } from 'vitest'
import { applyChange } from '../../src/api/io/context.js'
import { decideDeploy } from '../../src/changes/deploy.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { Time, Timer } from '../../src/lib/time.js'
import { eachService } from '../../src/store/io/each-service.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { leaderKey, putOf } from '../../src/store/records.js'
import type { Store } from '../../src/store/store.js'
import { machineRecord } from '../interleaving/cluster.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { openMemoryStore } from '../store/memory-store.js'
import { idOf, project } from '../world/world.js'

const names = Array.from({ length: 30 }, (_, n) => `s${n}`)
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A millisecond for each turn, while somebody waits. */
function timeOf(): Time {
  let now = 1_000_000
  const timer: Timer = { cancel: () => {}, unref: () => timer }
  const wait = async (ms: number, run: () => void): Promise<void> => {
    for (const until = now + ms; now < until; now++) await turn()
    run()
  }
  const after = (ms: number, run: () => void): Timer => {
    wait(ms, run).catch(() => {})
    return timer
  }
  return { now: () => now, steady: () => now, after }
}

/** A store that takes the longer the more is written, as all do. */
function slow(store: Store): Store {
  return {
    ...store,
    txn: async (compare, ops) => {
      for (let n = 0; n < ops.length; n++) await turn()
      return store.txn(compare, ops)
    },
  }
}

async function openDaemons() {
  const time = timeOf()
  const store = slow(openMemoryStore({ clock: time, historyLimit: 1_000_000 }))
  const lead = { op: 'put', key: leaderKey, value: JSON.stringify({ machine: idOf('a') }) } as const
  await store.txn([], [machineRecord(idOf('a')), lead])
  const daemon = async (name: string) => {
    const registry = await openRegistry(store, { onError: () => {}, patienceMs: 3_600_000 })
    ends.push(() => registry.close())
    const context = { registry, events: openEventLog(time, idOf(name)), clock: time, random: () => 0.5 }
    return { registry, change: (...[decide]: Decide) => applyChange(context, null, decide) }
  }
  type Decide = [decide: Parameters<typeof applyChange>[2]]
  const [leading, other] = [await daemon('a'), await daemon('b')]
  await leading.change(deployed(1))
  return { leading, other }
}

/** Changes one service after the other, over and over, until it is told to end or has changed so many. */
function keepPassing(registry: Registry, changesAtMost: number): () => number {
  const stop = new AbortController()
  let changes = 0
  const passing = (async () => {
    while (!stop.signal.aborted)
      await eachService(registry, {
        log: silentLog,
        epoch: registry.view.leader?.epoch ?? 0,
        now: 0,
        signal: stop.signal,
        decide: (_view, service) => ({
          decidedOn: [],
          ops: [putOf('service', { ...service, starts: service.starts + 1 })],
          wakeAt: null,
        }),
        onDecided: () => {
          changes += 1
          if (changes >= changesAtMost) stop.abort()
        },
      })
  })()
  ends.push(() => {
    stop.abort()
    return passing
  })
  return () => changes
}

const deployed = (mark: number) => (view: Registry['view'], now: number) => {
  const text = `compute_type: process\ncommand: [/bin/x, "${mark}"]\n`
  const sources = names.map((name) => ({ file: `${name}.yml`, text, name }))
  return decideDeploy(view, defaultSettings, project, { sources }, now)
}

const ordinals = ({ view }: Registry) => [...view.services.values()].map(({ lastOrdinal }) => lastOrdinal)

describe('a deploy of thirty services', () => {
  test('comes through while the passes of the same daemon change them without an end', async () => {
    const { leading } = await openDaemons()
    const changes = keepPassing(leading.registry, Number.POSITIVE_INFINITY)
    for (const mark of [2, 3, 4]) {
      const before = changes()
      await leading.change(deployed(mark))
      // The passes are not held up either.
      while (changes() < before + names.length) await turn()
    }
    expect(ordinals(leading.registry)).toEqual(names.map(() => 4))
  })

  test('comes through where another daemon passes over them, once that has an end', async () => {
    const { leading, other } = await openDaemons()
    keepPassing(leading.registry, 6000)
    await other.change(deployed(2))
    expect(ordinals(other.registry)).toEqual(names.map(() => 2))
  })

  test('is refused where others change them without an end', async () => {
    const { leading, other } = await openDaemons()
    keepPassing(leading.registry, Number.POSITIVE_INFINITY)
    await expect(other.change(deployed(2))).rejects.toMatchObject({ problem: { code: 'api/contended' } })
  })
})
