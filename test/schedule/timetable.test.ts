import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCron } from '../../src/lib/cron-line.js'
import type { Schedule } from '../../src/model/schedule.js'
import { timetableOf } from '../../src/schedule/timetable.js'
import { instantOf, namedZone } from '../../src/schedule/zone.js'
import { randomCases } from '../random-runs.js'

const at = (text: string): number => Date.parse(text)
const schedule = (kind: Schedule['kind'], expression: string, timezone: string | null = null): Schedule => ({
  kind,
  expression,
  timezone,
  epsilonMs: 60_000,
  overlap: 'skip',
})

/** The first firings after an instant. */
function firings(one: Schedule, after: string, count: number, origin = after): readonly string[] {
  const timetable = timetableOf(one, at(origin))
  const found: string[] = []
  for (let last = at(after); found.length < count; ) {
    const next = timetable.nextAfter(last)
    if (next === null) break
    found.push(new Date(next).toISOString())
    last = next
  }
  return found
}

describe('cron lines', () => {
  const vienna = 'Europe/Vienna'

  it('fire every minute that passes, also in the hour that comes twice', () => {
    const all = firings(schedule('cron', '* * * * *', vienna), '2026-10-24T23:29:59Z', 330)
    expect(all[0]).toBe('2026-10-24T23:30:00.000Z')
    expect(all.at(-1)).toBe('2026-10-25T04:59:00.000Z')
    expect(firings(schedule('cron', '*/30 * * * *', vienna), '2026-10-24T23:59:00Z', 3)).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:00:00.000Z',
    ])
  })

  it('fire once where a fixed time comes twice: the first time', () => {
    const daily = schedule('cron', '30 2 * * *', vienna)
    expect(firings(daily, '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
    expect(firings(daily, '2026-10-25T01:05:00Z', 1)).toEqual(['2026-10-26T01:30:00.000Z'])
  })

  it('fire when the clock has been put forward where a fixed time is left out', () => {
    const daily = schedule('cron', '30 2 * * *', vienna)
    expect(firings(daily, '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ])
    expect(firings(daily, '2026-03-29T00:59:59.500Z', 1)).toEqual(['2026-03-29T01:00:00.000Z'])
  })

  it('fire hourly as time passes where the clock is put forward', () => {
    expect(firings(schedule('cron', '15 * * * *', vienna), '2026-03-29T00:00:00Z', 3)).toEqual([
      '2026-03-29T00:15:00.000Z',
      '2026-03-29T01:15:00.000Z',
      '2026-03-29T02:15:00.000Z',
    ])
  })

  it('find what is years away, and half-hour zones', () => {
    expect(firings(schedule('cron', '0 0 29 2 *'), '2096-03-01T00:00:00Z', 1)).toEqual([
      '2104-02-29T00:00:00.000Z',
    ])
    expect(firings(schedule('cron', '0 9 1 1 *', 'Asia/Kolkata'), '2026-05-01T00:00:00Z', 1)).toEqual([
      '2027-01-01T03:30:00.000Z',
    ])
    expect(firings(schedule('cron', '*/20 59 23 * * *'), '2026-01-01T23:59:20Z', 2)).toEqual([
      '2026-01-01T23:59:40.000Z',
      '2026-01-02T23:59:00.000Z',
    ])
  })

  it('agree with looking at every minute of a week of changing clocks', () => {
    const field = (most: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min: 0, max: most }).map(String),
        fc.integer({ min: 2, max: 30 }).map((step) => `*/${step}`),
      )
    const zones = fc.constantFrom('Europe/Vienna', 'America/New_York', 'Australia/Lord_Howe', 'UTC')
    const starts = fc.constantFrom(
      '2026-03-06',
      '2026-03-27',
      '2026-04-03',
      '2026-10-02',
      '2026-10-23',
      '2026-10-30',
    )
    fc.assert(
      fc.property(field(59), field(23), zones, starts, fc.nat(1439), (minute, hour, zone, start, offset) => {
        const line = `${minute} ${hour} * * *`
        const from = at(`${start}T00:00:00Z`) + offset * 60_000
        const to = from + 3 * 86_400_000
        const found: number[] = []
        const timetable = timetableOf(schedule('cron', line, zone), 0)
        for (
          let next = timetable.nextAfter(from);
          next !== null && next <= to;
          next = timetable.nextAfter(next)
        )
          found.push(next)
        expect(found).toEqual(everyMinute(line, zone, from, to))
      }),
      { numRuns: randomCases(15) },
    )
  }, 60_000)
})

