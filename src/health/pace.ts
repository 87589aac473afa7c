// Probes of one machine back off together when they time out together, whatever else each of them finds: asking a
// machine that is late as often as before makes it later.
import type { Instant } from '../lib/time.js'
import type { UnitName } from '../model/unit.js'

export interface Pace {
  /** Every wait between two probes is so many times as long, and so many times fewer are under way. */
  readonly factor: number
  readonly changedAt: Instant
  /** Units whose probes were late of late, and when last. */
  readonly late: ReadonlyMap<UnitName, Instant>
}

export const fullPace: Pace = { factor: 1, changedAt: 0, late: new Map() }

/** Slower than this nobody gets, and no wait is made longer than a minute. */
const slowest = 8
const longestWaitMs = 60_000
/** Probes that are late within it are late together; as long without that, and the pace doubles again. */
const togetherMs = 10_000
/** Fewer than these, or than this part of all, are each a matter of their own. */
const [fewest, part] = [3, 1 / 20]

/** The pace after a probe of one of `units` units that was late, or not. */
export function paceAfter(pace: Pace, name: UnitName, isLate: boolean, units: number, now: Instant): Pace {
  if (!isLate) return quickened(pace, now)
  const recent = [...pace.late].filter(([, at]) => at > now - togetherMs)
  const late = new Map(recent).set(name, now)
  const slower = late.size >= Math.max(fewest, units * part) && pace.changedAt <= now - togetherMs / 2
  if (!slower) return { ...pace, late }
  return { factor: Math.min(slowest, pace.factor * 2), changedAt: now, late }
}

function quickened(pace: Pace, now: Instant): Pace {
  if (pace.factor === 1 || pace.changedAt > now - togetherMs) return pace
  const late = [...pace.late].filter(([, at]) => at > now - togetherMs)
  if (late.length >= fewest) return pace
  return { factor: pace.factor / 2, changedAt: now, late: new Map(late) }
}

/** When what is due at `at` is due at this pace, counted from `from`. */
export function paced(at: Instant, from: Instant, { factor }: Pace): Instant {
  const wait = Math.max(0, at - from)
  return from + Math.max(wait, Math.min(wait * factor, longestWaitMs))
}
