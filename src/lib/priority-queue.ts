// What is due first comes out first. A binary heap: 10,000 waiting checks are never looked through as a whole.
import type { Instant } from './time.js'

interface Entry<T> {
  readonly at: Instant
  /** Of two that are due together, the one that was put in first comes first. */
  readonly turn: number
  readonly item: T
}

/** Gives out the smallest first. */
export class PriorityQueue<T> {
  #heap: Entry<T>[] = []
  #turns = 0

  /** When the first item is due; null when there is none. */
  get nextAt(): Instant | null {
    return this.#heap[0]?.at ?? null
  }

  get size(): number {
    return this.#heap.length
  }

  push(at: Instant, item: T): void {
    this.#turns += 1
    this.#heap.push({ at, turn: this.#turns, item })
    this.#rise(this.#heap.length - 1)
  }

  /** Takes the first item if it is due at `now`. */
  takeDue(now: Instant): T | undefined {
    const first = this.#heap[0]
    if (first === undefined || first.at > now) return undefined
    const last = this.#heap.pop()
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last
      this.#sink(0)
    }
    return first.item
  }

  /** Drops all items that are not to be kept. */
  keep(wanted: (item: T) => boolean): void {
    // A sorted list is a heap.
    this.#heap = this.#heap.filter(({ item }) => wanted(item)).sort((a, b) => (isBefore(a, b) ? -1 : 1))
  }

  #rise(from: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#swapUnlessBefore(parent, at)) return
      at = parent
    }
  }

  #sink(from: number): void {
    let at = from
    for (;;) {
      const child = this.#firstChild(at)
      if (child === null || !this.#swapUnlessBefore(at, child)) return
      at = child
    }
  }

  #firstChild(of: number): number | null {
    const [left, right] = [this.#heap[2 * of + 1], this.#heap[2 * of + 2]]
    if (left === undefined) return null
    return right !== undefined && isBefore(right, left) ? 2 * of + 2 : 2 * of + 1
  }

  /** Whether the two had to change places. */
  #swapUnlessBefore(upper: number, lower: number): boolean {
    const [above, below] = [this.#heap[upper], this.#heap[lower]]
    if (above === undefined || below === undefined || isBefore(above, below)) return false
    this.#heap[upper] = below
    this.#heap[lower] = above
    return true
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.at < b.at || (a.at === b.at && a.turn < b.turn)
}
