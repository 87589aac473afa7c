// Moving records between stores, interrupted at every step: never two stores that can be used, never a record lost.
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Machine, MachineId } from '../../src/model/machine.js'
import { migrateStore, refuseWhileMoving, undoMigration } from '../../src/store/io/migrate.js'
import { clusterKey, putOf } from '../../src/store/records.js'
import type { Store } from '../../src/store/store.js'
import { openMemoryStore } from './memory-store.js'

const to = 'etcd://there'

describe('a move of a store', () => {
  test('takes every record along, byte for byte, but for what lives by a lease', async () => {
    const source = await filled(1234)
    const lease = await source.grant(60_000)
    await source.txn([], [{ op: 'put', key: 'machines/a', value: 'here', lease }])
    const target = openMemory()
    const seen: number[] = []
    const moved = await migrateStore(source, target, { to, onProgress: (done) => seen.push(done) })
    expect(moved).toMatchObject({ records: 1235, resumed: false })
    expect(await contentOf(target)).toEqual(recordsOf(1234))
    expect(seen.at(-1)).toBe(1234)
  })

  test('leaves the source behind with its records and a mark, and the target free to use', async () => {
    const [source, target] = [await filled(3), openMemory()]
    await migrateStore(source, target, { to })
    await expect(refuseWhileMoving(source)).rejects.toMatchObject({
      code: 'store/moved',
      hint: expect.stringContaining(to),
    })
    expect(await contentOf(source)).toMatchObject(recordsOf(3))
    await refuseWhileMoving(target)
  })

  test('is not made twice', async () => {
    const source = await filled(3)
    await migrateStore(source, openMemory(), { to })
    const again = migrateStore(source, openMemory(), { to: 'etcd://elsewhere' })
    await expect(again).rejects.toMatchObject({ code: 'store/moved' })
  })

  test('is refused where the target holds anything, and changes nothing there', async () => {
    const [source, target] = [await filled(3), openMemory()]
    await target.txn([], [{ op: 'put', key: 'units/other', value: 'x' }])
    await expect(migrateStore(source, target, { to })).rejects.toMatchObject({ code: 'store/not-empty' })
    expect(await contentOf(target)).toEqual({ 'units/other': 'x' })
    await refuseWhileMoving(source)
  })

  test('is refused where another cluster is being moved to the same place', async () => {
    const target = openMemory()
    await expect(migrateStore(await filled(300), failing(target, 3), { to })).rejects.toThrow(lost)
    const other = await filled(3, 'another cluster')
    await expect(migrateStore(other, target, { to })).rejects.toMatchObject({ code: 'store/not-empty' })
  })

  test('is refused where there is nothing', async () => {
    const moving = migrateStore(openMemory(), openMemory(), { to })
    await expect(moving).rejects.toMatchObject({ code: 'store/nothing-to-move' })
  })

  test('that is interrupted can be used on one side at most, and is taken up again', async () => {
    for (const applied of [false, true]) {
      for (const end of ['source', 'target'] as const) {
        for (let at = 1; ; at++) {
          const [source, target] = [await filled(450), openMemory()]
          const first = migrateStore(
            end === 'source' ? failing(source, at, applied) : source,
            end === 'target' ? failing(target, at, applied) : target,
            { to },
          )
          if (await first.then(isTrue, isFalse)) break
          const usable = [await isUsable(source), (await isUsable(target)) && (await isFilled(target))]
          expect(usable).not.toEqual([true, true])
          // The last step may have been done though nobody heard of it: then there is nothing left to do.
          if (usable[1] !== true) {
            const again = await migrateStore(source, target, { to })
            expect(again).toMatchObject({ records: 451 })
          }
          expect(await contentOf(target)).toEqual(recordsOf(450))
          expect([await isUsable(source), await isUsable(target)]).toEqual([false, true])
        }
      }
    }
  })

  test('that is taken up again brings what has changed since', async () => {
    const [source, target] = [await filled(500), openMemory()]
    await expect(migrateStore(source, failing(target, 4), { to })).rejects.toThrow(lost)
    await source.txn(
      [],
      [
        { op: 'delete', key: 'units/0' },
        { op: 'put', key: 'units/1', value: 'changed' },
        { op: 'put', key: 'units/new', value: 'new' },
      ],
    )
    expect(await migrateStore(source, target, { to })).toMatchObject({ resumed: true })
    const { 'units/0': _, ...rest } = recordsOf(500)
    expect(await contentOf(target)).toEqual({ ...rest, 'units/1': 'changed', 'units/new': 'new' })
  })

  test('that another one overtakes gives way, and one of them is whole', async () => {
    const [source, target] = [await filled(2000), openMemory()]
    const both = await Promise.allSettled([1, 2].map(() => migrateStore(source, target, { to })))
    const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    expect(refused).toHaveLength(1)
    expect(['store/taken-over', 'store/moved', 'store/not-empty']).toContain(refused[0])
    expect(await contentOf(target)).toEqual(recordsOf(2000))
  })

  test('ends when it is told to', async () => {
    const stop = new AbortController()
    const moving = migrateStore(await filled(5000), openMemory(), {
      to,
      onProgress: () => stop.abort(new Error('told')),
      signal: stop.signal,
    })
    await expect(moving).rejects.toThrow('told')
  })
})

