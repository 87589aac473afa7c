// Reads the log files of a unit: both streams, older files first, merged by the time that the marks tell.
import { type FSWatcher, statSync, watch } from 'node:fs'
import { type FileHandle, open, readFile, stat } from 'node:fs/promises'
import type { LogLine, LogQuery } from '../../../agent/driver.js'
import { inBatches, mergeBatches } from '../../../lib/io/batches.js'
import { errorCode } from '../../../lib/io/error-code.js'
import { ownTurn } from '../../../lib/io/turns.js'
import { defaultLogLimits, logFile, marksFile } from '../../../supervisor/io/log-keeper.js'
import type { LogPaths } from '../../../supervisor/io/unit-logs.js'
import {
  instantOf,
  instantOfWrite,
  type LogMark,
  type LogSpan,
  offsetSince,
  parseMarks,
  spanIn,
} from '../../../supervisor/log-marks.js'

/** Lines of a unit, as the query asks. Ends when the signal aborts, a follow also when the unit is forgotten. */
export async function* readLogs(
  paths: LogPaths,
  query: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<Lines> {
  const wake = query.follow ? watchFiles([paths.stdout, paths.stderr], signal) : null
  const cursors = (['stdout', 'stderr'] as const).map(
    (stream) => new LogCursor(stream, paths[stream], signal),
  )
  try {
    for (const cursor of cursors) await cursor.open(query)
    const all = mergeBatches(
      cursors.map((cursor) => cursor.lines(!query.follow)),
      ({ at }) => at,
    )
    if (query.tail === null) yield* all
    else {
      const last = await lastOf(all, query.tail)
      if (signal.aborted) return
      yield* inBatches(last)
    }
    while (wake !== null && (await wake.next()) && !signal.aborted) {
      yield* mergeBatches(
        cursors.map((cursor) => cursor.newLines()),
        ({ at }) => at,
      )
    }
  } finally {
    wake?.close()
    for (const cursor of cursors) await cursor.close()
  }
}

/** Some lines that follow each other. */
type Lines = readonly LogLine[]

/** One log file, open. */
interface Segment {
  readonly handle: FileHandle
  readonly marks: readonly LogMark[]
  /** When it was last written. */
  readonly lastAt: number
  /** Where in the stream it lies; null for the one that is written to. */
  readonly span: LogSpan | null
}

const blockBytes = 64 * 1024
/** A line longer than this is cut. */
const longestLine = 1024 * 1024
const newline = 10

/** Reads one stream from a place on, across the files that it is rotated into. */
class LogCursor {
  readonly #stream: LogLine['stream']
  readonly #path: string
  readonly #signal: AbortSignal
  #segments: Segment[] = []
  /** Where in the first of `#segments` reading goes on. */
  #offset = 0
  /** The begin of a line whose end was not read yet. */
  #rest: Buffer = Buffer.alloc(0)
  /** Tells whether the file was rotated since: which one is before it. */
  #rotation = notRotated
  /** Where in the stream the file begins that is written to. */
  #base = 0

  constructor(stream: LogLine['stream'], path: string, signal: AbortSignal) {
    this.#stream = stream
    this.#path = path
    this.#signal = signal
  }

  /** Opens what there is, and goes to where the query begins. */
  async open({ since, tail }: LogQuery): Promise<void> {
    // Files that are rotated while they are opened do not belong together: then they are opened again.
    do {
      await this.close()
      this.#rotation = await identityOf(logFile(this.#path, 1))
      this.#segments = await openSegments(this.#path, 0)
    } while (this.#rotation !== (await identityOf(logFile(this.#path, 1))))
    this.#base = this.#segments.at(-2)?.span?.end ?? 0
    if (since !== null) await this.#skipTo(since)
    else if (tail !== null) await this.#skipToLast(tail)
  }

  async close(): Promise<void> {
    for (const { handle } of this.#segments) await handle.close()
    this.#segments = []
  }

  async #skipTo(since: number): Promise<void> {
    while (this.#segments.length > 1 && (this.#segments[0]?.lastAt ?? since) < since) await this.#shift()
    const [first] = this.#segments
    if (first === undefined) return
    const { size } = await first.handle.stat()
    this.#offset = await lineStart(
      first.handle,
      first.lastAt < since ? size : offsetSince(first.marks, since),
    )
  }

  async #skipToLast(count: number): Promise<void> {
    let missing = count
    const kept: Segment[] = []
    let offset = 0
    while (this.#segments.length > 0 && missing > 0) {
      const segment = this.#segments.pop()
      if (segment === undefined) break
      const found = await offsetOfLast(segment.handle, missing)
      kept.unshift(segment)
      offset = found.offset
      missing -= found.lines
    }
    if (count === 0) {
      const last = this.#segments.pop()
      if (last !== undefined) kept.push(last)
      offset = last === undefined ? 0 : await lineStart(last.handle, (await last.handle.stat()).size)
    }
    for (const { handle } of this.#segments) await handle.close()
    this.#segments = kept
    this.#offset = offset
  }

  async #shift(): Promise<void> {
    await this.#segments.shift()?.handle.close()
    this.#offset = 0
  }

  /** All lines up to the end; with `partial` also a last one that has no end yet. */
  async *lines(partial: boolean): AsyncGenerator<Lines> {
    for (let [older, next] = this.#segments; older && next; [older, next] = this.#segments) {
      yield* this.#linesOf(older)
      yield* this.#cutOff(older)
      await this.#shift()
    }
    const [current] = this.#segments
    if (current === undefined) return
    yield* this.#currentLines(current)
    if (partial && this.#rest.length > 0)
      yield [this.#line(this.#rest, instantOf(current.marks, this.#offset - 1, current.lastAt))]
  }

  /** What was written since: through a rotation, if there was one. */
  async *newLines(): AsyncGenerator<Lines> {
    if (this.#segments.length === 0) {
      const first = await openSegment(this.#path, 0)
      if (first === null) return
      this.#segments.push(first)
    }
    const [current] = this.#segments
    if (current === undefined) return
    const { mtimeMs } = await current.handle.stat()
    yield* this.#currentLines({ ...current, marks: [], lastAt: instantOfWrite(mtimeMs, Date.now(), 0) })
  }

  /** Lines of the file that is written to. It is cut when it is full: what it had until then is in the one before it. */
  async *#currentLines(current: Segment): AsyncGenerator<Lines> {
    yield* this.#linesOf(current, () => this.#isRotated())
    while (await this.#isRotated()) {
      const isRead = yield* this.#rotatedLines()
      if (this.#signal.aborted) return
      // It was rotated once more meanwhile.
      if (!isRead) continue
      yield* this.#linesOf({ ...current, marks: [], lastAt: Date.now() }, () => this.#isRotated())
    }
  }

  /**
   * What the file had since, which lies in the ones before it, however often it was rotated. Returns false if it was while
   * they were opened: they do not belong together.
   */
  async *#rotatedLines(): AsyncGenerator<Lines, boolean> {
    const rotation = await identityOf(logFile(this.#path, 1))
    if (rotation === notRotated) return false
    const segments = await openSegments(this.#path, 1)
    try {
      if (rotation !== (await identityOf(logFile(this.#path, 1)))) return false
      const spans = await spansOf(segments, this.#base, this.#base + this.#offset)
      for (const [n, segment] of segments.entries()) {
        const { begin, end } = spans[n] ?? { begin: 0, end: 0 }
        const at = this.#base + this.#offset
        if (end <= at) continue
        if (begin > at) yield [this.#missing(begin - at, instantOf(segment.marks, 0, segment.lastAt))]
        this.#base = begin
        this.#offset = Math.max(0, at - begin)
        yield* this.#linesOf(segment)
        yield* this.#cutOff(segment)
        this.#base = end
        this.#offset = 0
      }
      // What was read up to a rotation lies in those before, and what came after it was not read yet.
      const at = this.#base + this.#offset
      this.#base = spans.at(-1)?.end ?? this.#base
      this.#offset = Math.max(0, at - this.#base)
      this.#rotation = rotation
      return true
    } finally {
      for (const { handle } of segments) await handle.close()
    }
  }

  /** Tells of output that is gone. The begin of a line whose rest is gone is worth nothing. */
  #missing(bytes: number, at: number): LogLine {
    this.#rest = Buffer.alloc(0)
    const line = `mariposa: ${bytes} bytes are missing here: they came faster than they could be kept or read`
    return { at, stream: this.#stream, line }
  }

  /** Tells of what a file that was read to its end had when it was cut, and was not copied. */
  *#cutOff({ span, lastAt }: Segment): Generator<Lines> {
    const bytes = span === null || this.#signal.aborted ? 0 : span.end - span.begin - this.#offset
    if (bytes > 0) yield [this.#missing(bytes, lastAt)]
  }

  async #isRotated(): Promise<boolean> {
    const rotation = await identityOf(logFile(this.#path, 1))
    // It has no name for a moment while it is rotated; the next look finds it.
    return rotation !== notRotated && rotation !== this.#rotation
  }

  /**
   * Reads a file to its end, or until `isCut` tells that what was read last may be from behind a cut; no further once
   * nobody wants it.
   */
  async *#linesOf(
    { handle, marks, lastAt }: Segment,
    isCut = async (): Promise<boolean> => false,
  ): AsyncGenerator<Lines> {
    while (!this.#signal.aborted) {
      const start = this.#offset - this.#rest.length
      const { bytesRead, buffer } = await handle.read(
        Buffer.allocUnsafe(blockBytes),
        0,
        blockBytes,
        this.#offset,
      )
      if (bytesRead === 0 || (await isCut())) return
      this.#offset += bytesRead
      await ownTurn()
      const lines = this.#take(buffer.subarray(0, bytesRead), (at) => instantOf(marks, start + at, lastAt))
      if (lines.length > 0) yield lines
    }
  }

  /** Cuts what was read into lines; `instantAt` tells when the byte at a place of it was written. */
  #take(block: Buffer, instantAt: (at: number) => number): Lines {
    const lines: LogLine[] = []
    const all = this.#rest.length === 0 ? block : Buffer.concat([this.#rest, block])
    let from = 0
    for (let end = all.indexOf(newline); end !== -1; end = all.indexOf(newline, from)) {
      lines.push(this.#line(all.subarray(from, end), instantAt(from)))
      from = end + 1
    }
    this.#rest = Buffer.from(all.subarray(from))
    if (this.#rest.length < longestLine) return lines
    lines.push(this.#line(this.#rest, instantAt(from)))
    this.#rest = Buffer.alloc(0)
    return lines
  }

  #line(bytes: Buffer, at: number): LogLine {
    return { at, stream: this.#stream, line: bytes.toString('utf8') }
  }
}

async function openSegment(path: string, n: number): Promise<Segment | null> {
  try {
    const handle = await open(logFile(path, n))
    const marks = await readFile(marksFile(path, n), 'utf8').catch(() => '')
    const lastAt = Math.round((await handle.stat()).mtimeMs)
    return { handle, marks: parseMarks(marks), lastAt, span: spanIn(marks) }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Those that there are, the oldest first, from the n-th before the current one on at the latest. */
async function openSegments(path: string, latest: number): Promise<Segment[]> {
  const segments: Segment[] = []
  for (let n = defaultLogLimits.files - 1; n >= latest; n -= 1) {
    const segment = await openSegment(path, n)
    if (segment !== null) segments.push(segment)
  }
  return segments
}

/**
 * Where rotated files lie. A supervisor of before says nothing of that: the last of them is then what was read up to now, and
 * the others are older.
 */
async function spansOf(
  segments: readonly Segment[],
  base: number,
  position: number,
): Promise<readonly LogSpan[]> {
  const last = segments.at(-1)
  if (last === undefined) return []
  // Where the last one ends where the file begins that is read, none was rotated: another name was given to it, say.
  if (last.span !== null && (last.span.end >= position || last.span.end === base))
    return segments.map(({ span }) => span ?? { begin: 0, end: 0 })
  const { size } = await last.handle.stat()
  return [...segments.slice(0, -1).map(() => ({ begin: 0, end: 0 })), { begin: base, end: base + size }]
}

const notRotated = ''

/** The number of an inode is given to another file once its own is gone; a file is not rotated twice in a moment. */
async function identityOf(path: string): Promise<string> {
  return stat(path).then(
    ({ ino, ctimeMs }) => `${ino} ${ctimeMs}`,
    () => notRotated,
  )
}

/** The begin of the first line that begins at or after a place. */
async function lineStart(handle: FileHandle, offset: number): Promise<number> {
  if (offset === 0) return 0
  const block = Buffer.allocUnsafe(blockBytes)
  for (let at = offset - 1; ; ) {
    const { bytesRead } = await handle.read(block, 0, blockBytes, at)
    if (bytesRead === 0) return at
    const end = block.subarray(0, bytesRead).indexOf(newline)
    if (end !== -1) return at + end + 1
    at += bytesRead
  }
}

/** Where the last `count` lines of a file begin, and how many there are. */
async function offsetOfLast(handle: FileHandle, count: number): Promise<{ offset: number; lines: number }> {
  const { size } = await handle.stat()
  const block = Buffer.allocUnsafe(blockBytes)
  let lines = 0
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - blockBytes)
    await handle.read(block, 0, end - start, start)
    for (let at = end - 1; at >= start; at -= 1) {
      if (block[at - start] !== newline || at === size - 1) continue
      lines += 1
      if (lines === count) return { offset: at + 1, lines }
    }
    end = start
  }
  return { offset: 0, lines: size > 0 ? lines + 1 : 0 }
}

/** The last so many of what there is. */
async function lastOf(batches: AsyncIterable<Lines>, count: number): Promise<Lines> {
  let kept: LogLine[] = []
  for await (const lines of batches) {
    for (const line of lines) kept.push(line)
    // Not for every batch: what is moved would grow with the square of what is asked for.
    if (kept.length > 2 * count + 1000) kept = kept.slice(kept.length - count)
  }
  return kept.slice(Math.max(0, kept.length - count))
}

/** Tells of writes to a unit's files, by inotify. `next` resolves to false once the unit is forgotten. */
function watchFiles(
  paths: readonly string[],
  signal: AbortSignal,
): { next(): Promise<boolean>; close(): void } {
  let changed = true
  let over = signal.aborted
  let wake = (): void => {}
  const finish = (): void => {
    over = true
    wake()
  }
  const watchOne = (path: string): readonly FSWatcher[] => {
    try {
      const { ino } = statSync(path)
      const watcher = watch(path, () => {
        changed = true
        // The files of a unit that is forgotten are removed; those of the same name are another unit's.
        if (statSync(path, { throwIfNoEntry: false })?.ino !== ino) over = true
        wake()
      })
      return [watcher.on('error', finish)]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // Forgotten since it was listed.
      over = true
      return []
    }
  }
  const watchers = paths.flatMap(watchOne)
  signal.addEventListener('abort', finish, { once: true })
  return {
    next: async () => {
      if (!changed && !over) await new Promise<void>((resolve) => (wake = resolve))
      changed = false
      return !over
    },
    close: () => {
      signal.removeEventListener('abort', finish)
      for (const watcher of watchers) watcher.close()
    },
  }
}
