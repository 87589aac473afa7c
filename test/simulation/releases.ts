// Daemons of other releases beside those of this one, with the same format of records: a newer one adds fields that this one
// does not know to whatever it writes, and the first one, 0.1.0, writes no format.
import type { TSchema } from 'typebox'
import { kindOfKey } from '../../src/store/records.js'
import { schemas } from '../../src/store/schema/all.js'
import type { Change, Entry, Op, Store } from '../../src/store/store.js'

export const releases = ['this', 'newer', 'first'] as const
export type Release = (typeof releases)[number]

/** What only a newer release knows. */
const field = 'ofNewerRelease'
const mark = `"${field}":`

/** What of JSON Schema the schemas of records use. */
interface Shape {
  readonly type?: string
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
}

/** The store as a daemon of a release has it. */
export function storeOf(release: Release, store: Store): Store {
  const { written, read } = ways[release]
  if (release === 'this') return store
  const readEntry = (entry: Entry): Entry => ({ ...entry, value: read(entry.value) })
  const change = (one: Change): Change => {
    const previous = one.previous && readEntry(one.previous)
    return one.type === 'put' ? { ...one, entry: readEntry(one.entry), previous } : { ...one, previous }
  }
  const put = (op: Op): Op => (op.op === 'put' ? { ...op, value: written(op.key, op.value) } : op)
  return {
    get: async (key) => {
      const entry = await store.get(key)
      return entry && readEntry(entry)
    },
    range: async (prefix, onPart) => {
      const told = await store.range(prefix, onPart && ((entries) => onPart(entries.map(readEntry))))
      return { ...told, entries: told.entries.map(readEntry) }
    },
    txn: (compare, ops) => store.txn(compare, ops.map(put)),
    watch: async function* (prefix, after, signal) {
      for await (const batch of store.watch(prefix, after, signal))
        yield { ...batch, changes: batch.changes.map(change) }
    },
    grant: (ttlMs) => store.grant(ttlMs),
    keepAlive: (lease) => store.keepAlive(lease),
    remainingMs: (lease) => store.remainingMs(lease),
    revoke: (lease) => store.revoke(lease),
    close: () => store.close(),
  }
}

interface WayOfRecords {
  readonly written: (key: string, value: string) => string
  readonly read: (value: string) => string
}

const ways: Readonly<Record<Release, WayOfRecords>> = {
  this: { written: (_, value) => value, read: (value) => value },
  newer: { written: withFields, read: withoutFields },
  // It compares what it writes with what it has written.
  first: {
    written: (_, value) => value.replace(/,"v":1\}$/, '}'),
    read: (value) =>
      /[^{]\}$/.test(value) && !/"v":\d+\}$/.test(value) ? `${value.slice(0, -1)},"v":1}` : value,
  },
}

/** Whether a newer release has written a record, or somebody who kept what that had added. */
function isOfNewer({ value }: Entry): boolean {
  return value.includes(mark)
}

/** Counts what becomes of such a record that is written anew. */
export function noteKept(changes: readonly Change[], count: (what: string) => void): void {
  for (const one of changes) {
    if (one.type !== 'put' || one.previous === null || !isOfNewer(one.previous)) continue
    count(`newer fields ${isOfNewer(one.entry) ? 'kept' : 'dropped'} ${kindOfKey(one.key) ?? 'lone'}`)
  }
}

/** The text of a record with fields that only a newer release knows, also in what it consists of. */
function withFields(key: string, value: string): string {
  const kind = kindOfKey(key)
  const schema = kind === null ? undefined : (schemas as Readonly<Record<string, TSchema>>)[kind]
  if (schema === undefined) return value
  return JSON.stringify(extended(JSON.parse(value), schema))
}

/** A text of JSON without what only a newer release knows. */
export function withoutFields(value: string): string {
  if (!value.includes(mark)) return value
  return JSON.stringify(JSON.parse(value, (name, one: unknown) => (name === field ? undefined : one)))
}

function extended(value: unknown, shape: Shape): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { items, properties, anyOf } = shape
  if (Array.isArray(value)) {
    const of = items ?? onlyOf(anyOf, 'array')?.items
    return of === undefined ? value : value.map((one: unknown) => extended(one, of))
  }
  const known = properties ?? onlyOf(anyOf, 'object')?.properties
  // Of names and values that somebody has chosen nobody adds any.
  if (known === undefined) return value
  const parts = Object.entries(value).map(([name, part]): [string, unknown] => {
    const of = known[name]
    return [name, of === undefined ? part : extended(part, of)]
  })
  return { ...Object.fromEntries(parts), [field]: { since: 'next', of: [1, 2] } }
}

/** The one alternative of a type; undefined where there are several. */
function onlyOf(alternatives: readonly Shape[] = [], type: string): Shape | undefined {
  const fitting = alternatives.filter((one) => one.type === type)
  return fitting.length === 1 ? fitting[0] : undefined
}
