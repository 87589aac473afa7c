// Tends the logs of units that run: inotify tells of each write, and how far the file has grown by then is noted at once. A file
// that is written again and again is looked at every millisecond instead, as each write would wake us; one that is quiet is
// not looked at. All looks together have a small share of the time: where many files grow fast, each is looked at less often.
import { type FSWatcher, watch } from 'node:fs'
import { describeError, type Log } from '../../lib/io/log.js'
import { Allowance } from '../allowance.js'
import { LogKeeper, type LogLimits, type LogLook, noLook } from './log-keeper.js'
import type { LogPaths } from './unit-logs.js'

/** The longest and the shortest time between two looks at a file that grows. */
const slowestMs = 1000
const fastestMs = 1
/** The first look at the files of a unit that begins to run. */
const firstMs = 2
/** While a file is copied, and once it is full, there is no hurry. */
const whileRotatingMs = 10
/** A file that has not grown for about so long is watched again. */
const quietAfterMs = 16
/** So many writes in so short a time are too many to be woken by each. */
const burst = { writes: 20, withinMs: 20 } as const
/** Looks that are far off are made together. */
const togetherMs = 50
/** What looks may cost: of each millisecond that part, saved up for and owed for so many milliseconds of work. */
const cost = { share: 0.05, savedMs: 20, owedMs: 10 } as const

/** A file that grows, or may have grown. */
interface Growing {
  readonly dueAt: number
  readonly waitMs: number
  readonly size: number
}

/** A file that inotify tells of. */
interface Watched {
  readonly watcher: FSWatcher
  /** When its latest burst of writes began, and how many there were since. */
  since: number
  writes: number
}

export class LogWatch {
  readonly #limits: LogLimits
  readonly #keeper: LogKeeper
  readonly #log: Log
  readonly #growing = new Map<string, Growing>()
  readonly #watched = new Map<string, Watched>()
  readonly #allowance = new Allowance(cost, performance.now())
  readonly #rotating = new Set<string>()
  /** Files whose unit was unloaded while they were rotated. */
  readonly #removed = new Set<string>()
  /** Files that cannot be looked at or rotated, which is said once until they can. */
  readonly #failing = new Set<string>()
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
      if (!this.#watched.has(path) && !this.#growing.has(path)) this.#lookIn(path, firstMs, 0)
    }
  }

  /** It does not run any more: notes what it wrote last. */
  end({ stdout, stderr }: LogPaths): void {
    for (const path of [stdout, stderr]) {
      if (!this.#growing.delete(path) && !this.#watched.has(path)) continue
      this.#unwatch(path)
      this.#tooFast.delete(path)
      this.#failing.delete(path)
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
    for (const path of [...this.#watched.keys()]) this.#unwatch(path)
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
    this.#allowance.spend(performance.now() - now)
  }

  #look(path: string, { waitMs, size }: Growing, sinceMs: number): void {
    if (this.#rotating.has(path)) {
      this.#lookIn(path, whileRotatingMs, 0)
      return
    }
    const look = this.#tend(path)
    if (look.isFull) this.#rotate(path)
    // Where the disk has no room for the copy, the next one is no better.
    if (look.isFull) this.#lookIn(path, this.#failing.has(path) ? slowestMs : whileRotatingMs, 0)
    else if (look.grew) this.#lookIn(path, this.#nextLook(look.size, look.size - size, sinceMs), look.size)
    else if (look.isUnmarked) this.#lookIn(path, Math.min(slowestMs, waitMs * 4), size)
    else if (waitMs < quietAfterMs && waitMs !== firstMs) this.#lookIn(path, waitMs * 2, size)
    else this.#rest(path, look.size)
  }

  /** Nothing is done about a file that does not grow until it does. */
  #rest(path: string, size: number): void {
    this.#growing.delete(path)
    if (!this.#watch(path)) {
      this.#lookIn(path, slowestMs, size)
      return
    }
    // Watched first and looked at then: a line in between is seen by one or the other.
    const look = this.#tend(path)
    if (look.grew || look.isUnmarked) this.#lookAgain(path, look.size)
  }

  /** As soon as looks may cost something again, and before the file is full at the pace that it has. */
  #nextLook(size: number, grown: number, sinceMs: number): number {
    const soonMs = Math.max(fastestMs, this.#allowance.waitMs(performance.now()))
    if (grown <= 0) return soonMs
    const fullInMs = ((this.#limits.maxBytes - size) / grown) * sinceMs
    return Math.max(fastestMs, Math.min(soonMs, fullInMs / 2))
  }

  #lookAgain(path: string, size: number): void {
    this.#unwatch(path)
    this.#lookIn(path, Math.max(fastestMs, this.#allowance.waitMs(performance.now())), size)
  }

  /** Something was written to a file that is watched. */
  #hear(path: string): void {
    const watched = this.#watched.get(path)
    if (watched === undefined) return
    const now = performance.now()
    if (now - watched.since > burst.withinMs) Object.assign(watched, { since: now, writes: 0 })
    watched.writes += 1
    if (watched.writes > burst.writes || this.#allowance.waitMs(now) > 0) {
      this.#lookAgain(path, 0)
      return
    }
    const look = this.#tend(path)
    this.#allowance.spend(performance.now() - now)
    if (look.isFull) this.#rotate(path)
    if (look.isFull || look.isUnmarked) this.#lookAgain(path, look.size)
  }

  #rotate(path: string): void {
    this.#rotating.add(path)
    const done = (leftOut: number): void => {
      this.#rotating.delete(path)
      this.#removed.delete(path)
      if (leftOut === 0 || this.#tooFast.has(path)) return
      this.#tooFast.add(path)
      this.#log.warn('process', 'a program writes faster than its log can be kept; dropping lines', {
        path,
        bytes: leftOut,
      })
    }
    this.#keeper
      .rotate(path, () => this.#removed.has(path))
      .then(
        (leftOut) => {
          this.#failing.delete(path)
          done(leftOut)
        },
        (error: unknown) => {
          const isGone = this.#removed.has(path)
          done(0)
          if (!isGone) this.#tellFailure(path, 'a log file could not be rotated', error)
        },
      )
  }

  #tend(path: string): LogLook {
    return this.#guard(path, () => this.#keeper.tend(path))
  }

  /** False where the system has no watches left: the file is looked at every second then. */
  #watch(path: string): boolean {
    try {
      const watcher = watch(path, () => this.#hear(path))
      watcher.on('error', () => {
        if (this.#watched.get(path)?.watcher === watcher) this.#lookAgain(path, 0)
      })
      this.#watched.set(path, { watcher, since: 0, writes: 0 })
      return true
    } catch {
      return false
    }
  }

  #unwatch(path: string): void {
    this.#watched.get(path)?.watcher.close()
    this.#watched.delete(path)
  }

  #guard(path: string, work: () => LogLook): LogLook {
    try {
      const look = work()
      // One that is full stays so until it is rotated.
      if (!look.isFull) this.#failing.delete(path)
      return look
    } catch (error) {
      this.#tellFailure(path, 'a log file could not be tended', error)
      return noLook
    }
  }

  /** On a full disk each write would be told of. */
  #tellFailure(path: string, what: string, error: unknown): void {
    if (this.#failing.has(path)) return
    this.#failing.add(path)
    this.#log.warn('process', what, { path, why: describeError(error) })
  }
}
