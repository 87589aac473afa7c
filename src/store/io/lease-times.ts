// When leases end. Times live in memory alone: keeping a lease alive writes nothing.
import { type Backoff, backoffMs } from '../../lib/backoff.js'
import { systemClock } from '../../lib/io/clock.js'
import type { Clock, Instant, Time, Timer } from '../../lib/time.js'
import type { LeaseId } from '../store.js'

/** How long after an attempt to end a lease the next one comes, where it still has not ended. */
const endAgain: Backoff = { firstMs: 1000, longestMs: 30_000 }

/** Watches over leases with a single timer. `clock` is only compared with itself: a steady one serves best. */
export class LeaseTimes {
  readonly #clock: Clock
  readonly #timers: Pick<Time, 'after'>
  readonly #end: (lease: LeaseId) => Promise<void>
  readonly #leases = new Map<LeaseId, LeaseTime>()
  #timer: Timer | null = null
  #firesAt: Instant = Number.POSITIVE_INFINITY

  /** `end` deletes a lease whose time is over; if it fails it is called again later. */
  constructor(
    clock: Clock,
    end: (lease: LeaseId) => Promise<void>,
    timers: Pick<Time, 'after'> = systemClock,
  ) {
    this.#clock = clock
    this.#timers = timers
    this.#end = end
  }

  start(lease: LeaseId, ttlMs: number): void {
    const until = this.#clock.now() + ttlMs
    this.#leases.set(lease, { ttlMs, until, over: false, tries: 0 })
    this.#wakeBy(until)
  }

  /** Gives a lease its full time again; false if it has ended. */
  renew(lease: LeaseId): boolean {
    this.sweep()
    const time = this.#leases.get(lease)
    if (time === undefined || time.over) return false
    time.until = this.#clock.now() + time.ttlMs
    return true
  }

  /** How long a lease lasts unless it is renewed; null if it has ended. */
  remainingMs(lease: LeaseId): number | null {
    this.sweep()
    const time = this.#leases.get(lease)
    return time === undefined || time.over ? null : time.until - this.#clock.now()
  }

  forget(lease: LeaseId): void {
    this.#leases.delete(lease)
  }

  /** Ends what is over. Cheap while nothing is; stores call it first thing, so that a jump of the clock is seen. */
  sweep(): void {
    const now = this.#clock.now()
    if (now < this.#firesAt) return
    this.#stopTimer()
    for (const [lease, time] of this.#leases) if (time.until <= now) this.#over(lease, time, now)
    this.#wakeBy(Math.min(...[...this.#leases.values()].map((time) => time.until)))
  }

  close(): void {
    this.#stopTimer()
    this.#leases.clear()
  }

  /** From here on the lease cannot be renewed, even if its end cannot be written yet. */
  #over(lease: LeaseId, time: LeaseTime, now: Instant): void {
    time.over = true
    time.tries += 1
    time.until = now + backoffMs(time.tries, endAgain)
    this.#end(lease).catch(() => {
      // Still in the table, so the next sweep tries again: a full disk must not make a dead machine live for ever.
    })
  }

  #wakeBy(at: Instant): void {
    if (at >= this.#firesAt) return
    this.#stopTimer()
    this.#firesAt = at
    const waitMs = Math.max(at - this.#clock.now(), 0)
    this.#timer = this.#timers.after(Math.ceil(waitMs), () => this.#fire()).unref()
  }

  /** A timer may fire a little early, and a clock may be set back: then it waits for the rest. */
  #fire(): void {
    const at = this.#firesAt
    this.#stopTimer()
    if (this.#clock.now() < at) this.#wakeBy(at)
    else {
      this.#firesAt = at
      this.sweep()
    }
  }

  #stopTimer(): void {
    this.#timer?.cancel()
    this.#timer = null
    this.#firesAt = Number.POSITIVE_INFINITY
  }
}

interface LeaseTime {
  readonly ttlMs: number
  until: Instant
  over: boolean
  /** How often it was to be ended. */
  tries: number
}
