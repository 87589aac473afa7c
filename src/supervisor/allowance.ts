// How much of the time some work may take that is done again and again: a share of it. What was not used is saved for a burst, up
// to a bound; what was used beyond it is owed, so that the next work waits.

interface Cost {
  /** Of each millisecond. */
  readonly share: number
  readonly savedMs: number
  /** No more is owed, however long the work took. */
  readonly owedMs: number
}

export class Allowance {
  readonly #cost: Cost
  #leftMs: number
  #at: number

  /** Instants are of a clock that nobody sets, in milliseconds. */
  constructor(cost: Cost, now: number) {
    this.#cost = cost
    this.#leftMs = cost.savedMs
    this.#at = now
  }

  spend(ms: number): void {
    this.#leftMs = Math.max(-this.#cost.owedMs, this.#leftMs - ms)
  }

  /** How long the next work has to wait; 0 for not at all. */
  waitMs(now: number): number {
    const { share, savedMs } = this.#cost
    this.#leftMs = Math.min(savedMs, this.#leftMs + (now - this.#at) * share)
    this.#at = now
    return this.#leftMs > 0 ? 0 : -this.#leftMs / share
  }
}
