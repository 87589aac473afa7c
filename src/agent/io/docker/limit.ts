import { setMaxListeners } from 'node:events'

/** Runs work with at most `most` at a time; what waits does not begin when its caller has given up by then. */
export type Limit = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

export function createLimit(most: number): Limit {
  let running = 0
  const waiting: (() => void)[] = []
  const enter = async (): Promise<void> => {
    if (running < most) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return async (work, signal) => {
    // Many calls share one signal of their caller; that is no leak.
    setMaxListeners(0, signal)
    await enter()
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      leave()
    }
  }
}
