// The files of the volumes of a machine, behind the product's own port: what is put in the place of other data, the marks
// beside them, and archives of them. What is not written out yet may be lost with the power; the disk may be full.
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { diskFull } from '../../src/agent/io/volume-archive.js'
import type { VolumeFiles } from '../../src/agent/io/volume-files.js'
import { abortable } from '../../src/lib/io/abortable.js'
import { DriverError } from '../../src/model/driver-error.js'
import type { Clockwork, Dice, MachineTime } from './clockwork.js'
import type { Written } from './volumes.js'

/** What lies at a path. */
type Entry =
  | { readonly kind: 'text'; readonly text: string }
  /** `torn`: what is there is not whole. `isLoose`: it is not written out. */
  | {
      readonly kind: 'data'
      readonly written: Written | 'torn' | null
      readonly isLoose: boolean
      readonly isTouched: boolean
    }
  | { readonly kind: 'directory' }

type Entries = Map<string, Entry>

/** An archive has so many pieces, each of so many bytes. */
const pieces = 12
const pieceBytes = 256

export class VolumeTree {
  readonly #clockwork: Clockwork
  readonly #dice: Dice
  /** As programs see them. */
  #seen: Entries = new Map()
  /** As they were when all was written out last. */
  #kept: Entries = new Map()
  /** What has been done since, in order. */
  #since: ((entries: Entries) => void)[] = []
  #fullUntil = 0

  constructor(clockwork: Clockwork, machine: string) {
    this.#clockwork = clockwork
    this.#dice = clockwork.dice(`volumes of ${machine}`)
  }

  /** The disk has no room for so long. */
  full(ms: number): void {
    this.#fullUntil = Math.max(this.#fullUntil, this.#clockwork.now + ms)
  }

  healed(): void {
    this.#fullUntil = 0
  }

