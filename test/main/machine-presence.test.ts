// Who a machine's id belongs to: the daemon that renews its claim, the same machine after a reboot, or nobody else.
import { afterEach, describe, expect, test } from 'vitest'
import { absentUnit, freshMemory, reportOf } from '../../src/agent/report.js'
import { machineBodyOf } from '../../src/api/bodies.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { aliveMs, claimMachine, DuplicateMachineError } from '../../src/main/machine-presence.js'
import { describeTrouble } from '../../src/model/instance-state.js'
import type { Machine, MachineId } from '../../src/model/machine.js'
import type { UnitName } from '../../src/model/unit.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { decodeEvents, keys, putOf } from '../../src/store/records.js'
import { type Store, StoreError } from '../../src/store/store.js'
import type { Requirements } from '../../src/unit/requirements.js'
import { openMemoryStore } from '../store/memory-store.js'

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
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
  let steady = 0
  const clock = { ...systemClock, now: () => now, steady: () => steady }
  const registry: Registry = await openRegistry(openMemoryStore({ clock }), { onError: () => {} })
  ending.push(async () => {
    await registry.close()
    await registry.store.close()
  })
  const claim = async (
    holder: string,
    stop = atOnce,
    onWait?: (taken: DuplicateMachineError) => Promise<void>,
  ) => {
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
    const presence = await claimMachine(
      { ...parts, ...(onWait !== undefined && { onWait }), onTaken: () => {}, onLost: () => {} },
      stop,
    )
    ending.push(() => presence.stop())
    return presence
  }
  const claimed = async (): Promise<string> => (await registry.store.get(`claims/${id}`))?.value ?? ''
  return { registry, claim, claimed, pass: (ms: number) => (now += ms), goOn: (ms: number) => (steady += ms) }
}

test.each(['moved', 'moving'])(
  'no machine joins a store once it has the mark %s, and one whose lease has ended meanwhile ends',
  async (mark) => {
    const memory = openMemoryStore({ clock: systemClock })
    const registry = await openRegistry(memory, { onError: () => {} })
    let taken = (_: Error): void => {}
    const ended = new Promise<Error>((resolve) => {
      taken = resolve
    })
    const claim = () =>
      claimMachine(
        {
          ...{ registry, id, holder: 'data/boot', hostname: 'north-1', clock: systemClock, onTaken: taken },
          ...{ ttlMs: 300, events: openEventLog(systemClock, id), onLost: () => {}, log: quiet },
        },
        atOnce,
      )
    const presence = await claim()
    ending.push(async () => {
      await presence.stop()
      await registry.close()
      await memory.close()
    })
    await presence.announce(machineOf('north-1'))
    const { lease } = (await memory.get(`claims/${id}`)) ?? { lease: null }
    await memory.txn([], [{ op: 'put', key: mark, value: 'embedded to /data on host' }])
    await expect(claim()).rejects.toMatchObject({ code: `store/${mark}` })
    await memory.revoke(lease ?? '')
    expect(await ended).toMatchObject({ code: `store/${mark}` })
    expect(await memory.get(`claims/${id}`)).toBeNull()
    expect(await memory.get(keys.machine(id))).toBeNull()
  },
)

function machineOf(hostname: string): Machine {
  const capacity = { cpus: 1, memoryMb: 1, diskMb: 1 }
  return {
    ...{ id, hostname, ip: '', metadata: {}, capacity, drivers: [], version: '1', bootedAt: 0 },
  }
}

test('a machine whose lease ends while the store is full is there for its own daemon, and for all once there is room', async () => {
  const memory = openMemoryStore({ clock: systemClock })
  let isFullNow = false
  const refuse = (): never => {
    throw new StoreError('store/full', 'no space', 'make some')
  }
  const store: Store = {
    ...memory,
    txn: async (...asked) => (isFullNow ? refuse() : memory.txn(...asked)),
    grant: async (ms) => (isFullNow ? refuse() : memory.grant(ms)),
  }
  const registry = await openRegistry(store, { onError: () => {} })
  let refused = (): void => {}
  const isRefused = new Promise<void>((resolve) => {
    refused = resolve
  })
  const presence = await claimMachine(
    {
      ...{ registry, id, holder: 'data/boot', hostname: 'north-1', clock: systemClock, onTaken: () => {} },
      ...{ ttlMs: 300, events: openEventLog(systemClock, id), onLost: () => {} },
      log: { ...quiet, warn: () => refused() },
    },
    atOnce,
  )
  ending.push(async () => {
    await presence.stop()
    await registry.close()
    await memory.close()
  })
  await presence.announce(machineOf('north-1'))
  isFullNow = true
  const { lease } = (await store.get(`claims/${id}`)) ?? { lease: null }
  await memory.revoke(lease ?? '')
  await isRefused
  await expect.poll(() => registry.view.machines.get(id)?.hostname, { timeout: 30_000 }).toBe('north-1')
  expect(await store.get(keys.machine(id))).toBeNull()
  isFullNow = false
  await expect.poll(() => store.get(keys.machine(id)), { timeout: 30_000 }).not.toBeNull()
  expect(registry.view.machines.get(id)?.hostname).toBe('north-1')
})

