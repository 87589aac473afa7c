// How often something may happen, each key for itself: a bucket of tokens that fills up again by and by.
import type { Instant } from './time.js'

interface RateLimit {
  /** So many at once. */
  readonly burst: number
  /** And from then on one in so many milliseconds. */
  readonly everyMs: number
}

/** Keys that are remembered at most. Whoever comes up with more makes old ones forgotten, not the memory full. */
const keysAtMost = 10_000

/** Lets through so many in a time. */
export class RateLimiter {
  readonly #limit: RateLimit
  /** When each key's bucket will be full again; the keys used last stand last. */
  readonly #fullAt = new Map<string, Instant>()

  constructor(limit: RateLimit) {
    this.#limit = limit
  }

  /** How long a key has to wait until it may; 0 when it may now. */
  waitMs(key: string, now: Instant): number {
    const { burst, everyMs } = this.#limit
    return Math.max(0, (this.#fullAt.get(key) ?? now) - now - (burst - 1) * everyMs)
  }

  /** Counts one for a key. Ask `waitMs` first. */
  take(key: string, now: Instant): void {
    const fullAt = Math.max(now, this.#fullAt.get(key) ?? now) + this.#limit.everyMs
    this.#fullAt.delete(key)
    this.#fullAt.set(key, fullAt)
    if (this.#fullAt.size <= keysAtMost) return
    for (const [oldest] of this.#fullAt) {
      this.#fullAt.delete(oldest)
      return
    }
  }
}
