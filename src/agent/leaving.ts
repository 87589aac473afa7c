// Instances that are to stop and go on serving for a moment, since others may still be sent to them by names that they
// remember. How long is measured here, by a clock that nobody sets: from when this agent has heard that they are to stop,
// so that a restart of the daemon makes it later and nothing makes it earlier.
import type { ActiveState, DesiredUnit, UnitName } from '../model/unit.js'

/** When those that run and are to stop may be stopped, in milliseconds of the steady clock. */
export type Leaving = ReadonlyMap<UnitName, number>

/** Who leaves, of the units that are placed here; what was known before goes on as it was. Who serves nobody is let go. */
export function leavingOf(
  placed: Iterable<DesiredUnit>,
  activeOf: (name: UnitName) => ActiveState | null,
  before: Leaving,
  at: number,
): Leaving {
  const leaving = new Map<UnitName, number>()
  for (const { name, instance, desired, stopAfterMs } of placed) {
    if (stopAfterMs === undefined || instance === null || desired !== 'loaded') continue
    const active = activeOf(name)
    if (active === 'active' || active === 'reloading') leaving.set(name, before.get(name) ?? at + stopAfterMs)
  }
  return leaving
}

/** Who is left alone until then. */
export function stillServing(leaving: Leaving, at: number): readonly UnitName[] {
  return [...leaving].flatMap(([name, stopAt]) => (stopAt > at ? [name] : []))
}

/** In how long the next of them may be stopped; null for none. */
export function nextStopInMs(leaving: Leaving, at: number): number | null {
  const coming = [...leaving.values()].filter((stopAt) => stopAt > at)
  return coming.length === 0 ? null : Math.min(...coming) - at
}
