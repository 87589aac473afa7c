// What one decided request changes: the value that is staged, journalled, committed and watched.
import type { Change, LeaseId, Revision } from './store.js'

/** All that one request changes. */
export interface Effect {
  /** The store's revision after it; a change of leases alone leaves it where it was. */
  readonly revision: Revision
  /** At most one change per key. */
  readonly changes: readonly Change[]
  readonly granted: Grant | null
  readonly ended: LeaseId | null
}

export interface Grant {
  readonly id: LeaseId
  readonly ttlMs: number
}
