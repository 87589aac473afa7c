// Where backups by schedule go.
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

/** A kind of place. Each function throws DriverError for what is wrong with the place. */
export interface BackupPlace {
  /**
   * Writes a backup and its checksum beside it, and reads back what is there. It is there as a whole or not at all; what is left
   * by an end of the process, `cleanUp` takes away. `open` is called once the place can be written to.
   */
  write(running: RunningBackup, open: () => Promise<Archive>, signal: AbortSignal): Promise<Written>
  /** Takes away what is there of a backup that has not come to its end. */
  cleanUp(running: RunningBackup, signal: AbortSignal): Promise<void>
  /** Deletes a whole backup, unless something else is there under its name. Resolves to whether that is so. */
  remove(made: MadeBackup, signal: AbortSignal): Promise<'removed' | 'foreign'>
}
