import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import * as systemDisk from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Disk } from '../../src/store/disk.js'
import { type EmbeddedStoreOptions, openEmbeddedStore } from '../../src/store/io/embedded.js'
import { frameOf } from '../../src/store/io/frames.js'
import { CompactedError, type Op, type Store } from '../../src/store/store.js'
import { removeDir } from '../remove-dir.js'
import { storeContract } from './contract.js'

const dirs: string[] = []
const stores: Store[] = []

function freshDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'store-'))
  dirs.push(dir)
  return join(dir, 'data', 'store')
}

async function openAt(dir: string, options: Partial<EmbeddedStoreOptions> = {}): Promise<Store> {
  const store = await openEmbeddedStore({ dir, clock: systemClock, ...options })
  stores.push(store)
  return store
}

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  for (const dir of dirs.splice(0)) removeDir(dir)
})

const historyLimit = 100

storeContract('the embedded store', async () => {
  const store = await openAt(freshDir(), { historyLimit })
  const compact = async (): Promise<void> => {
    for (let i = 0; i < 2 * historyLimit; i++) await store.txn([], [put('filler', '')])
  }
  return { store, compact, close: () => store.close() }
})

describe('the embedded store', () => {
  test('has everything again when it is opened again', async () => {
    const dir = freshDir()
    const before = await openAt(dir)
    await before.txn([], [put('a', '1'), put('b', 'ü\n"')])
    await before.txn([], [put('a', '2'), { op: 'delete', key: 'b' }, put('c', '3')])
    const range = await before.range('')
    await before.close()
    const after = await openAt(dir)
    expect(await after.range('')).toEqual(range)
  })

  test('goes on, and is closed, where the disk fails as a journal of which all is durable is closed', async () => {
    const dir = freshDir()
    const failing = await openAt(dir, { rotateBytes: 1000, disk: failsToClose(/journal-\d+$/) })
    for (let i = 0; i < 30; i++) await failing.txn([], [put(`k${i}`, 'x'.repeat(100))])
    await failing.close()
    expect(readdirSync(dir).filter((name) => name.startsWith('snapshot-'))).toHaveLength(1)
    const again = await openAt(dir)
    expect((await again.range('')).entries).toHaveLength(30)
  })

  test('begins no new journal after one of which nobody knows how it ends', async () => {
    const dir = freshDir()
    const { disk, letSnapshots, tearJournals, snapshotTaken } = interrupted()
    const store = await openAt(dir, { rotateBytes: 1000, disk })
    let acknowledged = 0
    // The first journal is left for the second, which gets long while the snapshot before it is still being written.
    for (; acknowledged < 40; acknowledged++) await store.txn([], [put(`k${acknowledged}`, 'x'.repeat(100))])
    expect(readdirSync(dir)).toContain('journal-00000002')
    tearJournals(true)
    await expect(store.txn([], [put('torn', 'x'.repeat(100))])).rejects.toMatchObject({
      code: 'store/read-only',
    })
    tearJournals(false)
    letSnapshots()
    await snapshotTaken
    await expect(store.txn([], [put('later', '')])).rejects.toMatchObject({ code: 'store/read-only' })
    await store.close()
    const again = await openAt(dir)
    expect((await again.range('')).entries).toHaveLength(acknowledged)
  })

  test('can be watched from before it was opened, back to its last snapshot', async () => {
    const dir = freshDir()
    const first = await openAt(dir, { rotateBytes: 1000 })
    for (let i = 0; i < 30; i++) await first.txn([], [put('a', 'x'.repeat(100))])
    await first.close()
    const second = await openAt(dir, { rotateBytes: 1000 })
    const { revision } = await second.txn([], [put('a', 'y')])
    await second.txn([], [put('a', 'z')])
    const { signal } = new AbortController()
    const next = await second.watch('', revision, signal)[Symbol.asyncIterator]().next()
    expect(next.value).toMatchObject({ revision: revision + 1, changes: [{ previous: { value: 'y' } }] })
    await expect(second.watch('', 1, signal)[Symbol.asyncIterator]().next()).rejects.toThrow(CompactedError)
  })

  test('gives every lease its full time again when it is opened', async () => {
    const dir = freshDir()
    let now = 0
    const clock = { now: () => now }
    const before = await openAt(dir, { clock })
    const lease = await before.grant(10_000)
    await before.txn([], [put('a', '1', lease)])
    now = 9_000
    await before.close()
    now = 1_000_000
    const after = await openAt(dir, { clock })
    now += 9_999
    await after.keepAlive(lease)
    expect((await after.get('a'))?.lease).toBe(lease)
    await after.revoke(lease)
    expect(await after.get('a')).toBeNull()
  })

  test('writes nothing when a lease is kept alive', async () => {
    const dir = freshDir()
    const store = await openAt(dir)
    const lease = await store.grant(10_000)
    const before = sizeOf(dir, 'journal-00000001')
    for (let i = 0; i < 10; i++) await store.keepAlive(lease)
    expect(sizeOf(dir, 'journal-00000001')).toBe(before)
  })

  test('answers everything that was asked before it closes', async () => {
    const dir = freshDir()
    const store = await openAt(dir)
    const asked = Array.from({ length: 100 }, (_, i) => store.txn([], [put(`k${i}`, '')]))
    await store.close()
    expect((await Promise.all(asked)).every((result) => result.committed)).toBe(true)
    expect((await (await openAt(dir)).range('')).entries).toHaveLength(100)
  })

  test('keeps its files short while it is written', async () => {
    const dir = freshDir()
    const store = await openAt(dir, { rotateBytes: 10_000 })
    for (let i = 0; i < 2000; i++) await store.txn([], [put(`k${i % 10}`, 'x'.repeat(100))])
    await store.close()
    const names = readdirSync(dir).sort()
    expect(names).toHaveLength(2)
    expect(names[0]).toMatch(/^journal-0000000\d|^journal-000000\d\d/)
    expect(sizeOf(dir, ...names)).toBeLessThan(30_000)
    expect((await (await openAt(dir)).range('')).entries).toHaveLength(10)
  })

  test('is for its owner alone', async () => {
    const dir = freshDir()
    const store = await openAt(dir, { rotateBytes: 100 })
    for (let i = 0; i < 10; i++) await store.txn([], [put('a', 'x'.repeat(100))])
    await store.close()
    expect(statSync(dir).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600)
  })

  test('is opened once at a time, in whatever directory', async () => {
    for (const dir of [freshDir(), join(freshDir(), 'long'.repeat(40))]) {
      const first = await openAt(dir)
      await expect(openAt(dir)).rejects.toMatchObject({
        code: 'store/locked',
        message: `${dir} is in use by process ${process.pid}`,
      })
      await first.txn([], [put('a', '1')])
      await first.close()
      const second = await openAt(dir)
      expect((await second.get('a'))?.value).toBe('1')
    }
  })

  test('is opened by one of many who try together', async () => {
    const dir = freshDir()
    const attempts = await Promise.allSettled(Array.from({ length: 6 }, () => openAt(dir)))
    expect(attempts.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
    for (const store of stores.splice(0)) await store.close()
    await openAt(dir)
  })

  test('refuses a format that it does not know, by name', async () => {
    const dir = freshDir()
    await (await openAt(dir)).close()
    const path = join(dir, 'journal-00000001')
    const header = { format: 'mariposa-store', version: 2, kind: 'journal', generation: 1, revision: 0 }
    writeFileSync(path, frameOf(header))
    await expect(openAt(dir)).rejects.toMatchObject({ code: 'store/version' })
    expect(readFileSync(path)).toEqual(frameOf(header))
  })

  test('says when its directory cannot be one', async () => {
    const dir = freshDir()
    await (await openAt(dir)).close()
    await expect(openAt(join(dir, 'journal-00000001', 'store'))).rejects.toMatchObject({ code: 'store/io' })
  })
})

function put(key: string, value: string, lease?: string): Op {
  return lease === undefined ? { op: 'put', key, value } : { op: 'put', key, value, lease }
}

function sizeOf(dir: string, ...names: string[]): number {
  return names.reduce((sum, name) => sum + statSync(join(dir, name)).size, 0)
}

/** The machine's disk, which says of files of such names that they could not be closed. */
function failsToClose(names: RegExp): Disk {
  return diskWith((path, flags) => ({
    afterClose: () => {
      if (names.test(path) && typeof flags === 'number') throw ioError('close')
    },
  }))
}

/** The machine's disk, where snapshots wait until they may, and writes to a journal are torn as long as they are told to be. */
function interrupted() {
  const may = once()
  const taken = once()
  let tears = false
  const disk = diskWith((path, flags) => ({
    beforeAppend: () => (path.includes('snapshot-') ? may.happened : undefined),
    isTorn: () => tears && typeof flags === 'number',
  }))
  const unlink: Disk['unlink'] = async (path) => {
    await systemDisk.unlink(path)
    // What is older is removed when the snapshot is complete.
    if (path.endsWith('journal-00000001')) taken.happen()
  }
  return {
    disk: { ...disk, unlink },
    letSnapshots: () => may.happen(),
    tearJournals: (on: boolean) => {
      tears = on
    },
    snapshotTaken: taken.happened,
  }
}

function once(): { readonly happened: Promise<void>; readonly happen: () => void } {
  let happen = (): void => {}
  const happened = new Promise<void>((resolve) => {
    happen = resolve
  })
  return { happened, happen }
}

interface Trouble {
  readonly beforeAppend?: () => Promise<void> | undefined
  readonly afterClose?: () => void
  /** Of what is written then a part stays, and cannot be taken back. */
  readonly isTorn?: () => boolean
}

function diskWith(troubleOf: (path: string, flags: string | number) => Trouble): Disk {
  const open: Disk['open'] = async (path, flags, mode) => {
    const file = await systemDisk.open(path, flags, mode)
    const { beforeAppend, afterClose, isTorn } = troubleOf(path, flags)
    return {
      write: async (bytes, offset, length, position) => {
        if (isTorn?.() !== true) return file.write(bytes, offset, length, position)
        await file.write(bytes, offset, length >> 1, position)
        throw ioError('write')
      },
      appendFile: async (bytes) => {
        await beforeAppend?.()
        await file.appendFile(bytes)
      },
      truncate: async (length) => {
        if (isTorn?.() === true) throw ioError('ftruncate')
        await file.truncate(length)
      },
      sync: () => file.sync(),
      close: async () => {
        await file.close()
        afterClose?.()
      },
    }
  }
  return { ...systemDisk, open }
}

function ioError(call: string): Error {
  return Object.assign(new Error(`EIO: i/o error, ${call}`), { code: 'EIO' })
}
