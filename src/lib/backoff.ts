/** How long to wait before the next try: `firstMs` after the first failure, doubled with each further one in a row. */
export interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
}

/** The wait after so many failures in a row, at least one. A success begins the count anew. */
export function backoffMs(failures: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(firstMs * 2 ** Math.min(Math.max(0, failures - 1), 30), longestMs)
}

/** Docker's restart wait: 100 ms, doubled with each restart, at most one minute. `attempt` counts from 0. */
export function dockerBackoffMs(attempt: number): number {
  return backoffMs(attempt + 1, { firstMs: 100, longestMs: 60_000 })
}

/** A run this long or longer resets the wait (not the count) to its start. */
export const steadyAfterMs = 10_000
