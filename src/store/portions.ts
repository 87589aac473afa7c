/** What one portion holds at most. */
export interface PortionSize {
  readonly items: number
  /** By `sizeOf`; an item that is larger has a portion of its own. */
  readonly bytes: number
}

/**
 * Splits a long list in order, taking from it no earlier than a portion is asked for: stores bound how much one
 * transaction may hold (etcd: 1.5 MiB unless told otherwise).
 */
export function* inPortions<T>(
  list: Iterable<T>,
  sizeOf: (item: T) => number,
  atMost: PortionSize,
): Iterable<readonly T[]> {
  let portion: T[] = []
  let bytes = 0
  for (const item of list) {
    const size = sizeOf(item)
    if (portion.length > 0 && (portion.length >= atMost.items || bytes + size > atMost.bytes)) {
      yield portion
      portion = []
      bytes = 0
    }
    portion.push(item)
    bytes += size
  }
  if (portion.length > 0) yield portion
}
