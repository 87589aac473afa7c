// Whether a machine itself is sick: too slow for what its checks say to be held against its instances.
import type { Instant } from '../lib/time.js'
import type { UnitName } from '../model/unit.js'
import { wellBelow } from './slowness.js'

export interface Condition {
  /** Since when it is sick, by a clock that nobody sets; null while it is not. */
  readonly sickSince: Instant | null
  /** When a failure was last put down to it. */
  readonly excusedAt: Instant
}

/** That a machine is sick, or well again. */
export interface MachineWord {
  readonly isSick: boolean
  /** For how long it has been sick. */
  readonly sickForMs: number
  /** How many times slower than at rest it was when that was found. */
  readonly slowness: number
}

export const well: Condition = { sickSince: null, excusedAt: 0 }

/** How long nothing may be put down to a machine before it is well again: it does not come and go with every probe. */
const calmMs = 10_000

/** A failure was put down to the machine. */
export function sickened({ sickSince }: Condition, now: Instant): Condition {
  return { sickSince: sickSince ?? now, excusedAt: now }
}

/** The machine was found to be so slow. */
export function looked(condition: Condition, slowness: number, now: Instant): Condition {
  const isWell = slowness < wellBelow && now >= condition.excusedAt + calmMs
  return isWell ? { ...condition, sickSince: null } : condition
}

/** Instances that became unhealthy of late, or would have, and when last. */
export type Condemned = ReadonlyMap<UnitName, Instant>

/** Those of late with one more. */
export function alsoCondemned(condemned: Condemned, name: UnitName, now: Instant): Condemned {
  return new Map([...condemned].filter(([, at]) => at > now - calmMs)).set(name, now)
}

/** So many at once are not taken at their checks' word alone. */
export function areMany(condemned: Condemned): boolean {
  return condemned.size >= 3
}
