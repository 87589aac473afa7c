// The store's contract, in etcd's terms. test/store/contract.ts holds the suite that each implementation passes.

/** Counts the store's changes. Transactions that arrive together may share one; all of a revision is seen at once. */
export type Revision = number

/** A key with its value and revisions. */
export interface Entry {
  readonly key: string
  readonly value: string
  readonly createRevision: Revision
  readonly modRevision: Revision
  /** The lease that the key lives by, or null. */
  readonly lease: LeaseId | null
}

/** Names a lease. */
export type LeaseId = string

/** A key with the revision that a transaction expects of it. */
export type Compare =
  /** Last changed at this revision; 0 means that the key does not exist. */
  { readonly key: string; readonly modRevision: Revision } | { readonly key: string; readonly value: string }

/** One write of a transaction. */
export type Op =
  | { readonly op: 'put'; readonly key: string; readonly value: string; readonly lease?: LeaseId }
  | { readonly op: 'delete'; readonly key: string }
  | { readonly op: 'delete-prefix'; readonly prefix: string }

/** About how many bytes an operation takes, at the most that UTF-8 makes of most texts. */
export function sizeOf(op: Op): number {
  return op.op === 'put' ? op.key.length + 2 * op.value.length : 0
}

export interface TxnResult {
  /** Whether every comparison held, so that `ops` were applied; nothing was changed otherwise. */
  readonly committed: boolean
  /** The store's revision after the transaction. */
  readonly revision: Revision
}

export interface RangeResult {
  readonly revision: Revision
  /** Sorted by key, by code unit. */
  readonly entries: readonly Entry[]
}

/** Takes in some entries of a list that is being read. */
export type OnPart = (entries: readonly Entry[]) => void

/** A key that was written or deleted, with what was there before. */
export type Change =
  | { readonly type: 'put'; readonly key: string; readonly entry: Entry; readonly previous: Entry | null }
  | { readonly type: 'delete'; readonly key: string; readonly previous: Entry | null }

/** All changes of one revision under the watched prefix. */
export interface ChangeBatch {
  readonly revision: Revision
  readonly changes: readonly Change[]
}

/** Revisioned keys with transactions, watches and leases. */
export interface Store {
  get(key: string): Promise<Entry | null>
  /**
   * All keys that begin with `prefix`, at one revision. A store that reads them over a network gives `onPart` what has come
   * while the rest is on its way, in any order. It is part of the result unless the list has to be begun again.
   */
  range(prefix: string, onPart?: OnPart): Promise<RangeResult>
  /**
   * Applies `ops` in order as one change if every comparison holds. Resolves when the change is durable.
   * A put on a lease that has ended throws LeaseEndedError, and nothing of the transaction is applied.
   */
  txn(compare: readonly Compare[], ops: readonly Op[]): Promise<TxnResult>
  /**
   * Changes under `prefix` with a revision greater than `after`, in order, none left out, until `signal` aborts
   * (then the iteration ends quietly). Throws CompactedError when the store no longer has them: list again.
   */
  watch(prefix: string, after: Revision, signal: AbortSignal): AsyncIterable<ChangeBatch>
  /** A lease: keys put with it are deleted when it is not kept alive for `ttlMs`. */
  grant(ttlMs: number): Promise<LeaseId>
  /** Renews a lease for its full time. Throws LeaseEndedError when it has ended. */
  keepAlive(lease: LeaseId): Promise<void>
  /** How long a lease lasts if nobody renews it, in milliseconds, rounded down to what the store counts; null: ended. */
  remainingMs(lease: LeaseId): Promise<number | null>
  /** Ends a lease and deletes its keys. A lease that has ended already is no error. */
  revoke(lease: LeaseId): Promise<void>
  /** Writes out what is pending and lets go of files and connections. */
  close(): Promise<void>
}

/** A watch asked for changes that the store has dropped. */
export class CompactedError extends Error {
  override readonly name = 'CompactedError'
  readonly oldest: Revision
  constructor(oldest: Revision) {
    super(`changes before revision ${oldest} are no longer kept`)
    this.oldest = oldest
  }
}

/** A lease that is over. */
export class LeaseEndedError extends Error {
  override readonly name = 'LeaseEndedError'
  constructor(lease: LeaseId) {
    super(`lease ${lease} has ended`)
  }
}

/** The store cannot be opened or written; `code` is stable (`store/corrupt`, `store/full`, `store/locked`, …). */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: string
  readonly hint: string
  constructor(code: string, message: string, hint: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.hint = hint
  }
}

/** Whether the store refused to write for want of space. */
export function isFull(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'store/full'
}

/** Whether the store did not answer, or lets us in no more. It tells itself when it gets out of reach and when it is back. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof StoreError && ['store/unreachable', 'store/denied'].includes(error.code)
}
