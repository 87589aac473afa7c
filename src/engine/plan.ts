// The engine's decision as a pure function of what is known now: which unit goes to which machine, and why not.
import type { Instant } from '../lib/time.js'
import type { ClusterView } from '../store/view.js'
import type { EnginePlan } from './actions.js'
import { Scheduler } from './scheduler.js'
import type { NeedsOf } from './state/unit-index.js'

/**
 * Decides what to change so that every desired unit sits on a machine that may run it. The machine with the fewest
 * units is preferred (seed: fleet-architecture, "least-loaded"), then the lowest id. A scheduler that follows the view
 * decides the same with less work.
 */
export function plan(view: ClusterView, needsOf: NeedsOf, now: Instant): EnginePlan {
  return new Scheduler(view, needsOf).step(now)
}
