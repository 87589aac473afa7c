// What the journal says about one effect, and a snapshot about one entry: short JSON that a person can still read.
import type { Effect } from './effect.js'
import type { Entry, LeaseId, Revision } from './store.js'

/** One effect as written: enough to have it again on top of the state before it. */
export interface JournalRecord {
  /** The store's revision after it. */
  readonly r: Revision
  /** `[key, value]` or `[key, value, lease]` is a put, `[key]` a delete. */
  readonly c?: readonly RecordedChange[]
  /** A lease granted, and its time to live in milliseconds. */
  readonly g?: readonly [LeaseId, number]
  /** A lease ended. */
  readonly e?: LeaseId
}

export type RecordedChange =
  | readonly [string]
  | readonly [string, string]
  | readonly [string, string, LeaseId]

/** Key, value, create revision, mod revision, and the lease where there is one. */
export type RecordedEntry = readonly [string, string, Revision, Revision, LeaseId?]

/** An effect as the journal writes it. */
export function recordOf(effect: Effect): JournalRecord {
  return {
    r: effect.revision,
    ...(effect.changes.length === 0 ? {} : { c: effect.changes.map(recordChange) }),
    ...(effect.granted === null ? {} : { g: [effect.granted.id, effect.granted.ttlMs] }),
    ...(effect.ended === null ? {} : { e: effect.ended }),
  }
}

function recordChange(change: Effect['changes'][number]): RecordedChange {
  if (change.type === 'delete') return [change.key]
  const { key, value, lease } = change.entry
  return lease === null ? [key, value] : [key, value, lease]
}

/** An entry as a snapshot writes it. */
export function recordEntry(entry: Entry): RecordedEntry {
  const { key, value, createRevision, modRevision, lease } = entry
  return lease === null
    ? [key, value, createRevision, modRevision]
    : [key, value, createRevision, modRevision, lease]
}

/** An entry read from a snapshot. */
export function entryOf(recorded: RecordedEntry): Entry {
  const [key, value, createRevision, modRevision, lease = null] = recorded
  return { key, value, createRevision, modRevision, lease }
}
