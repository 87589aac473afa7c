// How one daemon reaches the store: late, not at all, or without ever learning what came of a request.
import {
  type ChangeBatch,
  CompactedError,
  type Revision,
  type Store,
  StoreError,
} from '../../src/store/store.js'
import type { Clockwork } from './clockwork.js'

/** After so long without an answer a request is given up, as etcd's are by default. */
const answerWithinMs = 3000

export interface LinkEvents {
  readonly onAway: (reason: string) => void
  readonly onBack: () => void
}

export class Link {
  readonly store: Store
  readonly #clockwork: Clockwork
  readonly #central: Store
  readonly #events: LinkEvents
  #isUp = true
  #isEnded = false
  #isAway = false
  #waiting: (() => void)[] = []
  /** What a message takes one way, at most. */
  slowMs = 4

  constructor(clockwork: Clockwork, central: Store, events: LinkEvents) {
    this.#clockwork = clockwork
    this.#central = central
    this.#events = events
    this.store = {
      get: (key) => this.#ask(() => central.get(key)),
      range: (prefix) => this.#ask(() => central.range(prefix)),
      txn: (compare, ops) => this.#ask(() => central.txn(compare, ops)),
      grant: (ttlMs) => this.#ask(() => central.grant(ttlMs)),
      keepAlive: (lease) => this.#ask(() => central.keepAlive(lease)),
      remainingMs: (lease) => this.#ask(() => central.remainingMs(lease)),
      revoke: (lease) => this.#ask(() => central.revoke(lease)),
      watch: (prefix, after, signal) => this.#watch(prefix, after, signal),
      close: () => Promise.resolve(),
    }
  }

  get isUp(): boolean {
    return this.#isUp
  }

  cut(): void {
    this.#isUp = false
  }

  heal(): void {
    this.#isUp = true
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }

  /** Its daemon is gone: nothing arrives there any more. */
  end(): void {
    this.#isEnded = true
  }

  #ask<T>(ask: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        timer.cancel()
        if (!this.#isEnded) then()
      }
      const timer = this.#clockwork.after(answerWithinMs, () => settle(() => reject(this.#away())))
      const answer = (then: () => void): void => {
        this.#clockwork.after(this.#delayMs(), () => {
          // What is lost on the way back has taken effect, and nobody here knows.
          if (this.#isUp) settle(() => this.#back(then))
        })
      }
      this.#clockwork.after(this.#delayMs(), () => {
        if (!this.#isUp || this.#isEnded) return
        ask().then(
          (value) => answer(() => resolve(value)),
          (error: Error) => answer(() => reject(error)),
        )
      })
    })
  }

  async *#watch(prefix: string, after: Revision, signal: AbortSignal): AsyncIterable<ChangeBatch> {
    for await (const { revision, changes } of this.#central.watch(prefix, after, signal)) {
      await this.#clockwork.sleep(this.#delayMs())
      while (!this.#isUp && !signal.aborted) await this.#healed()
      if (signal.aborted) return
      // Nobody is there any more whom it could tell.
      if (this.#isEnded) await new Promise(() => {})
      // A watch that was cut off may find that what it missed is gone.
      if (this.#clockwork.chance(0.0005)) throw new CompactedError(revision + 1)
      yield { revision, changes }
    }
  }

  #healed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isUp) resolve()
      else this.#waiting.push(resolve)
    })
  }

  #delayMs(): number {
    return this.#clockwork.between(1, this.slowMs)
  }

  #away(): StoreError {
    const error = new StoreError('store/unreachable', 'no answer within 3s', 'it is asked again')
    if (!this.#isAway) {
      this.#isAway = true
      this.#events.onAway(error.message)
    }
    return error
  }

  #back(then: () => void): void {
    if (this.#isAway) {
      this.#isAway = false
      this.#events.onBack()
    }
    then()
  }
}
