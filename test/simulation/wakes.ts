// What wakes the parts of a daemon: how often the time that each waits by has called it back.
import type { Time } from '../../src/lib/time.js'

/** Counts by part, until they are taken. */
export class Wakes {
  #of = new Map<string, number>()

  note(part: string): void {
    this.#of.set(part, (this.#of.get(part) ?? 0) + 1)
  }

  /** Those since the last time that they were taken. */
  take(): ReadonlyMap<string, number> {
    const of = this.#of
    this.#of = new Map()
    return of
  }
}

/** The same time for one part, of which each call is counted. */
export function countedTime(time: Time, part: string, wakes: Wakes): Time {
  return {
    now: () => time.now(),
    steady: () => time.steady(),
    after: (ms, run, latestMs) =>
      time.after(
        ms,
        () => {
          wakes.note(part)
          run()
        },
        latestMs,
      ),
  }
}
