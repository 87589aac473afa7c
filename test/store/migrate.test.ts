// Moving records between stores, interrupted at every step: never two stores that can be used, never a record lost.
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { migrateStore, refuseWhileMoving } from '../../src/store/io/migrate.js'
import { clusterKey } from '../../src/store/records.js'
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
