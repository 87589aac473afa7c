/** What one portion holds at most. */
export interface PortionSize {
  readonly items: number
  /** By `sizeOf`; an item that is larger has a portion of its own. */
  readonly bytes: number
  /** Things that its items are about, where `aboutOf` tells them. */
  readonly things?: number
}

/**
 * Splits a long list in order, taking from it no earlier than a portion is asked for: stores bound how much one
 * transaction may hold (etcd: 1.5 MiB unless told otherwise). What an item is about, `aboutOf` says: null for nothing that
 * counts.
 */
export function* inPortions<T>(
  list: Iterable<T>,
  sizeOf: (item: T) => number,
  atMost: PortionSize,
  aboutOf: (item: T) => string | null = () => null,
): Iterable<readonly T[]> {
  const { things: mostThings = Number.POSITIVE_INFINITY } = atMost
  let portion: T[] = []
  let bytes = 0
  let things = new Set<string>()
  for (const item of list) {
    const size = sizeOf(item)
    const about = aboutOf(item)
    const isFull = portion.length >= atMost.items || bytes + size > atMost.bytes
    const isOneMore = about !== null && things.size >= mostThings && !things.has(about)
    if (portion.length > 0 && (isFull || isOneMore)) {
      yield portion
      portion = []
      bytes = 0
      things = new Set()
    }
    portion.push(item)
    bytes += size
    if (about !== null) things.add(about)
  }
  if (portion.length > 0) yield portion
}
