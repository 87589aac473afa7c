// What becomes of a delivery after an attempt. A pure state machine: queued until it is delivered or dead.
import { spread } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import type { Attempt, Delivery } from '../model/webhook.js'

/** What came of one attempt. */
export interface Outcome extends Attempt {
  /** How long the receiver asked to be left alone; null where it did not. */
  readonly retryAfterMs: number | null
}

/** A delivery is tried for so long after its event. */
export const triedForMs = 24 * 3_600_000
/** Attempts that are remembered of a delivery. */
const attemptsKept = 10

/**
 * When attempts are made after the first. Every offset of the schedule that Standard Webhooks proposes is among them;
 * between them it is tried more often at first, since what follows in line waits too.
 */
const offsetsMs = [
  1_000,
  5_000,
  15_000,
  30_000,
  60_000,
  2 * 60_000,
  5 * 60_000,
  10 * 60_000,
  20 * 60_000,
  30 * 60_000,
  3_600_000,
  2 * 3_600_000,
  5 * 3_600_000,
  10 * 3_600_000,
  14 * 3_600_000,
  20 * 3_600_000,
  24 * 3_600_000,
] as const

/** So often in a row a receiver has to fail before it is given up what could not be tried in time. */
const leastFailures = 5

/**
 * The delivery after an attempt. One that is over stays as it is. `failures`: how often in a row its receiver had failed before.
 * What waited for longer than it is tried (its machines were off, or a clock was set) is not dead with the first failure: when a
 * machine has just started, its network may not be there yet.
 */
export function next(delivery: Delivery, outcome: Outcome, now: Instant, failures = 0): Delivery {
  if (delivery.state !== 'queued') return delivery
  const { retryAfterMs: _, ...attempt } = outcome
  const tried: Delivery = {
    ...delivery,
    attempts: [...delivery.attempts, attempt].slice(-attemptsKept),
    attemptCount: delivery.attemptCount + 1,
    firstAttemptAt: delivery.firstAttemptAt ?? attempt.at,
  }
  if (isSuccess(outcome)) return { ...tried, state: 'delivered', body: null, nextAt: null }
  const until = delivery.createdAt + triedForMs
  const isTried = (tried.firstAttemptAt ?? now) < until || failures + 1 >= leastFailures
  if (isGone(outcome) || (now >= until && isTried)) return { ...tried, state: 'dead', nextAt: null }
  const again = retryAt(tried, outcome, now)
  return { ...tried, nextAt: now >= until ? again : Math.min(again, until) }
}

/** Standard Webhooks: 2xx is a success, everything else a failure, redirects too. */
export function isSuccess({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300
}

/** 410 Gone: the receiver wants nothing any more. */
export function isGone({ status }: Attempt): boolean {
  return status === 410
}

/** Too much for the receiver, or for what is in front of it. */
function isOverloaded({ status }: Attempt): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504
}

/** The next offset of the schedule, up to a fifth later, and no sooner than the receiver asked for: of a day at most. */
function retryAt(delivery: Delivery, outcome: Outcome, now: Instant): Instant {
  const index = Math.min(delivery.attemptCount, offsetsMs.length) - 1
  const offset = offsetsMs[Math.max(0, isOverloaded(outcome) ? index + 1 : index)] ?? triedForMs
  const before = offsetsMs[index - 1] ?? 0
  const first = delivery.firstAttemptAt ?? now
  // Of a first attempt that is still to come, by a clock that was ahead, nobody knows how long ago it was.
  const since = first > now ? now - before : first
  // An attempt may itself take longer than the next gap: then the gap begins where it ended.
  const planned = Math.max(since + offset, now + Math.min(offset - before, offset))
  const jitter = spread(`${delivery.id}/${delivery.attemptCount}`, Math.ceil((offset - before) / 5) + 1)
  return Math.max(planned + jitter, now + Math.min(outcome.retryAfterMs ?? 0, triedForMs))
}
