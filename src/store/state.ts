// The store's semantics without its I/O: revisions, comparisons, operations and which keys live by which lease.
// Every local store is this machine plus a place to keep its effects.
import { invariant } from '../lib/invariant.js'
import type { Effect, Grant } from './effect.js'
import type { JournalRecord, RecordedChange } from './journal-record.js'
import { SortedKeys } from './sorted-keys.js'
import {
  type Change,
  type Compare,
  type Entry,
  LeaseEndedError,
  type LeaseId,
  type Op,
  type Revision,
  type TxnResult,
} from './store.js'

/** A request that was decided: the answer, and what it changes (null: nothing). */
export interface Staged<T> {
  readonly value: T
  readonly effect: Effect | null
}

/**
 * Keys, leases and the revision. Requests are staged first: a staged request is seen by those staged after it, and by
 * no reader. `commit` makes all that is staged visible once it is durable; `discard` forgets it.
 *
 * The state is owned by one store and changed in place; entries and changes are values that never change.
 */
export class StoreState {
  #revision: Revision = 0
  readonly #entries = new Map<string, Entry>()
  readonly #sorted = new SortedKeys()
  readonly #leases = new Map<LeaseId, { readonly ttlMs: number; readonly keys: Set<string> }>()
  #staged: Overlay = emptyOverlay(0)

  get revision(): Revision {
    return this.#revision
  }

  get(key: string): Entry | null {
    return this.#entries.get(key) ?? null
  }