describe('a move that is taken back', () => {
  const back = 'to /data on host'
  const undo = (source: Store, target: Store, discard = false) =>
    undoMigration(source, target, {
      ...{ back, discard },
      isTarget: (moved) => moved === to,
      forget: async () => {},
    })

  async function moved(count: number): Promise<readonly [source: Store, target: Store]> {
    const [source, target] = [await filled(count), openMemory()]
    await migrateStore(source, target, { to })
    return [source, target]
  }

  test('leaves the source as it was, and the target closed', async () => {
    const [source, target] = await moved(300)
    expect(await undo(source, target)).toEqual({ records: 301, given: 0 })
    expect(await contentOf(source)).toEqual(recordsOf(300))
    await refuseWhileMoving(source)
    await expect(refuseWhileMoving(target)).rejects.toMatchObject({
      code: 'store/moved',
      message: `the records of this store were moved back ${back}`,
    })
    expect(await contentOf(target)).toMatchObject(recordsOf(300))
  })

  test('is refused where anything has changed since, until that is given up', async () => {
    const [source, target] = await moved(3)
    await target.txn(
      [],
      [
        { op: 'delete', key: 'units/0' },
        { op: 'put', key: 'units/1', value: 'changed' },
        { op: 'put', key: 'units/new', value: 'new' },
      ],
    )
    const before = await contentOf(target)
    await expect(undo(source, target)).rejects.toMatchObject({
      code: 'store/moved-on',
      message: expect.stringContaining('3 records have changed'),
      hint: expect.stringContaining('--discard'),
    })
    expect([await isUsable(source), await isUsable(target)]).toEqual([false, true])
    expect(await contentOf(target)).toEqual(before)
    expect(await undo(source, target, true)).toEqual({ records: 4, given: 3 })
    expect(await contentOf(source)).toEqual(recordsOf(3))
    expect([await isUsable(source), await isUsable(target)]).toEqual([true, false])
  })

  test('is refused while a daemon uses the target, and not for one that was stopped', async () => {
    for (const discard of [false, true]) {
      const [source, target] = await moved(3)
      const lease = await target.grant(60_000)
      await target.txn([], [{ ...putOf('machine', machine), lease }])
      await expect(undo(source, target, discard)).rejects.toMatchObject({ code: 'store/in-use' })
      expect([await isUsable(source), await isUsable(target)]).toEqual([false, true])
      await target.txn([], [{ ...putOf('machine', { ...machine, away: { since: 1, until: 2 } }), lease }])
      expect(await undo(source, target, discard)).toMatchObject({ given: 0 })
    }
  })

  test('is made of a move that was not complete yet', async () => {
    for (const at of [1, 2]) {
      const [source, target] = [await filled(3), openMemory()]
      // The source is marked by then, and the target still closed.
      const ends = at === 1 ? failing(source, 1, true) : source
      await expect(migrateStore(ends, failing(target, 3), { to })).rejects.toThrow(lost)
      expect(await undo(source, target)).toEqual({ records: 4, given: 0 })
      expect([await isUsable(source), await isUsable(target)]).toEqual([true, false])
      await expect(undo(source, target)).rejects.toMatchObject({ code: 'store/not-moved' })
      expect(await migrateStore(source, target, { to })).toMatchObject({ resumed: true })
      expect([await isUsable(source), await isUsable(target)]).toEqual([false, true])
      expect(await contentOf(target)).toEqual(recordsOf(3))
    }
  })

  test('forgets what was kept of the target before the source can be used, and then alone', async () => {
    const [source, target] = await moved(3)
    const usable: (readonly boolean[])[] = []
    const forget = async (): Promise<void> => {
      usable.push([await isUsable(source), await isUsable(target)])
      if (usable.length === 1) throw new Error(lost)
    }
    const options = { back, discard: false, isTarget: () => true, forget }
    await expect(undoMigration(source, target, options)).rejects.toThrow(lost)
    expect([await isUsable(source), await isUsable(target)]).toEqual([false, false])
    await undoMigration(source, target, options)
    expect(usable).toEqual([
      [false, false],
      [false, false],
    ])
    expect([await isUsable(source), await isUsable(target)]).toEqual([true, false])
  })

  test('gives way to a daemon that has started in the same moment', async () => {
    const [source, target] = await moved(3)
    const lease = await target.grant(60_000)
    const late: Store = {
      ...target,
      txn: async (...words) => {
        const done = await target.txn(...words)
        if (words[0].length > 0) await target.txn([], [{ ...putOf('machine', machine), lease }])
        return done
      },
    }
    await expect(undo(source, late)).rejects.toMatchObject({ code: 'store/in-use' })
    expect([await isUsable(source), await isUsable(target)]).toEqual([false, true])
  })

  test('is refused where nothing was moved, or to another place', async () => {
    const source = await filled(3)
    await expect(undo(source, openMemory())).rejects.toMatchObject({ code: 'store/not-moved' })
    await expect(undo(openMemory(), openMemory())).rejects.toMatchObject({ code: 'store/nothing-to-move' })
    const target = openMemory()
    await migrateStore(source, target, { to })
    for (const other of [openMemory(), await filled(3, 'another cluster')]) {
      for (const discard of [false, true]) {
        const before = await contentOf(other)
        await expect(undo(source, other, discard)).rejects.toMatchObject({ code: 'store/elsewhere' })
        expect(await contentOf(other)).toEqual(before)
      }
    }
    const aside = undoMigration(source, target, {
      ...{ back, discard: true, forget: async () => {} },
      isTarget: () => false,
    })
    await expect(aside).rejects.toMatchObject({
      code: 'store/elsewhere',
      message: expect.stringContaining(to),
    })
    expect([await isUsable(source), await isUsable(target)]).toEqual([false, true])
  })

  test('that is interrupted can be used on one side at most, and is taken up again', async () => {
    for (const applied of [false, true]) {
      for (const end of ['source', 'target'] as const) {
        for (let at = 1; ; at++) {
          const [source, target] = await moved(30)
          const first = undo(
            end === 'source' ? failing(source, at, applied) : source,
            end === 'target' ? failing(target, at, applied) : target,
          )
          if (await first.then(isTrue, isFalse)) break
          const usable = [await isUsable(source), await isUsable(target)]
          expect(usable).not.toEqual([true, true])
          if (usable[0] !== true) await undo(source, target)
          expect([await isUsable(source), await isUsable(target)]).toEqual([true, false])
          expect(await contentOf(source)).toEqual(recordsOf(30))
        }
      }
    }
  })

  test('can be made again to the same place, with what has changed since', async () => {
    const [source, target] = await moved(3)
    await target.txn([], [{ op: 'put', key: 'units/new', value: 'new' }])
    await undo(source, target, true)
    await source.txn([], [{ op: 'put', key: 'units/1', value: 'changed' }])
    await migrateStore(source, target, { to })
    expect(await contentOf(target)).toEqual({ ...recordsOf(3), 'units/1': 'changed' })
    expect([await isUsable(source), await isUsable(target)]).toEqual([false, true])
    const other = migrateStore(await filled(3, 'another cluster'), target, { to })
    await expect(other).rejects.toMatchObject({ code: 'store/not-empty' })
  })
})

