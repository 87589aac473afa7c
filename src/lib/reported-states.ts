// What is told once for each state and not once for each try.

/** States that are remembered at most; whoever comes up with more is told again. */
const rememberedAtMost = 10_000

/** Remembers in which state each thing was told to be. */
export class ToldStates {
  readonly #states = new Map<string, string>()

  /** Whether it is news that `key` is in a state: it was in none, or in another. */
  isNews(key: string, state: string): boolean {
    if (this.#states.get(key) === state) return false
    if (this.#states.size >= rememberedAtMost) this.#states.clear()
    this.#states.set(key, state)
    return true
  }

  /** All is well with `key`; whether it had been told to be in a state. */
  over(key: string): boolean {
    return this.#states.delete(key)
  }
}