  /** The entries whose key begins with `prefix`, in order by key. */
  range(prefix: string): Entry[] {
    const found: Entry[] = []
    for (const key of this.#sorted.withPrefix(prefix)) found.push(entryAt(this.#entries, key))
    return found
  }

  /** What is staged, in order; a committed group is this list. */
  get staged(): readonly Effect[] {
    return this.#staged.effects
  }

  leases(): Grant[] {
    return [...this.#leases].map(([id, { ttlMs }]) => ({ id, ttlMs }))
  }

  /**
   * Decides a transaction. The last operation on a key is the one that counts, so that there is one change per key and
   * revision; deleting what is not there changes nothing; a transaction that changes nothing has no revision.
   */
  stageTxn(compare: readonly Compare[], ops: readonly Op[]): Staged<TxnResult> {
    const { revision } = this.#staged
    if (!compare.every((one) => this.#holds(one)))
      return { value: { committed: false, revision }, effect: null }
    const changes = this.#changesOf(this.#lastOps(ops), revision + 1)
    const effect = this.#stage({ changes, granted: null, ended: null })
    return { value: { committed: true, revision: this.#staged.revision }, effect }
  }

  /** Decides a new lease, whose id was never used before. */
  stageGrant(grant: Grant): Staged<LeaseId> {
    invariant(this.#stagedLease(grant.id) === null, `lease ${grant.id} is granted twice`)
    return { value: grant.id, effect: this.#stage({ changes: [], granted: grant, ended: null }) }
  }

  /** Decides the end of a lease: its keys go with it, in one change. Nothing happens if it has ended already. */
  stageRevoke(lease: LeaseId): Staged<void> {
    if (this.#stagedLease(lease) === null) return { value: undefined, effect: null }
    const deletes = new Map(this.#stagedKeysOf(lease).map((key) => [key, null]))
    const changes = this.#changesOf(deletes, this.#staged.revision + 1)
    return { value: undefined, effect: this.#stage({ changes, granted: null, ended: lease }) }
  }

  /** Makes all that is staged visible, and says what it was. */
  commit(): readonly Effect[] {
    const { effects } = this.#staged
    for (const effect of effects) this.#apply(effect)
    this.#staged = emptyOverlay(this.#revision)
    return effects
  }

  /** Forgets all that is staged. */
  discard(): void {
    this.#staged = emptyOverlay(this.#revision)
  }

  /** Applies what a journal says happened next, and says what it was. */
  replay(record: JournalRecord): Effect {
    const ops = new Map((record.c ?? []).map((change) => [change[0], recordedPut(change)]))
    const effect = {
      revision: record.r,
      changes: this.#changesOf(ops, record.r),
      granted: record.g === undefined ? null : { id: record.g[0], ttlMs: record.g[1] },
      ended: record.e ?? null,
    }
    this.#apply(effect)
    this.#staged = emptyOverlay(this.#revision)
    return effect
  }

  /** Fills an empty state from a snapshot. Entries come in order by key. */
  restore(revision: Revision, leases: readonly Grant[], entries: Iterable<Entry>): void {
    invariant(this.#revision === 0 && this.#entries.size === 0, 'a snapshot is restored into an empty state')
    this.#revision = revision
    for (const { id, ttlMs } of leases) this.#leases.set(id, { ttlMs, keys: new Set() })
    for (const entry of entries) this.#write(entry.key, entry, null)
    this.#staged = emptyOverlay(revision)
  }

  #holds(compare: Compare): boolean {
    const entry = this.#stagedEntry(compare.key)
    if ('value' in compare) return entry !== null && entry.value === compare.value
    return (entry?.modRevision ?? 0) === compare.modRevision
  }

  /** What each key ends up as: the put that counts, or null for a delete. */
  #lastOps(ops: readonly Op[]): Map<string, Put | null> {
    const last = new Map<string, Put | null>()
    for (const op of ops) {
      if (op.op === 'delete-prefix') for (const key of this.#stagedKeys(op.prefix, last)) last.set(key, null)
      else last.set(op.key, op.op === 'put' ? this.#checkedPut(op) : null)
    }
    return last
  }

  #checkedPut(op: Op & { op: 'put' }): Put {
    invariant(op.key !== '', 'a key is never empty')
    if (op.lease !== undefined && this.#stagedLease(op.lease) === null) throw new LeaseEndedError(op.lease)
    return { value: op.value, lease: op.lease ?? null }
  }

  #changesOf(last: ReadonlyMap<string, Put | null>, revision: Revision): Change[] {
    const changes: Change[] = []
    for (const [key, put] of last) {
      const previous = this.#stagedEntry(key)
      if (put === null) {
        if (previous !== null) changes.push({ type: 'delete', key, previous })
        continue
      }
      const createRevision = previous?.createRevision ?? revision
      const entry = { key, value: put.value, createRevision, modRevision: revision, lease: put.lease }
      changes.push({ type: 'put', key, entry, previous })
    }
    return changes
  }

  #stage(what: Omit<Effect, 'revision'>): Effect | null {
    if (what.changes.length === 0 && what.granted === null && what.ended === null) return null
    const staged = this.#staged
    if (what.changes.length > 0) staged.revision += 1
    for (const change of what.changes) {
      staged.entries.set(change.key, change.type === 'put' ? change.entry : null)
    }
    if (what.granted !== null) staged.leases.set(what.granted.id, what.granted)
    if (what.ended !== null) staged.leases.set(what.ended, null)
    const effect = { revision: staged.revision, ...what }
    staged.effects.push(effect)
    return effect
  }

  #stagedEntry(key: string): Entry | null {
    const staged = this.#staged.entries.get(key)
    return staged === undefined ? this.get(key) : staged
  }

  #stagedLease(id: LeaseId): { readonly ttlMs: number } | null {
    const staged = this.#staged.leases.get(id)
    return staged === undefined ? (this.#leases.get(id) ?? null) : staged
  }

  #stagedKeysOf(lease: LeaseId): string[] {
    const keys = new Set(this.#leases.get(lease)?.keys)
    for (const [key, entry] of this.#staged.entries) if (entry?.lease === lease) keys.add(key)
    return [...keys].filter((key) => this.#stagedEntry(key)?.lease === lease).sort()
  }

  /** The keys under a prefix: committed, staged, and those that earlier operations of the same transaction put. */
  #stagedKeys(prefix: string, last: ReadonlyMap<string, unknown>): Set<string> {
    const keys = new Set(this.#sorted.withPrefix(prefix))
    for (const key of this.#staged.entries.keys()) if (key.startsWith(prefix)) keys.add(key)
    for (const key of last.keys()) if (key.startsWith(prefix)) keys.add(key)
    return keys
  }

  #apply(effect: Effect): void {
    this.#revision = effect.revision
    if (effect.granted !== null)
      this.#leases.set(effect.granted.id, { ttlMs: effect.granted.ttlMs, keys: new Set() })
    for (const change of effect.changes) {
      this.#write(change.key, change.type === 'put' ? change.entry : null, change.previous)
    }
    if (effect.ended !== null) this.#leases.delete(effect.ended)
  }

  #write(key: string, entry: Entry | null, previous: Entry | null): void {
    if (previous !== null && previous.lease !== null) this.#leases.get(previous.lease)?.keys.delete(key)
    if (entry === null) {
      this.#entries.delete(key)
      this.#sorted.delete(key)
      return
    }
    this.#entries.set(key, entry)
    if (previous === null) this.#sorted.add(key)
    if (entry.lease !== null) this.#leases.get(entry.lease)?.keys.add(key)
  }
}

interface Put {
  readonly value: string
  readonly lease: LeaseId | null
}

/** What is decided and not yet durable, on top of what is. */
interface Overlay {
  revision: Revision
  readonly entries: Map<string, Entry | null>
  readonly leases: Map<LeaseId, Grant | null>
  readonly effects: Effect[]
}

function emptyOverlay(revision: Revision): Overlay {
  return { revision, entries: new Map(), leases: new Map(), effects: [] }
}

function recordedPut(change: RecordedChange): Put | null {
  const [, value, lease] = change
  return value === undefined ? null : { value, lease: lease ?? null }
}

function entryAt(entries: ReadonlyMap<string, Entry>, key: string): Entry {
  const entry = entries.get(key)
  invariant(entry !== undefined, `key ${key} is sorted but not kept`)
  return entry
}
