// Empty files made ahead. Where many files were removed a moment ago, ext4 passes over every inode that they had, and
// making a file costs as much as starting a program; giving one that is there a name costs a twentieth of that.
import { closeSync, mkdirSync, open, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { isDiskFull } from '../../lib/io/disk-full.js'

export interface SpareFilesOptions {
  /** Its own folder, on the file system of the files that it is to give. Made where there is none. */
  readonly folder: string
  /** How many there are when nobody takes any. */
  readonly count: number
  /** How long nobody has to have taken any before more are made, so that they never stand in the way of a burst. */
  readonly restMs: number
}

function readFolder(folder: string): string[] {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return readdirSync(folder).map((name) => join(folder, name))
  } catch (error) {
    if (isDiskFull(error)) return []
    throw error
  }
}

export class SpareFiles {
  readonly #options: SpareFilesOptions
  readonly #spares: string[]
  #timer: NodeJS.Timeout | null = null
  #made = 0
  #closed = false

  /** Takes up what an earlier holder of the folder has left. Throws where there can be no such folder, but for want of space. */
  constructor(options: SpareFilesOptions) {
    this.#options = options
    this.#spares = readFolder(options.folder)
    this.#fillLater()
  }

  /** Makes one of them the file at `path`, which must not be there; false where there is none to be had. */
  take(path: string): boolean {
    const spare = this.#spares.pop()
    this.#fillLater()
    if (spare === undefined) return false
    try {
      renameSync(spare, path)
      return true
    } catch {
      return false
    }
  }

  close(): void {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #fillLater(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#fill(), this.#options.restMs).unref()
  }

  /** One after the other in a thread. A file that cannot be made (the disk is full) ends it until one is taken again. */
  #fill(): void {
    const { folder, count } = this.#options
    if (this.#closed || this.#spares.length >= count) return
    this.#made += 1
    const path = join(folder, `${process.pid}-${this.#made}`)
    open(path, 'a', 0o600, (error, fd) => {
      if (error !== null) return
      closeSync(fd)
      this.#spares.push(path)
      this.#fill()
    })
  }
}
