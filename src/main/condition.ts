// In what condition the daemon is towards its store: what it cannot do, and whether what it knows may be out of date.
import type { Staleness } from '../api/staleness.js'
import type { Instant } from '../lib/time.js'
import type { Registry } from '../store/io/registry.js'
import type { StoreConnectivity } from './store-connectivity.js'
import type { Space } from './store-space.js'

export interface Condition {
  /** Why the daemon cannot do all that is asked of it; null where it can. */
  notReady(): string | null
  /** Since when what it answers may be out of date, and why; null while it is not. */
  stale(): Staleness | null
}

/**
 * What is said of an etcd that does not answer as a whole: one member alone answers nothing that counts. One that does not let
 * us in has answered.
 */
export function describeAway(reason: string): string {
  const quorum = reason.startsWith('etcd refuses') ? '' : ', no quorum of etcd answers'
  return `the store is unreachable${quorum}: ${reason}`
}

/** What a daemon's condition depends on. */
interface ConditionParts {
  readonly registry: Registry
  readonly connectivity: StoreConnectivity
  readonly space: Space
  readonly isEmbedded: boolean
  /** When what the view was opened with was seen; null where that was the store. */
  readonly copiedAt: Instant | null
}

export function conditionOf({
  registry,
  connectivity,
  space,
  isEmbedded,
  copiedAt,
}: ConditionParts): Condition {
  const { view } = registry
  const { full } = space
  return {
    notReady: () => {
      const outage = connectivity.outage()
      if (outage !== null)
        return isEmbedded ? `the store is unreachable: ${outage.reason}` : describeAway(outage.reason)
      if (!registry.isComplete()) return 'the view is not complete yet'
      const refused = full()
      if (refused !== null) return isEmbedded ? `disk full: ${refused.reason}` : refused.reason
      return view.leader === null ? 'waiting for a leader' : null
    },
    stale: () => {
      const awaySince = registry.isComplete() ? (connectivity.outage()?.since ?? null) : copiedAt
      // Nobody can write: agents do not say what has become of what they run.
      const since = full()?.since ?? null
      if (awaySince !== null && (since === null || awaySince <= since))
        return { since: awaySince, because: 'store/unreachable' }
      return since === null ? null : { since, because: 'store/full' }
    },
  }
}
