import type { Pass } from '../../lib/io/loop.js'
import { prefixes } from '../records.js'
import type { Op, Store } from '../store.js'
import { ledBy } from './registry.js'

/** Events that are kept; the oldest beyond that are dropped. */
export const eventsKept = 10_000
const dropsPerWrite = 100

/** A pass of the leader that keeps the history from growing without end. */
export function pruneEvents({
  store,
  epoch,
}: {
  readonly store: Store
  readonly epoch: () => number | null
}): Pass {
  return async (_now, signal) => {
    const leading = epoch()
    if (leading === null) return { wakeAt: null }
    const { entries } = await store.range(prefixes.event)
    const old = entries.slice(0, Math.max(0, entries.length - eventsKept))
    for (let from = 0; from < old.length && !signal.aborted; from += dropsPerWrite) {
      const drops = old
        .slice(from, from + dropsPerWrite)
        .map((entry): Op => ({ op: 'delete', key: entry.key }))
      if (!(await store.txn([ledBy(leading)], drops)).committed) break
    }
    return { wakeAt: null }
  }
}
