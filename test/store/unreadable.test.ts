// A record that cannot be read is set aside alone: nothing about it is decided, all else goes on, and it heals.
import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { Scheduler } from '../../src/engine/scheduler.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { MachineId } from '../../src/model/machine.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry } from '../../src/store/io/registry.js'
import { startTelling } from '../../src/store/io/report-unreadable.js'
import {
  decodeEvents,
  keys,
  kindOfKey,
  leaderKey,
  prefixes,
  putOf,
  type RecordKind,
} from '../../src/store/records.js'
import { opsLike } from '../../src/store/scratch.js'
import { type Op, type Store, StoreError } from '../../src/store/store.js'
import { LiveView } from '../../src/store/view.js'
import { randomCases } from '../random-runs.js'
import { World } from '../world/world.js'
import { openMemoryStore } from './memory-store.js'

const program = (name: string): string =>
  `name: ${name}\ncompute_type: process\ncommand: [/bin/sleep, "1000"]\nmemory: 16M\n`

/** Two services that run on two machines, with a plain order, a project, metadata and tasks beside them. */
function settledWorld(): World {
  const world = new World()
  const a = world.machine('a')
  world.machine('b')
  for (const name of ['web', 'db']) {
    world.deploy(program(name), { sources: [{ file: 'm.yml', text: program(name), name }] })
    world.scale(name, 3)
  }
  world.apply([
    putOf('order', { id: a, cordoned: false, metadata: { disk: 'ssd' } }),
    putOf('project', { name: 'default', tags: {}, createdAt: 1 }),
    putOf('scaling', { project: 'default', service: 'web', at: 1 }),
  ])
  world.meta('colour', 'red')
  world.settle()
  return world
}

type Put = Extract<Op, { op: 'put' }>

const putsOf = (world: World): readonly Put[] =>
  [...opsLike(world.view, ['default'])].filter((op) => op.op === 'put')

/** What the rest of the cluster is, but for one record. */
const without = (world: World, key: string): readonly string[] =>
  putsOf(world)
    .filter((put) => put.key !== key)
    .map(({ key: other, value }) => `${other} ${value}`)
    .sort()

const damage = fc.oneof(
  fc.constantFrom('', 'null', '[]', '{}', '0', '{"v":1}', '{"v":2,"name":"later"}', '{"v":"x"}', 'x{'),
  fc.json(),
)

test('whatever a record is replaced with, the rest of the view stays, and it is back when it is repaired', () => {
  const world = settledWorld()
  const puts = putsOf(world)
  expect(new Set(puts.map(({ key }) => kindOfKey(key))).size).toBeGreaterThan(10)
  fc.assert(
    fc.property(fc.constantFrom(...puts), damage, ({ key, value }, text) => {
      const rest = without(world, key)
      world.apply([{ op: 'put', key, value: text }])
      expect([...world.view.unreadable.keys()]).toEqual([key])
      // A machine of which no more is known is still there, as it was.
      expect(without(world, key)).toEqual(rest)
      world.apply([{ op: 'put', key, value }])
      expect(world.view.unreadable.size).toBe(0)
      expect(without(world, key)).toEqual(rest)
    }),
    { numRuns: randomCases(150) },
  )
})

test('a service with a scale that nobody could have asked for is set aside', () => {
  const world = settledWorld()
  const put = putsOf(world).find(({ key }) => kindOfKey(key) === 'service')
  if (put === undefined) throw new Error('there is no service')
  for (const scale of [10_001, -1, 0.5]) {
    const value = JSON.stringify({ ...JSON.parse(put.value), scale })
    world.apply([{ op: 'put', key: put.key, value }])
    expect([...world.view.unreadable.keys()]).toEqual([put.key])
  }
})

test('whatever a record is replaced with, nothing is placed, evicted or retired for it, by an old leader or a new one', () => {
  const fresh = settledWorld()
  const puts = putsOf(fresh)
  fc.assert(
    fc.property(fc.constantFrom(...puts), damage, ({ key, value }, text) => {
      const world = settledWorld()
      const placed = JSON.stringify(
        [...world.view.placements.values()].map(({ unit, machine }) => [unit, machine]).sort(),
      )
      const stillPlaced = (): string =>
        JSON.stringify(
          JSON.parse(placed).filter(([unit]: [string]) => `${prefixes.placement}${unit}` !== key),
        )
      world.apply([{ op: 'put', key, value: text }])
      world.settle(undefined, 20)
      const anew = new Scheduler(world.view, (unit) => world.units.needs(unit)).step(world.now).actions
      expect(anew.filter(({ kind }) => kind === 'place' || kind === 'evict')).toEqual([])
      const now = [...world.view.placements.values()].map(({ unit, machine }) => [unit, machine]).sort()
      expect(JSON.stringify(now)).toBe(stillPlaced())
      expect([...world.view.instances.values()].filter(({ retired }) => retired !== null)).toEqual([])
      world.apply([{ op: 'put', key, value }])
      world.settle(undefined, 20)
      expect(
        JSON.stringify(
          [...world.view.placements.values()].map(({ unit, machine }) => [unit, machine]).sort(),
        ),
      ).toBe(placed)
    }),
    { numRuns: randomCases(25) },
  )
}, 120_000)

