// Retries a change that lost against another one: with back-off, and for a bounded time.
import { type Backoff, backoffMs } from '../backoff.js'
import type { Time } from '../time.js'
import { pause } from './clock.js'

/** What tries are paced by. */
interface Pacing {
  readonly time: Pick<Time, 'steady' | 'after'>
  /** Numbers from 0 up to 1. */
  readonly random: () => number
}

/** How tries follow each other, and for how long new ones are begun. */
export interface RetryPolicy extends Backoff {
  readonly withinMs: number
}

/**
 * Tries until something comes of it; null where nothing did in time. The second try follows at once, for mostly the other
 * is done by then. Those after it wait for between half of the back-off and all of it: several that meet are not to meet
 * again. There are at least two, however long they take.
 */
export async function tryUntilDone<T extends object>(
  { time, random }: Pacing,
  policy: RetryPolicy,
  attempt: (failures: number) => Promise<T | null>,
): Promise<T | null> {
  const endsAt = time.steady() + policy.withinMs
  for (let failures = 0; ; failures++) {
    const done = await attempt(failures)
    if (done !== null) return done
    if (failures === 0) continue
    const waitMs = backoffMs(failures, policy) * (0.5 + random() / 2)
    if (time.steady() + waitMs >= endsAt) return null
    await pause(time, waitMs)
  }
}
