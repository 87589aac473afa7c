// When a unit that systemd is to restart is due by Docker's logic, and how often that was done.
import { dockerBackoffMs, steadyAfterMs } from '../../lib/backoff.js'
import type { Instant } from '../../lib/time.js'

/** What is remembered of a unit since it was started by hand. Plain JSON: it outlives the daemon. */
export interface RestartCount {
  /** Restarts that systemd was asked for; those that it made by itself it counts. */
  readonly asked: number
  /** The exponent of the wait: restarts in a row without a steady run between them. */
  readonly attempt: number
  /** When the wait for the last restart began; null before the first. */
  readonly waitedSince: Instant | null
  /** When that restart is due; null once it was asked for. */
  readonly dueAt: Instant | null
}

export const noRestarts: RestartCount = { asked: 0, attempt: 0, waitedSince: null, dueAt: null }

/** A unit waits for its restart since an instant, after a run of so long. Waits that are known change nothing. */
export function noteWait(count: RestartCount, since: Instant, ranMs: number): RestartCount {
  if (count.waitedSince === since) return count
  const first = count.waitedSince === null || ranMs >= steadyAfterMs
  const attempt = first ? 0 : count.attempt + 1
  return { ...count, attempt, waitedSince: since, dueAt: since + dockerBackoffMs(attempt) }
}

/** The restart that was due is asked for. */
export function noteAsked(count: RestartCount): RestartCount {
  return { ...count, asked: count.asked + 1, dueAt: null }
}

/** A count that was written down; none for a text that is not one. */
export function parseRestartCount(text: string): RestartCount {
  try {
    const { asked, attempt, waitedSince, dueAt } = JSON.parse(text) as Partial<RestartCount>
    if (typeof asked !== 'number' || typeof attempt !== 'number') return noRestarts
    return { asked, attempt, waitedSince: waitedSince ?? null, dueAt: dueAt ?? null }
  } catch {
    return noRestarts
  }
}
