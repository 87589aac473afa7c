// Tends the logs of units that run, about once a second while they grow, and not at all while they are quiet: then
// inotify waits for the next line. A file that is written all the time is not watched, for each write would wake us.
import { type FSWatcher, watch } from 'node:fs'
import { describeError, type Log } from '../../../lib/io/log.js'
import { LogKeeper, type LogLimits } from './log-keeper.js'
import type { LogPaths } from './unit-logs.js'

const everyMs = 1000

export class LogWatch {
  readonly #keeper: LogKeeper
  readonly #log: Log
  /** Files that grow, or may have grown. */
  readonly #growing = new Set<string>()
  /** Files that are quiet. */
  readonly #quiet = new Map<string, FSWatcher>()
  #timer: NodeJS.Timeout | null = null

  constructor(limits: LogLimits, log: Log) {
    this.#keeper = new LogKeeper(limits)
    this.#log = log
  }

  /** The unit of these files runs. May be said any number of times. */
  begin({ stdout, stderr }: LogPaths): void {
    for (const path of [stdout, stderr]) if (!this.#quiet.has(path)) this.#grows(path)
  }

  /** It does not run any more: notes what it wrote last. */
  end({ stdout, stderr }: LogPaths): void {
    for (const path of [stdout, stderr]) {
      if (!this.#growing.delete(path) && !this.#quiet.has(path)) continue
      this.#unwatch(path)
      this.#guard(path, () => this.#keeper.forget(path))
    }
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const path of [...this.#quiet.keys()]) this.#unwatch(path)
  }

  #grows(path: string): void {
    this.#growing.add(path)
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#tick()
    }, everyMs)
  }

  #tick(): void {
    for (const path of [...this.#growing]) {
      this.#growing.delete(path)
      // Watched first and looked at then: a line in between is seen by one or the other.
      const grew = this.#tend(path) || !this.#watch(path) || this.#tend(path)
      if (!grew) continue
      this.#unwatch(path)
      this.#grows(path)
    }
  }

  #tend(path: string): boolean {
    return this.#guard(path, () => this.#keeper.tend(path))
  }

  /** False where the system has no watches left: the file is looked at every second then. */
  #watch(path: string): boolean {
    try {
      const watcher = watch(path, () => {
        this.#unwatch(path)
        this.#grows(path)
      })
      watcher.on('error', () => this.#unwatch(path))
      this.#quiet.set(path, watcher)
      return true
    } catch {
      return false
    }
  }

  #unwatch(path: string): void {
    this.#quiet.get(path)?.close()
    this.#quiet.delete(path)
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
