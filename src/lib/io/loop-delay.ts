// How long the thread of JavaScript was busy without a break. Everything else of the daemon waits for that long, the
// renewal of its leases too.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Log } from './log.js'

/** In seconds, over the last interval that was looked at. */
interface LoopDelay {
  readonly p99: number
  readonly max: number
  /** How often since the start an interval had a delay that was logged. */
  readonly stalls: number
}

/** What is worth a line in the log: a lease that is renewed so late may be lost. */
export const stallMs = 1000
const lookEveryMs = 10_000
/** How often the monitor looks: what is shorter is nothing. */
const resolutionMs = 20

let latest: LoopDelay = { p99: 0, max: 0, stalls: 0 }

/** As it was when it was last looked at; noughts where nobody watches. */
export function loopDelay(): LoopDelay {
  return latest
}

/** Measures from now on. Returns the way to end that. */
export function watchLoopDelay(log: Log, everyMs = lookEveryMs): () => void {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  const look = (): void => {
    const ms = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs)
    const maxMs = histogram.count === 0 ? 0 : ms(histogram.max)
    const p99 = histogram.count === 0 ? 0 : ms(histogram.percentile(99)) / 1000
    histogram.reset()
    const isStall = maxMs > stallMs
    latest = { p99, max: maxMs / 1000, stalls: latest.stalls + (isStall ? 1 : 0) }
    if (isStall)
      log.warn('daemon', 'event loop was blocked', {
        ms: Math.round(maxMs),
      })
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    histogram.disable()
  }
}
