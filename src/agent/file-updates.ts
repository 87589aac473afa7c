// Files that follow the metadata of their project while their program runs: when to look whether they have changed, and what
// the program is told.
import { earlier, type Instant } from '../lib/time.js'
import type { ChangeSignal } from '../model/arriving-file.js'
import { isPaused } from '../model/instance-state.js'
import type { MadeOf } from '../model/meta-fingerprints.js'
import type { ObservedUnit } from '../model/unit.js'
import { metaKeysIn } from '../unit/deferred-pieces.js'
import type { ArrivingFile } from '../unit/files.js'

/** A file that follows some keys. */
export interface FollowingFile {
  readonly path: string
  readonly signal: ChangeSignal
  readonly keys: readonly string[]
}

/** The files of a unit that are written anew when what they read of the metadata changes. */
export function followingFiles(files: readonly ArrivingFile[]): readonly FollowingFile[] {
  return files.flatMap(({ path, onChange: signal, text }) => {
    if (signal === null) return []
    return [{ path, signal, keys: [...new Set(metaKeysIn(text))].sort() }]
  })
}

/** What is known of a unit with such files. */
export interface FollowingUnit {
  /** The values of now. */
  readonly now: MadeOf
  /** The values of when it was looked at last; null: never by this agent. */
  readonly lookedAt: MadeOf | null
  readonly observed: Pick<ObservedUnit, 'active' | 'sub' | 'driver'> | null
  /** Something is being done to it, or it is not to be touched. */
  readonly isBusy: boolean
  /** It is to run here. */
  readonly isWanted: boolean
  /** After a look that failed: not before that. */
  readonly retryAt: Instant | null
  /** The values at that look; null if the last look did not fail. */
  readonly failedWith: MadeOf | null
}

/** Whether the files of a unit are to be looked at now, at an instant, or after the next change. */
export function lookAtFiles(unit: FollowingUnit, now: Instant): 'now' | Instant | null {
  const { lookedAt, isBusy, isWanted, observed, retryAt, failedWith } = unit
  if (isBusy || !isWanted || observed === null || !isUp(observed)) return null
  if (lookedAt !== null && isSame(lookedAt, unit.now)) return null
  // A retry may succeed with other values: a missing key was set, for example.
  if (failedWith !== null && !isSame(failedWith, unit.now)) return 'now'
  return retryAt !== null && retryAt > now ? retryAt : 'now'
}

/**
 * Whether the program of a unit is about to begin, or has ended: it gets its files as they are then, so that what was looked at before
 * says nothing of what it has, even where the values are those of then again.
 */
export function beginsAnew(observed: FollowingUnit['observed'], isBusy: boolean): boolean {
  return isBusy || observed === null || observed.active !== 'active'
}

/** The keys that have changed since the last look, as templates name them; none where nobody looked. */
export function changedKeys({ now, lookedAt }: Pick<FollowingUnit, 'now' | 'lookedAt'>): readonly string[] {
  if (lookedAt === null) return []
  return Object.keys(now)
    .filter((key) => now[key] !== lookedAt[key])
    .sort()
    .map((key) => `meta.${key}`)
}

/** What the program is sent for files that were replaced, each signal once, in the order of the files. */
export function signalsFor(
  files: readonly FollowingFile[],
  replaced: readonly string[],
): readonly ChangeSignal[] {
  const told = files.filter(({ path }) => replaced.includes(path)).map(({ signal }) => signal)
  return [...new Set(told)]
}

/** The earliest of some instants. */
export function earliest(instants: readonly (Instant | null)[]): Instant | null {
  return instants.reduce(earlier, null)
}

/** One that starts is not told yet: it may not know the signal, and what it is started with is looked at once it is up. */
function isUp(unit: Pick<ObservedUnit, 'active' | 'sub' | 'driver'>): boolean {
  return unit.active === 'active' && !isPaused(unit)
}

export function isSame(one: MadeOf, other: MadeOf): boolean {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key])
}
