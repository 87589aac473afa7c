// What a schedule's text means: which instants it names.
import { parseCron } from '../lib/cron-line.js'
import { parseInterval, type WallClock } from '../lib/interval.js'
import { invariant } from '../lib/invariant.js'
import type { Instant } from '../lib/time.js'
import type { Schedule } from '../model/schedule.js'
import { nextCron } from './next-cron.js'
import { type Beginning, nextInterval } from './next-interval.js'
import { fixedZone, namedZone, utc, type Zone } from './zone.js'

export interface Timetable {
  /** The first firing after an instant; null where there is none any more. */
  nextAfter(after: Instant): Instant | null
}

/** Reads a schedule that the manifest's rules have accepted. `origin` is the start of an interval that has none. */
export function timetableOf(schedule: Schedule, origin: Instant): Timetable {
  const named = schedule.timezone === null ? null : namedZone(schedule.timezone)
  if (schedule.kind === 'cron') {
    const cron = parseCron(schedule.expression)
    invariant(!('message' in cron), `${schedule.expression} is not a cron line`)
    return { nextAfter: (after) => nextCron(cron, named ?? utc, after) }
  }
  const interval = parseInterval(schedule.expression)
  invariant(!('message' in interval), `${schedule.expression} is not an interval`)
  const beginning = beginningOf(interval.start, named, origin)
  return { nextAfter: (after) => nextInterval(interval, beginning, after) }
}

/** A time zone takes the place of the offset that is written, and keeps what the wall says (Chronos). */
function beginningOf(start: WallClock | null, named: Zone | null, origin: Instant): Beginning {
  if (start === null) {
    const zone = named ?? utc
    return { wall: origin + zone.offsetAt(origin), zone }
  }
  const { year, month, day, hour, minute, second, millisecond, offsetMinutes } = start
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, millisecond)
  return { wall, zone: named ?? fixedZone((offsetMinutes ?? 0) * 60_000) }
}
