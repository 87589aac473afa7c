/** The name that `word` was most likely meant to be, or undefined when none is near. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (word.length > longest) return undefined
  const reach = Math.max(1, Math.floor(word.length / 3))
  let best: string | undefined
  let least = reach + 1
  for (const name of names) {
    if (Math.abs(name.length - word.length) >= least) continue
    const distance = editDistance(word.toLowerCase(), name.toLowerCase(), least)
    if (distance < least) {
      best = name
      least = distance
    }
  }
  return best
}

/** What is longer is no name with a slip in it. */
const longest = 64

/** How many letters must be added, dropped, changed or swapped with their neighbour; `enough` or more once that is sure. */
function editDistance(a: string, b: string, enough: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (beforeLast[j - 2] ?? 0) + 1 : changed
      const distance = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed, swapped)
      row.push(distance)
      least = Math.min(least, distance)
    }
    // A swap reaches back two rows, and costs one more than what stands there.
    if (least >= enough && Math.min(...last) >= enough) return enough
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
