// What differs between two texts, line by line, as people read it.
import { diffArrays } from 'diff'

/** A line of a comparison of two texts. */
export interface DiffLine {
  /** In both texts, only in the first, only in the second. */
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/** Texts with more changed lines are told as gone and new as a whole: the search takes the square of it. */
const changesAtMost = 500

/** The lines of both texts in order, as few as possible gone or new. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)]
  const parts = diffArrays(a, b, { maxEditLength: changesAtMost })
  if (parts === undefined) return [...a.map(lineOf('gone')), ...b.map(lineOf('new'))]
  return parts.flatMap(({ value, added, removed }) =>
    value.map(lineOf(added ? 'new' : removed ? 'gone' : 'same')),
  )
}

function lineOf(kind: DiffLine['kind']): (text: string) => DiffLine {
  return (text) => ({ kind, text })
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
