// The time by which leases end: it stands still while nobody leads.
import type { Time, Timer } from '../../src/lib/time.js'
import type { Clockwork } from './clockwork.js'

export class LeaseTime implements Pick<Time, 'now' | 'after'> {
  readonly #clockwork: Clockwork
  #stoodMs = 0
  #standsSince: number | null = null
  #waiting: (() => void)[] = []

  constructor(clockwork: Clockwork) {
    this.#clockwork = clockwork
  }

  now(): number {
    return (this.#standsSince ?? this.#clockwork.now) - this.#stoodMs
  }

  after(ms: number, run: () => void): Timer {
    let isOver = false
    const begunAt = this.now()
    const wait = (restMs: number): Timer =>
      this.#clockwork.after(
        restMs,
        () => {
          if (isOver) return
          if (this.#standsSince !== null) this.#waiting.push(again)
          else again()
        },
        // While all is quiet no lease ends.
        Number.POSITIVE_INFINITY,
      )
    const again = (): void => {
      const restMs = begunAt + ms - this.now()
      if (isOver) return
      if (restMs > 0) timer = wait(restMs)
      else run()
    }
    let timer = wait(ms)
    const own: Timer = {
      cancel: () => {
        isOver = true
        timer.cancel()
      },
      unref: () => own,
    }
    return own
  }

  /** Only the clocks went on. */
  leapt(ms: number): void {
    this.#stoodMs += ms
  }

  stop(): void {
    this.#standsSince ??= this.#clockwork.now
  }

  goOn(): void {
    if (this.#standsSince === null) return
    this.#stoodMs += this.#clockwork.now - this.#standsSince
    this.#standsSince = null
    const waiting = this.#waiting
    this.#waiting = []
    for (const go of waiting) go()
  }
}
