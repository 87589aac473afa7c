// Transactions that share a request to etcd: each has its own outcome, as if it had gone alone.
import { afterEach, expect, test } from 'vitest'
import { openEtcdStore } from '../../src/store/io/etcd/etcd.js'
import { LeaseEndedError, type Op, type Store, type TxnResult } from '../../src/store/store.js'
import { type EtcdHostOptions, startEtcd } from '../machines/etcd-host.js'

const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

async function openStore(options: EtcdHostOptions = {}): Promise<Store> {
  const etcd = await startEtcd(options)
  ending.push(() => etcd.stop())
  const store = openEtcdStore(etcd.options)
  ending.push(() => store.close())
  await store.get('connected')
  return store
}

const put = (key: string, value: string): Op => ({ op: 'put', key, value })

test('what is asked for at once is written in a few changes, each part by its own comparisons', async () => {
  const store = await openStore()
  const { revision: before } = await store.txn([], [put('there', '1')])
  const names = Array.from({ length: 200 }, (_, n) => `k${n}`)
  // Every third one expects a key that is there to be absent.
  const results = await Promise.all(
    names.map((key, n) => store.txn([{ key: n % 3 === 0 ? 'there' : key, modRevision: 0 }], [put(key, key)])),
  )
  expect(results.map(({ committed }) => committed)).toEqual(names.map((_, n) => n % 3 !== 0))
  const { entries, revision } = await store.range('k')
  expect(new Set(entries.map(({ key }) => key))).toEqual(new Set(names.filter((_, n) => n % 3 !== 0)))
  expect(revision - before).toBeLessThan(10)
  for (const [n, result] of results.entries())
    if (n % 3 !== 0) expect(written(entries, n)).toBe(result.revision)
})

function written(
  entries: readonly { readonly key: string; readonly modRevision: number }[],
  n: number,
): number | undefined {
  return entries.find(({ key }) => key === `k${n}`)?.modRevision
}

test('the parts of such a change are watched together', async () => {
  const store = await openStore()
  const { revision } = await store.range('')
  const abort = new AbortController()
  const batches = store.watch('', revision, abort.signal)[Symbol.asyncIterator]()
  const results = await Promise.all(Array.from({ length: 50 }, (_, n) => store.txn([], [put(`k${n}`, '1')])))
  const last = Math.max(...results.map((result) => result.revision))
  const seen = new Map<string, number>()
  for (let at = revision; at < last; ) {
    const { value } = await batches.next()
    if (value === undefined) throw new Error('the watch ended')
    expect(value.revision).toBeGreaterThan(at)
    at = value.revision
    for (const { key } of value.changes) seen.set(key, at)
  }
  abort.abort()
  expect(results.map((result) => result.revision)).toEqual(results.map((_, n) => seen.get(`k${n}`)))
})

test('of those that meet at one key only one is written at a time, and none is lost', async () => {
  const store = await openStore()
  const count = async (): Promise<number> => {
    for (let tries = 1; ; tries++) {
      const entry = await store.get('count')
      const next = String(Number(entry?.value ?? '0') + 1)
      const { committed } = await store.txn(
        [{ key: 'count', modRevision: entry?.modRevision ?? 0 }],
        [put('count', next), put(`by-${next}`, '1')],
      )
      if (committed) return tries
    }
  }
  const tries = await Promise.all(Array.from({ length: 30 }, count))
  expect((await store.get('count'))?.value).toBe('30')
  expect((await store.range('by-')).entries).toHaveLength(30)
  expect(Math.max(...tries)).toBeGreaterThan(1)
})

test('a lease that has ended harms nobody else', async () => {
  const store = await openStore()
  const lease = await store.grant(1000)
  await store.revoke(lease)
  const others = (from: number): readonly Promise<TxnResult>[] =>
    Array.from({ length: 10 }, (_, n) => store.txn([], [put(`k${from + n}`, '1')]))
  const [before, leased, after] = [
    others(0),
    store.txn([], [{ op: 'put', key: 'leased', value: '1', lease }]),
    others(10),
  ]
  await expect(leased).rejects.toThrow(LeaseEndedError)
  const results = await Promise.all([...before, ...after])
  expect(results.every(({ committed }) => committed)).toBe(true)
})

test('while etcd is full what makes room is done, beside what is refused', async () => {
  const store = await openStore({ quotaBytes: 4 * 1024 * 1024 })
  let filled = 0
  const fill = async (chars: number): Promise<never> => {
    for (;;) {
      await store.txn([], [put(`fill-${filled}`, 'x'.repeat(chars))])
      filled += 1
    }
  }
  // Once it has refused something large, and then something small, it takes nothing any more.
  for (const chars of [400_000, 1]) await expect(fill(chars)).rejects.toMatchObject({ code: 'store/full' })
  // etcd refuses the very write with which it is full, and may have made it all the same.
  const before = (await store.range('fill-')).entries
  const [away, refused, room] = await Promise.allSettled([
    store.txn([], [{ op: 'delete', key: 'fill-0' }]),
    store.txn([], [put('k', '1')]),
    store.txn([], [{ op: 'delete', key: 'fill-1' }]),
  ])
  expect(away).toMatchObject({ value: { committed: true } })
  expect(room).toMatchObject({ value: { committed: true } })
  expect(refused).toMatchObject({ reason: { code: 'store/full' } })
  expect((await store.range('fill-')).entries).toEqual(before.slice(2))
})

test('what etcd made although it refused it is told as made, by each of those who write at once', async () => {
  const etcd = await startEtcd({ quotaBytes: 4 * 1024 * 1024 })
  ending.push(() => etcd.stop())
  const stores = Array.from({ length: 6 }, () => openEtcdStore(etcd.options))
  ending.push(async () => {
    await Promise.all(stores.map((store) => store.close()))
  })
  const [first] = stores as [Store]
  // etcd counts what it has a little later, so that it is not known beforehand which round fills it.
  for (let round = 0, isFull = false; !isFull; round += 1) {
    const keyOf = (at: number, n: number): string => `k-${round}-${at}-${n}`
    const asked = stores.flatMap((store, at) =>
      Array.from({ length: 30 }, (_, n) => {
        const key = keyOf(at, n)
        return { key, outcome: store.txn([], [put(key, key.padEnd(30_000, 'x'))]) }
      }),
    )
    const outcomes = await Promise.allSettled(asked.map(({ outcome }) => outcome))
    const { entries } = await first.range('k-')
    const revisionOf = new Map(entries.map(({ key, modRevision }) => [key, modRevision]))
    for (const [at, outcome] of outcomes.entries()) {
      const there = revisionOf.get(asked[at]?.key ?? '')
      if (outcome.status === 'fulfilled') expect(outcome.value).toEqual({ committed: true, revision: there })
      else {
        expect(outcome.reason).toMatchObject({ code: 'store/full' })
        expect(there).toBeUndefined()
        isFull = true
      }
    }
  }
})
