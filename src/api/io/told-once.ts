// Work that goes on by itself beside other work: what fails is said once, until it has gone well again.
import { describeError, type Log } from '../../lib/io/log.js'

export class ToldOnce {
  readonly #log: Log
  readonly #ends: AbortSignal
  readonly #told = new Set<string>()

  /** Once `ends` aborts, what fails is thrown. */
  constructor(log: Log, ends: AbortSignal) {
    this.#log = log
    this.#ends = ends
  }

  /** What cannot be done now, as a driver does not answer, is tried again, and holds up nothing else. */
  async alone(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#told.delete(what)
    } catch (error) {
      if (this.#ends.aborted) throw error
      if (!this.#told.has(what)) this.#log.warn('volumes', `${what}: ${describeError(error)}`)
      this.#told.add(what)
    }
  }
}
