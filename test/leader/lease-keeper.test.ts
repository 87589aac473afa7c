// When a leader decides, and when it waits for machines that may have been out of touch as it was itself.
import { afterEach, expect, test } from 'vitest'
import { type LeaseKeeper, startLeaseKeeper } from '../../src/leader/io/lease-keeper.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Machine, MachineId } from '../../src/model/machine.js'
import type { Placement, UnitName } from '../../src/model/unit.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { leaderKey, putOf } from '../../src/store/records.js'
import { openMemoryStore } from '../store/memory-store.js'

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const [own, other] = ['a'.repeat(32), 'b'.repeat(32)] as MachineId[]

const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** A leader in touch for so long, in a cluster where a unit is placed on another machine. */
async function openLeader(connectedForMs: () => number, onDecides = () => {}) {
  const registry = await openRegistry(openMemoryStore({ clock: systemClock }), { onError: () => {} })
  const placement = {
    unit: 'a.service' as UnitName,
    machine: other,
    ports: [],
    cause: { kind: 'new' },
    at: 0,
  }
  await registry.commit([], [putOf('placement', placement as Placement)])
  const keeper = startLeaseKeeper({
    registry,
    machine: own as MachineId,
    clock: systemClock,
    log: quiet,
    ttlMs: 10_000,
    connectedForMs,
    onDecides,
  })
  ending.push(async () => {
    await keeper.stop()
    await registry.close()
    await registry.store.close()
  })
  await leads(registry)
  return { registry, keeper }
}

async function leads(registry: Registry): Promise<void> {
  if (registry.view.leader !== null) return
  await new Promise<void>((resolve) => {
    const end = registry.onChange(() => {
      if (registry.view.leader === null) return
      end()
      resolve()
    })
  })
  // The keeper itself sees its commit a moment after the view.
  await new Promise(setImmediate)
}

test('a leader that was in touch all along decides at once, whoever is missing', async () => {
  const { keeper } = await openLeader(() => 60_000)
  expect(keeper.epoch()).not.toBeNull()
})

test('a leader that was out of touch decides nothing until the machines with units are back', async () => {
  const { registry, keeper } = await openLeader(() => 100)
  expect(keeper.epoch()).toBeNull()
  await registry.commit([], [putOf('machine', { id: other, metadata: {} } as Machine)])
  expect(keeper.epoch()).not.toBeNull()
})

test('it does not wait for ever, and says when it has waited', async () => {
  let from: number | null = null
  // In touch for nearly as long as it waits already, when it is asked for the first time.
  const lastsMs = () => {
    from ??= performance.now()
    return 9900 + performance.now() - from
  }
  let keeper: LeaseKeeper | null = null
  const epochs: (number | null)[] = []
  await new Promise<void>((resolve, reject) => {
    // Once when it has taken the lead, once when it has waited.
    const said = (): void => {
      epochs.push(keeper?.epoch() ?? null)
      if (epochs.length === 2) resolve()
    }
    openLeader(lastsMs, said).then((opened) => {
      keeper = opened.keeper
    }, reject)
  })
  expect(epochs).toEqual([null, expect.any(Number)])
})

test('whoever takes the lead says so when it can decide, not a moment before', async () => {
  const store = openMemoryStore({ clock: systemClock })
  const registry = await openRegistry(store, { onError: () => {} })
  const epoch = await new Promise<number | null>((resolve) => {
    const keeper = startLeaseKeeper({
      registry,
      machine: own as MachineId,
      clock: systemClock,
      log: quiet,
      ttlMs: 10_000,
      connectedForMs: () => 60_000,
      onDecides: () => resolve(keeper.epoch()),
    })
    ending.push(async () => {
      await keeper.stop()
      await registry.close()
      await store.close()
    })
  })
  expect(epoch).toBe(registry.view.leader?.epoch)
})

test('the lead that is free goes to a machine that was in touch all along, rather than to one that has just come', async () => {
  const store = openMemoryStore({ clock: systemClock })
  const registry = await openRegistry(store, { onError: () => {} })
  ending.push(() => store.close())
  ending.push(() => registry.close())
  for (const id of [own, other])
    await registry.commit([], [putOf('machine', { id, metadata: {} } as Machine)])
  const keepers = [
    { machine: own as MachineId, connectedForMs: () => 100 },
    { machine: other as MachineId, connectedForMs: () => 60_000 },
  ].map((one) =>
    startLeaseKeeper({
      ...one,
      registry,
      clock: systemClock,
      log: quiet,
      ttlMs: 10_000,
      onDecides: () => {},
    }),
  )
  await leads(registry)
  expect(registry.view.leader?.machine).toBe(other)
  // Where there is nobody else to take it, one that has just come does.
  await keepers[1]?.stop()
  await leads(registry)
  expect(registry.view.leader?.machine).toBe(own)
  await keepers[0]?.stop()
})

test.each([
  ['nothing that can be read', 'null'],
  ['another machine, that never said so', JSON.stringify({ machine: other })],
  ['itself, which another wrote', JSON.stringify({ machine: own })],
])('a leader whose key somebody overwrites with %s leads again', async (_, value) => {
  const { registry, keeper } = await openLeader(() => 60_000)
  const before = keeper.epoch()
  await registry.store.txn([], [{ op: 'put', key: leaderKey, value }])
  await decides(registry, keeper, before)
})

test('a leader whose key somebody removes leads again', async () => {
  const { registry, keeper } = await openLeader(() => 60_000)
  const before = keeper.epoch()
  await registry.store.txn([], [{ op: 'delete', key: leaderKey }])
  await decides(registry, keeper, before)
})

/** Resolves when a keeper leads in another epoch than before. */
async function decides(registry: Registry, keeper: LeaseKeeper, before: number | null): Promise<void> {
  const isSo = (): boolean => keeper.epoch() !== null && keeper.epoch() !== before
  if (isSo()) return
  await new Promise<void>((resolve) => {
    const end = registry.onChange(() => {
      // The keeper knows a moment after the view does.
      setImmediate(() => {
        if (!isSo()) return
        end()
        resolve()
      })
    })
  })
}
