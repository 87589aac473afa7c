// Asks for several things at the same time, and takes the answers in the order of the questions.

/** How many are asked for at once. */
const atOnce = 16

/** The answer for each item, in their order. The first failure ends it, and what is still being asked. */
export async function* inOrder<T, R>(
  items: Iterable<T>,
  ask: (item: T, signal: AbortSignal) => Promise<R>,
  signal: AbortSignal,
): AsyncGenerator<R, undefined> {
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  const asked: Promise<R>[] = []
  try {
    for (const item of items) {
      const answer = ask(item, either)
      // It is told of when it is its turn.
      answer.catch(() => {})
      asked.push(answer)
      const oldest = asked.length < atOnce ? undefined : asked.shift()
      if (oldest !== undefined) yield await oldest
    }
    for (const answer of asked) yield await answer
  } finally {
    over.abort()
  }
}