const machine: Machine = {
  id: '0'.repeat(32) as MachineId,
  hostname: 'a',
  ip: '10.0.0.1',
  metadata: {},
  capacity: { cpus: 1, memoryMb: 1, diskMb: 1 },
  drivers: ['process'],
  version: '0',
  bootedAt: 0,
}

function openMemory(): Store {
  return openMemoryStore({ clock: systemClock })
}

async function filled(count: number, cluster = 'this cluster'): Promise<Store> {
  const store = openMemory()
  const put = ([key, value]: readonly [string, string]) => ({ op: 'put', key, value }) as const
  await store.txn([], [...Object.entries(recordsOf(count, cluster))].map(put))
  return store
}

function recordsOf(count: number, cluster = 'this cluster'): Readonly<Record<string, string>> {
  const units = Array.from({ length: count }, (_, i) => [`units/${i}`, `text ${i} äöü\n`] as const)
  return { [clusterKey]: cluster, ...Object.fromEntries(units) }
}

async function contentOf(store: Store): Promise<Readonly<Record<string, string>>> {
  const { entries } = await store.range('')
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]))
}

async function isUsable(store: Store): Promise<boolean> {
  return refuseWhileMoving(store).then(isTrue, isFalse)
}

async function isFilled(store: Store): Promise<boolean> {
  return (await store.range('')).entries.length > 0
}

const isTrue = (): boolean => true
const isFalse = (): boolean => false

const lost = 'the connection is lost'

/** A store whose connection is lost at its n-th transaction, before it is done or after. */
function failing(store: Store, at: number, applied = false): Store {
  let count = 0
  return {
    ...store,
    txn: async (compare, ops) => {
      count += 1
      if (count < at) return store.txn(compare, ops)
      if (count === at && applied) await store.txn(compare, ops)
      throw new Error(lost)
    },
  }
}
