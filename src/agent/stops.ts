// Stops that may not take as long as their units say: which instances are to be killed now. How long a stop has taken is
// measured here, by a clock that nobody sets: from when the agent of this machine began it.
import type { DesiredUnit, UnitName } from '../model/unit.js'

/** The stop of an instance that goes on, in milliseconds of the steady clock. */
export interface Stop {
  readonly unit: DesiredUnit
  readonly begunAt: number
  /** When it was last killed for it; null for not yet. */
  readonly killedAt: number | null
}

/** What is still there after a kill is killed again. */
const killEveryMs = 1000

/**
 * The stops that go on, `begun` those among `stopping` whose chain has begun; what was known before goes on as it was. `left` are those
 * of the daemon before this one.
 */
export function stopsOf(
  stopping: readonly DesiredUnit[],
  begun: (name: UnitName) => boolean,
  before: ReadonlyMap<UnitName, Stop>,
  at: number,
  left: ReadonlyMap<UnitName, Pick<Stop, 'begunAt'>> = new Map(),
): ReadonlyMap<UnitName, Stop> {
  return new Map(
    stopping.flatMap((unit): readonly [UnitName, Stop][] => {
      const known = before.get(unit.name)
      if (known !== undefined) return [[unit.name, { ...known, unit }]]
      const begunAt = left.get(unit.name)?.begunAt ?? at
      return begun(unit.name) ? [[unit.name, { unit, begunAt, killedAt: null }]] : []
    }),
  )
}

/** Which of them are to be killed now, and in how long the next one is; null for none. */
export function planKills(
  stops: Iterable<Stop>,
  at: number,
): { readonly kills: readonly Stop[]; readonly nextInMs: number | null } {
  const kills: Stop[] = []
  let nextInMs: number | null = null
  for (const stop of stops) {
    const { stopWithinMs } = stop.unit
    if (stopWithinMs === undefined) continue
    const firstAt = stop.begunAt + stopWithinMs
    const dueAt = stop.killedAt === null ? firstAt : Math.max(firstAt, stop.killedAt + killEveryMs)
    const inMs = dueAt <= at ? killEveryMs : dueAt - at
    if (dueAt <= at) kills.push(stop)
    nextInMs = Math.min(nextInMs ?? inMs, inMs)
  }
  return { kills, nextInMs }
}
