/** What one portion holds at most. */
export interface PortionSize {
  readonly items: number
  /** By `sizeOf`; an item that is larger has a portion of its own. */
  readonly bytes: number
}

/** Splits a long list in order: stores bound how much one transaction may hold (etcd: 1.5 MiB unless told otherwise). */
export function inPortions<T>(
  list: readonly T[],
  sizeOf: (item: T) => number,
  atMost: PortionSize,
): readonly (readonly T[])[] {
  const portions: T[][] = []
  let bytes = 0
  for (const item of list) {
    const size = sizeOf(item)
    const last = portions.at(-1)
    if (last === undefined || last.length >= atMost.items || bytes + size > atMost.bytes) {
      portions.push([item])
      bytes = size
    } else {
      last.push(item)
      bytes += size
    }
  }
  return portions
}
