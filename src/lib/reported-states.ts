// Reports a state once, and not with each attempt.

/** States that are remembered at most; with more, some are reported again. */
const rememberedAtMost = 10_000

/** Remembers the state that was last reported for each key. */
export class ReportedStates {
  readonly #states = new Map<string, string>()

  /** Whether it is news that `key` is in a state: it was in none, or in another. */
  isNews(key: string, state: string): boolean {
    if (this.#states.get(key) === state) return false
    if (this.#states.size >= rememberedAtMost) this.#states.clear()
    this.#states.set(key, state)
    return true
  }

  /** All is well with `key`; whether a state had been reported for it. */
  over(key: string): boolean {
    return this.#states.delete(key)
  }
}
