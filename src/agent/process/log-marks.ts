// When lines were written. Programs write to their log files themselves, so no line carries a time; instead the
// supervisor notes, about once a second for each file that grew, how far it had grown by when.
import type { Instant } from '../../lib/time.js'

/** All bytes before `offset` were there at `at`; those behind the mark before were written since then. */
export interface LogMark {
  readonly offset: number
  readonly at: Instant
}

/** Reads marks, one `offset at` per line; a last line that is not whole is left out. */
export function parseMarks(text: string): readonly LogMark[] {
  return text.split('\n').flatMap((line, index, lines) => {
    const [offset, at] = line.split(' ').map(Number)
    const whole = index < lines.length - 1
    return whole && offset !== undefined && at !== undefined && at > 0 ? [{ offset, at }] : []
  })
}

export function printMark({ offset, at }: LogMark): string {
  return `${offset} ${at}\n`
}

/**
 * The text of the marks of a file whose first bytes were left out. Its first line says how many, for a reader that knows
 * the file from before: `skipped n`.
 */
export function marksWithout(text: string, skipped: number): string {
  const marks = parseMarks(text).filter(({ offset }) => offset > skipped)
  return `skipped ${skipped}\n${marks.map(({ offset, at }) => printMark({ offset: offset - skipped, at })).join('')}`
}

/** How many bytes at the beginning of a file were left out when it was rotated. */
export function skippedIn(text: string): number {
  return Number(/^skipped (\d+)\n/.exec(text)?.[1] ?? 0)
}

/** When the byte at `offset` was written, at the latest; `lastAt` for what lies behind all marks. */
export function instantOf(marks: readonly LogMark[], offset: number, lastAt: Instant): Instant {
  const index = firstAfter(marks, (mark) => mark.offset > offset)
  return marks[index]?.at ?? lastAt
}

/** Where to begin reading so that every line at or after `since` is read. */
export function offsetSince(marks: readonly LogMark[], since: Instant): number {
  const index = firstAfter(marks, (mark) => mark.at >= since)
  return marks[index - 1]?.offset ?? 0
}

/** The first index for which `holds`, which must hold for all after it too. */
function firstAfter(marks: readonly LogMark[], holds: (mark: LogMark) => boolean): number {
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >> 1
    const mark = marks[middle]
    if (mark !== undefined && holds(mark)) high = middle
    else low = middle + 1
  }
  return low
}
