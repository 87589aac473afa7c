/**
 * Asks for all who want to know at a time, and never answers anybody with what was asked before they came: who comes while
 * an answer is awaited waits for the next one.
 */
export function sharedAsk<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  return () => {
    if (next !== null) return next
    const mine = underWay.then(() => {
      next = null
      const asked = ask()
      underWay = asked.catch(() => {})
      return asked
    })
    next = mine
    return mine
  }
}
