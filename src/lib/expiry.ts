// When somebody is told that a certificate is about to end.
import type { Instant, Time } from './time.js'

/** How long before its end a certificate is warned of. */
const warnedBeforeMs = 30 * 86_400_000
/** How often. */
const warnedEveryMs = 86_400_000

export class ExpiryWarnings {
  readonly #clock: Time
  /** Which have been told, and when. */
  readonly #told = new Map<string, number>()

  constructor(clock: Time) {
    this.#clock = clock
  }

  /** Whether one is to be told of now, which it then is not for a day. */
  isDue(which: string, expiresAt: Instant): boolean {
    const last = this.#told.get(which)
    const now = this.#clock.steady()
    if (expiresAt - this.#clock.now() > warnedBeforeMs) return false
    if (last !== undefined && now - last < warnedEveryMs) return false
    this.#told.set(which, now)
    return true
  }

  /** It is another by now. */
  forget(which: string): void {
    this.#told.delete(which)
  }
}

/** `in 3 days`, of what is yet to end. */
export function timeLeft(expiresAt: Instant, now: Instant): string {
  const days = Math.floor((expiresAt - now) / 86_400_000)
  return days === 0 ? 'in less than a day' : `in ${days} day${days === 1 ? '' : 's'}`
}
