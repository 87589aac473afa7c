// Keeps the log files of units: notes when they grew, and rotates those that are full.
//
// A full file is copied and then cut to nothing, since the program holds it open and writes at its end (O_APPEND).
// What a program writes between the last byte copied and the cut is lost: two system calls, some microseconds.
import {
  appendFileSync,
  closeSync,
  constants,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { type LogMark, printMark } from '../../process/log-marks.js'
import { errorCode } from './home.js'

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

/** Remembers how far each file was when it was last looked at. */
export class LogKeeper {
  readonly #limits: LogLimits
  readonly #sizes = new Map<string, number>()

  constructor(limits: LogLimits) {
    this.#limits = limits
  }

  /** Looks at a file: notes its growth, rotates it when it is full. Tells whether it has grown. */
  tend(path: string): boolean {
    const stats = statOrNull(path)
    if (stats === null) return false
    const known = this.#sizes.get(path)
    if (known === undefined) finishRotation(path, stats)
    if (stats.size === (known ?? 0)) return false
    this.#sizes.set(path, stats.size)
    appendMark(path, { offset: stats.size, at: Math.round(stats.mtimeMs) })
    if (stats.size >= this.#limits.maxBytes) this.#rotate(path)
    return true
  }

  /** Stops remembering a file; its last growth is noted. */
  forget(path: string): boolean {
    const grew = this.tend(path)
    this.#sizes.delete(path)
    return grew
  }

  #rotate(path: string): void {
    const last = this.#limits.files - 1
    if (last > 0) copyAside(path)
    for (let n = last; n > 1; n -= 1) {
      renameIfThere(logFile(path, n - 1), logFile(path, n))
      renameIfThere(marksFile(path, n - 1), marksFile(path, n))
    }
    if (last > 0) renameSync(asideOf(path), logFile(path, 1))
    if (last > 0) renameIfThere(marksFile(path, 0), marksFile(path, 1))
    else rmSync(marksFile(path, 0), { force: true })
    this.#sizes.set(path, 0)
  }
}

const asideOf = (path: string): string => `${path}.rotating`

/** Copies a log file and cuts it: the cut follows the read that found no more at once. */
function copyAside(path: string): void {
  const from = openSync(path, constants.O_RDWR)
  const to = openSync(asideOf(path), 'w', 0o600)
  const block = new Uint8Array(1024 * 1024)
  try {
    for (let size = readSync(from, block); size > 0; size = readSync(from, block))
      writeSync(to, block, 0, size)
    ftruncateSync(from, 0)
  } finally {
    closeSync(from)
    closeSync(to)
  }
}

/** A copy that a killed supervisor left: it is whole if the file was cut after it, and of no use if it was not. */
function finishRotation(path: string, { size }: Stats): void {
  const aside = statOrNull(asideOf(path))
  if (aside === null) return
  if (aside.size > size) renameSync(asideOf(path), logFile(path, 1))
  else rmSync(asideOf(path), { force: true })
}

function appendMark(path: string, mark: LogMark): void {
  appendFileSync(marksFile(path, 0), printMark(mark), { mode: 0o600 })
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

export function statOrNull(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null
}
