// Which volumes moves have taken away from this machine, noted beside the store: one that was restored from an older snapshot
// names this machine again, and their slots would begin here with nothing.
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../lib/io/error-code.js'
import { replaceFile } from '../../lib/io/replace-file.js'
import { parseJsonOrNone } from '../../lib/json.js'
import { byKeys } from '../../lib/sort.js'
import { type Instant, toIso } from '../../lib/time.js'
import { DriverError } from '../../model/driver-error.js'
import type { DriverKind } from '../../model/driver-kind.js'
import type { NamedVolume } from '../../unit/volumes.js'
import type { Driver } from '../driver.js'
import { volumeKeeper } from './local-volumes.js'

/** Notes beyond so many are forgotten, the oldest first: who restores a store takes one of the last snapshots. */
const keptAtMost = 1000

interface Note {
  /** The hostname of the machine that has the data. */
  readonly to: string
  readonly at: string
}

/** The notes of a machine: a file for each volume in a directory, so that an operator can take one away. */
export class MovedVolumes {
  readonly #dir: string
  readonly #drivers: ReadonlyMap<DriverKind, Driver>

  constructor(dir: string, drivers: ReadonlyMap<DriverKind, Driver>) {
    this.#dir = dir
    this.#drivers = drivers
  }

  /** To be written before the data are deleted. Rejects where it cannot be. */
  async note(uuid: string, to: string, at: Instant): Promise<void> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 })
    const text: Note = { to, at: toIso(at) }
    await replaceFile(this.#fileOf(uuid), JSON.stringify(text))
    await this.#forgetOldest()
  }

  /**
   * Throws DriverError `volume/moved-away` where a volume of a slot is not on this machine any more, as a move that the store
   * knows nothing of has taken it away; and those of drivers that do not answer.
   */
  async refuse(volumes: readonly NamedVolume[], signal: AbortSignal): Promise<void> {
    for (const { uuid, name, slot } of volumes) {
      const note = uuid === undefined ? null : await this.find(uuid, signal)
      if (uuid === undefined || note === null) continue
      throw new DriverError(
        'volume/moved-away',
        `the data of its volume ${name} of slot ${slot} were moved to ${note.to} at ${note.at}, and the store was restored to a time before that: mariposa volume list shows them there as unused, to be backed up by their uuid and restored into the slot; to begin with an empty volume, delete ${this.#fileOf(uuid)}`,
      )
    }
  }

  /** What is noted of a volume; null where nothing is, or a driver has data of it, which were put there since. */
  async find(uuid: string, signal: AbortSignal): Promise<Note | null> {
    const note = await this.#read(uuid)
    if (note === null) return null
    return (await volumeKeeper(this.#drivers, { uuid }, signal)) === null ? note : null
  }

  async #read(uuid: string): Promise<Note | null> {
    try {
      const note = parseJsonOrNone(await readFile(this.#fileOf(uuid), 'utf8')) as Partial<Note> | null
      return { to: note?.to ?? 'another machine', at: note?.at ?? 'an unknown time' }
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null
      throw error
    }
  }

  async #forgetOldest(): Promise<void> {
    const names = await readdir(this.#dir)
    if (names.length <= keptAtMost) return
    const dated = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(this.#dir, name))).mtimeMs })),
    )
    dated.sort(byKeys(({ at }) => at))
    await Promise.all(
      dated.slice(0, -keptAtMost).map(({ name }) => rm(join(this.#dir, name), { force: true })),
    )
  }

  #fileOf(uuid: string): string {
    return join(this.#dir, `${uuid}.json`)
  }
}
