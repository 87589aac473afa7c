// What a daemon knows of the space of its store, and what it does once there is room.
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { watchSpace } from '../../src/main/store-space.js'
import { type Op, type Store, StoreError } from '../../src/store/store.js'
import { openMemoryStore } from '../store/memory-store.js'

const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** A store that refuses what needs space while it is full, as etcd does: it still lets delete. */
function openScene() {
  const memory = openMemoryStore({ clock: systemClock })
  let isFull = true
  const refuse = (): never => {
    throw new StoreError('store/full', 'etcd has no space left', 'make room')
  }
  const store: Store = {
    ...memory,
    txn: async (compare, ops) =>
      isFull && ops.some(({ op }) => op === 'put') ? refuse() : memory.txn(compare, ops),
    grant: async (ttlMs) => (isFull ? refuse() : memory.grant(ttlMs)),
  }
  const space = watchSpace(store, systemClock)
  ending.push(async () => {
    await space.stop()
    await memory.close()
  })
  return {
    space,
    room: () => {
      isFull = false
    },
  }
}

const put: Op = { op: 'put', key: 'k', value: 'v' }
const signal = new AbortController().signal

test('a lease that is refused says that the store is full, and a deletion does not say that it is not', async () => {
  const { space } = openScene()
  expect(space.full()).toBeNull()
  await expect(space.store.grant(1000)).rejects.toThrow('no space')
  expect(space.full()?.reason).toBe('etcd has no space left')
  await space.store.txn([], [{ op: 'delete', key: 'k' }])
  expect(space.full()).not.toBeNull()
})

test('a write that waits for room is made once there is some, and whoever listens is told', async () => {
  const { space, room } = openScene()
  let told = 0
  space.onRoom(() => {
    told += 1
  })
  const written = space.whenItFits(() => space.store.txn([], [put]), signal)
  await expect(space.store.txn([], [put])).rejects.toThrow('no space')
  room()
  expect(await written).toMatchObject({ committed: true })
  expect(space.full()).toBeNull()
  expect(told).toBe(1)
  expect((await space.store.get('k'))?.value).toBe('v')
})

test('a write that waits for room is given up with the daemon', async () => {
  const { space } = openScene()
  const stop = new AbortController()
  const written = space.whenItFits(() => space.store.txn([], [put]), stop.signal)
  const ended = expect(written).rejects.toThrow('no space')
  stop.abort()
  await ended
})
