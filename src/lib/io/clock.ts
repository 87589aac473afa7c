import { type ClockJump, noJumps, withJump } from '../elapsed.js'
import { type Clock, longestTimerMs, type Time, type Timer, type Timers } from '../time.js'

/** The machine's own time. Its clock may be set, forward and back. */
export const systemClock: Time = {
  now: () => Date.now(),
  steady: () => performance.now(),
  after: (ms, run) => timerOf(setTimeout(run, Math.max(0, Math.min(ms, longestTimerMs)))),
}

/** Time that passes at one pace, whatever is done to the clock on the wall: for how long, never for when. */
export const steadyClock: Clock = { now: () => systemClock.steady() }

/** A clock that was off by less than this was corrected, not set. */
const jumpMs = 500
const lookEveryMs = 1000

/** Resolves when `ms` have gone by, or as soon as `signal` aborts: never rejects. */
export function pause(time: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      timer.cancel()
      signal?.removeEventListener('abort', over)
      resolve()
    }
    const timer = time.after(ms, over)
    signal?.addEventListener('abort', over)
    if (signal?.aborted) over()
  })
}

/** Calls each `ms` until that is ended by what it returns; the process need not stay for it. */
export function every(time: Timers, ms: number, run: () => void): () => void {
  const next = (): Timer =>
    time
      .after(ms, () => {
        timer = next()
        run()
      })
      .unref()
  let timer = next()
  return () => timer.cancel()
}

/** Aborts when `ms` have gone by. */
export function abortAfter(time: Timers, ms: number): AbortSignal {
  const end = new AbortController()
  time.after(ms, () => end.abort(new DOMException('no answer in time', 'TimeoutError'))).unref()
  return end.signal
}

/** Notes how the clock on the wall is set. */
export interface JumpWatch {
  /** How often the clock was set since the watch began, this moment included. */
  jumps(): readonly ClockJump[]
  /**
   * Calls back within a second after the clock was set, with by how much: what waits for an instant has to look at it again.
   * Returns the way to end that.
   */
  onJump(listener: (byMs: number) => void): () => void
  /**
   * A time of the same clock, for who keeps instants and moves them when the clock is set: all are called back before it
   * says what the new clock says, so that nothing is kept by that yet.
   */
  noticing(time: Time): Time
  end(): void
}

/** Looks each second whether the clock on the wall was set: one for a process, as each look wakes it. */
export function watchForJumps(time: Time): JumpWatch {
  let lookedAt = time.steady()
  let offset = time.now() - lookedAt
  let jumps = noJumps
  const listeners = new Set<(byMs: number) => void>()
  const look = (): void => {
    const [now, steady] = [time.now(), time.steady()]
    const byMs = Math.round(now - steady - offset)
    const sinceLookMs = Math.ceil(steady - lookedAt)
    offset = now - steady
    lookedAt = steady
    if (Math.abs(byMs) < jumpMs) return
    jumps = withJump(jumps, { byMs, before: now - byMs, after: now - sinceLookMs })
    for (const listener of listeners) listener(byMs)
  }
  const lookAgain = (): Timer =>
    time
      .after(
        lookEveryMs,
        () => {
          timer = lookAgain()
          look()
        },
        Number.POSITIVE_INFINITY,
      )
      .unref()
  let timer = lookAgain()
  return {
    jumps: () => {
      look()
      return jumps
    },
    onJump: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    noticing: (one) => ({
      now: () => {
        look()
        return one.now()
      },
      steady: () => one.steady(),
      after: (ms, run, latestMs) => one.after(ms, run, latestMs),
    }),
    end: () => {
      listeners.clear()
      timer.cancel()
    },
  }
}

function timerOf(timer: NodeJS.Timeout): Timer {
  return {
    cancel: () => clearTimeout(timer),
    unref() {
      timer.unref()
      return this
    },
  }
}
