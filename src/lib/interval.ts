// ISO 8601 repeating intervals as Chronos reads them: `R[n]/<start>/<period>`. What is written, not yet which instants
// follow from it: that takes a clock and, where one is given, another time zone.

/** A date and a time on the wall, and the offset that was written behind it. */
export interface WallClock {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
  /** Minutes east of UTC; null where none is written, which means UTC. A time zone of the schedule replaces it. */
  readonly offsetMinutes: number | null
}

/** Calendar-aware: a month is a month, however long. */
export interface Period {
  readonly years: number
  readonly months: number
  readonly days: number
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
}

/** A repeating interval of ISO 8601. */
export interface Interval {
  /** How many firings; null for no end, 0 for a schedule that is switched off. */
  readonly repeats: number | null
  /** The first firing; null for the moment at which the schedule is made. */
  readonly start: WallClock | null
  readonly period: Period
}

/** What is wrong with an interval, and which part of it. */
interface IntervalProblem {
  readonly offset: number
  readonly length: number
  readonly message: string
}

/** Reads an interval. Other forms of ISO 8601 (`start/end`, no `R`) are refused, as Chronos does. */
export function parseInterval(text: string): Interval | IntervalProblem {
  const [repeat = '', start, period, ...more] = text.split('/')
  if (start === undefined || period === undefined || more.length > 0) return at(0, text, formsOf(text))
  const repeats = parseRepeat(repeat)
  if (repeats === undefined)
    return at(0, repeat, `${JSON.stringify(repeat)} is no R, or R and a number of firings`)
  const from = start === '' ? null : parseWallClock(start)
  if (typeof from === 'string') return at(repeat.length + 1, start, from)
  const every = parsePeriod(period)
  if (typeof every === 'string') return at(repeat.length + start.length + 2, period, every)
  return { repeats, start: from, period: every }
}

/** How an interval is written; of one that has left its start out with the slash, what it has to be. */
function formsOf(text: string): string {
  const [repeat = '', period = '', ...more] = text.split('/')
  const isStartless =
    more.length === 0 && /^R\d{0,9}$/.test(repeat) && typeof parsePeriod(period) !== 'string'
  const without = isStartless ? `${repeat}//${period}` : 'R//PT1H'
  return `an interval is written R/<start>/<period>, such as R/2026-01-01T00:00:00Z/PT1H; without a start, ${without}`
}

function at(offset: number, part: string, message: string): IntervalProblem {
  return { offset, length: Math.max(1, part.length), message }
}

function parseRepeat(text: string): number | null | undefined {
  const match = /^R(\d{0,9})$/.exec(text)
  if (!match) return undefined
  return match[1] === '' ? null : Number(match[1])
}

const wallClock =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/

function parseWallClock(text: string): WallClock | string {
  const match = wallClock.exec(text)
  if (!match) return `${JSON.stringify(text)} is no time such as 2026-01-01T00:00:00Z`
  const part = (index: number): number => Number(match[index] ?? 0)
  const clock = {
    year: part(1),
    month: part(2),
    day: part(3),
    hour: part(4),
    minute: part(5),
    second: part(6),
    millisecond: Math.floor(Number(`0.${match[7] ?? 0}`) * 1_000),
    offsetMinutes: match[8] === undefined ? null : parseOffset(match[8]),
  }
  return isReal(clock) ? clock : `there is no ${text}`
}

function parseOffset(text: string): number {
  if (text === 'Z') return 0
  const digits = text.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return text.startsWith('-') ? 0 - minutes : minutes
}

function isReal({ year, month, day, hour, minute, second, offsetMinutes }: WallClock): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  const sameDay =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return sameDay && hour < 24 && minute < 60 && second < 60 && Math.abs(offsetMinutes ?? 0) <= 14 * 60
}

const periodParts =
  /^P(?=\d|T\d)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/

function parsePeriod(text: string): Period | string {
  const match = periodParts.exec(text)
  if (!match) return `${JSON.stringify(text)} is no period such as PT1H, P1D or P1M`
  const part = (index: number): number => Number(match[index] ?? 0)
  const period = {
    years: part(1),
    months: part(2),
    days: part(3) * 7 + part(4),
    hours: part(5),
    minutes: part(6),
    seconds: part(7),
  }
  return Object.values(period).some((value) => value > 0) ? period : 'a period of nothing never moves on'
}
