/** What one portion holds at most. */
interface PortionSize {
  readonly items: number
  /** By `sizeOf`; an item that is larger has a portion of its own. */
  readonly bytes: number
  /** Things that its items are about, where `aboutOf` tells them. */
  readonly things?: number
}

/**
 * Splits a long list in order, taking from it no earlier than a portion is asked for: stores bound how much one
 * transaction may hold (etcd: 1.5 MiB unless told otherwise). What an item is about, `aboutOf` says, as far as it
 * counts.
 */
export function* inPortions<T>(
  list: Iterable<T>,
  sizeOf: (item: T) => number,
  atMost: PortionSize,
  aboutOf: (item: T) => readonly string[] = () => [],
): Iterable<readonly T[]> {
  const { things: mostThings = Number.POSITIVE_INFINITY } = atMost
  let portion: T[] = []
  let bytes = 0
  let things = new Set<string>()
  for (const item of list) {
    const size = sizeOf(item)
    const about = aboutOf(item)
    const isFull = portion.length >= atMost.items || bytes + size > atMost.bytes
    const isMore = about.some((thing) => !things.has(thing))
    const isOneMore = isMore && new Set([...things, ...about]).size > mostThings
    if (portion.length > 0 && (isFull || isOneMore)) {
      yield portion
      portion = []
      bytes = 0
      things = new Set()
    }
    portion.push(item)
    bytes += size
    for (const thing of about) things.add(thing)
  }
  if (portion.length > 0) yield portion
}
