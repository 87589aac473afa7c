// The durable store of a single machine: the state in memory, every change in a journal first.
import * as systemDisk from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { describeError, type Log, silentLog } from '../../lib/io/log.js'
import type { Clock, Time } from '../../lib/time.js'
import type { DirectoryLock, Disk } from '../disk.js'
import type { Effect } from '../effect.js'
import type { StoreState } from '../state.js'
import type { Store } from '../store.js'
import { GroupCommitter } from './committer.js'
import { fileError } from './errors.js'
import { fileName, syncDirectory, unfinished, unlinkIfThere } from './files.js'
import { createJournal, type Journal } from './journal.js'
import { defaultHistoryLimit, localStore } from './local-store.js'
import { closeAndRelease, lockDirectory } from './lock.js'
import { type Recovered, recover } from './recovery.js'
import { imageOf, writeSnapshot } from './snapshot.js'

export interface EmbeddedStoreOptions {
  /** The store's own directory; made where it is missing, for its owner alone: a store holds secrets. */
  readonly dir: string
  /** For how long leases last: one that is never set serves best. */
  readonly clock: Clock
  /** How many revisions a watch may begin in the past. */
  readonly historyLimit?: number
  /** A journal longer than this, and than the last snapshot, makes way for a new snapshot. Default 16 MiB. */
  readonly rotateBytes?: number
  readonly log?: Log
  /** What leases are waited for with; default: the machine's. */
  readonly timers?: Pick<Time, 'after'>
  /** Where the files are; default: the machine's. */
  readonly disk?: Disk
  /** Takes the directory for this process alone, or throws `store/locked`; default: a socket in it. */
  readonly lock?: (dir: string) => Promise<DirectoryLock>
  /** Lets others ask, who then share a write; default: a turn of the process. */
  readonly nextTurn?: () => Promise<void>
}

/** Opens the store in a directory. Throws StoreError; files that cannot be understood are left as they are. */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<Store> {
  const { clock, timers, historyLimit = defaultHistoryLimit } = options
  const { rotateBytes = 16 * 2 ** 20, log = silentLog } = options
  const { disk = systemDisk, lock: take = lockDirectory, nextTurn } = options
  const dir = resolve(options.dir)
  try {
    await makeDirectory(disk, dir)
    const lock = await take(dir)
    try {
      const recovered = await recover(disk, dir, historyLimit, log)
      const journals = new Journals(disk, dir, recovered, rotateBytes, log)
      return localStore({
        state: recovered.state,
        history: recovered.history,
        clock,
        ...(timers && { timers }),
        commitWith: (announce) =>
          new GroupCommitter(recovered.state, (effects) => journals.append(effects), announce, nextTurn),
        close: () => closeAndRelease(journals, lock),
      })
    } catch (error) {
      await lock.release()
      throw error
    }
  } catch (error) {
    throw fileError(`open the store in ${dir}`, error)
  }
}

async function makeDirectory(disk: Disk, dir: string): Promise<void> {
  const made = await disk.mkdir(dir, { recursive: true, mode: 0o700 })
  if (made === undefined) return
  for (let path = dir; path.length >= made.length; path = dirname(path))
    await syncDirectory(disk, dirname(path))
}

/** The journal of the day, and the snapshots that keep it short. */
class Journals {
  readonly #disk: Disk
  readonly #dir: string
  readonly #state: StoreState
  readonly #rotateBytes: number
  readonly #log: Log
  #journal: Journal
  #snapshotBytes: number
  /** The oldest generation that is still needed. */
  #oldest: number
  /** Where the journal stood at the last attempt to begin a new one that failed. */
  #triedAt = 0
  #snapshot: Promise<void> | null = null

  constructor(disk: Disk, dir: string, recovered: Recovered, rotateBytes: number, log: Log) {
    this.#disk = disk
    this.#dir = dir
    this.#state = recovered.state
    this.#journal = recovered.journal
    this.#snapshotBytes = recovered.snapshotBytes
    this.#oldest = recovered.oldest
    this.#rotateBytes = rotateBytes
    this.#log = log
  }

  async append(effects: readonly Effect[]): Promise<void> {
    if (this.#isLong()) await this.#rotate()
    await this.#journal.append(effects)
  }

  async close(): Promise<void> {
    await this.#snapshot
    await this.#leave(this.#journal)
  }

  /** All that it holds was durable before it was acknowledged: that it cannot be closed takes nothing away. */
  async #leave(journal: Journal): Promise<void> {
    try {
      await journal.close()
    } catch (error) {
      const name = fileName('journal', journal.generation)
      this.#log.warn('store', `could not close ${name}; no data is lost`, {
        error: describeError(error),
      })
    }
  }

  #isLong(): boolean {
    // Nobody knows how one ends that could not be written: another one may not follow it.
    if (this.#journal.isBroken) return false
    const grown = this.#journal.bytes - this.#triedAt
    return this.#snapshot === null && grown > Math.max(this.#rotateBytes, this.#snapshotBytes)
  }

  /**
   * Begins a new generation: from here on changes go to its journal, and its snapshot is written meanwhile. Until
   * that is complete the older files are kept, and together with the new journal they say the same.
   */
  async #rotate(): Promise<void> {
    const before = this.#journal
    const generation = before.generation + 1
    try {
      this.#journal = await createJournal(this.#disk, this.#dir, generation, this.#state.revision)
    } catch (error) {
      await this.#undoJournal(generation, error)
      this.#triedAt = before.bytes
      return
    }
    this.#triedAt = 0
    await this.#leave(before)
    this.#snapshot = this.#takeSnapshot(generation).finally(() => {
      this.#snapshot = null
    })
  }

  /** A journal that was begun in vain must be gone for good before the older one may grow past its beginning. */
  async #undoJournal(generation: number, error: unknown): Promise<void> {
    const name = fileName('journal', generation)
    try {
      await unlinkIfThere(this.#disk, join(this.#dir, name))
      await syncDirectory(this.#disk, this.#dir)
    } catch (again) {
      throw fileError(`remove ${join(this.#dir, name)}`, again)
    }
    await this.#giveUp(name, error)
  }

  async #takeSnapshot(generation: number): Promise<void> {
    try {
      this.#snapshotBytes = await writeSnapshot(this.#disk, this.#dir, generation, imageOf(this.#state))
      for (; this.#oldest < generation; this.#oldest++) await this.#remove(this.#oldest)
    } catch (error) {
      await this.#giveUp(fileName('snapshot', generation), error)
    }
  }

  async #remove(generation: number): Promise<void> {
    for (const kind of ['snapshot', 'journal'] as const)
      await unlinkIfThere(this.#disk, join(this.#dir, fileName(kind, generation)))
  }

  /** Not urgent: all that is acknowledged is in the journals. The next attempt comes when the journal has grown again. */
  async #giveUp(name: string, error: unknown): Promise<void> {
    this.#log.warn('store', `could not write ${name}; continuing without it`, { error: describeError(error) })
    await unlinkIfThere(this.#disk, join(this.#dir, name + unfinished)).catch(() => {
      // What is left of it is removed when the store is opened again.
    })
  }
}
