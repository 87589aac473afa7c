import type { EnginePlan } from '../../src/engine/pass-decisions.js'
import { Scheduler } from '../../src/engine/scheduler.js'
import type { NeedsOf } from '../../src/engine/state/unit-index.js'
import type { Instant } from '../../src/lib/time.js'
import type { ClusterView } from '../../src/store/view.js'

/** What a scheduler decides that begins with this view. One that follows it decides the same with less work. */
export function plan(view: ClusterView, needsOf: NeedsOf, now: Instant): EnginePlan {
  return new Scheduler(view, needsOf).step(now)
}
