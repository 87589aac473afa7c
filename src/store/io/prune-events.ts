import type { Pass } from '../../lib/io/loop.js'
import { prefixes } from '../records.js'
import type { Op, Revision, Store } from '../store.js'
import { ledBy } from './registry.js'

/** Events that are kept; the oldest beyond that are dropped. */
export const eventsKept = 10_000
const dropsPerWrite = 100

export interface PruneOptions {
  readonly store: Store
  readonly epoch: () => number | null
  /** Events up to this revision have been read by those who have to; null while that is not known. */
  readonly readUpTo: () => Revision | null
}

/** A pass of the leader that keeps the history from growing without end. */
export function pruneEvents({ store, epoch, readUpTo }: PruneOptions): Pass {
  return async (_now, signal) => {
    const [leading, read] = [epoch(), readUpTo()]
    if (leading === null || read === null) return { wakeAt: null }
    const { entries } = await store.range(prefixes.event)
    const old = entries
      .slice(0, Math.max(0, entries.length - eventsKept))
      .filter(({ createRevision }) => createRevision <= read)
    for (let from = 0; from < old.length && !signal.aborted; from += dropsPerWrite) {
      const drops = old
        .slice(from, from + dropsPerWrite)
        .map((entry): Op => ({ op: 'delete', key: entry.key }))
      if (!(await store.txn([ledBy(leading)], drops)).committed) break
    }
    return { wakeAt: null }
  }
}
