import { expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { CompactedError, LeaseEndedError, type Store } from '../../src/store/store.js'
import { storeContract } from './contract.js'
import { openMemoryStore } from './memory-store.js'

const historyLimit = 100

storeContract('the memory store', async () => {
  const store = openMemoryStore({ clock: systemClock, historyLimit })
  return { store, compact: () => overrunHistory(store), close: () => store.close() }
})

test('a lease ends when the clock that was handed in says so', async () => {
  let now = 0
  const store = openMemoryStore({ clock: { now: () => now } })
  const lease = await store.grant(10_000)
  await store.txn([], [{ op: 'put', key: 'a', value: '1', lease }])
  now = 9_999
  await store.keepAlive(lease)
  now = 19_998
  expect(await store.get('a')).not.toBeNull()
  now = 19_999
  expect(await store.get('a')).toBeNull()
  await expect(store.keepAlive(lease)).rejects.toThrow(LeaseEndedError)
  await store.close()
})

test('a closed store says so, and so do its watches', async () => {
  const store = openMemoryStore({ clock: systemClock })
  const waiting = store.watch('', 0, new AbortController().signal)[Symbol.asyncIterator]().next()
  const ended = expect(waiting).rejects.toMatchObject({ code: 'store/closed' })
  await store.close()
  await ended
  await expect(store.get('a')).rejects.toMatchObject({ code: 'store/closed' })
  await expect(store.txn([], [])).rejects.toMatchObject({ code: 'store/closed' })
})

test('a watch may begin as far in the past as little has been written since, and is told where it may not', async () => {
  const store = openMemoryStore({ clock: systemClock })
  const write = (bytes: number): Promise<unknown> =>
    store.txn([], [{ op: 'put', key: 'a', value: 'x'.repeat(bytes) }])
  const nextAfter = (revision: number): Promise<IteratorResult<{ readonly revision: number }>> =>
    store.watch('', revision, new AbortController().signal)[Symbol.asyncIterator]().next()
  const begun = (await store.txn([], [{ op: 'put', key: 'a', value: '' }])).revision
  for (let n = 0; n < 10; n++) await write(1000)
  expect((await nextAfter(begun)).value).toMatchObject({ revision: begun + 1 })
  for (let n = 0; n < 20; n++) await write(2 ** 20)
  await expect(nextAfter(begun)).rejects.toThrow(CompactedError)
  const { revision } = await store.range('')
  expect((await nextAfter(revision - 2)).value).toMatchObject({ revision: revision - 1 })
  await store.close()
})

async function overrunHistory(store: Store): Promise<void> {
  for (let i = 0; i < 2 * historyLimit; i++) await store.txn([], [{ op: 'put', key: 'filler', value: '' }])
}
