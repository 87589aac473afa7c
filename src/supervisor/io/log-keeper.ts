// Keeps the log files of units: notes when they grew, and rotates those that are full.
//
// A full file is copied and then cut to nothing, since the program holds it open and writes at its end (O_APPEND). The
// copy is made in another thread, and is no longer than a file may be: of what a program wrote beyond that before we
// came, the older part is left out, and what it writes on while we copy goes with the cut. Where it writes no faster than
// we copy, what is lost is written between the last byte copied and the cut: two system calls, some microseconds.
import {
  appendFileSync,
  constants,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { errorCode } from '../../lib/io/error-code.js'
import { instantOfWrite, type LogMark, marksWithout, printMark, printSpan, spanIn } from '../log-marks.js'

export interface LogLimits {
  /** A file that has grown to this is rotated. */
  readonly maxBytes: number
  /** How many files a stream has, the current one included. */
  readonly files: number
}

export const defaultLogLimits: LogLimits = { maxBytes: 10 * 1024 * 1024, files: 3 }

/** The names of a stream's files: the n-th before the current one, and its marks. */
export const logFile = (path: string, n: number): string => (n === 0 ? path : `${path}.${n}`)
export const marksFile = (path: string, n: number): string => `${logFile(path, n)}.marks`

/** Every file that a stream may have. */
export function filesOf(path: string, { files }: LogLimits): readonly string[] {
  const numbered = Array.from({ length: files }, (_, n) => [logFile(path, n), marksFile(path, n)])
  return [...numbered.flat(), asideOf(path)]
}

/** What a look at a file found. */
export interface LogLook {
  /** Since the look before. */
  readonly grew: boolean
  /** By when it had grown is still to be noted. */
  readonly isUnmarked: boolean
  /** It is to be rotated. */
  readonly isFull: boolean
  readonly size: number
}

export const noLook: LogLook = { grew: false, isUnmarked: false, isFull: false, size: 0 }
/** What a rotated file may have beyond the limit: it is looked at now and then, and not at each write. */
const slack = 1 / 8
/** Marks of a file that is written a few bytes at a time would outgrow it: then there is one a second. */
const marksMost = { bytes: 64 * 1024, share: 1 / 4, everyMs: 1000 } as const
/** With marks of that size it is rotated, too. */
const marksFull = 2 / 5
const blockBytes = 4 * 1024 * 1024

interface Known {
  readonly size: number
  readonly markBytes: number
  /** The latest mark, and when it was made. */
  readonly mark: LogMark
  readonly markedAt: number
}

const unknown: Omit<Known, 'markBytes'> = { size: 0, mark: { offset: 0, at: 0 }, markedAt: 0 }

/** Remembers how far each file was when it was last looked at. */
export class LogKeeper {
  readonly #limits: LogLimits
  readonly #known = new Map<string, Known>()
  readonly #rotating = new Map<string, Promise<number>>()

  constructor(limits: LogLimits) {
    this.#limits = limits
  }

  /** Looks at a file and notes its growth; the last time whatever that takes. One that is being rotated is left alone. */
  tend(path: string, isLast = false): LogLook {
    const stats = statOrNull(path)
    if (stats === null || this.#rotating.has(path)) return noLook
    const known = this.#known.get(path)
    if (known === undefined) this.#finishRotation(path, stats)
    const before = known ?? { ...unknown, markBytes: statOrNull(marksFile(path, 0))?.size ?? 0 }
    const after = this.#mark(path, stats, before, isLast)
    const { size, markBytes, mark } = after
    this.#known.set(path, after)
    const { maxBytes } = this.#limits
    return {
      size,
      grew: size !== before.size,
      isUnmarked: size !== mark.offset,
      isFull: size >= maxBytes || markBytes >= maxBytes * marksFull,
    }
  }

  /** Notes by when a file had grown, unless its marks take too much for that. */
  #mark(path: string, { size, mtimeMs }: Stats, before: Known, isLast: boolean): Known {
    const now = Date.now()
    const isDue = isLast || Math.abs(now - before.markedAt) >= marksMost.everyMs
    const mostBytes = Math.min(marksMost.bytes, this.#limits.maxBytes / 10) + size * marksMost.share
    const mayMark = isDue || before.markBytes < mostBytes
    if (size === before.mark.offset || !mayMark) return { ...before, size }
    const mark = { offset: size, at: instantOfWrite(mtimeMs, now, before.mark.at) }
    return { size, mark, markedAt: now, markBytes: before.markBytes + appendMark(path, mark) }
  }

  /** Stops remembering a file; its last growth is noted. */
  forget(path: string): LogLook {
    const look = this.tend(path, true)
    this.#known.delete(path)
    return look
  }

  /** Rotates a file; resolves to the bytes that were left out. `isGone` tells that nobody wants it any more. */
  rotate(path: string, isGone: () => boolean): Promise<number> {
    const rotating = this.#rotate(path, isGone).finally(() => this.#rotating.delete(path))
    this.#rotating.set(path, rotating)
    return rotating
  }

  async #rotate(path: string, isGone: () => boolean): Promise<number> {
    const { files, maxBytes } = this.#limits
    if (files > 1) return await copyAside(path, maxBytes, isGone, (cut) => this.#shift(path, cut))
    cut(path)
    rmSync(marksFile(path, 0), { force: true })
    this.#begin(path)
    return 0
  }

  /** Moves the files of a stream by one place, the copy first. */
  #shift(path: string, { skipped, size }: Cut): void {
    const base = spanIn(readIfThere(marksFile(path, 1)))?.end ?? 0
    for (let n = this.#limits.files - 1; n > 1; n -= 1) {
      renameIfThere(logFile(path, n - 1), logFile(path, n))
      renameIfThere(marksFile(path, n - 1), marksFile(path, n))
    }
    renameSync(asideOf(path), logFile(path, 1))
    if (skipped > 0) skipMarks(path, skipped)
    appendMarks(path, printSpan({ begin: base + skipped, end: base + size }))
    renameSync(marksFile(path, 0), marksFile(path, 1))
    this.#begin(path)
  }

  /** A copy that a killed supervisor left: it is whole if the file was cut after it, and of no use if it was not. */
  #finishRotation(path: string, { size }: Stats): void {
    const aside = statOrNull(asideOf(path))
    if (aside === null) return
    if (aside.size > size) this.#shift(path, { skipped: 0, size: aside.size })
    else rmSync(asideOf(path), { force: true })
  }

  #begin(path: string): void {
    if (this.#known.has(path)) this.#known.set(path, { ...unknown, markBytes: 0 })
  }
}