  /** Of what was done since all was written out the first part lasts; data that were not written out may be torn. */
  powerOff(): void {
    const lasts = this.#since.slice(0, this.#dice.between(0, this.#since.length + 1))
    this.#seen = new Map(this.#kept)
    for (const change of lasts) change(this.#seen)
    for (const [path, entry] of this.#seen)
      if (entry.kind === 'data' && entry.isLoose && this.#dice.chance(0.7))
        this.#seen.set(path, { ...entry, written: 'torn' })
    this.#writeOut()
  }

  /** What is in a directory; null: nothing, or there is none. */
  writtenIn(dir: string): Written | 'torn' | null {
    const entry = this.#seen.get(dir)
    return entry?.kind === 'data' ? entry.written : null
  }

  /** What would be in it if the power ended now. */
  keptIn(dir: string): Written | 'torn' | null {
    const entry = this.#kept.get(dir)
    return entry?.kind === 'data' ? entry.written : null
  }

  has(path: string): boolean {
    return this.#seen.has(path)
  }

  textIn(file: string): string | null {
    const entry = this.#seen.get(file)
    return entry?.kind === 'text' ? entry.text : null
  }

  /** An empty volume, of which is known for good that it is there. */
  make(dir: string): void {
    this.#put(dir, { kind: 'data', written: null, isLoose: false, isTouched: true })
    this.#writeOut()
  }

  /** A program writes, and waits until that lasts. */
  write(dir: string, written: Written): void {
    this.#put(dir, { kind: 'data', written, isLoose: false, isTouched: true })
    this.#writeOut()
  }

  /** A volume goes with all that is beside its data. */
  drop(dir: string): void {
    this.#remove(dir, dir)
    this.#writeOut()
  }

  /** As a daemon sees them, until it is gone. */
  filesOf(time: MachineTime, gone: AbortSignal): VolumeFiles {
    // What waits for a daemon that is gone waits for ever.
    const rest = (mostMs: number): Promise<void> =>
      new Promise((resolve) => time.after(this.#dice.between(1, mostMs), resolve))
    const alive = (): void => {
      if (gone.aborted) throw new Error('the daemon is gone')
    }
    const act = <T>(what: () => T): T => {
      alive()
      return what()
    }
    return {
      exists: (path) => act(() => this.has(path)),
      isEmpty: async (dir) => act(() => this.writtenIn(dir) === null),
      readText: (file) => act(() => this.textIn(file)),
      writeText: (file, text) => act(() => this.#put(file, { kind: 'text', text })),
      removeFile: (file) => act(() => this.#change((entries) => void entries.delete(file))),
      rename: (from, to) => act(() => this.#rename(from, to)),
      makeDir: (dir) => act(() => this.#put(dir, { kind: 'directory' })),
      makeLike: async (_dir, made) =>
        act(() => this.#put(made, { kind: 'data', written: null, isLoose: true, isTouched: false })),
      isUntouched: async (dir) =>
        act(() => {
          const entry = this.#seen.get(dir)
          return entry?.kind === 'data' && !entry.isTouched
        }),
      removeTree: async (dir) => {
        if (!this.#below(dir)) return
        this.#tear(dir)
        await rest(200)
        if (!gone.aborted) this.#remove(dir, `${dir}/`)
      },
      writeOut: async () => {
        await rest(300)
        this.#writeOut()
      },
      refuseWithoutPrograms: () => rest(5),
      pack: (dir) => this.#pack(dir, rest),
      unpack: async (dir, source, { signal }) => await this.#unpack(dir, source, signal, rest),
    }
  }

  #pack(dir: string, rest: (mostMs: number) => Promise<void>): ReturnType<VolumeFiles['pack']> {
    const before = this.#seen.get(dir)
    async function* make(): AsyncGenerator<Uint8Array> {
      if (before?.kind !== 'data') throw new DriverError('volume/failed', `tar cannot read ${dir}`)
      const bytes = Buffer.alloc(pieces * pieceBytes, ' ')
      bytes.write(JSON.stringify(before.written))
      for (let n = 0; n < pieces; n++) {
        await rest(2000)
        yield bytes.subarray(n * pieceBytes, (n + 1) * pieceBytes)
      }
    }
    const stream = Readable.from(make(), { objectMode: false, highWaterMark: pieceBytes })
    const done = finished(stream, { writable: false }).then(() => ({
      isChanged: this.#seen.get(dir) !== before,
    }))
    done.catch(() => {})
    return { stream, done }
  }

  async #unpack(
    dir: string,
    source: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    rest: (mostMs: number) => Promise<void>,
  ): Promise<void> {
    const parts: Uint8Array[] = []
    const from = source[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await abortable(from.next(), signal)
        this.#refuseFull(dir)
        this.#put(dir, { kind: 'data', written: 'torn', isLoose: true, isTouched: true })
        if (done === true) break
        parts.push(value)
        await rest(20)
      }
    } catch (error) {
      from.return?.().catch(() => {})
      throw error
    }
    const written = JSON.parse(Buffer.concat(parts).toString()) as Written | 'torn' | null
    this.#put(dir, { kind: 'data', written, isLoose: true, isTouched: true })
  }

  #refuseFull(dir: string): void {
    if (this.#clockwork.now < this.#fullUntil) throw diskFull(dir, 'No space left on device')
  }

  #below(dir: string): boolean {
    return [...this.#seen.keys()].some((path) => path === dir || path.startsWith(`${dir}/`))
  }

  /** A removal that is broken off leaves a part. */
  #tear(dir: string): void {
    for (const [path, entry] of [...this.#seen])
      if ((path === dir || path.startsWith(`${dir}/`)) && entry.kind === 'data')
        this.#put(path, { ...entry, written: 'torn', isTouched: true })
  }

  #remove(dir: string, beginning: string): void {
    this.#change((entries) => {
      for (const path of [...entries.keys()])
        if (path === dir || path.startsWith(beginning)) entries.delete(path)
    })
  }

  #rename(from: string, to: string): void {
    this.#change((entries) => {
      for (const [path, entry] of [...entries]) {
        if (path !== from && !path.startsWith(`${from}/`)) continue
        entries.delete(path)
        entries.set(`${to}${path.slice(from.length)}`, entry)
      }
    })
  }

  #put(path: string, entry: Entry): void {
    if (entry.kind !== 'data' || entry.isLoose) this.#refuseFull(path)
    this.#change((entries) => void entries.set(path, entry))
  }

  #change(change: (entries: Entries) => void): void {
    change(this.#seen)
    this.#since.push(change)
  }

  #writeOut(): void {
    for (const [path, entry] of this.#seen)
      if (entry.kind === 'data' && entry.isLoose) this.#seen.set(path, { ...entry, isLoose: false })
    this.#kept = new Map(this.#seen)
    this.#since = []
  }
}