test('what a machine says of itself while the store is away is said once it is back, under the same lease', async () => {
  const memory = openMemoryStore({ clock: systemClock })
  let isAway = false
  const store: Store = {
    ...memory,
    txn: async (...asked) => {
      if (isAway) throw new StoreError('store/unreachable', 'no answer', 'wait')
      return await memory.txn(...asked)
    },
  }
  const registry = await openRegistry(store, { onError: () => {} })
  const presence = await claimMachine(
    {
      ...{ registry, id, holder: 'data/boot', hostname: 'north-1', clock: systemClock, onTaken: () => {} },
      ...{ ttlMs: 3000, events: openEventLog(systemClock, id), onLost: () => {}, log: quiet },
    },
    atOnce,
  )
  ending.push(async () => {
    await presence.stop()
    await registry.close()
    await memory.close()
  })
  await presence.announce(machineOf('north-1'))
  const { lease } = (await store.get(keys.machine(id))) ?? { lease: null }
  isAway = true
  const changed = { ...machineOf('north-1'), metadata: { region: 'north' } }
  await expect(presence.announce(changed)).rejects.toThrow('no answer')
  isAway = false
  const read = () => registry.view.machines.get(id)?.metadata
  await expect.poll(read, { timeout: 30_000 }).toEqual({ region: 'north' })
  expect((await store.get(keys.machine(id)))?.lease).toBe(lease)
})

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