/** What a file had when it was cut, and how much at its beginning is not in the copy. */
interface Cut {
  readonly skipped: number
  readonly size: number
}

const asideOf = (path: string): string => `${path}.rotating`

/**
 * Copies the end of a log file, cuts it and has the copy take its place; resolves to the bytes that were left out. Not in
 * this thread, since the disk may be slow; but the last bytes are, so that the cut follows the last read at once.
 */
async function copyAside(
  path: string,
  maxBytes: number,
  isGone: () => boolean,
  onCut: (cut: Cut) => void,
): Promise<number> {
  const from = await open(path, constants.O_RDWR)
  const to = await open(asideOf(path), 'w', 0o600)
  let isCut = false
  try {
    const { size } = await from.stat()
    const mostBytes = Math.ceil(maxBytes * (1 + slack))
    const begin = size <= mostBytes ? 0 : await lineStart(from, size - mostBytes)
    const end = begin + mostBytes
    const block = Buffer.allocUnsafe(blockBytes)
    let at = begin
    while (at < end && !isGone()) {
      const { bytesRead } = await from.read(block, 0, Math.min(blockBytes, end - at), at)
      // All of it, or it throws: of a single write a disk that is nearly full takes a part.
      await to.appendFile(block.subarray(0, bytesRead))
      at += bytesRead
      if (bytesRead < blockBytes) break
    }
    if (isGone()) return 0
    for (let more = 1; more > 0 && at < end; at += more) {
      more = readSync(from.fd, block, 0, Math.min(blockBytes, end - at), at)
      writeFileSync(to.fd, block.subarray(0, more))
    }
    isCut = true
    const cutAt = Math.max(at, cut(path))
    onCut({ skipped: begin, size: cutAt })
    return begin + cutAt - at
  } finally {
    if (!isCut) rmSync(asideOf(path), { force: true })
    await Promise.all([from.close(), to.close()])
  }
}

/** Where the first line begins at or after a place, or that place itself within a long one. */
async function lineStart(file: FileHandle, place: number): Promise<number> {
  const block = Buffer.allocUnsafe(64 * 1024)
  const { bytesRead } = await file.read(block, 0, block.length, place - 1)
  const end = block.subarray(0, bytesRead).indexOf('\n')
  return end === -1 ? place : place + end
}

/** Cuts a file to nothing; returns how long it was. */
function cut(path: string): number {
  const size = statOrNull(path)?.size ?? 0
  truncateSync(path)
  return size
}

/** The marks of a file whose first bytes were left out. */
function skipMarks(path: string, skipped: number): void {
  const text = readFileSync(marksFile(path, 0), 'utf8')
  writeFileSync(marksFile(path, 0), marksWithout(text, skipped), { mode: 0o600 })
}

/** Returns how many bytes that took. */
function appendMark(path: string, mark: LogMark): number {
  return appendMarks(path, printMark(mark))
}

function appendMarks(path: string, text: string): number {
  appendFileSync(marksFile(path, 0), text, { mode: 0o600 })
  return text.length
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return ''
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

function statOrNull(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null
}
