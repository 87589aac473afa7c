// A list in random order, as far as somebody looks at it: to take a few of ten thousand costs a few.

/** Each item once, in an order that `random` (from 0 up to 1) makes; the list stays as it is. */
export function* drawn<T>(list: readonly T[], random: () => number): Generator<T, void, undefined> {
  /** What has been put in the place of another, by its place: a shuffle of Fisher and Yates that copies nothing. */
  const moved = new Map<number, T>()
  const at = (index: number): T => (moved.has(index) ? moved.get(index) : list[index]) as T
  for (let left = list.length; left > 0; left--) {
    const index = Math.min(left - 1, Math.floor(random() * left))
    const item = at(index)
    moved.set(index, at(left - 1))
    yield item
  }
}
