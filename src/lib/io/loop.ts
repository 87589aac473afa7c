// The one runner behind engine, service, agent and health passes: it owns every timer, so that passes own none.
import { type Backoff, backoffMs } from '../backoff.js'
import { InvariantError } from '../invariant.js'
import type { LogPart } from '../log-levels.js'
import type { Instant, Time } from '../time.js'
import { describeError, type Log, roundMs } from './log.js'

/** One pass: looks, decides, acts, and says when the answer could change without an event. */
export type Pass = (now: Instant, signal: AbortSignal) => Promise<{ wakeAt: Instant | null }>

interface LoopOptions {
  readonly pass: Pass
  /** What `now` and `wakeAt` are of. How long the loop waits is measured by its steady part, which nobody sets. */
  readonly clock: Time
  /** The longest time between two passes; a net under lost wakes, not the way that work is found. */
  readonly intervalMs: number
  /**
   * Called with what a pass threw: once for the same again and again, until a pass has ended well. After an
   * InvariantError the loop does not go on.
   */
  readonly onError: (error: unknown) => void
  /** How long the loop waits after passes that threw, however often it is woken meanwhile. */
  readonly backoff?: Backoff
  /**
   * The shortest time from the end of a pass to the next one, however often it is woken: a burst of a hundred changes
   * is worth a few passes, not a hundred. A wake that finds the loop at rest for longer is served at once. Default 0.
   */
  readonly restMs?: number
  /** Called after each pass that ended well, with how long it took. */
  readonly onPass?: (tookMs: number) => void
}

/** After a store was away for long, its loops go on within five seconds. */
export const defaultBackoff: Backoff = { firstMs: 250, longestMs: 5000 }

/** Runs a pass again and again. */
export interface Loop {
  /** Asks for a pass soon. Many wakes count as one; a wake during a pass is not lost. */
  wake(): void
  /** Ends the loop; resolves when a running pass has ended. */
  stop(): Promise<void>
}

/** Starts a loop: a pass at once, then when woken, at `wakeAt`, or after `intervalMs`. Never two passes at a time. */
export function startLoop(options: LoopOptions): Loop {
  const { pass, clock, intervalMs, onError, backoff = defaultBackoff, restMs = 0, onPass } = options
  const abort = new AbortController()
  let isWakeDue = true
  let endSleep: (() => void) | null = null
  let failures = 0
  let told: string | null = null

  /** One timer for the whole of it where nothing wakes it. A wake ends a sleep, but not the rest at its beginning. */
  const wait = (ms: number, restMs: number, latestMs: number): Promise<void> =>
    new Promise((resolve) => {
      const from = clock.steady()
      let isResting = isWakeDue
      // Also without a rest others have their turn before the next pass.
      let timer = isWakeDue ? clock.after(Math.max(0, restMs), resolve) : clock.after(ms, resolve, latestMs)
      endSleep = () => {
        if (isResting && !abort.signal.aborted) return
        timer.cancel()
        const leftMs = from + restMs - clock.steady()
        isResting = leftMs > 0
        if (!isResting || abort.signal.aborted) return resolve()
        timer = clock.after(Math.ceil(leftMs), resolve)
      }
      if (abort.signal.aborted) endSleep()
    })

  const failed = (error: unknown): void => {
    failures += 1
    const text = describeError(error)
    if (abort.signal.aborted || text === told) return
    told = text
    onError(error)
  }

  /** Resolves to how long to sleep, for how long of that nothing wakes it, and until when a pass would find nothing. */
  const runOnce = async (): Promise<{
    readonly sleepMs: number
    readonly leastMs: number
    readonly latestMs: number
  }> => {
    const from = clock.steady()
    try {
      const { wakeAt } = await pass(clock.now(), abort.signal)
      onPass?.(clock.steady() - from)
      failures = 0
      told = null
      const latestMs = (wakeAt ?? Number.POSITIVE_INFINITY) - clock.now()
      return { sleepMs: Math.min(intervalMs, latestMs), leastMs: restMs, latestMs }
    } catch (error) {
      failed(error)
      // Something that all rely on does not hold: nobody waits for this, so the process ends, in order.
      if (error instanceof InvariantError) throw error
      const waitMs = backoffMs(failures, backoff)
      return { sleepMs: waitMs, leastMs: waitMs, latestMs: waitMs }
    }
  }

  const run = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      isWakeDue = false
      const { sleepMs, leastMs, latestMs } = await runOnce()
      await wait(sleepMs, Math.min(leastMs, sleepMs), latestMs)
      endSleep = null
    }
  }

  const done = run()
  return {
    wake: () => {
      isWakeDue = true
      endSleep?.()
    },
    stop: async () => {
      abort.abort()
      endSleep?.()
      await done
    },
  }
}

/** Passes that find nothing to do take less, and there are many of them. */
const worthTellingMs = 1

/** For `onPass`: tells at the level debug how long passes took that did something. */
export function tellPasses(log: Log, part: LogPart, name: string): (tookMs: number) => void {
  return (tookMs) => {
    if (tookMs >= worthTellingMs) log.debug(part, `pass over ${name}`, () => ({ ms: roundMs(tookMs) }))
  }
}
