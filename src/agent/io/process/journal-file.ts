// The journal on disk. It is not forced to the disk: what is written survives any end of the supervisor, and after a
// crash of the machine nothing that it speaks of runs any more.
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import {
  compactJournal,
  type JournalEntry,
  printEntry,
  type Replay,
  replayJournal,
  type UnitRecord,
} from '../../process/journal.js'
import { errorCode, fileError } from './home.js'

/** A journal is made short again when it is longer than this and several times what it need be. */
const compactFromBytes = 4 * 1024 * 1024
const compactRatio = 4
const newline = 10

/** The open journal; it is written by one supervisor alone. */
export class JournalFile {
  readonly #path: string
  #fd: number
  /** Up to here all lines are whole. */
  #size: number
  #compactAt = compactFromBytes

  constructor(path: string, fd: number, size: number) {
    this.#path = path
    this.#fd = fd
    this.#size = size
  }

  /** Adds a line, or nothing: throws DriverError `process/disk-full` or `process/record-not-written`. */
  append(entry: JournalEntry): void {
    const line = Buffer.from(printEntry(entry))
    try {
      const written = writeSync(this.#fd, line, 0, line.length, this.#size)
      if (written < line.length)
        writeSync(this.#fd, line, written, line.length - written, this.#size + written)
    } catch (error) {
      this.#cutBack()
      throw fileError('process/record-not-written', `${this.#path} cannot be written`, error)
    }
    this.#size += line.length
  }

  close(): void {
    closeSync(this.#fd)
  }

  /** Half a line at the end would swallow the next; the next write begins before it in any case. */
  #cutBack(): void {
    try {
      ftruncateSync(this.#fd, this.#size)
    } catch {
      // The next line is written over it, and what is left after that has no end and is cut off when it is read.
    }
  }

  /** Replaces a long journal by a short one of these records; where there is no room for both, it grows on. */
  compactIfLong(records: () => Iterable<UnitRecord>): void {
    if (this.#size < this.#compactAt) return
    const text = compactJournal(records())
    const size = Buffer.byteLength(text)
    this.#compactAt = Math.max(compactFromBytes, compactRatio * size, 2 * this.#size)
    try {
      replaceWhole(this.#path, text)
      const fd = openSync(this.#path, 'r+')
      closeSync(this.#fd)
      this.#fd = fd
      this.#size = size
      this.#compactAt = Math.max(compactFromBytes, compactRatio * size)
    } catch {
      // The journal as it is says the same.
    }
  }
}

/** A journal as it was found, with where its damaged copy was put aside. */
export interface FoundJournal extends Replay {
  readonly keptAside: string | null
  /** Opens it for writing. */
  open(): JournalFile
}

/** Reads the journal. A last line without an end was not acknowledged and is cut off. */
export function findJournal(path: string): FoundJournal {
  const bytes = readOrEmpty(path)
  const size = bytes.lastIndexOf(newline) + 1
  const replay = replayJournal(bytes.toString('utf8', 0, size))
  const keptAside = replay.damaged.length === 0 ? null : `${path}.damaged`
  if (keptAside !== null) copyFileSync(path, keptAside)
  return {
    ...replay,
    keptAside,
    open: () => {
      // Damage is told once: from here on the journal holds what could be read.
      if (keptAside !== null) replaceWhole(path, compactJournal(replay.records.values()))
      else appendFileSync(path, '', { mode: 0o600 })
      const fd = openSync(path, 'r+')
      const kept = keptAside === null ? size : readFileSync(path).length
      ftruncateSync(fd, kept)
      return new JournalFile(path, fd, kept)
    },
  }
}

/** The one text or the other, at any moment. */
function replaceWhole(path: string, text: string): void {
  const draft = `${path}.new`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, path)
}

function readOrEmpty(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0)
    throw fileError('process/home-unusable', `${path} cannot be read`, error)
  }
}
