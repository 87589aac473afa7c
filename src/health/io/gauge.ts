// Measures how slow the machine is while probes of its instances wait for an answer, by its own probe beside them.
import { pause } from '../../lib/io/clock.js'
import type { Time } from '../../lib/time.js'
import { quickest, slownessOf } from '../slowness.js'
import type { OwnProbe } from './own-probe.js'

/** A stretch of time in which the machine is measured. */
export interface Measurement {
  /** No more looks are needed for it. */
  pause(): void
  /** Ends it; resolves to the worst that was seen, the last look being one from after the call. */
  end(): Promise<number>
}

/** The time between two looks, and what a look takes at most. */
const [restMs, limitMs] = [100, 5000]

export class Gauge {
  readonly #probe: OwnProbe
  readonly #time: Time
  readonly #abort = new AbortController()
  readonly #open = new Set<{ worst: number }>()
  #atRestMs: number | null = null
  #sampling: Promise<void> | null = null

  constructor(probe: OwnProbe, time: Time) {
    this.#probe = probe
    this.#time = time
  }

  /** Looks at the machine again and again until all measurements have ended. */
  begin(): Measurement {
    const one = { worst: 1 }
    this.#open.add(one)
    this.#sampling ??= this.#sample().finally(() => {
      this.#sampling = null
    })
    const pause = (): void => {
      this.#open.delete(one)
    }
    return {
      pause,
      end: async () => {
        pause()
        const last = await this.look()
        return Math.max(one.worst, last)
      },
    }
  }

  /** Looks once. */
  async look(): Promise<number> {
    const from = this.#time.steady()
    await this.#ask()
    const tookMs = this.#time.steady() - from
    this.#atRestMs = quickest(this.#atRestMs, tookMs)
    return slownessOf(tookMs, this.#atRestMs)
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    this.#open.clear()
    await this.#sampling
  }

  async #ask(): Promise<void> {
    const limit = new AbortController()
    const giveUp = (): void => limit.abort()
    const timer = this.#time.after(limitMs, giveUp)
    this.#abort.signal.addEventListener('abort', giveUp, { once: true })
    if (this.#abort.signal.aborted) giveUp()
    await this.#probe(limit.signal)
    timer.cancel()
    this.#abort.signal.removeEventListener('abort', giveUp)
  }

  async #sample(): Promise<void> {
    while (this.#open.size > 0) {
      const slowness = await this.look()
      for (const one of this.#open) one.worst = Math.max(one.worst, slowness)
      await pause(this.#time, restMs, this.#abort.signal)
    }
  }
}
