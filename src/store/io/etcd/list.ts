// Lists keys in pages, all of one revision.
import { type Entry, type RangeResult, type Revision, StoreError } from '../../store.js'
import { type EtcdKeys, type KeyRange, successor } from './keys.js'
import { EtcdFailure, type Members } from './members.js'
import type { RangeAnswer, RangeRequest } from './protocol.js'

/** What a page holds is to take such a part of the time that an answer may take, so that a slow way never breaks it off. */
const partOfTimeout = 1 / 4
/** Nothing is won by pages that are larger, and all else on the connection waits for them. */
const pageBytesAtMost = 4 * 1024 ** 2
const firstPage = 100
/** Of one key, which tells how long the way is: what more takes longer for is its size. */
const probePage = 1
/** A shorter time says nothing of the way. */
const shortestMs = 20
/** How much larger than the one before a page may be: what is known of the way is a guess at first. */
const growth = 8
/** etcd looks at all that is left of a range for each page, so pages of few small keys would make long lists slow. */
const keysPerPage = { least: 10, most: 20_000 } as const
/** So often a page that did not come in time is asked for again, each time much smaller. */
const smallerAtMost = 3
/** A list that takes long is told of so often. */
const tellEveryMs = 2000

/** All keys under a prefix at one revision. Begins again when etcd has forgotten that revision meanwhile. */
export async function listKeys(members: Members, keys: EtcdKeys, prefix: string): Promise<RangeResult> {
  for (;;) {
    try {
      return await listOnce(members, keys, keys.range(prefix))
    } catch (error) {
      if (!(error instanceof EtcdFailure && error.kind === 'compacted')) throw error
    }
  }
}

async function listOnce(members: Members, keys: EtcdKeys, whole: KeyRange): Promise<RangeResult> {
  const entries: Entry[] = []
  let revision: Revision = 0
  let limit: number = probePage
  let wayMs: number | null = null
  const progress = openProgress(members)
  for (let key: Buffer | null = whole.key; key !== null; ) {
    const sentAt = performance.now()
    const { page, asked } = await askPage(members, { ...whole, key, revision }, limit)
    if (revision === 0) revision = page.header.revision.toNumber()
    let bytes = 0
    for (const kv of page.kvs) {
      bytes += kv.key.length + kv.value.length
      members.saw(kv)
      entries.push(keys.entry(kv))
    }
    const last = page.kvs.at(-1)
    key = page.more && last !== undefined ? successor(last.key) : null
    const tookMs = performance.now() - sentAt
    limit =
      wayMs === null
        ? firstPage
        : nextLimit(asked, bytes, page.kvs.length, tookMs - wayMs, members.requestTimeoutMs)
    wayMs = Math.min(wayMs ?? tookMs, tookMs)
    progress(entries.length, bytes)
  }
  return { revision, entries: entries.sort(byKey) }
}

/** Asks for a page, and for a smaller one where that does not come in time. */
async function askPage(
  members: Members,
  request: Omit<RangeRequest, 'limit'>,
  limit: number,
): Promise<{ readonly page: RangeAnswer; readonly asked: number }> {
  for (let tries = 0; ; tries++) {
    const asked = Math.max(Math.min(limit, keysPerPage.least), Math.floor(limit / 8 ** tries))
    try {
      return { page: await members.ask(members.methods.range, { ...request, limit: asked }, 'read'), asked }
    } catch (error) {
      const isLate = error instanceof StoreError && error.code === 'store/unreachable'
      if (!isLate || tries === smallerAtMost || asked <= keysPerPage.least || members.closing.aborted)
        throw error
    }
  }
}

/** As many keys as will come in good time, by how long so many bytes took. */
function nextLimit(asked: number, bytes: number, count: number, tookMs: number, timeoutMs: number): number {
  const bytesInTime = (bytes * timeoutMs * partOfTimeout) / Math.max(shortestMs, tookMs)
  const fitting = Math.floor(Math.min(pageBytesAtMost, bytesInTime) / Math.max(1, bytes / Math.max(1, count)))
  return Math.min(keysPerPage.most, asked * growth, Math.max(keysPerPage.least, fitting))
}

/** Tells from time to time how far a list is. */
function openProgress(members: Members): (count: number, bytes: number) => void {
  let total = 0
  let toldAt = performance.now()
  return (count, bytes) => {
    total += bytes
    if (performance.now() - toldAt < tellEveryMs) return
    toldAt = performance.now()
    members.onProgress({ records: count, bytes: total })
  }
}

/** By code unit, where etcd sorts by the bytes of UTF-8. */
function byKey(a: Entry, b: Entry): number {
  return a.key < b.key ? -1 : 1
}
