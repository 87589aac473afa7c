// How much one pass changes of a service at most, so that no decision and no write grows without bound.

/** Instances of which one pass takes leave, or notes something, at most: those left over have their turn in the next. */
export const changesPerPass = 500

/** What of a list one pass does, and whether that leaves some. */
export function portion<T>(list: readonly T[]): readonly [readonly T[], boolean] {
  return list.length <= changesPerPass ? [list, false] : [list.slice(0, changesPerPass), true]
}
