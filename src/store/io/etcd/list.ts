// Lists keys in pages, all of one revision.
import type { Entry, RangeResult, Revision } from '../../store.js'
import { type EtcdKeys, type KeyRange, successor } from './keys.js'
import { EtcdFailure, type Members } from './members.js'
import type { RangeAnswer } from './protocol.js'

/** A page is to hold about so many bytes: enough to be fast, little enough to stay within a request's time. */
const pageBytes = 4 * 1024 ** 2
const firstPage = 1000
/** etcd looks at all that is left of a range for each page, so pages of few small keys would make long lists slow. */
const keysPerPage = { least: 100, most: 20_000 } as const

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
  let limit = firstPage
  for (let key: Buffer | null = whole.key; key !== null; ) {
    const page: RangeAnswer = await members.ask(
      members.methods.range,
      { ...whole, key, limit, revision },
      'read',
    )
    if (revision === 0) revision = page.header.revision.toNumber()
    let bytes = 0
    for (const kv of page.kvs) {
      bytes += kv.key.length + kv.value.length
      members.saw(kv)
      entries.push(keys.entry(kv))
    }
    const last = page.kvs.at(-1)
    key = page.more && last !== undefined ? successor(last.key) : null
    limit = pageFor(bytes / Math.max(1, page.kvs.length))
  }
  return { revision, entries: entries.sort(byKey) }
}

function pageFor(bytesPerKey: number): number {
  const fitting = Math.floor(pageBytes / Math.max(1, bytesPerKey))
  return Math.min(keysPerPage.most, Math.max(keysPerPage.least, fitting))
}

/** By code unit, where etcd sorts by the bytes of UTF-8. */
function byKey(a: Entry, b: Entry): number {
  return a.key < b.key ? -1 : 1
}
