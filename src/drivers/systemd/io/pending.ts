/** Lets at most `max` tasks run at a time; the others wait in turn. */
export function limitPending(max: number): <T>(task: () => PromiseLike<T>) => Promise<T> {
  const queue: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running >= max) await new Promise<void>((resolve) => queue.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // The place is handed on, so that nobody who comes in between can take it.
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
