// The store's verbs over one state, for every store that lives in this process.
import { randomBytes } from 'node:crypto'
import type { Clock, Time } from '../../lib/time.js'
import type { Effect } from '../effect.js'
import type { StoreState } from '../state.js'
import { LeaseEndedError, type LeaseId, type Store } from '../store.js'
import type { Committer } from './committer.js'
import { closedError } from './errors.js'
import { LeaseTimes } from './lease-times.js'
import type { WatchHistory } from './watches.js'

/** So many revisions are kept for watches that begin in the past. */
export const defaultHistoryLimit = 10_000

interface LocalStoreParts {
  readonly state: StoreState
  readonly history: WatchHistory
  readonly clock: Clock
  /** What leases are waited for with; default: the machine's. */
  readonly timers?: Pick<Time, 'after'>
  /** Makes the committer; it must give `announce` every effect once it is committed. */
  readonly commitWith: (announce: (effects: readonly Effect[]) => void) => Committer
  /** Lets go of files. */
  readonly close: () => Promise<void>
}

/** A store over a state. Leases that the state has already get their full time from now. */
export function localStore({ state, history, clock, timers, commitWith, close }: LocalStoreParts): Store {
  const committer = commitWith((effects) => effects.forEach(announce))
  const times = new LeaseTimes(clock, (lease) => committer.submit(() => state.stageRevoke(lease)), timers)
  for (const { id, ttlMs } of state.leases()) times.start(id, ttlMs)
  let closing: Promise<void> | null = null

  function announce({ revision, changes, granted, ended }: Effect): void {
    if (granted !== null) times.start(granted.id, granted.ttlMs)
    if (ended !== null) times.forget(ended)
    if (changes.length > 0) history.publish({ revision, changes })
  }

  /** What is over by now ends before the caller's request is looked at. */
  function enter(): void {
    if (closing !== null) throw closedError()
    times.sweep()
  }

  async function shut(): Promise<void> {
    times.close()
    await committer.close()
    history.close()
    await close()
  }

  return {
    get: async (key) => {
      enter()
      return state.get(key)
    },
    range: async (prefix) => {
      enter()
      return { revision: state.revision, entries: state.range(prefix) }
    },
    txn: async (compare, ops) => {
      enter()
      return committer.submit(() => state.stageTxn(compare, ops))
    },
    watch: (prefix, after, signal) => history.watch(prefix, after, signal),
    grant: async (ttlMs) => {
      enter()
      const id = randomBytes(8).toString('hex')
      return committer.submit(() => state.stageGrant({ id, ttlMs }))
    },
    keepAlive: async (lease: LeaseId) => {
      enter()
      if (!times.renew(lease)) throw new LeaseEndedError(lease)
    },
    remainingMs: async (lease) => {
      enter()
      return times.remainingMs(lease)
    },
    revoke: async (lease) => {
      enter()
      await committer.submit(() => state.stageRevoke(lease))
    },
    close: () => {
      closing ??= shut()
      return closing
    },
  }
}
