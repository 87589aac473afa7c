// Instances that are to stop and go on serving for a moment, since others may still be sent to them by names that they
// remember. How long is measured here, by a clock that nobody sets: from when an agent of this machine has heard that they are
// to stop, so that nothing makes it earlier, and a restart of the daemon later only where that was not noted.
import type { ActiveState, DesiredUnit, UnitName } from '../model/unit.js'

/** Since when those that run are to stop, and when each may be stopped, in milliseconds of the steady clock. */
export type Leaving = ReadonlyMap<UnitName, { readonly since: number; readonly stopAt: number }>

/** What the agent knows of its units. */
interface Known {
  readonly activeOf: (name: UnitName) => ActiveState | null
  /** Whether no entry has a request under way for it, or will have one. */
  readonly isIdle: (name: UnitName) => boolean
}

/** Who leaves, of the units that are placed here; what was known before goes on as it was. Who serves nobody is let go. */
export function leavingOf(
  placed: Iterable<DesiredUnit>,
  { activeOf, isIdle }: Known,
  before: Leaving,
  at: number,
): Leaving {
  const leaving = new Map<UnitName, { readonly since: number; readonly stopAt: number }>()
  for (const { name, instance, desired, stopAfterMs, stopWhenIdleAfterMs } of placed) {
    if (stopAfterMs === undefined || instance === null || desired !== 'loaded') continue
    const active = activeOf(name)
    if (active !== 'active' && active !== 'reloading') continue
    const known = before.get(name) ?? { since: at, stopAt: at + stopAfterMs }
    const isEarly = stopWhenIdleAfterMs !== undefined && isIdle(name)
    const idleAt = isEarly ? known.since + stopWhenIdleAfterMs : Number.POSITIVE_INFINITY
    leaving.set(name, { since: known.since, stopAt: Math.min(known.stopAt, idleAt) })
  }
  return leaving
}

/** Who is left alone until then. */
export function stillServing(leaving: Leaving, at: number): readonly UnitName[] {
  return [...leaving].flatMap(([name, { stopAt }]) => (stopAt > at ? [name] : []))
}

/** In how long the next of them may be stopped; null for none. */
export function nextStopInMs(leaving: Leaving, at: number): number | null {
  const coming = [...leaving.values()].flatMap(({ stopAt }) => (stopAt > at ? [stopAt] : []))
  return coming.length === 0 ? null : Math.min(...coming) - at
}
