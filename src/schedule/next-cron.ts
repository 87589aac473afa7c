// The next firing of a cron line: Vixie's rules where clocks are put forward or back.
import type { Cron } from '../lib/cron-line.js'
import type { Instant } from '../lib/time.js'
import { nextTransition, type Wall, type Zone } from './zone.js'

/**
 * The first instant after `after` that a line names; null where there is none within nine years. A line that names
 * every hour follows the time that passes: it fires in both of two repeated hours, and not in one that is left out. Any
 * other line follows the wall: what is repeated fires the first time, and what is left out fires when the clock has been put
 * forward.
 */
export function nextCron(cron: Cron, zone: Zone, after: Instant): Instant | null {
  const isEveryHour = cron.hours.length === 24
  let at = Math.floor(after / 1000) * 1000
  let offset = zone.offsetAt(at)
  let searchFrom = at + offset + 1000
  if (!isEveryHour) searchFrom = Math.max(searchFrom, repeatedUntil(zone, at))
  const last = after + horizonMs
  while (at <= last) {
    const wall = matchFrom(cron, searchFrom)
    if (wall === null) return null
    const found = wall - offset
    const change = nextTransition(zone, at, Math.min(found, last))
    if (change === null) return found <= last ? found : null
    const wallBefore = change + offset
    offset = zone.offsetAt(change)
    const wallAfter = change + offset
    // Left out: the wall jumps over what was found.
    if (!isEveryHour && wall < wallAfter && wall >= wallBefore) return change
    at = change
    searchFrom = isEveryHour ? wallAfter : Math.max(wallBefore, wallAfter)
  }
  return null
}

/** The end of the wall time that has just come for the second time, if `at` is in it. */
function repeatedUntil(zone: Zone, at: Instant): Wall {
  const before = at - dayMs
  const change = nextTransition(zone, before, at)
  return change === null ? Number.NEGATIVE_INFINITY : change + zone.offsetAt(before)
}

const dayMs = 86_400_000
/** The 29th of February may be eight years away. */
const horizonDays = 9 * 366
const horizonMs = horizonDays * dayMs

/** The first time on the wall from `from` on that a line names. */
function matchFrom(cron: Cron, from: Wall): Wall | null {
  const firstDay = Math.floor(from / dayMs) * dayMs
  for (let day = firstDay, days = 0; days <= horizonDays; day += dayMs, days += 1) {
    if (!namesDay(cron, new Date(day))) continue
    const time = timeFrom(cron, day === firstDay ? from - firstDay : 0)
    if (time !== null) return day + time
  }
  return null
}

function namesDay(cron: Cron, date: Date): boolean {
  if (!cron.months.includes(date.getUTCMonth() + 1)) return false
  const inMonth = cron.daysOfMonth.includes(date.getUTCDate())
  const inWeek = cron.daysOfWeek.includes(date.getUTCDay())
  return cron.eitherDay ? inMonth || inWeek : inMonth && inWeek
}

/** The first time of a day, in milliseconds of it, from `from` on. */
function timeFrom({ hours, minutes, seconds }: Cron, from: number): number | null {
  const [h, m, s] = [
    Math.floor(from / 3_600_000),
    Math.floor(from / 60_000) % 60,
    Math.ceil(from / 1000) % 60,
  ]
  const [minute = 0, second = 0] = [minutes[0], seconds[0]]
  if (hours.includes(h)) {
    if (minutes.includes(m)) {
      const later = seconds.find((one) => one >= s)
      if (later !== undefined) return ((h * 60 + m) * 60 + later) * 1000
    }
    const later = minutes.find((one) => one > m)
    if (later !== undefined) return ((h * 60 + later) * 60 + second) * 1000
  }
  const later = hours.find((one) => one > h)
  return later === undefined ? null : ((later * 60 + minute) * 60 + second) * 1000
}
