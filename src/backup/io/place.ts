// Where backups by schedule go.
import type { Readable } from 'node:stream'
import type { MadeBackup, RunningBackup } from '../../model/backup.js'

/** What was written. */
export interface Written {
  readonly bytes: number
  readonly sha256: string
}

/** An archive as it is made, with its size and checksum so far. */
export interface Archive {
  readonly chunks: AsyncIterable<Uint8Array>
  /** Resolves once all of it was made. Throws where it broke off. */
  readonly whole: () => Promise<Written>
}

/** A backup that has failed, and of which something is left that could not be taken away yet: `cleanUp` has to. */
export class LeftBehind extends Error {
  override readonly name = 'LeftBehind'
  /** Why it has failed. */
  readonly why: unknown

  constructor(why: unknown) {
    super('parts of a failed backup remain', { cause: why })
    this.why = why
  }
}

/** A kind of place. Each function throws DriverError for what is wrong with the place. */
export interface BackupPlace {
  /**
   * Writes a backup and its checksum beside it, and makes sure of what is there. It is there as a whole or not at all; what is left
   * by an end of the process, `cleanUp` takes away. `open` is called once the place can be written to. Throws LeftBehind where it
   * fails and cannot take away what it has begun.
   */
  write(running: RunningBackup, open: () => Promise<Archive>, signal: AbortSignal): Promise<Written>
  /**
   * What is there of a backup whose end nobody has noted, if it is whole and verified; null where it is not. Its process ended before it
   * could note that, or the store forgot it, as it was restored from a backup of its own.
   */
  whole(running: RunningBackup, signal: AbortSignal): Promise<Written | null>
  /** Takes away what is there of a backup that has not come to its end. */
  cleanUp(running: RunningBackup, signal: AbortSignal): Promise<void>
  /**
   * What a whole backup holds, once it is there and as large as it was. It is read when somebody reads of the stream, which fails with
   * DriverError; its checksum is for the reader to compare.
   */
  read(made: MadeBackup, signal: AbortSignal): Promise<Readable>
  /** Deletes a whole backup, unless something else is there under its name. Resolves to whether that is so. */
  remove(made: MadeBackup, signal: AbortSignal): Promise<'removed' | 'foreign'>
}
