// Who a machine's id belongs to: the daemon that renews its claim, the same machine after a reboot, or nobody else.
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { aliveMs, claimMachine, DuplicateMachineError } from '../../src/main/presence.js'
import type { Machine, MachineId } from '../../src/model/machine.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openMemoryStore } from '../../src/store/io/memory.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { keys } from '../../src/store/records.js'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const id = 'a'.repeat(32) as MachineId
const ttlMs = 30_000
/** Asks once, and does not wait. */
const atOnce = AbortSignal.abort()

const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

async function openWorld() {
  let now = 1_000_000
  const clock = { ...systemClock, now: () => now }
  const registry: Registry = await openRegistry(openMemoryStore({ clock }), { onError: () => {} })
  ending.push(async () => {
    await registry.close()
    await registry.store.close()
  })
  const claim = async (holder: string, stop = atOnce) => {
    const parts = {
      registry,
      id,
      holder,
      hostname: 'north-1',
      ttlMs,
      clock,
      log: quiet,
      events: openEventLog(clock, id),
    }
    const presence = await claimMachine({ ...parts, onTaken: () => {}, onLost: () => {} }, stop)
    ending.push(() => presence.stop())
    return presence
  }
  const claimed = async (): Promise<string> => (await registry.store.get(`claims/${id}`))?.value ?? ''
  return { registry, claim, claimed, pass: (ms: number) => (now += ms) }
}

test('a machine that was started anew takes its id over once nobody can be renewing the old claim', async () => {
  const world = await openWorld()
  const before = await world.claim('data/boot1')
  // The host lost its power: nobody renews any more.
  await before.stop()
  world.pass(ttlMs - aliveMs(ttlMs))
  await expect(world.claim('data/boot2')).rejects.toThrow(DuplicateMachineError)
  world.pass(1)
  await world.claim('data/boot2')
  expect(await world.claimed()).toContain('data/boot2')
})

test('a daemon that is restarted in the same boot has its id at once', async () => {
  const world = await openWorld()
  await (await world.claim('data/boot1')).stop()
  await world.claim('data/boot1')
  expect(await world.claimed()).toContain('data/boot1')
})

test('another machine under the same id waits for the end of the whole lease', async () => {
  const world = await openWorld()
  await (await world.claim('data/boot1')).stop()
  world.pass(ttlMs - 1)
  await expect(world.claim('other/boot2')).rejects.toThrow(DuplicateMachineError)
  world.pass(1)
  await world.claim('other/boot2')
  expect(await world.claimed()).toContain('other/boot2')
})

test('a copy of a machine that runs is refused: what it has a copy of renews its claim', async () => {
  const world = await openWorld()
  await world.claim('data/boot1')
  world.pass(ttlMs / 3)
  await expect(world.claim('data/boot2')).rejects.toThrow(DuplicateMachineError)
})

test('a daemon that lives always has more left of its lease than one that is taken for dead', () => {
  for (const ttl of [2000, 3000, 5000, 10_000, 30_000, 600_000]) {
    expect(aliveMs(ttl)).toBeLessThanOrEqual(ttl - ttl / 3 - ttl / 10)
    expect(aliveMs(ttl)).toBeLessThan(ttl)
  }
})

test.each([
  ['removed', null],
  ['overwritten with nonsense', 'x{'],
  ['put back from a copy, without its lease', 'itself'],
])('a machine whose record is %s while it runs is there again, by its lease', async (_, what) => {
  const world = await openWorld()
  const presence = await world.claim('data/boot1')
  const { registry } = world
  const capacity = { cpus: 1, memoryMb: 1, diskMb: 1 }
  const machine: Machine = {
    ...{ id, hostname: 'north-1', ip: '', metadata: {}, capacity, drivers: [], version: '1', bootedAt: 0 },
  }
  await presence.announce(machine)
  const key = keys.machine(id)
  const before = registry.entryAt(key)
  expect([before?.lease, registry.view.unreadable.size]).toEqual([expect.any(String), 0])
  const value = what === 'itself' ? (before?.value ?? '') : what
  const healed = new Promise<void>((resolve) => {
    registry.onChange(() => {
      const now = registry.entryAt(key)
      if (now !== null && now.modRevision !== before?.modRevision && now.lease === before?.lease) resolve()
    })
  })
  await registry.store.txn([], [value === null ? { op: 'delete', key } : { op: 'put', key, value }])
  await healed
  expect(registry.entryAt(key)?.value).toBe(before?.value)
})