test('one service whose record cannot be read leaves the others free to go on', () => {
  const world = settledWorld()
  world.apply([{ op: 'put', key: keys.instance('default', 'web', 1), value: 'null' }])
  world.scale('db', 4)
  world.settle()
  expect(world.serving('db')).toHaveLength(4)
})

test('a machine without its capacity is there, keeps what it runs, and gets nothing more', () => {
  const world = settledWorld()
  const [id] = world.view.machines.keys()
  const machine = id === undefined ? undefined : world.view.machines.get(id)
  if (id === undefined || machine === undefined) throw new Error('no machine')
  const before = world.view.placedOn(id).size
  const { capacity: _, ...rest } = machine
  world.apply([{ op: 'put', key: keys.machine(id), value: JSON.stringify(rest) }])
  world.scale('db', 5)
  world.settle()
  expect(world.view.machines.has(id)).toBe(true)
  expect(world.view.placedOn(id).size).toBe(before)
  expect(world.serving('db')).toHaveLength(5)
})

test('a view that starts with a machine that cannot be read takes it to be there', () => {
  const world = settledWorld()
  const [id] = world.view.machines.keys()
  const view = new LiveView()
  let revision = 0
  for (const { key, value } of putsOf(world)) {
    revision += 1
    const text = key === keys.machine(id ?? ('' as never)) ? 'null' : value
    const entry = { key, value: text, createRevision: revision, modRevision: revision, lease: null }
    view.apply({ type: 'put', key, entry, previous: null })
  }
  expect([...view.machines.keys()].sort()).toEqual([...world.view.machines.keys()].sort())
  expect(new Scheduler(view, (unit) => world.units.needs(unit)).step(0).actions).toEqual([])
})

test('records of the format before, without a number, are read, and are written with one', () => {
  const world = settledWorld()
  for (const { key, value } of putsOf(world)) {
    expect(JSON.parse(value)).toMatchObject({ v: 1 })
    const { v: _, ...before } = JSON.parse(value) as { v: number }
    world.apply([{ op: 'put', key, value: JSON.stringify(before) }])
  }
  expect(world.view.unreadable.size).toBe(0)
})

test('what may be left out of a record is checked where it is there', () => {
  const world = settledWorld()
  const schedule = {
    ...{ project: 'default', service: 'web', serviceUuid: 'u', origin: 1, decidedUpTo: 1, pending: null },
    schedule: { kind: 'cron', expression: '* * * * *', epsilonMs: 0, timezone: null, overlap: 'skip' },
    ...{ started: 0, skipped: 0, missed: 0 },
  }
  const wrong = (prefix: string, field: string): readonly [string, string, string] => {
    const put = putsOf(world).find(({ key }) => key.startsWith(prefix))
    return [put?.key ?? '', put?.value ?? '', field]
  }
  const scheduled = [keys.schedule('default', 'web'), JSON.stringify(schedule)] as const
  for (const [key, value, field] of [
    wrong(prefixes.service, 'deleteVolumes'),
    wrong(prefixes.unit, 'deleteVolumes'),
    wrong(prefixes.report, 'interrupted'),
    wrong(prefixes.machine, 'away'),
    [...scheduled, 'passedOver'] as const,
    [...scheduled, 'ahead'] as const,
  ]) {
    world.apply([{ op: 'put', key, value: JSON.stringify({ ...JSON.parse(value), [field]: 'x' }) }])
    expect([...world.view.unreadable.values()].map(({ problem }) => problem)).toEqual([
      expect.stringContaining(`its ${field} `),
    ])
    world.apply([{ op: 'put', key, value }])
    expect(world.view.unreadable.size).toBe(0)
  }
})

test.each(Object.entries(prefixes))('damage among the %s is reported by key', (kind, prefix) => {
  const view = new LiveView()
  const key = `${prefix}0`
  const entry = { key, value: 'null', createRevision: 1, modRevision: 1, lease: null }
  view.apply({ type: 'put', key, entry, previous: null })
  expect(view.unreadable.get(key)).toMatchObject({ kind: kind as RecordKind, unfit: 'damaged', entry })
  view.apply({ type: 'delete', key, previous: entry })
  expect(view.unreadable.size).toBe(0)
})

test('a leader that cannot be read leads nobody, and a later format is told from damage', () => {
  const view = new LiveView()
  const put = (value: string, revision: number): void => {
    const entry = { key: leaderKey, value, createRevision: 1, modRevision: revision, lease: null }
    view.apply({ type: 'put', key: leaderKey, entry, previous: null })
  }
  put('null', 1)
  expect([view.leader, view.hasNewer, view.unreadable.size]).toEqual([null, false, 1])
  put('{"v":2}', 2)
  expect([view.leader, view.hasNewer, view.unreadable.size]).toEqual([null, true, 1])
  put('{"machine":"a"}', 3)
  expect([view.leader, view.hasNewer, view.unreadable.size]).toEqual([{ machine: 'a', epoch: 3 }, false, 0])
})

