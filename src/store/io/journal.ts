// The journal that is being written. What `append` accepted is on the disk; what it refused is not.
import { constants } from 'node:fs'
import { join } from 'node:path'
import type { Disk, DiskFile } from '../disk.js'
import type { Effect } from '../effect.js'
import { recordOf } from '../journal-record.js'
import { type Revision, StoreError } from '../store.js'
import { fileError } from './errors.js'
import { fileName, headerOf, writeWhole } from './files.js'
import { frameOf } from './frames.js'

/** Creates the journal of a generation that begins at a revision. */
export async function createJournal(
  disk: Disk,
  dir: string,
  generation: number,
  revision: Revision,
): Promise<Journal> {
  const header = frameOf(headerOf('journal', generation, revision))
  await writeWhole(disk, dir, fileName('journal', generation), [header])
  return openJournal(disk, dir, generation, header.length)
}

/** Opens a journal to go on after its first `bytes`. */
export async function openJournal(
  disk: Disk,
  dir: string,
  generation: number,
  bytes: number,
): Promise<Journal> {
  const path = join(dir, fileName('journal', generation))
  // A write returns when it is durable: one call in place of a write and a flush.
  const handle = await disk.open(path, constants.O_WRONLY | constants.O_DSYNC)
  return new Journal(path, generation, handle, bytes)
}

export class Journal {
  readonly generation: number
  readonly #path: string
  readonly #handle: DiskFile
  #bytes: number
  /** Why nothing more can be written; null while all is well. */
  #broken: StoreError | null = null

  constructor(path: string, generation: number, handle: DiskFile, bytes: number) {
    this.#path = path
    this.generation = generation
    this.#handle = handle
    this.#bytes = bytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Whether it takes nothing more, because nobody knows how it ends. */
  get isBroken(): boolean {
    return this.#broken !== null
  }

  /** Writes effects as one frame, and so all or none of them. One call at a time. */
  async append(effects: readonly Effect[]): Promise<void> {
    if (this.#broken !== null) throw this.#broken
    const frame = frameOf(effects.map(recordOf))
    try {
      await this.#write(frame)
    } catch (error) {
      throw await this.#takeBack(error)
    }
    this.#bytes += frame.length
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  async #write(frame: Buffer): Promise<void> {
    for (let done = 0; done < frame.length; ) {
      const { bytesWritten } = await this.#handle.write(frame, done, frame.length - done, this.#bytes + done)
      done += bytesWritten
    }
  }

  /**
   * Removes what a failed write left, durably, so that it is not found when the store is opened again. After any
   * failure but a lack of space nobody knows what the disk holds; then the journal takes no more.
   */
  async #takeBack(error: unknown): Promise<StoreError> {
    const failure = fileError(`write to ${this.#path}`, error)
    try {
      await this.#handle.truncate(this.#bytes)
      await this.#handle.sync()
    } catch (again) {
      this.#broken = readOnlyError(this.#path, again)
      return this.#broken
    }
    if (failure.code !== 'store/full') this.#broken = readOnlyError(this.#path, error)
    return this.#broken ?? failure
  }
}

function readOnlyError(path: string, cause: unknown): StoreError {
  return new StoreError(
    'store/read-only',
    `${path} could not be written, so the store takes no more changes`,
    'check the disk, then restart: what was acknowledged is kept',
    { cause },
  )
}
