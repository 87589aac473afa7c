// An archive on its way to another machine. It outlives the connection that it is sent over: the program that makes it waits, and the
// next connection gets the rest. Made anew, all that was sent before would have to be read again first.
import type { VolumeFiles } from '../../agent/io/volume-files.js'
import { SentTail } from '../sent-tail.js'
import { measured } from './volume-archives.js'

/**
 * What was sent and may never have come: it lies in the buffers of both kernels (4 and 6 MiB by default, at the most) and of what is
 * in between. Who has lost more has the archive made anew.
 */
const heldAtMostBytes = 32 * 1024 ** 2

/** Begins an archive of all that is in a directory. */
export function openOutgoing(files: VolumeFiles, dir: string): OutgoingArchive {
  return new OutgoingArchive(files, dir)
}

export class OutgoingArchive {
  readonly #abort = new AbortController()
  readonly #packed: ReturnType<VolumeFiles['pack']>
  readonly #told: ReturnType<typeof measured>
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #tail = new SentTail(heldAtMostBytes)
  #pulling: Promise<boolean> | null = null
  #isBroken = false

  constructor(files: VolumeFiles, dir: string) {
    this.#packed = files.pack(dir, { compressed: false, signal: this.#abort.signal })
    this.#told = measured(this.#packed.stream)
    this.#chunks = this.#told.stream[Symbol.asyncIterator]()
  }

  /** Whether it can be sent from there on. */
  reaches(offset: number): boolean {
    return !this.#isBroken && this.#tail.reaches(offset)
  }

  /** What is behind so many bytes, to its end. Throws where `signal` aborts, or the rest cannot be made. */
  async *behind(offset: number, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    let at = offset
    for (;;) {
      signal.throwIfAborted()
      const bytes = this.#tail.behind(at)
      if (bytes !== null) {
        at += bytes.length
        yield bytes
      } else if (!(await this.#more())) return
    }
  }

  /** Of all of it, once it was made to its end. */
  sha256(): string {
    return this.#told.sha256()
  }

  /** Ends what makes it. */
  end(): void {
    this.#isBroken = true
    this.#abort.abort()
    this.#packed.stream.destroy()
    // Nobody may ask for the rest, which would end it by itself.
    this.#chunks.return?.().catch(() => {})
  }

  /** Takes one more piece, whoever wants it: one who has gone since may still wait for it. */
  #more(): Promise<boolean> {
    this.#pulling ??= this.#pull().finally(() => {
      this.#pulling = null
    })
    return this.#pulling
  }

  async #pull(): Promise<boolean> {
    try {
      const { done, value } = await this.#chunks.next()
      if (done !== true) {
        this.#tail.push(value)
        return true
      }
      const { isChanged } = await this.#packed.done
      // What somebody has changed all the same is not what was sent before.
      if (isChanged) throw new Error('something in it was changed while it was read')
      return false
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }
}
