// The store on a disk that is full: a small tmpfs, so this needs root.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { openEmbeddedStore } from '../../src/store/io/embedded.js'
import type { Op, Store, StoreError } from '../../src/store/store.js'
import { removeDir } from '../remove-dir.js'

let mount: string

beforeEach(() => {
  mount = mkdtempSync(join(tmpdir(), 'store-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', mount])
})
afterEach(() => {
  execFileSync('umount', [mount])
  removeDir(mount)
})

test('a full disk refuses writes one and all, keeps reads and watches going, and is forgotten once there is room', async () => {
  const dir = join(mount, 'store')
  const store = await openEmbeddedStore({ dir, clock: systemClock })
  const acknowledged = new Map<string, string>()
  await write(store, acknowledged, 'first', 'x')
  const ballast = join(mount, 'ballast')
  writeFileSync(ballast, Buffer.alloc(freeBytes() - 64 * 1024))

  const codes: string[] = []
  for (let i = 0; i < 40; i++) codes.push(await write(store, acknowledged, `k${i}`, 'x'.repeat(4000)))
  expect(codes[0]).toBe('written')
  expect(codes.at(-1)).toBe('store/full')
  const pair = [put('left', 'y'.repeat(200_000)), put('right', 'y'.repeat(200_000))]
  await expect(store.txn([], pair)).rejects.toMatchObject({ code: 'store/full' })
  expect(await contentOf(store)).toEqual(acknowledged)

  const { revision } = await store.range('')
  const next = store.watch('', revision, new AbortController().signal)[Symbol.asyncIterator]().next()
  rmSync(ballast)
  expect(await write(store, acknowledged, 'after', 'z')).toBe('written')
  expect((await next).value).toMatchObject({ revision: revision + 1, changes: [{ key: 'after' }] })
  await store.close()

  const again = await openEmbeddedStore({ dir, clock: systemClock })
  expect(await contentOf(again)).toEqual(acknowledged)
  await again.close()
})

test('a store on a full disk can be opened and read', async () => {
  const dir = join(mount, 'store')
  const store = await openEmbeddedStore({ dir, clock: systemClock })
  await store.txn([], [put('a', '1')])
  await store.close()
  writeFileSync(join(mount, 'ballast'), Buffer.alloc(freeBytes()))
  const again = await openEmbeddedStore({ dir, clock: systemClock })
  expect((await again.get('a'))?.value).toBe('1')
  await again.close()
})

test('a store that a killed process had open is opened where the disk has no room for one file more', async () => {
  const dir = join(mount, 'store')
  const store = await openEmbeddedStore({ dir, clock: systemClock })
  await store.txn([], [put('a', '1')])
  await store.close()
  // The lock of the dead: a socket that nobody listens on.
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(join(dir, 'fresh'), resolve))
  renameSync(join(dir, 'fresh'), join(dir, 'lock-1-0123456789ab'))
  await new Promise((resolve) => server.close(resolve))
  const used = statfsSync(mount)
  execFileSync('mount', ['-o', `remount,nr_inodes=${used.files - used.ffree}`, mount])
  expect(() => writeFileSync(join(mount, 'more'), '')).toThrow('ENOSPC')

  const again = await openEmbeddedStore({ dir, clock: systemClock })
  expect((await again.get('a'))?.value).toBe('1')
  await again.close()
})

test('a new store on a full disk is refused', async () => {
  writeFileSync(join(mount, 'ballast'), Buffer.alloc(freeBytes()))
  const opening = openEmbeddedStore({ dir: join(mount, 'store'), clock: systemClock })
  await expect(opening).rejects.toMatchObject({ code: 'store/full' })
})

test('a snapshot that does not fit is put off, and nothing is lost', async () => {
  const dir = join(mount, 'store')
  const store = await openEmbeddedStore({ dir, clock: systemClock, rotateBytes: 200_000 })
  const acknowledged = new Map<string, string>()
  const codes = new Set<string>()
  for (let i = 0; i < 1500; i++) codes.add(await write(store, acknowledged, `k${i}`, `${i}`.padEnd(3000)))
  expect(codes).toEqual(new Set(['written', 'store/full']))
  expect(await contentOf(store)).toEqual(acknowledged)
  await store.close()
  const again = await openEmbeddedStore({ dir, clock: systemClock })
  expect(await contentOf(again)).toEqual(acknowledged)
  await again.close()
})

async function write(
  store: Store,
  acknowledged: Map<string, string>,
  key: string,
  value: string,
): Promise<string> {
  try {
    await store.txn([], [put(key, value)])
    acknowledged.set(key, value)
    return 'written'
  } catch (error) {
    return (error as StoreError).code
  }
}

async function contentOf(store: Store): Promise<Map<string, string>> {
  return new Map((await store.range('')).entries.map(({ key, value }) => [key, value]))
}

function freeBytes(): number {
  const { bavail, bsize } = statfsSync(mount)
  return bavail * bsize
}

function put(key: string, value: string): Op {
  return { op: 'put', key, value }
}
