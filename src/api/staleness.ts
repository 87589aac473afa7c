import type { Instant } from '../lib/time.js'

/** Why answers may be out of date, as the code of the error that a change meets. */
type StaleBecause = 'store/unreachable' | 'store/full'

/** Since when answers may be out of date. */
export interface Staleness {
  readonly since: Instant
  readonly because: StaleBecause
}
