/** Compares text by code unit: the same order on every machine and in every locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A comparator from keys, the first that differs decides. Text by code unit, numbers ascending. */
export function byKeys<T>(...keys: readonly ((item: T) => string | number)[]): (a: T, b: T) => number {
  return (a, b) => {
    for (const key of keys) {
      const x = key(a)
      const y = key(b)
      if (x === y) continue
      return x < y ? -1 : 1
    }
    return 0
  }
}
