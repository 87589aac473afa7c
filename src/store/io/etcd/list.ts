// Lists keys in pages, all of one revision.
import { prefixes } from '../../records.js'
import { type Entry, type OnPart, type RangeResult, type Revision, StoreError } from '../../store.js'
import { type EtcdKeys, type KeyRange, successor } from './keys.js'
import { EtcdFailure, type Members } from './members.js'
import type { RangeAnswer, RangeRequest } from './protocol.js'

/** What a page holds is to take such a part of the time that an answer may take, so that a slow way never breaks it off. */
const partOfTimeout = 1 / 4
/** What is on its way at once, of all pages that are asked for beside each other: nothing is won by more. */
const bytesOnTheWay = 8 * 1024 ** 2
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
/** From so many keys on kinds of records are read beside each other: the way there and back is waited for less often. */
const manyKeys = 2000
const pagesAtOnce = 8
/** So often a page that did not come in time is asked for again, each time much smaller. */
const smallerAtMost = 3
/** A list that takes long is told of so often. */
const tellEveryMs = 2000

/**
 * All keys under a prefix at one revision. Begins again when etcd has forgotten that revision meanwhile; `onPart` is given
 * what comes as it comes, that of a list which was begun again too.
 */
export async function listKeys(
  members: Members,
  keys: EtcdKeys,
  prefix: string,
  onPart: OnPart = () => {},
): Promise<RangeResult> {
  for (;;) {
    try {
      return await listOnce(members, keys, prefix, onPart)
    } catch (error) {
      if (!(error instanceof EtcdFailure && error.kind === 'compacted')) throw error
    }
  }
}

async function listOnce(
  members: Members,
  keys: EtcdKeys,
  prefix: string,
  onPart: OnPart,
): Promise<RangeResult> {
  const entries: Entry[] = []
  let revision: Revision = 0
  const way: Way = { ms: null, atOnce: 1, timeoutMs: members.requestTimeoutMs }
  const progress = openProgress(members)
  /** Reads a page; tells how many keys the range has, and what is left of it. */
  const readPage = async (range: KeyRange, pace: Pace): Promise<Page> => {
    const sentAt = performance.now()
    const { page, asked } = await askPage(members, { ...range, revision }, pace.limit)
    const tookMs = performance.now() - sentAt
    if (revision === 0) revision = page.header.revision.toNumber()
    let bytes = 0
    const part: Entry[] = []
    for (const kv of page.kvs) {
      bytes += kv.key.length + kv.value.length
      members.saw(kv)
      const entry = keys.entry(kv)
      part.push(entry)
      entries.push(entry)
    }
    const last = page.kvs.at(-1)
    const rest = page.more && last !== undefined ? { ...range, key: successor(last.key) } : null
    pace.took(asked, bytes, part.length, tookMs)
    progress(entries.length, bytes)
    onPart(part)
    return { rest, count: page.count.toNumber() }
  }
  const { rest, count } = await readPage(keys.range(prefix), new Pace(way, probePage))
  if (rest !== null) await readAll(count < manyKeys ? [rest] : cutAtKinds(keys, prefix, rest), way, readPage)
  return { revision, entries: entries.sort(byKey) }
}

interface Page {
  /** What of the range comes after it. */
  readonly rest: KeyRange | null
  /** How many keys the range has. */
  readonly count: number
}

/** Reads some of the ranges beside each other, each page after page. No more is asked for once one has failed. */
async function readAll(
  ranges: readonly KeyRange[],
  way: Way,
  readPage: (range: KeyRange, pace: Pace) => Promise<Page>,
): Promise<void> {
  const waiting = [...ranges]
  let failed = false
  const readSome = async (): Promise<void> => {
    try {
      for (let range = waiting.shift(); range !== undefined; range = waiting.shift()) {
        const pace = new Pace(way, firstPage)
        for (let rest: KeyRange | null = range; rest !== null && !failed; )
          rest = (await readPage(rest, pace)).rest
      }
    } catch (error) {
      failed = true
      throw error
    } finally {
      way.atOnce -= 1
    }
  }
  way.atOnce = Math.min(pagesAtOnce, waiting.length)
  await Promise.all(Array.from({ length: way.atOnce }, readSome))
}

/** A range in parts that begin where a kind of records does. */
function cutAtKinds(keys: EtcdKeys, prefix: string, { key, range_end }: KeyRange): readonly KeyRange[] {
  const cuts = Object.values(prefixes)
    .filter((kind) => kind.startsWith(prefix))
    .map((kind) => keys.encode(kind))
    .filter((cut) => cut.compare(key) > 0 && cut.compare(range_end) < 0)
    .sort(Buffer.compare)
  return [key, ...cuts].map((from, n) => ({ key: from, range_end: cuts[n] ?? range_end }))
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

/** What is known of the way to etcd. */
interface Way {
  /** How long it is there and back at the least. */
  ms: number | null
  /** How many pages are asked for beside each other. */
  atOnce: number
  readonly timeoutMs: number
}

/** How many keys of a range a page is asked for. */
class Pace {
  limit: number
  readonly #way: Way

  constructor(way: Way, first: number) {
    this.#way = way
    this.limit = first
  }

  /** A page has come: so many keys were asked for, and so many have come. */
  took(asked: number, bytes: number, count: number, tookMs: number): void {
    const { ms } = this.#way
    if (ms !== null && count > 0) this.limit = this.#nextLimit(asked, bytes, bytes / count, tookMs - ms)
    this.#way.ms = Math.min(ms ?? tookMs, tookMs)
  }

  /** As many keys as will come in good time, by how long so many bytes took. */
  #nextLimit(asked: number, bytes: number, bytesOfKey: number, tookMs: number): number {
    const { timeoutMs, atOnce } = this.#way
    const bytesInTime = (bytes * timeoutMs * partOfTimeout) / Math.max(shortestMs, tookMs)
    const pageBytes = Math.min(pageBytesAtMost, bytesOnTheWay / Math.max(1, atOnce), bytesInTime)
    const fitting = Math.floor(pageBytes / Math.max(1, bytesOfKey))
    return Math.min(keysPerPage.most, asked * growth, Math.max(keysPerPage.least, fitting))
  }
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