/** The rules again, minute by minute. */
function everyMinute(line: string, name: string, from: number, to: number): readonly number[] {
  const cron = parseCron(line)
  if ('message' in cron) throw new Error(cron.message)
  const zone = namedZone(name)
  const names = (wall: number): boolean => {
    const date = new Date(wall)
    return cron.hours.includes(date.getUTCHours()) && cron.minutes.includes(date.getUTCMinutes())
  }
  const found = new Set<number>()
  const everyHour = cron.hours.length === 24
  let latestWall = Number.NEGATIVE_INFINITY
  for (let now = from - 86_400_000; now <= to; now += 60_000) {
    const wall = now + zone.offsetAt(now)
    const leftOut = Math.max(0, wall - latestWall - 60_000)
    if (everyHour) {
      if (names(wall)) found.add(now)
    } else if (wall > latestWall) {
      for (let missed = 0; latestWall > 0 && missed < leftOut; missed += 60_000)
        if (names(latestWall + 60_000 + missed)) found.add(now)
      if (names(wall)) found.add(now)
    }
    latestWall = Math.max(latestWall, wall)
  }
  return [...found].filter((one) => one > from && one <= to)
}

describe('repeating intervals', () => {
  it('count from their start, so that the end of a month comes back', () => {
    expect(firings(schedule('interval', 'R/2026-01-31T10:00:00Z/P1M'), '2026-01-01T00:00:00Z', 4)).toEqual([
      '2026-01-31T10:00:00.000Z',
      '2026-02-28T10:00:00.000Z',
      '2026-03-31T10:00:00.000Z',
      '2026-04-30T10:00:00.000Z',
    ])
  })

  it('end after their number, are off with R0, and begin when they are deployed where no start is given', () => {
    expect(
      firings(schedule('interval', 'R3/2026-01-01T00:00:00Z/PT1H'), '2025-12-31T00:00:00Z', 9),
    ).toHaveLength(3)
    expect(firings(schedule('interval', 'R0/2026-01-01T00:00:00Z/PT1H'), '2025-12-31T00:00:00Z', 9)).toEqual(
      [],
    )
    expect(
      firings(schedule('interval', 'R2//P1D'), '2026-05-05T05:05:04.999Z', 9, '2026-05-05T05:05:05Z'),
    ).toEqual(['2026-05-05T05:05:05.000Z', '2026-05-06T05:05:05.000Z'])
  })

  it('keep what the wall says over a change of clocks with days, and what passes with hours', () => {
    const zone = 'America/New_York'
    expect(
      firings(schedule('interval', 'R/2026-03-07T09:00:00Z/P1D', zone), '2026-03-06T00:00:00Z', 3),
    ).toEqual(['2026-03-07T14:00:00.000Z', '2026-03-08T13:00:00.000Z', '2026-03-09T13:00:00.000Z'])
    expect(
      firings(schedule('interval', 'R/2026-03-07T09:00:00Z/PT24H', zone), '2026-03-06T00:00:00Z', 3),
    ).toEqual(['2026-03-07T14:00:00.000Z', '2026-03-08T14:00:00.000Z', '2026-03-09T14:00:00.000Z'])
  })

  it('give the same firings whether they are asked for one after the other or from anywhere between', () => {
    const parts = fc.record({
      months: fc.nat(14),
      days: fc.nat(40),
      hours: fc.nat(50),
      repeats: fc.option(fc.integer({ min: 1, max: 30 }), { nil: null }),
      zone: fc.constantFrom(null, 'Europe/Vienna', 'Australia/Lord_Howe'),
      skip: fc.integer({ min: 0, max: 1000 }),
    })
    fc.assert(
      fc.property(parts, ({ months, days, hours, repeats, zone, skip }) => {
        fc.pre(months + days + hours > 0)
        const text = `R${repeats ?? ''}/2025-01-31T02:30:00Z/P${months}M${days}DT${hours}H`
        const one = schedule('interval', text, zone)
        const all = firings(one, '2025-01-01T00:00:00Z', 30)
        expect([...new Set(all)].sort()).toEqual([...all])
        const from = at('2025-01-01T00:00:00Z') + skip * 3_600_000 * 5
        const expected = all.find((firing) => at(firing) > from)
        const [found] = firings(one, new Date(from).toISOString(), 1)
        if (expected !== undefined || (repeats !== null && repeats < 30)) expect(found).toBe(expected)
      }),
    )
  })
})

describe('instantOf', () => {
  it('takes the first of two and goes on from what is left out', () => {
    const zone = namedZone('Europe/Vienna')
    expect(new Date(instantOf(at('2026-10-25T02:30:00Z'), zone)).toISOString()).toBe(
      '2026-10-25T00:30:00.000Z',
    )
    expect(new Date(instantOf(at('2026-03-29T02:30:00Z'), zone)).toISOString()).toBe(
      '2026-03-29T01:30:00.000Z',
    )
  })
})
