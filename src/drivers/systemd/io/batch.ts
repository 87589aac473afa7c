import type { Time } from '../../../lib/time.js'

/** Units that are asked for together come a few milliseconds apart, by what was looked up for each before. */
export const gatherMs = 10

/**
 * Runs `work` for many items at once: what comes within a few milliseconds, or while an earlier batch is under way,
 * makes one batch. Each caller's promise goes as its batch goes.
 */
export function inBatches<T>(
  work: (items: readonly T[]) => Promise<void>,
  time: Pick<Time, 'after'>,
): (item: T) => Promise<void> {
  let next: { readonly items: T[]; readonly done: Promise<void> } | null = null
  let current: Promise<unknown> = Promise.resolve()

  const open = (): { readonly items: T[]; readonly done: Promise<void> } => {
    const items: T[] = []
    const done = current
      .then(() => new Promise<void>((gathered) => void time.after(gatherMs, gathered)))
      .then(() => {
        next = null
        return work(items)
      })
    current = done.catch(() => {})
    return { items, done }
  }

  return (item) => {
    next ??= open()
    next.items.push(item)
    return next.done
  }
}
