// Docker sends stdout and stderr of a container over one stream: frames of an 8-byte header (which stream, how long)
// and bytes. In logs each frame is one line, or a part of a line longer than 16 KiB, behind its time.
import type { LogLine } from '../../agent/driver.js'

export interface Frame {
  readonly stream: 'stdout' | 'stderr'
  readonly bytes: Uint8Array
}

const headerLength = 8

/** Takes the whole frames off the front of what has arrived; `rest` is to be put before what arrives next. */
export function takeFrames(arrived: Uint8Array): {
  readonly frames: readonly Frame[]
  readonly rest: Uint8Array
} {
  const view = new DataView(arrived.buffer, arrived.byteOffset, arrived.byteLength)
  const frames: Frame[] = []
  let at = 0
  while (at + headerLength <= arrived.length) {
    const end = at + headerLength + view.getUint32(at + 4)
    if (end > arrived.length) break
    frames.push({
      stream: arrived[at] === 2 ? 'stderr' : 'stdout',
      bytes: arrived.subarray(at + headerLength, end),
    })
    at = end
  }
  return { frames, rest: arrived.subarray(at) }
}

/** A line with Docker's own time of it, in nanoseconds: as text it sorts and can be resumed from. */
export interface StampedLine extends LogLine {
  readonly stamp: string
}

/** Lines of which only the beginning has arrived, by stream. */
interface OpenLines {
  readonly stdout: OpenLine | null
  readonly stderr: OpenLine | null
}

interface OpenLine {
  readonly stamp: string
  /** No more of it is kept than `longestLine`. */
  readonly parts: Uint8Array[]
  readonly bytes: number
}

/** What of a line comes behind this is left out: a program may write for hours without an end of line. */
export const longestLine = 1024 * 1024

export const noOpenLines: OpenLines = { stdout: null, stderr: null }

const newline = 10
const space = 32

/** Adds a frame of a log; `line` is set when the frame ends one. */
export function addFrame(
  open: OpenLines,
  frame: Frame,
): { readonly open: OpenLines; readonly line: StampedLine | null } {
  const cut = frame.bytes.indexOf(space)
  const stamp = new TextDecoder().decode(frame.bytes.subarray(0, Math.max(0, cut)))
  const text = frame.bytes.subarray(cut + 1)
  const before = open[frame.stream] ?? { stamp, parts: [], bytes: 0 }
  if (text.at(-1) !== newline) {
    return { open: { ...open, [frame.stream]: withPart(before, text) }, line: null }
  }
  const whole = { ...withPart(before, text.subarray(0, -1)), stamp }
  return { open: { ...open, [frame.stream]: null }, line: closeLine(frame.stream, whole) }
}

/** The parts are shared by the states of one line, of which only the newest is used. */
function withPart({ stamp, parts, bytes }: OpenLine, part: Uint8Array): OpenLine {
  const kept = part.subarray(0, Math.max(0, longestLine - bytes))
  if (kept.length > 0) parts.push(kept)
  return { stamp, parts, bytes: bytes + part.length }
}

/** A frame of a log without its text. */
export interface LinePart {
  readonly stream: Frame['stream']
  readonly stamp: string
  readonly isLast: boolean
}

/** What is known of a frame without putting lines together. */
export function partOf({ stream, bytes }: Frame): LinePart {
  const stamp = new TextDecoder().decode(bytes.subarray(0, Math.max(0, bytes.indexOf(space))))
  return { stream, stamp, isLast: bytes.at(-1) === newline }
}

/**
 * How many frames at the end of a log its last `count` lines begin before, and the stamp of the first of those lines; null
 * where one may begin before the `parts` that were seen. `isAll`: before those there is nothing.
 */
export function endOfLog(
  parts: readonly LinePart[],
  isAll: boolean,
  count: number,
): { readonly frames: number; readonly stamp: string } | null {
  const begun: Record<Frame['stream'], number | null> = { stdout: null, stderr: null }
  const isSeen = { stdout: isAll, stderr: isAll }
  const lines: { readonly first: number; readonly stamp: string; readonly isWhole: boolean }[] = []
  for (const [index, { stream, stamp, isLast }] of parts.entries()) {
    const first = begun[stream] ?? index
    begun[stream] = isLast ? null : first
    if (!isLast) continue
    lines.push({ first, stamp, isWhole: isSeen[stream] })
    isSeen[stream] = true
  }
  const last = lines.slice(-count)
  const [earliest] = last
  if (!isAll && (last.length < count || last.some(({ isWhole }) => !isWhole))) return null
  if (earliest === undefined) return { frames: parts.length, stamp: '' }
  return { frames: parts.length - Math.min(...last.map(({ first }) => first)), stamp: earliest.stamp }
}

/** The lines that never ended, at the end of a log. */
export function closeLines(open: OpenLines): readonly StampedLine[] {
  return (['stdout', 'stderr'] as const).flatMap((stream) => {
    const line = open[stream]
    return line === null ? [] : [closeLine(stream, line)]
  })
}

/** Bytes are joined before they are decoded: a part can end within a character. */
function closeLine(stream: Frame['stream'], { stamp, parts, bytes }: OpenLine): StampedLine {
  const decoder = new TextDecoder()
  const text = parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode()
  const line = text.endsWith('\r') ? text.slice(0, -1) : text
  const cut = bytes - longestLine
  return {
    stream,
    stamp,
    at: Date.parse(stamp),
    line: cut > 0 ? `${line} [${cut} bytes more are left out]` : line,
  }
}

/** A stamp as the `since` of a query: seconds with nanoseconds. */
export function sinceStamp(stamp: string): string {
  const fraction = /\.(\d+)/.exec(stamp)?.[1] ?? '0'
  return `${Math.floor(Date.parse(stamp) / 1000)}.${fraction}`
}
