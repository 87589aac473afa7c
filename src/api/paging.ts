// Pages of our lists. A page begins after the key by which its list is sorted, never at a number: what comes and goes
// meanwhile makes no other entry be missed, or be there twice.

/** What an entry is sorted by: no two of a list have the same, and it stays as it is for as long as the entry is there. */
export type SortKey = readonly (string | number)[]

/** How a list is sorted. */
export interface Order<T> {
  /** Which list: places in one are none in another. */
  readonly list: string
  readonly keyOf: (entry: T) => SortKey
  /** From the last key to the first. */
  readonly descending?: true
}

/** Which part of a list is asked for. */
export interface PageAsked {
  /** At most so many entries; null: all. */
  readonly limit: number | null
  /** What comes after the entry with this key; null: from the first. */
  readonly after: SortKey | null
}

interface Page<T> {
  readonly entries: readonly T[]
  /** What the next page begins after; null where there is none. */
  readonly next: SortKey | null
}

const wholeList: PageAsked = { limit: null, after: null }

/** A part of a list, in its order. */
export function takePage<T>(order: Order<T>, entries: readonly T[], asked: PageAsked = wholeList): Page<T> {
  const sign = order.descending === true ? -1 : 1
  const { limit, after } = asked
  const rest = entries
    .map((entry) => ({ entry, key: order.keyOf(entry) }))
    .filter(({ key }) => after === null || sign * compareKeys(key, after) > 0)
    .sort((a, b) => sign * compareKeys(a.key, b.key))
  const page = limit === null ? rest : rest.slice(0, limit)
  const last = page.at(-1)
  return {
    entries: page.map(({ entry }) => entry),
    next: last === undefined || page.length === rest.length ? null : last.key,
  }
}

/** Says where in a list a page ends. */
export function printPlace({ list }: Pick<Order<never>, 'list'>, key: SortKey): string {
  return JSON.stringify([list, ...key])
}

/** Null for what is no place in this list. */
export function readPlace({ list }: Pick<Order<never>, 'list'>, text: string): SortKey | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!Array.isArray(value)) return null
  const [of, ...key] = value as readonly unknown[]
  return of === list && key.length > 0 && key.every(isPartOfKey) ? key : null
}

function isPartOfKey(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function compareKeys(a: SortKey, b: SortKey): number {
  for (const [at, x] of a.entries()) {
    const y = b[at]
    if (y === undefined) return 1
    if (x !== y) return x < y ? -1 : 1
  }
  return a.length - b.length
}
