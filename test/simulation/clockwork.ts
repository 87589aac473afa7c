// One virtual time for a whole cluster. Whatever is to happen waits in one queue; time goes on to the next of it when
// everything that could run has run. The same seed is the same run.
import { PriorityQueue } from '../../src/lib/priority-queue.js'
import type { Time, Timer } from '../../src/lib/time.js'

/** Where every run begins: a day, so that nothing is before the epoch of any clock. */
export const beginsAt = 1_700_000_000_000
/** Turns between two looks of Node's own loop. */
const turnsAtOnce = 64

interface Due {
  run: (() => void) | null
}

export class Clockwork {
  readonly random: () => number
  readonly #queue = new PriorityQueue<Due>()
  #now = beginsAt
  #steps = 0

  constructor(random: () => number) {
    this.random = random
  }

  get now(): number {
    return this.#now
  }

  /** How many things have happened. */
  get steps(): number {
    return this.#steps
  }

  after(ms: number, run: () => void): Timer {
    const due: Due = { run }
    // Of a time that passes while nothing else happens, an hour and a day cost the same.
    this.#queue.push(this.#now + Math.max(0, ms), due)
    const timer: Timer = {
      cancel: () => {
        due.run = null
      },
      unref: () => timer,
    }
    return timer
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  /** A whole number from `least` to below `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least))
  }

  chance(of: number): boolean {
    return this.random() < of
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.random() * from.length)]
  }

  /**
   * Lets things happen one after the other, each with all that follows from it at once, until `until` or until there is
   * reason to end. `look` is called after each.
   */
  run(until: number, look: () => void, isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      let hasEnded = false
      let isFirst = true
      const turn = (): void => {
        if (hasEnded) return
        try {
          if (!isFirst) look()
          isFirst = false
          if (!isOver() && this.#next(until)) return
          hasEnded = true
          resolve()
        } catch (error) {
          hasEnded = true
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      }
      // Promises that one turn settles, and those that they settle, have gone on when the next one comes. Many at a time,
      // because Node looks after sockets in between, and here are none.
      const turns = (): void => {
        if (hasEnded) return
        for (let n = 0; n < turnsAtOnce; n++) setImmediate(turn)
        setImmediate(turns)
      }
      turns()
    })
  }

  /** False where nothing is to happen by `until`. */
  #next(until: number): boolean {
    for (;;) {
      const { nextAt } = this.#queue
      if (nextAt === null || nextAt > until) return false
      const due = this.#queue.takeDue(nextAt)
      this.#now = Math.max(this.#now, nextAt)
      if (due?.run == null) continue
      this.#steps += 1
      due.run()
      return true
    }
  }
}

/** A machine's own time: its clock may be wrong, and what runs on it may stand still. */
export class MachineTime implements Time {
  readonly #clockwork: Clockwork
  #aheadMs = 0
  #frozenUntil = 0
  #generation = 0

  constructor(clockwork: Clockwork) {
    this.#clockwork = clockwork
  }

  now(): number {
    return this.#clockwork.now + this.#aheadMs
  }

  steady(): number {
    return this.#clockwork.now - beginsAt
  }

  after(ms: number, run: () => void): Timer {
    const generation = this.#generation
    let timer: Timer | null = null
    const fire = (): void => {
      if (generation !== this.#generation) return
      const waitMs = this.#frozenUntil - this.#clockwork.now
      if (waitMs > 0) timer = this.#clockwork.after(waitMs, fire)
      else run()
    }
    timer = this.#clockwork.after(ms, fire)
    const own: Timer = { cancel: () => timer?.cancel(), unref: () => own }
    return own
  }

  /** Somebody sets the clock. */
  setBy(byMs: number): void {
    this.#aheadMs += byMs
  }

  /** Nothing runs for so long, as after SIGSTOP. */
  freeze(ms: number): void {
    this.#frozenUntil = Math.max(this.#frozenUntil, this.#clockwork.now + ms)
  }

  get frozenForMs(): number {
    return Math.max(0, this.#frozenUntil - this.#clockwork.now)
  }

  /** Whatever waits waits in vain: its process is gone. */
  end(): void {
    this.#generation += 1
    this.#frozenUntil = 0
  }
}
