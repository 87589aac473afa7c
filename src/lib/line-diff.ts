// What differs between two texts, line by line, as people read it.

/** A line of a comparison of two texts. */
export interface DiffLine {
  /** In both texts, only in the first, only in the second. */
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/** Beyond so many pairs of lines the middle of the texts is told as gone and new as a whole. */
const pairsAtMost = 4_000_000

/** The lines of both texts in order, as few as possible gone or new. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = linesOf(before)
  const b = linesOf(after)
  const head = commonLength(a, b)
  const tail = commonLength(a.slice(head).reverse(), b.slice(head).reverse())
  const middle = diffMiddle(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  const same = (text: string): DiffLine => ({ kind: 'same', text })
  return [...a.slice(0, head).map(same), ...middle, ...a.slice(a.length - tail).map(same)]
}

/** Changed lines with up to `context` lines around each; `null` stands for lines left out. */
export function withContext(lines: readonly DiffLine[], context: number): readonly (DiffLine | null)[] {
  const shown = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same'),
  )
  // Of lines in a row that are left out the first stands for all.
  return lines.flatMap((line, at) => (shown[at] ? [line] : at === 0 || shown[at - 1] ? [null] : []))
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

/** By the longest common subsequence, from the end backwards. */
function diffMiddle(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const gone = (text: string): DiffLine => ({ kind: 'gone', text })
  const come = (text: string): DiffLine => ({ kind: 'new', text })
  if (a.length * b.length > pairsAtMost) return [...a.map(gone), ...b.map(come)]
  const width = b.length + 1
  const longest = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left })
      i++
      j++
    } else if (right === undefined || (left !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(gone(left ?? ''))
      i++
    } else {
      lines.push(come(right))
      j++
    }
  }
  return lines
}
