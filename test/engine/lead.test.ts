import { afterEach, describe, expect, test } from 'vitest'
import { enginePass, startAnewEveryMs } from '../../src/engine/io/pass.js'
import { type Log, silentLog } from '../../src/lib/io/log.js'
import type { Pass } from '../../src/lib/io/loop.js'
import type { MachineId } from '../../src/model/machine.js'
import type { UnitName } from '../../src/model/unit.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { LossWatch } from '../../src/store/losses.js'
import { keys, leaderKey, putOf } from '../../src/store/records.js'
import type { Op, Store } from '../../src/store/store.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitHash } from '../../src/unit/print.js'
import { openUnitReader } from '../../src/unit/reader.js'
import { openMemoryStore } from '../store/memory-store.js'

const clock = { now: () => 1_000 }
const signal = new AbortController().signal
const a = 'a'.repeat(32) as MachineId
const b = 'b'.repeat(32) as MachineId
const web = asUnitName('web.service')

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function openStore(): Store {
  const store = openMemoryStore({ clock })
  closing.push(() => store.close())
  return store
}

/** The engine of one machine: its own view of the store, and its own idea of who leads. */
async function openEngine(store: Store, epoch: (registry: Registry) => number | null, log: Log = silentLog) {
  const registry = await openRegistry(store, { onError: () => {} })
  closing.push(() => registry.close())
  const { needs: needsOf } = openUnitReader((hash) => registry.view.files.get(hash))
  const events = openEventLog(clock, a)
  const pass: Pass = enginePass({
    registry,
    needsOf,
    events,
    losses: new LossWatch(registry.view, 0),
    log,
    epoch: () => epoch(registry),
    jumps: () => [],
  })
  return { registry, pass, now: () => registry.view.placements.get(web)?.machine }
}

const asTheViewSays = ({ view }: Registry): number | null => view.leader?.epoch ?? null

async function lead(store: Store, machine: MachineId): Promise<number> {
  const { revision } = await store.txn(
    [],
    [{ op: 'put', key: leaderKey, value: JSON.stringify({ machine }) }],
  )
  return revision
}

const write = (store: Store, ...ops: Op[]) => store.txn([], ops)

function machine(id: MachineId): Op {
  return putOf('machine', {
    id,
    hostname: id.slice(0, 1),
    ip: '10.0.0.1',
    metadata: {},
    capacity: { cpus: 1, memoryMb: 1000, diskMb: 1000 },
    drivers: ['process'],
    version: '0',
    bootedAt: 0,
  })
}

function unit(name: UnitName): readonly Op[] {
  const text = '[Service]\nExecStart=/bin/x\n'
  const hash = unitHash(text)
  const desired = { name, hash, desired: 'launched', instance: null, createdAt: 1 } as const
  return [putOf('file', { hash, text }), putOf('unit', desired)]
}

async function caughtUp(registry: Registry): Promise<void> {
  await registry.commit([], [{ op: 'put', key: 'seen', value: String(await registry.store.get('seen')) }])
}

describe('the engine', () => {
  test('decides nothing while another machine leads', async () => {
    const store = openStore()
    await write(store, machine(a), ...unit(web))
    const { pass, registry } = await openEngine(store, () => null)
    await pass(1, signal)
    expect(registry.view.placements.size).toBe(0)
  })

  test('of two machines that both believe to lead, what the older leader writes is refused', async () => {
    const store = openStore()
    await write(store, machine(a), ...unit(web))
    const before = await lead(store, a)
    const older = await openEngine(store, () => before)
    const after = await lead(store, b)
    const newer = await openEngine(store, () => after)

    await older.pass(1, signal)
    expect(await store.get(keys.placement(web))).toBeNull()
    expect(await store.range('events/')).toMatchObject({ entries: [] })

    await newer.pass(2, signal)
    expect(newer.now()).toBe(a)
    await write(store, { op: 'delete', key: keys.machine(a) }, machine(b))
    await caughtUp(older.registry)
    await older.pass(3, signal)
    expect(older.now()).toBe(a)
    await caughtUp(newer.registry)
    await newer.pass(4, signal)
    expect(newer.now()).toBe(b)
  })

  test('a leader that is elected again starts from what the others have decided meanwhile', async () => {
    const store = openStore()
    await write(store, machine(a), ...unit(web))
    await lead(store, a)
    const one = await openEngine(store, (registry) =>
      registry.view.leader?.machine === a ? asTheViewSays(registry) : null,
    )
    await one.pass(1, signal)
    await lead(store, b)
    const two = await openEngine(store, asTheViewSays)
    await write(store, { op: 'delete', key: keys.machine(a) }, machine(b))
    await caughtUp(two.registry)
    await two.pass(2, signal)
    await lead(store, a)
    await caughtUp(one.registry)
    await one.pass(3, signal)
    expect(one.now()).toBe(b)
  })

  test('follows machines and units as they come, go and change', async () => {
    const store = openStore()
    await lead(store, a)
    const { pass, registry, now } = await openEngine(store, asTheViewSays)
    await pass(1, signal)
    await write(store, ...unit(web))
    await caughtUp(registry)
    await pass(2, signal)
    expect(registry.view.waiting.has(web)).toBe(true)
    await write(store, machine(b))
    await caughtUp(registry)
    await pass(3, signal)
    expect(now()).toBe(b)
    expect(registry.view.waiting.has(web)).toBe(false)
  })

  test('starts anew now and then, and finds nothing that it has missed', async () => {
    const warnings: string[] = []
    const store = openStore()
    await write(store, machine(a), ...unit(web))
    await lead(store, a)
    const log = { ...silentLog, warn: (_: string, message: string) => warnings.push(message) }
    const { pass, registry, now } = await openEngine(store, asTheViewSays, log)
    await pass(1, signal)
    expect(now()).toBe(a)
    const revision = registry.view.revisionOf(keys.placement(web))
    for (let at = 2; at < 4 * startAnewEveryMs; at += startAnewEveryMs / 2) await pass(at, signal)
    expect(registry.view.revisionOf(keys.placement(web))).toBe(revision)
    expect(warnings).toEqual([])
  })

  test('what a follower of the view has missed is put right when it starts anew, and said', async () => {
    const warnings: string[] = []
    const store = openStore()
    await write(store, machine(a), ...unit(web))
    await lead(store, a)
    const log = { ...silentLog, warn: (_: string, message: string) => warnings.push(message) }
    const { pass, registry, now } = await openEngine(store, asTheViewSays, log)
    await pass(1, signal)
    await pass(2, signal)
    // As if the change had been lost on its way: the view has it, and the engine was not told.
    const { view } = registry
    expect(now()).toBe(a)
    const known = view.placements as Map<UnitName, unknown>
    known.delete(web)
    await pass(3, signal)
    expect(now()).toBeUndefined()
    await pass(3 + startAnewEveryMs, signal)
    expect(now()).toBe(a)
    expect(warnings).toHaveLength(1)
  })
})