describe('what a machine reported before', () => {
  /** What is told of two units once a daemon has announced itself: one ran when it was told of, one had ended. */
  async function toldAfter(meanwhile: 'a restart' | 'a boot' | 'the end of the lease') {
    const world = await openWorld()
    const { registry } = world
    const before = await world.claim('data/boot1')
    await before.announce(machineOf('north-1'))
    const told = (['active', 'failed'] as const).map((active) =>
      putOf(
        'report',
        reportOf(id, { ...absentUnit(`${active}.service` as UnitName, 'docker'), active }, freshMemory),
      ),
    )
    await registry.commit([], told)
    await before.stop()
    if (meanwhile === 'a boot') world.pass(ttlMs - aliveMs(ttlMs) + 1)
    if (meanwhile === 'the end of the lease') {
      await registry.store.revoke(registry.entryAt(keys.machine(id))?.lease ?? '')
      await expect.poll(() => registry.view.machines.has(id)).toBe(false)
    }
    const after = await world.claim(meanwhile === 'a boot' ? 'data/boot2' : 'data/boot1')
    await after.announce(machineOf('north-1'))
    const doubtful = (): readonly string[] =>
      [...registry.view.reportsOf(id).values()]
        .filter(({ unknownSince }) => unknownSince !== undefined)
        .map((report) => `${report.name} ${describeTrouble(report, 0)}`)
    const first = doubtful()
    // Its agent has looked by now: a change of the machine's record is no reason to doubt it.
    await registry.commit([], told)
    await after.announce(machineOf('north-2'))
    return { first, later: doubtful() }
  }

  test('stands after a restart of its daemon', async () => {
    expect(await toldAfter('a restart')).toEqual({ first: [], later: [] })
  })

  test.each(['a boot', 'the end of the lease'] as const)(
    'is not known to hold after %s, where it ran, until its agent has looked',
    async (meanwhile) => {
      expect(await toldAfter(meanwhile)).toEqual({
        first: [
          expect.stringMatching(/^active\.service .*: its machine was away, and its daemon has not looked/),
        ],
        later: [],
      })
    },
  )
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

test('an id that is taken is waited for by whoever is told so, with its holder and since when, until it is free', async () => {
  const world = await openWorld()
  const since = new Date(1_000_000).toISOString()
  await (await world.claim('data/boot1')).stop()
  world.pass(1000)
  // A daemon that was restarted has had the id all along.
  const again = await world.claim('data/boot1')
  const message = `machine id ${id} is taken: another daemon, on north-1, has it since ${since}`
  const told: string[] = []
  await world.claim('other/boot2', new AbortController().signal, async (taken) => {
    told.push(taken.message)
    // Longer than a daemon that is dead could have the id.
    world.goOn(10 * ttlMs)
    if (told.length < 3) return
    await again.stop()
    world.pass(ttlMs)
  })
  expect(told).toEqual([message, message, message])
  expect(await world.claimed()).toContain('other/boot2')
})

test('a claim of a program that does not say since when is told without', async () => {
  const world = await openWorld()
  const lease = await world.registry.store.grant(ttlMs)
  const value = JSON.stringify({ holder: 'data/boot1', hostname: 'old-1', ttlMs })
  await world.registry.store.txn([], [{ op: 'put', key: `claims/${id}`, value, lease }])
  await expect(world.claim('other/boot2')).rejects.toThrow(/on old-1, has it$/)
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
  const machine = machineOf('north-1')
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

test('a machine that is back is not remembered as down, though it has not heard yet that this was noted', async () => {
  const { registry, claim } = await openWorld()
  const presence = await claim('data/boot')
  const machine = machineOf('north-1')
  await presence.announce(machine)
  await expect.poll(() => registry.view.knownMachines.size).toBe(1)
  const known = registry.view.knownMachines.get(id)
  if (known === undefined) throw new Error('it has announced itself')
  const noted = registry.store.txn([], [putOf('knownMachine', { ...known, downSince: 1_000_000 })])
  await Promise.all([noted, presence.announce(machine)])
  const { value = '' } = (await registry.store.get(keys.knownMachine(id))) ?? {}
  expect(value).toContain('north-1')
  expect(value).not.toContain('downSince')
})

test('a machine whose record ends as it announces itself has joined again, though it has not heard of that end yet', async () => {
  const { registry, claim } = await openWorld()
  const first = await claim('data/boot')
  await first.announce(machineOf('north-1'))
  await first.stop()
  const second = await claim('data/boot')
  const ended = registry.store.txn([], [{ op: 'delete', key: keys.machine(id) }])
  await Promise.all([ended, second.announce(machineOf('north-1'))])
  expect(registry.view.machines.has(id)).toBe(true)
  const told = registry.entriesUnder('events/').flatMap(decodeEvents)
  expect(told.map(({ kind }) => kind)).toEqual(['machine-joined', 'machine-joined'])
})

test('a machine says since when it is up, away and down', async () => {
  const world = await openWorld()
  const { registry } = world
  const shown = () => {
    const machine = registry.view.machines.get(id) ?? registry.view.knownMachines.get(id)
    if (machine === undefined) throw new Error('the machine is unknown')
    const { state, since } = machineBodyOf(registry.view, machine, () => ({}) as Requirements)
    return [state, since === null ? null : Date.parse(since)]
  }
  const first = await world.claim('data/boot1')
  await first.announce(machineOf('north-1'))
  expect(shown()).toEqual(['up', 1_000_000])
  world.pass(1000)
  await first.announce({ ...machineOf('north-1'), metadata: { region: 'north' } })
  expect(shown()).toEqual(['up', 1_000_000])
  await first.stop()
  // One that restarts was never away.
  const second = await world.claim('data/boot1')
  await second.announce(machineOf('north-1'))
  expect(shown()).toEqual(['up', 1_000_000])
  await second.leave(60_000)
  expect(shown()).toEqual(['away', 1_001_000])
  world.pass(2000)
  const third = await world.claim('data/boot1')
  await third.announce(machineOf('north-1'))
  expect(shown()).toEqual(['up', 1_003_000])
  await third.stop()
  const known = registry.view.knownMachines.get(id)
  await registry.commit([], [{ op: 'delete', key: keys.machine(id) }])
  expect(shown()).toEqual(['down', null])
  if (known !== undefined)
    await registry.commit([], [putOf('knownMachine', { ...known, downSince: 1_004_000 })])
  expect(shown()).toEqual(['down', 1_004_000])
})
