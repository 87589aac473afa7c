// A store so simple that it is right by looking at it, and random transactions to compare the real ones with.
import fc from 'fast-check'
import type { Compare, Entry, Op, Store, TxnResult } from '../../src/store/store.js'

const key = fc.constantFrom('a', 'a/1', 'a/2', 'b', 'b/1', 'c')
const value = fc.constantFrom('', '1', '2', 'ü\n')

/** Operations; `lease` is replaced by a lease that was granted. */
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('put' as const), key, value }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('delete' as const), key }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('delete-prefix' as const),
      prefix: fc.constantFrom('a', 'a/', 'b/', ''),
    }),
  },
)

/** A comparison; a revision is given as how far it lies back. */
const compare = fc.oneof(
  fc.record({ kind: fc.constant('value' as const), key, value }),
  fc.record({ kind: fc.constant('back' as const), key, back: fc.nat(3) }),
  fc.record({ kind: fc.constant('missing' as const), key }),
)

type RandomCompare = typeof compare extends fc.Arbitrary<infer T> ? T : never

export type Command =
  | { readonly kind: 'txn'; readonly compare: readonly RandomCompare[]; readonly ops: readonly Op[] }
  | { readonly kind: 'grant' }
  | { readonly kind: 'put-leased'; readonly key: string; readonly lease: number }
  | { readonly kind: 'revoke'; readonly lease: number }
  | { readonly kind: 'reopen' }

export const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('txn' as const),
        compare: fc.array(compare, { maxLength: 1 }),
        ops: fc.array(op, { maxLength: 4 }),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'grant' as const }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('put-leased' as const), key, lease: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), lease: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
  ),
  { maxLength: 40 },
)

/** The comparisons at a revision. */
export function comparesAt(revision: number, random: readonly RandomCompare[]): Compare[] {
  return random.map((one): Compare => {
    if (one.kind === 'value') return { key: one.key, value: one.value }
    return { key: one.key, modRevision: one.kind === 'missing' ? 0 : Math.max(0, revision - one.back) }
  })
}

export class ModelStore {
  revision = 0
  entries: Entry[] = []

  txn(compare: readonly Compare[], ops: readonly Op[]): TxnResult {
    const holds = compare.every((one) => {
      const entry = this.#find(one.key)
      return 'value' in one ? entry?.value === one.value : (entry?.modRevision ?? 0) === one.modRevision
    })
    if (!holds) return { committed: false, revision: this.revision }
    const before = this.entries
    const after = new Map(before.map((entry) => [entry.key, entry]))
    let writes = false
    for (const key of new Set([...ops.flatMap((o) => ('key' in o ? [o.key] : [])), ...after.keys()])) {
      const last = ops.findLast((o) => ('key' in o ? o.key === key : key.startsWith(o.prefix)))
      if (last === undefined) continue
      const previous = this.#find(key)
      writes ||= last.op === 'put' || previous !== undefined
      if (last.op === 'put') {
        const modRevision = this.revision + 1
        const createRevision = previous?.createRevision ?? modRevision
        after.set(key, { key, value: last.value, createRevision, modRevision, lease: last.lease ?? null })
      } else after.delete(key)
    }
    if (writes) this.revision += 1
    this.entries = [...after.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
    return { committed: true, revision: this.revision }
  }

  revoke(lease: string): void {
    const ended = this.entries.filter((entry) => entry.lease === lease)
    if (ended.length === 0) return
    this.entries = this.entries.filter((entry) => entry.lease !== lease)
    this.revision += 1
  }

  #find(key: string): Entry | undefined {
    return this.entries.find((entry) => entry.key === key)
  }
}

/** What a watch from the beginning has said so far, applied to nothing: it must give the same entries. */
export async function replayWatch(store: Store, upTo: number): Promise<Entry[]> {
  const entries = new Map<string, Entry>()
  if (upTo === 0) return []
  const abort = new AbortController()
  for await (const batch of store.watch('', 0, abort.signal)) {
    for (const change of batch.changes) {
      if (change.type === 'put') entries.set(change.key, change.entry)
      else entries.delete(change.key)
    }
    if (batch.revision >= upTo) break
  }
  return [...entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}
