// Tends the logs of units that run: often while they grow fast, about once a second while they grow slowly, and not at
// all while they are quiet: then inotify waits for the next line. A file that is written all the time is not watched, for
// each write would wake us.
import { type FSWatcher, watch } from 'node:fs'
import { describeError, type Log } from '../../../lib/io/log.js'
import { LogKeeper, type LogLimits, type LogLook } from './log-keeper.js'
import type { LogPaths } from './unit-logs.js'

/** The longest and the shortest time between two looks at a file that grows. */
const slowestMs = 1000
const fastestMs = 10
/** The first look at a file that begins to grow: nobody knows yet how fast. */
const firstMs = 20
/** Looks that are far off are made together. */
const togetherMs = 50

/** A file that grows, or may have grown. */
interface Growing {
  readonly dueAt: number
  readonly waitMs: number
  readonly size: number
}

export class LogWatch {
  readonly #limits: LogLimits
  readonly #keeper: LogKeeper
  readonly #log: Log
  readonly #growing = new Map<string, Growing>()
  /** Files that are quiet. */
  readonly #quiet = new Map<string, FSWatcher>()
  readonly #rotating = new Set<string>()
  /** Files whose unit was unloaded while they were rotated. */
  readonly #removed = new Set<string>()
  /** Files of which something was left out; it is said once. */
  readonly #tooFast = new Set<string>()
  #timer: NodeJS.Timeout | null = null
  #timerAt = 0

  constructor(limits: LogLimits, log: Log) {
    this.#limits = limits
    this.#keeper = new LogKeeper(limits)
    this.#log = log
  }

  /** The unit of these files runs. May be said any number of times. */
  begin({ stdout, stderr }: LogPaths): void {
    for (const path of [stdout, stderr]) {
      if (!this.#quiet.has(path) && !this.#growing.has(path)) this.#lookIn(path, firstMs, 0)
    }
  }

  /** It does not run any more: notes what it wrote last. */
  end({ stdout, stderr }: LogPaths): void {
    for (const path of [stdout, stderr]) {
      if (!this.#growing.delete(path) && !this.#quiet.has(path)) continue
      this.#unwatch(path)
      this.#tooFast.delete(path)
      if (this.#guard(path, () => this.#keeper.forget(path)).isFull) this.#rotate(path)
    }
  }

  /** Its files are going to be removed: none comes back by a rotation. */
  remove(paths: LogPaths): void {
    this.end(paths)
    for (const path of [paths.stdout, paths.stderr]) if (this.#rotating.has(path)) this.#removed.add(path)
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const path of [...this.#quiet.keys()]) this.#unwatch(path)
  }

  #lookIn(path: string, waitMs: number, size: number): void {
    const now = performance.now()
    const dueAt = waitMs < togetherMs ? now + waitMs : Math.ceil((now + waitMs) / togetherMs) * togetherMs
    this.#growing.set(path, { dueAt, waitMs, size })
    this.#wakeAt(dueAt)
  }

  #wakeAt(at: number): void {
    if (this.#timer !== null && this.#timerAt <= at) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(
      () => {
        this.#timer = null
        this.#tick()
      },
      Math.max(0, at - performance.now()),
    )
  }

  #tick(): void {
    const now = performance.now()
    for (const [path, file] of [...this.#growing]) {
      if (file.dueAt <= now) this.#look(path, file, now - file.dueAt + file.waitMs)
      else this.#wakeAt(file.dueAt)
    }
  }

  #look(path: string, { waitMs, size }: Growing, sinceMs: number): void {
    if (this.#rotating.has(path)) {
      this.#lookIn(path, fastestMs, 0)
      return
    }
    const look = this.#tend(path)
    if (look.isFull) this.#rotate(path)
    if (look.grew) {
      const wait = this.#nextLook(look.size, Math.max(0, look.size - size), sinceMs, waitMs)
      this.#lookIn(path, look.isFull ? fastestMs : wait, look.isFull ? 0 : look.size)
      return
    }
    if (waitMs < slowestMs) {
      this.#lookIn(path, Math.min(slowestMs, waitMs * 4), size)
      return
    }
    this.#growing.delete(path)
    // Watched first and looked at then: a line in between is seen by one or the other.
    if (this.#watch(path) && !this.#tend(path).grew) return
    this.#unwatch(path)
    this.#lookIn(path, slowestMs, size)
  }

  /** Half the time in which it would be full, at the pace that it has. */
  #nextLook(size: number, grown: number, sinceMs: number, waitMs: number): number {
    const fullInMs = grown === 0 ? slowestMs : ((this.#limits.maxBytes - size) / grown) * sinceMs
    return Math.max(fastestMs, Math.min(fullInMs / 2, waitMs * 4, slowestMs))
  }

  #rotate(path: string): void {
    this.#rotating.add(path)
    const done = (leftOut: number): void => {
      this.#rotating.delete(path)
      this.#removed.delete(path)
      if (leftOut === 0 || this.#tooFast.has(path)) return
      this.#tooFast.add(path)
      this.#log.warn('process', 'a program writes faster than its log is kept: lines are left out', {
        path,
        bytes: leftOut,
      })
    }
    this.#keeper
      .rotate(path, () => this.#removed.has(path))
      .then(done, (error: unknown) => {
        const isGone = this.#removed.has(path)
        done(0)
        if (isGone) return
        this.#log.warn('process', 'a log file could not be rotated', { path, why: describeError(error) })
      })
  }

  #tend(path: string): LogLook {
    return this.#guard(path, () => this.#keeper.tend(path))
  }

  /** False where the system has no watches left: the file is looked at every second then. */
  #watch(path: string): boolean {
    try {
      const watcher = watch(path, () => {
        this.#unwatch(path)
        this.#lookIn(path, firstMs, 0)
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

  #guard(path: string, work: () => LogLook): LogLook {
    try {
      return work()
    } catch (error) {
      this.#log.warn('process', 'a log file could not be tended', { path, why: describeError(error) })
      return { grew: false, isFull: false, size: 0 }
    }
  }
}
