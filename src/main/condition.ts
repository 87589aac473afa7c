// In what condition the daemon is towards its store: what it cannot do, and whether what it knows may be out of date.
import type { Staleness } from '../api/staleness.js'
import type { Instant } from '../lib/time.js'
import type { Registry } from '../store/io/registry.js'
import type { Space } from './space.js'
import type { Touch } from './touch.js'

export interface Condition {
  /** Why the daemon cannot do all that is asked of it; null where it can. */
  notReady(): string | null
  /** Since when what it answers may be out of date, and why; null while it is not. */
  stale(): Staleness | null
}

/** `copiedAt` is when what the view was opened with was seen; null where that was the store. */
export function conditionOf(
  { view, isComplete }: Registry,
  touch: Touch,
  { fullSince }: Space,
  copiedAt: Instant | null,
): Condition {
  return {
    notReady: () => {
      const broken = touch.broken()
      if (broken !== null) return `the store is out of reach: ${broken.reason}`
      if (!isComplete()) return 'the view is not complete yet'
      if (fullSince() !== null) return 'the store has no space left'
      return view.leader === null ? 'waiting for a leader' : null
    },
    stale: () => {
      const awaySince = isComplete() ? (touch.broken()?.since ?? null) : copiedAt
      // Nobody can write: agents do not say what has become of what they run.
      const since = fullSince()
      if (awaySince !== null && (since === null || awaySince <= since))
        return { since: awaySince, because: 'store/unreachable' }
      return since === null ? null : { since, because: 'store/full' }
    },
  }
}
