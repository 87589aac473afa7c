// The one runner behind engine, service, agent and health passes: it owns every timer, so that passes own none.
import type { Clock, Instant } from '../time.js'

/** One pass: looks, decides, acts, and says when the answer could change without an event. */
export type Pass = (now: Instant, signal: AbortSignal) => Promise<{ wakeAt: Instant | null }>

export interface LoopOptions {
  readonly pass: Pass
  readonly clock: Clock
  /** The longest time between two passes; a net under lost pokes, not the way that work is found. */
  readonly intervalMs: number
  /** Called with what a pass threw. The loop goes on after `retryMs`. */
  readonly onError: (error: unknown) => void
  readonly retryMs?: number
  /**
   * The shortest time from the end of a pass to the next one, however often it is poked: a burst of a hundred changes
   * is worth a few passes, not a hundred. A poke that finds the loop at rest for longer is served at once. Default 0.
   */
  readonly restMs?: number
}

export interface Loop {
  /** Asks for a pass soon. Many pokes count as one; a poke during a pass is not lost. */
  poke(): void
  /** Ends the loop; resolves when a running pass has ended. */
  stop(): Promise<void>
}

/** Starts a loop: a pass at once, then on a poke, at `wakeAt`, or after `intervalMs`. Never two passes at a time. */
export function startLoop(options: LoopOptions): Loop {
  const { pass, clock, intervalMs, onError, retryMs = 1000, restMs = 0 } = options
  const abort = new AbortController()
  let poked = true
  let wake: (() => void) | null = null

  /** A poke ends a sleep, but not a rest. */
  const sleepUntil = (at: Instant, kind: 'sleep' | 'rest'): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, Math.min(at - clock.now(), 2 ** 31 - 1)))
      wake = () => {
        if (kind === 'rest' && !abort.signal.aborted) return
        clearTimeout(timer)
        resolve()
      }
      if (poked || abort.signal.aborted) wake()
    })

  const run = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      poked = false
      let nextAt: Instant
      try {
        const { wakeAt } = await pass(clock.now(), abort.signal)
        nextAt = Math.min(clock.now() + intervalMs, wakeAt ?? Number.POSITIVE_INFINITY)
      } catch (error) {
        if (!abort.signal.aborted) onError(error)
        nextAt = clock.now() + retryMs
      }
      const restUntil = clock.now() + restMs
      if (nextAt > restUntil) await sleepUntil(restUntil, 'rest')
      await sleepUntil(nextAt, 'sleep')
      wake = null
    }
  }

  const done = run()
  return {
    poke: () => {
      poked = true
      wake?.()
    },
    stop: async () => {
      abort.abort()
      wake?.()
      await done
    },
  }
}
