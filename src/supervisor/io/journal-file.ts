// The journal on disk. It is not forced to the disk: what is written survives any end of the supervisor, and after a
// crash of the machine nothing that it speaks of runs any more.
//
// Behind its lines the file has zeros, which the next lines are written over: on a disk that is full what is to run can be
// started all the same, and restarted, for a while. Whoever reads the file reads up to the last end of a line.
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { isDiskFull } from '../../lib/io/disk-full.js'
import { errorCode } from '../../lib/io/error-code.js'
import {
  compactJournal,
  type JournalEntry,
  printEntry,
  type Replay,
  replayJournal,
  type UnitRecord,
} from '../journal.js'
import { fileError } from './home.js'

/** A journal is made short again when it is longer than this and several times what it need be. */
const compactFromBytes = 4 * 1024 * 1024
const compactRatio = 4
const newline = 10
/** Room for some hundred changes of state. */
const reserveBytes = 256 * 1024

/** The open journal; it is written by one supervisor alone. */
export class JournalFile {
  readonly #path: string
  #fd: number
  /** Up to here all lines are whole. */
  #size: number
  /** Up to here the file has its place on the disk. */
  #reserved: number
  #compactAt = compactFromBytes

  constructor(path: string, fd: number, size: number) {
    this.#path = path
    this.#fd = fd
    this.#size = size
    this.#reserved = fstatSync(fd).size
    this.#blank()
    this.#reserve()
  }

  /** Adds a line, or nothing: throws DriverError `process/disk-full` or `process/record-not-written`. */
  append(entry: JournalEntry): void {
    const line = Buffer.from(printEntry(entry))
    try {
      const written = writeSync(this.#fd, line, 0, line.length, this.#size)
      if (written < line.length)
        writeSync(this.#fd, line, written, line.length - written, this.#size + written)
    } catch (error) {
      this.#blank()
      throw fileError('process/record-not-written', `${this.#path} cannot be written`, error)
    }
    this.#size += line.length
    this.#reserve()
  }

  close(): void {
    closeSync(this.#fd)
  }

  /** Half a line at the end would swallow the next; the next write begins before it in any case. */
  #blank(): void {
    try {
      this.#reserved = Math.max(this.#reserved, this.#size)
      ftruncateSync(this.#fd, this.#reserved)
      if (this.#reserved > this.#size)
        writeSync(this.#fd, Buffer.alloc(this.#reserved - this.#size), 0, undefined, this.#size)
    } catch {
      // The next line is written over it, and what is left after that has no end and is cut off when it is read.
    }
  }

  /** Keeps place for what comes; half of it is enough while the disk has no more. */
  #reserve(): void {
    const end = this.#size + reserveBytes
    this.#reserved = Math.max(this.#reserved, this.#size)
    if (end - this.#reserved < reserveBytes / 2) return
    try {
      this.#reserved += writeSync(this.#fd, Buffer.alloc(end - this.#reserved), 0, undefined, this.#reserved)
    } catch {
      // The disk is full: what there is has to do.
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
      this.#reserved = size
      this.#reserve()
      this.#compactAt = Math.max(compactFromBytes, compactRatio * size)
    } catch {
      // The journal as it is says the same.
    }
  }
}

/** A journal as it was found, with where its damaged copy was put aside. */
interface FoundJournal extends Replay {
  readonly keptAside: string | null
  /** Opens it for writing. */
  open(): JournalFile
}

/** Reads the journal. A last line without an end was not acknowledged and is cut off. */
export function findJournal(path: string): FoundJournal {
  const bytes = readOrEmpty(path)
  const size = bytes.lastIndexOf(newline) + 1
  const replay = replayJournal(bytes.toString('utf8', 0, size))
  const aside = `${path}.damaged`
  const isKept = replay.damaged.length > 0 && isDone(() => copyFileSync(path, aside))
  return {
    ...replay,
    keptAside: isKept ? aside : null,
    open: () => {
      // Damage is told once: from here on the journal holds what could be read, where the disk has room for that.
      const isMended = isKept && isDone(() => replaceWhole(path, compactJournal(replay.records.values())))
      if (!isMended) appendFileSync(path, '', { mode: 0o600 })
      const fd = openSync(path, 'r+')
      return new JournalFile(path, fd, isMended ? fstatSync(fd).size : size)
    },
  }
}

/** Does something unless the disk is full; whether it is done. */
function isDone(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (!isDiskFull(error)) throw error
    return false
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
