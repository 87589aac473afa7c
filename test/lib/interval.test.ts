import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Interval, parseInterval } from '../../src/lib/interval.js'
import { randomCases } from '../random-runs.js'

function good(text: string): Interval {
  const read = parseInterval(text)
  if ('message' in read) throw new Error(read.message)
  return read
}

const none = { years: 0, months: 0, days: 0, hours: 0, minutes: 0, seconds: 0 }

describe('a repeating interval', () => {
  test('begins at a time of the wall clock', () => {
    expect(good('R/2026-01-01T00:00:00Z/PT1H')).toEqual({
      repeats: null,
      start: {
        year: 2026,
        month: 1,
        day: 1,
        hour: 0,
        minute: 0,
        second: 0,
        millisecond: 0,
        offsetMinutes: 0,
      },
      period: { ...none, hours: 1 },
    })
  })

  test('repeats for ever, so many times, or not at all', () => {
    expect(['R//P1D', 'R5//P1D', 'R0//P1D'].map((text) => good(text).repeats)).toEqual([null, 5, 0])
  })

  test.each([
    ['R/PT5S', 'R//PT5S'],
    ['R3/P1D', 'R3//P1D'],
    ['every day', 'R//PT1H'],
  ])('as %s is refused with how it is written without a start', (text, right) => {
    expect(parseInterval(text)).toMatchObject({
      message: expect.stringContaining(`without a start, ${right}`),
    })
  })

  test('without a start begins when it is made', () => {
    expect(good('R5//P1D').start).toBeNull()
  })

  test.each([
    ['2026-01-02', { hour: 0, offsetMinutes: null }],
    ['20260102T0304', { hour: 3, minute: 4, offsetMinutes: null }],
    ['2026-01-02T03:04:05.678Z', { second: 5, millisecond: 678, offsetMinutes: 0 }],
    ['2026-01-02T03:04:05,5+02:00', { millisecond: 500, offsetMinutes: 120 }],
    ['2026-01-02T03:04:05-0330', { offsetMinutes: -210 }],
    ['2024-02-29T00:00:00-01', { day: 29, offsetMinutes: -60 }],
  ])('starts at %s', (start, expected) => {
    expect(good(`R/${start}/P1D`).start).toMatchObject(expected)
  })

  test.each([
    ['P1Y2M3DT4H5M6S', { years: 1, months: 2, days: 3, hours: 4, minutes: 5, seconds: 6 }],
    ['P2W', { ...none, days: 14 }],
    ['PT90S', { ...none, seconds: 90 }],
    ['P1M', { ...none, months: 1 }],
    ['PT1M', { ...none, minutes: 1 }],
  ])('has the period %s', (text, period) => {
    expect(good(`R//${text}`).period).toEqual(period)
  })

  test.each([
    ['', 0],
    ['PT1H', 0],
    ['R/PT1H', 0],
    ['R/2026-01-01/2026-01-02/P1D', 0],
    ['X//P1D', 0],
    ['R-1//P1D', 0],
    ['R1.5//P1D', 0],
    ['r//P1D', 0],
    ['R/tomorrow/P1D', 2],
    ['R/2026-02-30/P1D', 2],
    ['R/2026-13-01/P1D', 2],
    ['R/2025-02-29T00:00Z/P1D', 2],
    ['R/2026-01-01T24:00Z/P1D', 2],
    ['R/2026-01-01T00:60Z/P1D', 2],
    ['R/2026-01-01T00:00+15:00/P1D', 2],
    ['R//', 3],
    ['R//P', 3],
    ['R//PT', 3],
    ['R//P1', 3],
    ['R//P1DT', 3],
    ['R//PT0S', 3],
    ['R5//P0D', 4],
    ['R//P1H', 3],
    ['R//2026-01-02', 3],
  ])('%j is refused, with the place', (text, offset) => {
    expect(parseInterval(text)).toMatchObject({ offset, message: expect.any(String) })
  })

  test('reads back every instant', () => {
    const instants = fc.date({
      min: new Date('0100-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(instants, (date) => {
        const { start } = good(`R/${date.toISOString()}/P1D`)
        if (start === null) throw new Error('no start')
        const { year, month, day, hour, minute, second, millisecond } = start
        expect(Date.UTC(year, month - 1, day, hour, minute, second, millisecond)).toBe(date.getTime())
      }),
    )
  })

  test('of any text is read or refused at a place inside it', () => {
    const signs = fc.constantFrom('R', '/', 'P', 'T', '1', '0', '2026-01-01', 'Z', 'D', 'H', ':', '-', '+')
    const text = fc.oneof(
      fc.string(),
      fc.array(signs, { maxLength: 12 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (written) => {
        const read = parseInterval(written)
        if (!('message' in read)) return
        expect(read.offset).toBeLessThanOrEqual(written.length)
        expect(read.offset + read.length).toBeLessThanOrEqual(written.length + 1)
      }),
      { numRuns: randomCases(2_000) },
    )
  })
})
