/** The name that `word` was most likely meant to be, or undefined when none is near. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const reach = Math.max(1, Math.floor(word.length / 3))
  let best: string | undefined
  let least = reach + 1
  for (const name of names) {
    const distance = editDistance(word.toLowerCase().slice(0, 64), name.toLowerCase())
    if (distance < least) {
      best = name
      least = distance
    }
  }
  return best
}

/** How many letters must be added, dropped, changed or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (beforeLast[j - 2] ?? 0) + 1 : changed
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed, swapped))
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
