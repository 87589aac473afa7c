/** Docker's restart wait: 100 ms, doubled with each restart, at most one minute. `attempt` counts from 0. */
export function dockerBackoffMs(attempt: number): number {
  return Math.min(100 * 2 ** Math.min(attempt, 20), 60_000)
}

/** A run this long or longer resets the wait (not the count) to its start. */
export const steadyAfterMs = 10_000
