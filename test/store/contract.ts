// What every store must do, in terms that etcd can keep too. Each implementation runs this suite.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { byKeys } from '../../src/lib/sort.js'
import {
  type Change,
  type ChangeBatch,
  CompactedError,
  type Entry,
  LeaseEndedError,
  type Op,
  type Revision,
  type Store,
  type TxnResult,
} from '../../src/store/store.js'

export interface OpenedStore {
  readonly store: Store
  /** Makes the store forget its old changes, up to now. */
  readonly compact: () => Promise<void>
  readonly close: () => Promise<void>
}

/** In milliseconds, of which etcd takes whole seconds; longer than a busy host holds up whoever keeps a lease alive. */
const shortTtlMs = 3000

export function storeContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`${name} keeps the store's contract`, () => {
    let opened: OpenedStore
    let store: Store
    const abort = { current: new AbortController() }

    beforeEach(async () => {
      opened = await open()
      store = opened.store
      abort.current = new AbortController()
    })
    afterEach(async () => {
      abort.current.abort()
      await opened.close()
    })

    const put = (key: string, value: string, lease?: string): Promise<TxnResult> =>
      store.txn([], [lease === undefined ? { op: 'put', key, value } : { op: 'put', key, value, lease }])
    const remove = (key: string): Promise<TxnResult> => store.txn([], [{ op: 'delete', key }])
    const watch = (prefix: string, after: Revision): AsyncIterator<ChangeBatch> =>
      store.watch(prefix, after, abort.current.signal)[Symbol.asyncIterator]()
    const now = async (): Promise<Revision> => (await store.range('')).revision
    const keysUnder = async (prefix: string): Promise<string[]> =>
      (await store.range(prefix)).entries.map((entry) => entry.key)

    describe('keys', () => {
      test('a key that was never put is null', async () => {
        expect(await store.get('a')).toBeNull()
      })

      test('a put is read back with the revisions that made and changed it', async () => {
        const first = await put('a', '1')
        const second = await put('a', '2')
        expect(second.revision).toBeGreaterThan(first.revision)
        expect(await store.get('a')).toEqual({
          key: 'a',
          value: '2',
          createRevision: first.revision,
          modRevision: second.revision,
          lease: null,
        })
      })

      test('a key that is deleted and put again is a new key', async () => {
        const first = await put('a', '1')
        await remove('a')
        const again = await put('a', '1')
        expect(await store.get('a')).toMatchObject({ createRevision: again.revision })
        expect(again.revision).toBeGreaterThan(first.revision)
      })

      test('any text is a value, the empty one too', async () => {
        for (const value of ['', '\n\0"\\', 'äöü€😀', 'x'.repeat(100_000)]) {
          await put('a', value)
          expect((await store.get('a'))?.value).toBe(value)
        }
      })

      test('a range holds all keys with the prefix, in order, at the current revision', async () => {
        for (const key of ['b/2', 'b/10', 'a', 'b', 'b/', 'c', 'b0']) await put(key, key)
        const { revision, entries } = await store.range('b/')
        expect(entries.map((entry) => entry.key)).toEqual(['b/', 'b/10', 'b/2'])
        expect(revision).toBe((await put('z', '')).revision - 1)
        expect(await keysUnder('')).toEqual(['a', 'b', 'b/', 'b/10', 'b/2', 'b0', 'c', 'z'])
        expect(await keysUnder('nothing')).toEqual([])
      })

      test('a range is in order by code unit, whatever the keys are', async () => {
        const keys = ['a', 'a\u0000', 'aa', 'ä', '\uff5e', '😀']
        await store.txn(
          [],
          keys.map((key) => puts(key)),
        )
        expect(await keysUnder('')).toEqual([...keys].sort())
      })

      test('a range of thousands of keys is of one revision, though others write meanwhile', async () => {
        const kinds = ['a/', 'events/', 'instances/', 'units/', 'z/']
        const keys = kinds.flatMap((kind) =>
          Array.from({ length: 700 }, (_, i) => kind + String(i).padStart(4, '0')),
        )
        for (let from = 0; from < keys.length; from += 500) {
          await store.txn(
            [],
            keys.slice(from, from + 500).map((key) => puts(key, '0')),
          )
        }
        const changed = Array.from({ length: 20 }, (_, i) =>
          store.txn([], [puts(keys[0] ?? '', String(i)), puts(keys.at(-1) ?? '', String(i))]),
        )
        const ranges = await Promise.all(
          Array.from({ length: 5 }, async () => {
            const parts: Entry[] = []
            return { ...(await store.range('', (part) => parts.push(...part))), parts }
          }),
        )
        await Promise.all(changed)
        for (const { entries, parts } of ranges) {
          expect(entries.map((entry) => entry.key)).toEqual(keys)
          expect(entries[0]?.value).toBe(entries.at(-1)?.value)
          // A store that has no way to go tells of no parts.
          if (parts.length > 0) expect(parts.sort(byKeys(({ key }) => key))).toEqual(entries)
        }
      })
    })

    describe('transactions', () => {
      test('operations are applied together, at one revision', async () => {
        const { revision } = await store.txn([], [puts('a'), puts('b'), puts('c')])
        const { entries } = await store.range('')
        expect(entries.map((entry) => entry.modRevision)).toEqual([revision, revision, revision])
      })

      test('nothing is applied unless every comparison holds', async () => {
        const { revision } = await put('a', '1')
        const result = await store.txn(
          [
            { key: 'a', modRevision: revision },
            { key: 'b', value: 'x' },
          ],
          [puts('c')],
        )
        expect(result).toEqual({ committed: false, revision })
        expect(await store.get('c')).toBeNull()
      })

      test('a key is compared by revision, by absence and by value', async () => {
        const { revision } = await put('a', '1')
        const holds = async (compare: Parameters<Store['txn']>[0][number]): Promise<boolean> =>
          (await store.txn([compare], [])).committed
        expect(await holds({ key: 'a', modRevision: revision })).toBe(true)
        expect(await holds({ key: 'a', modRevision: revision - 1 })).toBe(false)
        expect(await holds({ key: 'a', modRevision: 0 })).toBe(false)
        expect(await holds({ key: 'b', modRevision: 0 })).toBe(true)
        expect(await holds({ key: 'a', value: '1' })).toBe(true)
        expect(await holds({ key: 'a', value: '2' })).toBe(false)
        expect(await holds({ key: 'b', value: '' })).toBe(false)
      })

      test('a transaction that writes nothing has no revision of its own', async () => {
        const { revision } = await put('a', '1')
        expect(await store.txn([], [])).toEqual({ committed: true, revision })
        expect(await store.txn([], [{ op: 'delete', key: 'b' }])).toEqual({ committed: true, revision })
        expect(await store.txn([], [{ op: 'delete-prefix', prefix: 'b' }])).toEqual({
          committed: true,
          revision,
        })
        expect(await now()).toBe(revision)
      })

      test('a put of the same value is a change', async () => {
        const { revision } = await put('a', '1')
        expect((await put('a', '1')).revision).toBe(revision + 1)
      })

      test('a prefix is deleted as one change', async () => {
        await store.txn([], [puts('a/1'), puts('a/2'), puts('b')])
        const before = await now()
        const { revision } = await store.txn([], [{ op: 'delete-prefix', prefix: 'a/' }])
        expect(revision).toBe(before + 1)
        expect(await keysUnder('')).toEqual(['b'])
      })

      const rewrites: readonly { name: string; ops: readonly Op[]; value: string | null }[] = [
        { name: 'put, put', ops: [puts('a', '1'), puts('a', '2')], value: '2' },
        { name: 'put, delete', ops: [puts('a', '1'), { op: 'delete', key: 'a' }], value: null },
        { name: 'delete, put', ops: [{ op: 'delete', key: 'a' }, puts('a', '2')], value: '2' },
        {
          name: 'put, delete its prefix',
          ops: [puts('a', '1'), { op: 'delete-prefix', prefix: 'a' }],
          value: null,
        },
        {
          name: 'delete its prefix, put',
          ops: [{ op: 'delete-prefix', prefix: 'a' }, puts('a', '2')],
          value: '2',
        },
      ]
      for (const existed of [false, true]) {
        for (const { name: sequence, ops, value } of rewrites) {
          const key = existed ? 'an existing' : 'a missing'
          test(`of several operations on ${key} key the last counts, as one change: ${sequence}`, async () => {
            const made = existed ? (await put('a', '0')).revision : null
            const start = await now()
            const { revision } = await store.txn([], ops)
            const writes = value !== null || existed
            expect(revision).toBe(writes ? start + 1 : start)
            const entry = await store.get('a')
            expect(entry?.value ?? null).toBe(value)
            if (entry !== null) expect(entry.createRevision).toBe(made ?? revision)
            if (!writes) return
            const { value: batch } = await watch('', start).next()
            expect((batch as ChangeBatch).changes).toHaveLength(1)
          })
        }
      }

      test('thousands of operations are one change', async () => {
        const keys = Array.from({ length: 2000 }, (_, i) => `k${i}`)
        const compare = keys.slice(0, 60).map((key) => ({ key, modRevision: 0 }))
        const { revision } = await store.txn(
          compare,
          keys.map((key) => puts(key)),
        )
        const { value } = await watch('', revision - 1).next()
        expect((value as ChangeBatch).changes).toHaveLength(keys.length)
        const again = await store.txn(
          compare,
          keys.map((key) => ({ op: 'delete', key })),
        )
        expect(again.committed).toBe(false)
        expect(await keysUnder('')).toHaveLength(keys.length)
      })

      test('of a prefix that is deleted, what is put after it stays', async () => {
        await store.txn([], [puts('a/1'), puts('a/2'), puts('a/3'), puts('a/4'), puts('b')])
        const ops: Op[] = [
          { op: 'delete', key: 'a/4' },
          puts('a/1', 'before'),
          { op: 'delete-prefix', prefix: 'a/' },
          puts('a/2', 'after'),
          puts('a/25', 'new'),
          { op: 'delete', key: 'a/3' },
          { op: 'delete-prefix', prefix: 'a/25' },
          puts('a/3', 'after'),
        ]
        const { revision } = await store.txn([], ops)
        const { entries } = await store.range('')
        expect(entries.map(({ key, value }) => `${key}=${value}`)).toEqual(['a/2=after', 'a/3=after', 'b=x'])
        const { value } = await watch('', revision - 1).next()
        expect(brief(value as ChangeBatch).changes).toEqual([
          'a/1: x -> null',
          'a/2: x -> after',
          'a/3: x -> after',
          'a/4: x -> null',
        ])
      })

      test('of many that compare the same, one wins', async () => {
        const { revision } = await put('a', '0')
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            store.txn([{ key: 'a', modRevision: revision }], [puts('a', String(i + 1))]),
          ),
        )
        expect(results.filter((result) => result.committed)).toHaveLength(1)
      })

      test('increments by compare and set lose no count', async () => {
        await put('n', '0')
        const increment = async (): Promise<void> => {
          for (;;) {
            const entry = await store.get('n')
            const next = String(Number(entry?.value) + 1)
            const compare = [{ key: 'n', modRevision: entry?.modRevision ?? 0 }]
            if ((await store.txn(compare, [puts('n', next)])).committed) return
          }
        }
        await Promise.all(Array.from({ length: 12 }, increment))
        expect((await store.get('n'))?.value).toBe('12')
      })

      test('what is written can be read at once', async () => {
        await Promise.all(
          Array.from({ length: 50 }, async (_, i) => {
            const { revision } = await put(`k${i}`, String(i))
            expect((await store.get(`k${i}`))?.modRevision).toBe(revision)
          }),
        )
      })
    })

    describe('watches', () => {
      test('each change under the prefix comes once, in order, with what was there before', async () => {
        const start = await now()
        const changes = watch('a/', start)
        const r1 = (await put('a/1', 'x')).revision
        await put('b/1', 'elsewhere')
        const r2 = (await store.txn([], [puts('a/1', 'y'), puts('a/2', 'z'), puts('b/2')])).revision
        const r3 = (await remove('a/1')).revision
        const seen = await take(changes, 3)
        expect(seen.map(brief)).toEqual([
          { revision: r1, changes: ['a/1: null -> x'] },
          { revision: r2, changes: ['a/1: x -> y', 'a/2: null -> z'] },
          { revision: r3, changes: ['a/1: y -> null'] },
        ])
      })

      test('a watch can begin in the past', async () => {
        const { revision } = await put('a', '1')
        await put('a', '2')
        await put('a', '3')
        const seen = await take(watch('', revision), 2)
        expect(seen.map(brief).flatMap((batch) => batch.changes)).toEqual(['a: 1 -> 2', 'a: 2 -> 3'])
      })

      test('a watch that begins in the future passes over what comes before', async () => {
        const start = await now()
        const changes = watch('', start + 1)
        const first = changes.next()
        await put('a', '1')
        await put('a', '2')
        expect((await first).value).toMatchObject({ revision: start + 2 })
      })

      test('a watch that waits is woken by a change', async () => {
        const next = watch('a', await now()).next()
        await put('b', 'no')
        const { revision } = await put('a', 'yes')
        expect((await next).value).toMatchObject({ revision })
      })

      test('a change that is watched can be read', async () => {
        const changes = watch('', await now())
        for (let i = 0; i < 20; i++) {
          const written = put('a', String(i))
          const { value } = await changes.next()
          expect((await store.get('a'))?.modRevision).toBeGreaterThanOrEqual((value as ChangeBatch).revision)
          await written
        }
      })

      test('an abort ends a watch quietly, whether it waits or not', async () => {
        const start = await now()
        const waiting = watch('', start).next()
        const idle = watch('', start)
        abort.current.abort()
        expect(await waiting).toEqual({ done: true, value: undefined })
        expect(await idle.next()).toEqual({ done: true, value: undefined })
      })

      test('a watcher may leave its loop', async () => {
        const { revision } = await put('a', '1')
        for await (const batch of store.watch('', revision - 1, abort.current.signal)) {
          expect(batch.revision).toBe(revision)
          break
        }
      })

      test('many watchers on one signal see the same', async () => {
        const start = await now()
        const all = Array.from({ length: 30 }, () => watch('', start))
        const first = all.map((changes) => changes.next())
        const { revision } = await put('a', '1')
        for (const { value } of await Promise.all(first)) expect(value).toMatchObject({ revision })
      })

      test('changes that the store has dropped are not passed over in silence', async () => {
        const { revision } = await put('a', '1')
        for (let i = 0; i < 5; i++) await put('a', String(i))
        await opened.compact()
        await expect(watch('', revision).next()).rejects.toThrow(CompactedError)
        const current = await now()
        const next = watch('', current).next()
        await put('a', 'new')
        expect((await next).value).toMatchObject({ revision: current + 1 })
      })
    })

    describe('leases', () => {
      test('a key put with a lease names it, and a put without one frees the key', async () => {
        const lease = await store.grant(60_000)
        await put('a', '1', lease)
        expect((await store.get('a'))?.lease).toBe(lease)
        await put('a', '2')
        expect((await store.get('a'))?.lease).toBeNull()
        await store.revoke(lease)
        expect((await store.get('a'))?.value).toBe('2')
      })

      test('a grant changes no revision', async () => {
        const before = await now()
        const lease = await store.grant(60_000)
        await store.revoke(lease)
        expect(await now()).toBe(before)
      })

      test('leases differ', async () => {
        const leases = await Promise.all(Array.from({ length: 10 }, () => store.grant(60_000)))
        expect(new Set(leases).size).toBe(10)
      })

      test('the keys of a lease that is not kept alive are deleted together, and watched', async () => {
        const lease = await store.grant(shortTtlMs)
        await store.txn([], [puts('a', '1', lease), puts('b', '2', lease), puts('c', '3')])
        const { value } = await watch('', await now()).next()
        expect(brief(value as ChangeBatch).changes).toEqual(['a: 1 -> null', 'b: 2 -> null'])
        expect(await keysUnder('')).toEqual(['c'])
        await expect(store.keepAlive(lease)).rejects.toThrow(LeaseEndedError)
      })

      test('a lease that is kept alive outlives its time', async () => {
        const kept = await store.grant(shortTtlMs)
        const left = await store.grant(shortTtlMs)
        await put('kept', '', kept)
        await put('left', '', left)
        const gone = watch('', await now()).next()
        const timer = setInterval(() => {
          store.keepAlive(kept).catch(() => {})
        }, shortTtlMs / 4)
        await gone
        await store.keepAlive(kept)
        clearInterval(timer)
        expect(await keysUnder('')).toEqual(['kept'])
      })

      test('what remains of a lease grows less until it is kept alive, and an ended one has nothing left', async () => {
        const lease = await store.grant(shortTtlMs)
        await put('a', '', lease)
        expect(await store.remainingMs(lease)).toBeLessThanOrEqual(shortTtlMs)
        const gone = watch('', await now()).next()
        const before = []
        for (let left = await store.remainingMs(lease); left !== null; left = await store.remainingMs(lease))
          before.push(left)
        await gone
        expect(before).toEqual([...before].sort((a, b) => b - a))
        const other = await store.grant(60_000)
        await store.keepAlive(other)
        expect(await store.remainingMs(other)).toBeGreaterThan(50_000)
        await store.revoke(other)
        expect(await store.remainingMs(other)).toBeNull()
      })

      test('a key moves from one lease to another', async () => {
        const [first, second] = [await store.grant(60_000), await store.grant(60_000)]
        await put('a', '1', first)
        await put('a', '2', second)
        await store.revoke(first)
        expect((await store.get('a'))?.lease).toBe(second)
        await store.revoke(second)
        expect(await store.get('a')).toBeNull()
      })

      test('a lease that has ended takes no keys, and nothing else of the transaction is applied', async () => {
        const lease = await store.grant(60_000)
        await store.revoke(lease)
        const before = await now()
        await expect(store.txn([], [puts('a'), puts('b', '1', lease)])).rejects.toThrow(LeaseEndedError)
        await expect(store.keepAlive(lease)).rejects.toThrow(LeaseEndedError)
        expect(await now()).toBe(before)
        expect(await keysUnder('')).toEqual([])
      })

      test('a key that is put while its lease is revoked does not stay', async () => {
        const lease = await store.grant(60_000)
        await put('a', '1', lease)
        await Promise.allSettled([put('a', '2', lease), put('b', '2', lease), store.revoke(lease)])
        expect(await keysUnder('')).toEqual([])
      })

      test('a lease may be revoked twice', async () => {
        const lease = await store.grant(60_000)
        await put('a', '1', lease)
        await store.revoke(lease)
        await store.revoke(lease)
        expect(await store.get('a')).toBeNull()
      })
    })
  })
}

function puts(key: string, value = 'x', lease?: string): Op {
  return lease === undefined ? { op: 'put', key, value } : { op: 'put', key, value, lease }
}

async function take(changes: AsyncIterator<ChangeBatch>, count: number): Promise<ChangeBatch[]> {
  const batches: ChangeBatch[] = []
  while (batches.length < count) {
    const { value, done } = await changes.next()
    if (done === true) break
    batches.push(value)
  }
  return batches
}

function brief(batch: ChangeBatch): { revision: Revision; changes: string[] } {
  return { revision: batch.revision, changes: batch.changes.map(describeChange).sort() }
}

function describeChange(change: Change): string {
  const after = change.type === 'put' ? change.entry.value : null
  return `${change.key}: ${change.previous?.value ?? null} -> ${after}`
}
