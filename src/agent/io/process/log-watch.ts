// Tends the logs of units that run, about once a second while they grow, and not at all while they are quiet: then
// inotify waits for the next line. A unit that writes all the time is not watched, for each write would wake us.
import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { describeError, type Log } from '../../../lib/io/log.js'
import { LogKeeper, type LogLimits } from './log-keeper.js'

const everyMs = 1000

export class LogWatch {
  readonly #keeper: LogKeeper
  readonly #log: Log
  /** Folders whose logs grow, or may have grown. */
  readonly #growing = new Set<string>()
  /** Folders that are quiet. */
  readonly #quiet = new Map<string, FSWatcher>()
  #timer: NodeJS.Timeout | null = null

  constructor(limits: LogLimits, log: Log) {
    this.#keeper = new LogKeeper(limits)
    this.#log = log
  }

  /** The unit of this folder runs. May be said any number of times. */
  begin(folder: string): void {
    if (!this.#quiet.has(folder)) this.#grows(folder)
  }

  /** It does not run any more: notes what it wrote last. */
  end(folder: string): void {
    if (!this.#growing.delete(folder) && !this.#quiet.has(folder)) return
    this.#unwatch(folder)
    for (const path of logsIn(folder)) this.#guard(path, () => this.#keeper.forget(path))
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const folder of [...this.#quiet.keys()]) this.#unwatch(folder)
  }

  #grows(folder: string): void {
    this.#growing.add(folder)
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#tick()
    }, everyMs)
  }

  #tick(): void {
    for (const folder of [...this.#growing]) {
      this.#growing.delete(folder)
      // Watched first and looked at then: a line in between is seen by one or the other.
      const grew = this.#tend(folder) || !this.#watch(folder) || this.#tend(folder)
      if (!grew) continue
      this.#unwatch(folder)
      this.#grows(folder)
    }
  }

  #tend(folder: string): boolean {
    return logsIn(folder)
      .map((path) => this.#guard(path, () => this.#keeper.tend(path)))
      .includes(true)
  }

  /** False where the system has no watches left: the folder is looked at every second then. */
  #watch(folder: string): boolean {
    try {
      const watcher = watch(folder, () => {
        this.#unwatch(folder)
        this.#grows(folder)
      })
      watcher.on('error', () => this.#unwatch(folder))
      this.#quiet.set(folder, watcher)
      return true
    } catch {
      return false
    }
  }

  #unwatch(folder: string): void {
    this.#quiet.get(folder)?.close()
    this.#quiet.delete(folder)
  }

  #guard(path: string, work: () => boolean): boolean {
    try {
      return work()
    } catch (error) {
      this.#log.warn('process', 'a log file could not be tended', { path, why: describeError(error) })
      return false
    }
  }
}

function logsIn(folder: string): readonly string[] {
  return [join(folder, 'stdout.log'), join(folder, 'stderr.log')]
}