test('a registry serves all that can be read beside a damaged record, and every listener hears of each batch', async () => {
  const store = openMemoryStore({ clock: { now: () => 0 } })
  await store.txn([], [{ op: 'put', key: 'files/0', value: 'null' }, putOf('file', { hash: '1', text: 'x' })])
  const errors: unknown[] = []
  const registry = await openRegistry(store, { onError: (error) => errors.push(error) })
  try {
    expect([...registry.view.files]).toEqual([['1', 'x']])
    registry.onChange(() => {
      throw new Error('a listener of no use')
    })
    const heard: string[] = []
    registry.onChange((_, changes) => heard.push(...changes.map(({ key }) => key)))
    expect(await registry.commit([], [putOf('file', { hash: '2', text: 'y' })])).toBe(true)
    expect(heard).toEqual(['files/2'])
    expect(errors).toHaveLength(1)
    await store.txn([], [putOf('unit', { name: 'a.service', hash: '1' } as never)])
    await expect(registry.commit([], [{ op: 'delete', key: 'files/0' }])).rejects.toMatchObject({
      code: 'store/unreadable',
    } satisfies Partial<StoreError>)
  } finally {
    await registry.close()
    await store.close()
  }
})

test('a text that is written again is no change of its kind, and its revision is known', async () => {
  const store = openMemoryStore({ clock: { now: () => 0 } })
  const text = putOf('file', { hash: '1', text: 'x' })
  await store.txn([], [text])
  const registry = await openRegistry(store, { onError: () => {} })
  const heard: string[] = []
  registry.onChange((kinds) => heard.push([...kinds].join()))
  const { revision } = await store.txn([], [text])
  await store.txn([], [text, putOf('project', { name: 'p', tags: {}, createdAt: 1 })])
  await registry.commit([], [{ op: 'delete', key: 'files/1' }])
  expect(heard).toEqual(['', 'project', 'file'])
  expect(registry.view.files.size).toBe(0)
  await store.txn([], [text])
  await registry.holds(['files/1'])
  expect(registry.view.revisionOf('files/1')).toBe(revision + 3)
  await registry.close()
  await store.close()
})

test('while a record cannot be read, other changes ask the store for nothing more', async () => {
  const store = openMemoryStore({ clock: { now: () => 0 } })
  await store.txn([], [{ op: 'put', key: 'files/0', value: 'null' }])
  let asked = 0
  const get: Store['get'] = (key) => {
    asked += 1
    return store.get(key)
  }
  const registry = await openRegistry({ ...store, get }, { onError: () => {} })
  const events = openEventLog(systemClock, 'a' as MachineId, 1)
  const telling = startTelling({ registry, events, clock: systemClock, log: silentLog })
  const told = async (): Promise<readonly string[]> =>
    (await store.range(prefixes.event)).entries.flatMap((entry) =>
      decodeEvents(entry).map(({ message }) => message),
    )
  try {
    await vi.waitFor(async () => expect(await told()).toHaveLength(1))
    for (let n = 1; n <= 20; n++) await registry.commit([], [putOf('file', { hash: `${n}`, text: 'x' })])
    await store.txn([], [putOf('file', { hash: '0', text: 'y' })])
    await vi.waitFor(async () => expect(await told()).toHaveLength(2))
    expect(await told()).toEqual([
      expect.stringContaining('the record files/0 cannot be read'),
      'the record files/0 can be read again',
    ])
    expect(asked).toBe(0)
  } finally {
    await telling.stop()
    await registry.close()
    await store.close()
  }
})

test('that a record can be read again is told although that cannot be written at once', async () => {
  const store = openMemoryStore({ clock: { now: () => 0 } })
  await store.txn([], [{ op: 'put', key: 'files/0', value: 'null' }])
  let refuses = 0
  const txn: Store['txn'] = async (...asked) => {
    if (refuses === 0) return await store.txn(...asked)
    refuses -= 1
    throw new StoreError('store/unreachable', 'no answer', 'wait')
  }
  const registry = await openRegistry({ ...store, txn }, { onError: () => {} })
  const events = openEventLog(systemClock, 'a' as MachineId, 1)
  const telling = startTelling({ registry, events, clock: systemClock, log: silentLog })
  const told = async (): Promise<readonly string[]> =>
    (await store.range(prefixes.event)).entries.flatMap((entry) =>
      decodeEvents(entry).map(({ message }) => message),
    )
  try {
    await vi.waitFor(async () => expect(await told()).toHaveLength(1))
    refuses = 1
    await store.txn([], [putOf('file', { hash: '0', text: 'y' })])
    await vi.waitFor(async () => expect((await told()).at(-1)).toContain('can be read again'), {
      timeout: 30_000,
    })
    expect((await store.range('unreadable/')).entries).toEqual([])
  } finally {
    await telling.stop()
    await registry.close()
    await store.close()
  }
})
