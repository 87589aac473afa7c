// The disk of a machine: what was written lasts when it was synced, or may; what was on its way at the end of the power is
// torn. It may be full, fail, and lose a bit.
import { constants } from 'node:fs'
import { dirname } from 'node:path'
import type { Disk, DiskFile } from '../../src/store/disk.js'
import type { Clockwork, Dice } from './clockwork.js'

const sectorBytes = 512

/** A file's content as programs see it, and as the disk has it. */
interface Inode {
  seen: Buffer
  kept: Buffer
}

/** A name that was given or taken, and is not durable until its directory is synced. */
interface Renaming {
  readonly dir: string
  readonly apply: (names: Map<string, Inode>) => void
}

/** What is being written through, and is torn where the power ends before it is over. */
interface Writing {
  readonly inode: Inode
  readonly bytes: Buffer
  readonly position: number
}

export class SimulatedDisk {
  readonly #clockwork: Clockwork
  readonly #dice: Dice
  /** As programs see them. */
  #names = new Map<string, Inode>()
  /** As they are found after the end of the power. */
  #keptNames = new Map<string, Inode>()
  #renamings: Renaming[] = []
  readonly #writings = new Set<Writing>()
  #fullUntil = 0
  #failsUntil = 0
  #flipped: { readonly path: string; readonly at: number; readonly bit: number } | null = null

  constructor(clockwork: Clockwork) {
    this.#clockwork = clockwork
    this.#dice = clockwork.dice('disk')
  }

  /** Whether it has done what no sound disk does, since when a store on it may refuse to be written. */
  get isBad(): boolean {
    return this.#clockwork.now < Math.max(this.#fullUntil, this.#failsUntil)
  }

  /** Where a bit was turned that was not turned back. */
  get flipped(): string | null {
    return this.#flipped?.path ?? null
  }

  full(ms: number): void {
    this.#fullUntil = this.#clockwork.now + ms
  }

  fail(ms: number): void {
    this.#failsUntil = this.#clockwork.now + ms
  }

  /** All of it works again, and what was turned is as it was, as after a restore from a backup. */
  mend(): void {
    this.#fullUntil = this.#failsUntil = 0
    const flipped = this.#flipped
    this.#flipped = null
    if (flipped !== null) this.#turn(flipped.path, flipped.at, flipped.bit)
  }

