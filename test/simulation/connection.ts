// What a daemon is joined to: a store that may be far away, or on its own disk.
import type { Log } from '../../src/lib/io/log.js'
import type { Time } from '../../src/lib/time.js'
import type { Store } from '../../src/store/store.js'
import type { Member } from './etcd.js'

/** How one daemon has the store. */
export interface Connection {
  readonly store: Store
  /** What a message takes one way, at most. */
  slowMs: number
  /** When it last could not hear at once of what changes: now, while it cannot. */
  readonly outOfTouchAt: number
  /** Whether it hears at once of what changes. */
  readonly isQuiet: boolean
  /** It takes no more changes until its daemon is started anew. */
  readonly isBroken: boolean
  cut(): void
  heal(): void
  /** The next change that it would see is gone from the store's history. */
  compact(): void
  /** Its daemon is gone: nothing arrives there any more. */
  end(): void
  /** Its daemon ends in order. */
  close(): Promise<void>
}

export interface ConnectionParts {
  readonly time: Time
  readonly log: Log
  readonly gone: AbortSignal
  readonly onAway: (reason: string) => void
  readonly onBack: () => void
}

/** Joins the daemon of the n-th machine. */
export type Connect = (n: number, parts: ConnectionParts) => Promise<Connection>

/** The store of a simulated cluster. */
export interface SimulatedStore {
  /** What is so, for those who judge. */
  readonly truth: Store
  /** Of an etcd. */
  readonly members: readonly Member[]
  /** The last time when nobody led: from when to when. It lasts while `to` is now. */
  readonly withoutLeader: { readonly from: number; readonly to: number }
  readonly connect: Connect
  /** Begins to pass on what comes about. */
  start(onError: (error: unknown) => void): void
  /** Drops what came about until now: whoever has not heard of all of it has to list again. */
  compact(): void
  /** Whether all of it is in touch, and no lease is about to end. */
  isQuiet(): boolean
  /** The world stood still for so long, and only the clocks went on. */
  leapt(ms: number): void
  /** All is well again. */
  heal(): void
  /** Whether something went wrong because of what was done to it. */
  excuses(error: unknown): boolean
}
