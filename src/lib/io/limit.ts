import { setMaxListeners } from 'node:events'
import type { Time } from '../time.js'

/** Runs work with at most `most` at a time; what waits gives up with its caller. */
export type Limit = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

interface LimitOptions {
  readonly time: Pick<Time, 'after'>
  /** Work that takes longer hangs: it goes on, and is not counted any more, so that it holds up no other. */
  readonly heldUpAfterMs: number
}

export function createLimit(most: number, { time, heldUpAfterMs }: LimitOptions): Limit {
  let running = 0
  const waiting = new Set<() => void>()
  const enter = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (running < most) {
        running += 1
        return resolve()
      }
      const goOn = (): void => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = (): void => {
        waiting.delete(goOn)
        reject(signal.reason as Error)
      }
      waiting.add(goOn)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  const leave = (): void => {
    const [next] = waiting
    if (next === undefined) running -= 1
    else {
      waiting.delete(next)
      next()
    }
  }
  return async (work, signal) => {
    // Many calls share one signal of their caller; that is no leak.
    setMaxListeners(0, signal)
    signal.throwIfAborted()
    await enter(signal)
    let isCounted = true
    const uncount = (): void => {
      if (isCounted) leave()
      isCounted = false
    }
    const timer = time.after(heldUpAfterMs, uncount).unref()
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      timer.cancel()
      uncount()
    }
  }
}
