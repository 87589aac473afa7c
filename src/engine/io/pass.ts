// One pass of the engine: read the view, decide, commit under our epoch. All the deciding is in `plan`.
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import { plan } from '../plan.js'
import type { NeedsOf } from '../roster.js'
import { eventsOf, opsOf } from '../writes.js'

export interface EnginePassOptions {
  readonly registry: Registry
  readonly needsOf: NeedsOf
  readonly events: EventLog
  readonly log: Log
  /** Our epoch, or null while we do not lead. */
  readonly epoch: () => number | null
}

/** Actions in one transaction at most: stores bound how much one may hold. */
const actionsPerWrite = 40

export function enginePass({ registry, needsOf, events, log, epoch }: EnginePassOptions): Pass {
  return async (now, signal) => {
    const leading = epoch()
    if (leading === null) return { wakeAt: null }
    const decided = plan(registry.view, needsOf, now)
    for (let from = 0; from < decided.actions.length && !signal.aborted; from += actionsPerWrite) {
      const actions = decided.actions.slice(from, from + actionsPerWrite)
      const ops = actions.flatMap((action) => opsOf(registry.view, action))
      const told = actions.flatMap((action) => eventsOf(registry.view, action))
      // Deposed: the new leader decides anew, nothing of ours took effect.
      if (!(await registry.commit([ledBy(leading)], [...ops, ...events.append(told)])))
        return { wakeAt: null }
      for (const event of told) log.info('engine', event.message)
    }
    return { wakeAt: decided.wakeAt }
  }
}
