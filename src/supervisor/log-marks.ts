// When lines were written. Programs write to their log files themselves, so no line carries a time; instead the
// supervisor notes, for each file that grew, how far it had grown by when: at each write where it can.
import type { Instant } from '../lib/time.js'

/** All bytes before `offset` were there at `at`; those behind the mark before were written since then. */
export interface LogMark {
  readonly offset: number
  readonly at: Instant
}

/** Reads marks, one `offset at` per line; a last line that is not whole is left out. There may be a hundred thousand. */
export function parseMarks(text: string): readonly LogMark[] {
  const marks: LogMark[] = []
  let from = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
    const space = text.indexOf(' ', from)
    const [offset, at] = [Number(text.slice(from, space)), Number(text.slice(space + 1, end))]
    if (space > from && space < end && offset >= 0 && at > 0) marks.push({ offset, at })
    from = end + 1
  }
  return marks
}

export function printMark({ offset, at }: LogMark): string {
  return `${offset} ${at}\n`
}

/** The marks of a file whose first bytes were left out. */
export function marksWithout(text: string, skipped: number): string {
  const marks = parseMarks(text).filter(({ offset }) => offset > skipped)
  return marks.map(({ offset, at }) => printMark({ offset: offset - skipped, at })).join('')
}

/** Where in all that a stream has had a rotated file lies: its first byte, and the first of the file after it. */
export interface LogSpan {
  readonly begin: number
  readonly end: number
}

/** The last line of the marks of a rotated file, so that a reader knows which of them it is. */
export function printSpan({ begin, end }: LogSpan): string {
  return `span ${begin} ${end}\n`
}

/** Null where there is none: the file is written to, or was rotated by a supervisor of before. */
export function spanIn(text: string): LogSpan | null {
  const [, begin, end] = /(?:^|\n)span (\d+) (\d+)\n$/.exec(text.slice(-100)) ?? []
  return begin === undefined ? null : { begin: Number(begin), end: Number(end) }
}

/** How much earlier than it was the system may say that a file was written: its clock ticks no finer. */
const tickMs = 4
/** Seen so late, when exactly is of no use to the order of what was written together. */
const lateMs = 1000
/** By so little times of writes go back without the clock having been set. */
const wobbleMs = 10

/**
 * When the last write to a file was, that the system says to have been at `mtimeMs`, seen at `now`: then, or at most a tick later
 * than the system says. What is seen later is never told to be earlier for that, which keeps two files in their order. `before` is
 * when the write before it was.
 */
export function instantOfWrite(mtimeMs: number, now: Instant, before: Instant): Instant {
  const written = Math.round(mtimeMs)
  const isOrderly = now >= written && now - written < lateMs
  const at = isOrderly ? Math.min(now, written + tickMs) : written
  return at < before && before - at <= wobbleMs ? before : at
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