  /** A bit of a file turns while nobody has it open. False where there is none, or one is turned already. */
  flip(): boolean {
    const path = this.#dice.pick([...this.#names.keys()].sort())
    const bytes = path === undefined ? 0 : (this.#names.get(path)?.seen.length ?? 0)
    if (path === undefined || bytes === 0 || this.#flipped !== null) return false
    const [at, bit] = [this.#dice.between(0, bytes), this.#dice.between(0, 8)]
    this.#flipped = { path, at, bit }
    this.#turn(path, at, bit)
    return true
  }

  /** What is turned is nowhere where anybody reads it: it stays so. */
  settle(): void {
    this.#flipped = null
  }

  /** The process is gone: what it was writing is there, or was not begun. */
  left(): void {
    for (const { inode, bytes, position } of this.#writings)
      if (this.#dice.chance(0.5)) inode.seen = inode.kept = written(inode.seen, bytes, position)
    this.#writings.clear()
  }

  /** The power ends: what was synced stays, what was not stays or not, and what was on its way is there in part. */
  powerOff(): void {
    const { random } = this.#dice
    for (const { inode, bytes, position } of this.#writings) tear(inode, bytes, position, random)
    this.#writings.clear()
    // Names are made durable in the order in which they were given.
    const lasting = this.#renamings.slice(0, this.#dice.between(0, this.#renamings.length + 1))
    for (const { apply } of lasting) apply(this.#keptNames)
    this.#renamings = []
    for (const inode of new Set([...this.#names.values(), ...this.#keptNames.values()])) {
      // What was not synced may be there, or the file may only be as long; at the end, or not at all.
      if (inode.kept.length < inode.seen.length && this.#dice.chance(0.5))
        tear(inode, inode.seen.subarray(inode.kept.length), inode.kept.length, random)
      inode.seen = Buffer.from(inode.kept)
    }
    this.#names = new Map(this.#keptNames)
  }

  /** The disk as a process sees it: one that is gone does nothing any more. */
  mount(gone: AbortSignal): Disk {
    const act = <T>(mostMs: number, what: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        if (gone.aborted) return
        const ms = this.#dice.between(0, mostMs)
        const done = (): void => {
          if (gone.aborted) return
          try {
            if (this.#clockwork.now < this.#failsUntil) throw systemError('EIO', 'the disk fails')
            resolve(what())
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)))
          }
        }
        if (ms === 0) done()
        else this.#clockwork.after(ms, done)
      })
    return {
      mkdir: () => act(2, () => undefined),
      open: (path, flags) => act(2, () => this.#open(path, flags, gone, act)),
      readFile: (path) => act(3, () => Buffer.from(this.#file(path).seen)),
      readdir: (path) =>
        act(2, () =>
          [...this.#names.keys()]
            .filter((name) => dirname(name) === path)
            .map((name) => name.slice(path.length + 1)),
        ),
      rename: (from, to) =>
        act(2, () => {
          const inode = this.#file(from)
          this.#rename(dirname(to), (names) => {
            names.delete(from)
            names.set(to, inode)
          })
        }),
      unlink: (path) =>
        act(2, () => {
          this.#file(path)
          this.#rename(dirname(path), (names) => names.delete(path))
        }),
    }
  }

  #open(path: string, flags: string | number, gone: AbortSignal, act: Act): DiskFile {
    if (flags === 'r') return this.#directory(path, act)
    if (flags === 'w') this.#create(path)
    const inode = this.#file(path)
    const isThrough = typeof flags === 'number' && (flags & constants.O_DSYNC) === constants.O_DSYNC
    const write = (bytes: Buffer, position: number): void => {
      if (this.#clockwork.now < this.#fullUntil) throw systemError('ENOSPC', 'no space is left')
      inode.seen = written(inode.seen, bytes, position)
      if (isThrough) inode.kept = written(inode.kept, bytes, position)
    }
    return {
      write: async (bytes, offset, length, position) => {
        const some = Buffer.from(bytes.subarray(offset, offset + length))
        const writing = { inode, bytes: some, position }
        if (!gone.aborted && isThrough) this.#writings.add(writing)
        try {
          return await act(8, () => {
            // Of what does not fit a part may be there all the same.
            if (this.#clockwork.now < this.#fullUntil && this.#dice.chance(0.5))
              inode.seen = inode.kept = written(inode.seen, some.subarray(0, some.length >> 1), position)
            write(some, position)
            return { bytesWritten: some.length }
          })
        } finally {
          this.#writings.delete(writing)
        }
      },
      appendFile: (bytes) => act(2, () => write(bytes, inode.seen.length)),
      truncate: (length) =>
        act(3, () => {
          inode.seen = Buffer.from(inode.seen.subarray(0, length))
        }),
      sync: () =>
        act(6, () => {
          inode.kept = Buffer.from(inode.seen)
        }),
      close: () => act(1, () => undefined),
    }
  }

  #directory(path: string, act: Act): DiskFile {
    const wrong = (): Promise<never> => Promise.reject(systemError('EISDIR', path))
    return {
      ...{ write: wrong, appendFile: wrong, truncate: wrong },
      sync: () =>
        act(6, () => {
          for (const { dir, apply } of this.#renamings) if (dir === path) apply(this.#keptNames)
          this.#renamings = this.#renamings.filter(({ dir }) => dir !== path)
        }),
      close: () => act(1, () => undefined),
    }
  }

  #create(path: string): void {
    if (this.#clockwork.now < this.#fullUntil) throw systemError('ENOSPC', 'no space is left')
    const inode: Inode = { seen: Buffer.alloc(0), kept: Buffer.alloc(0) }
    this.#rename(dirname(path), (names) => names.set(path, inode))
  }

  #rename(dir: string, apply: Renaming['apply']): void {
    apply(this.#names)
    this.#renamings.push({ dir, apply })
  }

  #file(path: string): Inode {
    const inode = this.#names.get(path)
    if (inode === undefined) throw systemError('ENOENT', path)
    return inode
  }

  #turn(path: string, at: number, bit: number): void {
    const inode = this.#names.get(path)
    if (inode === undefined) return
    for (const bytes of [inode.seen, inode.kept]) {
      const byte = bytes[at]
      if (byte !== undefined) bytes[at] = byte ^ (1 << bit)
    }
  }
}

type Act = <T>(mostMs: number, what: () => T) => Promise<T>

/** Each sector of a write is there or is not; one that the file has grown by and that is not reads as zeros. */
function tear(inode: Inode, bytes: Buffer, position: number, random: () => number): void {
  const whole = written(inode.kept, bytes, position)
  const torn = written(inode.kept, Buffer.alloc(bytes.length), position)
  const end = position + bytes.length
  for (let from = position - (position % sectorBytes); from < end; from += sectorBytes) {
    const to = Math.min(end, from + sectorBytes)
    if (random() < 0.5) whole.copy(torn, from, from, to)
    // What was there before is in a sector whose old content stays.
    else if (from < inode.kept.length) inode.kept.copy(torn, from, from, Math.min(to, inode.kept.length))
  }
  const length = random() < 0.5 ? end : inode.kept.length
  inode.kept = torn.subarray(0, Math.max(inode.kept.length, length))
}

function written(before: Buffer, bytes: Buffer, position: number): Buffer {
  const after = Buffer.alloc(Math.max(before.length, position + bytes.length))
  before.copy(after)
  bytes.copy(after, position)
  return after
}

function systemError(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${message}`), { code })
}
