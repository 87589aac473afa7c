// Settings that overtake each other, as the sizes of a window that is being dragged.

/**
 * Carries out one value at a time, and then the newest of those that came meanwhile: whatever their carrying out takes, the newest is
 * the last. What is returned resolves when that has been done. `carryOut` has to resolve.
 */
export function newestOnly<T>(carryOut: (value: T) => Promise<void>): (value: T) => Promise<void> {
  let next: { readonly value: T } | null = null
  let underWay: Promise<void> | null = null
  const carryOutAll = async (): Promise<void> => {
    while (next !== null) {
      const { value } = next
      next = null
      await carryOut(value)
    }
    underWay = null
  }
  return (value) => {
    next = { value }
    underWay ??= carryOutAll()
    return underWay
  }
}
