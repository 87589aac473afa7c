// The firings of an ISO 8601 repeating interval: the n-th is its start and n periods, never the one before and one more,
// so that the 31st of January is followed by the 28th of February and the 31st of March.
import type { Interval, Period } from '../lib/interval.js'
import type { Instant } from '../lib/time.js'
import { instantOf, type Wall, type Zone } from './zone.js'

/** The start of an interval on the wall of its zone. */
export interface Beginning {
  readonly wall: Wall
  readonly zone: Zone
}

/** The first firing after an instant; null where there is none any more. */
export function nextInterval(interval: Interval, from: Beginning, after: Instant): Instant | null {
  const count = interval.repeats ?? Number.POSITIVE_INFINITY
  const firing = (n: number): Instant => firingOf(interval.period, from, n)
  let high = 1
  while (high < count && firing(high) <= after) high *= 2
  let low = 0
  // The first number whose firing is later: between low and high.
  for (high = Math.min(high, count); low < high; ) {
    const middle = Math.floor((low + high) / 2)
    if (firing(middle) > after) high = middle
    else low = middle + 1
  }
  if (low >= count) return null
  const found = firing(low)
  return found > after && found < endOfTime ? found : null
}

/** The last instant of a Date. */
const endOfTime = 8.64e15

/** Years, months and days are those of the calendar; hours, minutes and seconds are time that passes. */
function firingOf(period: Period, { wall, zone }: Beginning, n: number): Instant {
  const day = addDays(addMonths(wall, (period.years * 12 + period.months) * n), period.days * n)
  const passing = ((period.hours * 60 + period.minutes) * 60 + period.seconds) * 1000 * n
  if (!(Math.abs(day) < endOfTime - passing)) return endOfTime
  return instantOf(day, zone) + passing
}

/** Where a month is too short for the day, its last day is meant. */
function addMonths(wall: Wall, months: number): Wall {
  if (months === 0) return wall
  const date = new Date(wall)
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
  if (Number.isNaN(first)) return endOfTime
  const inMonth = new Date(first)
  const length = new Date(Date.UTC(inMonth.getUTCFullYear(), inMonth.getUTCMonth() + 1, 0)).getUTCDate()
  const timeOfDay = wall - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  return addDays(first, Math.min(date.getUTCDate(), length) - 1) + timeOfDay
}

function addDays(wall: Wall, days: number): Wall {
  return wall + days * 86_400_000
}
