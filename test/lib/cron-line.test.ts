import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Cron, parseCron } from '../../src/lib/cron-line.js'
import { randomCases } from '../random-runs.js'

function good(line: string): Cron {
  const read = parseCron(line)
  if ('message' in read) throw new Error(read.message)
  return read
}

const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)

describe('a cron line', () => {
  test('of five fields fires at second 0', () => {
    expect(good('15 3 * * *')).toEqual({
      seconds: [0],
      minutes: [15],
      hours: [3],
      daysOfMonth: range(1, 31),
      months: range(1, 12),
      daysOfWeek: range(0, 6),
      eitherDay: false,
    })
  })

  test('of six fields has seconds in front', () => {
    expect(good('*/15 0 0 1 1 *')).toMatchObject({ seconds: [0, 15, 30, 45], daysOfMonth: [1], months: [1] })
  })

  test('has names, ranges, steps and lists', () => {
    const cron = good('0-10/5,59 8-18 * jan,MAR-may mon-fri')
    expect(cron).toMatchObject({ minutes: [0, 5, 10, 59], hours: range(8, 18), months: [1, 3, 4, 5] })
    expect(cron.daysOfWeek).toEqual([1, 2, 3, 4, 5])
  })

  test('counts 0 and 7 as Sunday', () => {
    expect(good('0 0 * * 7').daysOfWeek).toEqual([0])
    expect(good('0 0 * * 5-7').daysOfWeek).toEqual([0, 5, 6])
    expect(good('0 0 * * 0,7').daysOfWeek).toEqual([0])
  })

  test('takes a start with a step to the end', () => {
    expect(good('10/20 * * * *').minutes).toEqual([10, 30, 50])
    expect(good('* * * * 5/1').daysOfWeek).toEqual([5, 6])
  })

  test('fires on either day where both are restricted', () => {
    expect(good('0 0 13 * fri').eitherDay).toBe(true)
    expect(good('0 0 ? * fri').eitherDay).toBe(false)
    expect(good('0 0 */2 * fri').eitherDay).toBe(false)
  })

  test.each([
    ['@yearly', '0 0 1 1 *'],
    ['@annually', '0 0 1 1 *'],
    ['@monthly', '0 0 1 * *'],
    ['@weekly', '0 0 * * 0'],
    ['@daily', '0 0 * * *'],
    [' @Midnight ', '0 0 * * *'],
    ['@hourly', '0 * * * *'],
  ])('%s stands for %s', (macro, line) => {
    expect(good(macro)).toEqual(good(line))
  })

  test.each(['0 0 31 2 *', '0 0 30 feb *', '0 0 31 4,6,9,11 *', '0 0 31 2 ?', '0 0 31 2 */2'])(
    '%s never fires, and says so',
    (line) => {
      expect(parseCron(line)).toMatchObject({ message: expect.stringContaining('never fires'), offset: 0 })
    },
  )

  test.each(['0 0 29 2 *', '0 0 31 2 mon', '0 0 31 2,3 *', '0 0 30,31 4 *'])('%s fires', (line) => {
    expect(good(line)).toBeDefined()
  })

  test.each([
    ['', 0],
    ['* * * *', 0],
    ['* * * * * * *', 0],
    ['@reboot', 0],
    ['60 * * * *', 0],
    ['* 24 * * *', 2],
    ['* * 0 * *', 4],
    ['* * 32 * *', 4],
    ['* * * 13 *', 6],
    ['* * * * 8', 8],
    ['* * * * funday', 8],
    ['* * L * *', 4],
    ['* * * * 5#2', 8],
    ['*/0 * * * *', 0],
    ['5-1 * * * *', 0],
    ['1, * * * *', 0],
    ['1--2 * * * *', 0],
    ['-1 * * * *', 0],
    ['1.5 * * * *', 0],
    ['* * * jan-foo *', 6],
    ['* * * mon *', 6],
  ])('%j is refused, with the place', (line, offset) => {
    expect(parseCron(line)).toMatchObject({ offset, message: expect.any(String) })
  })

  test('reads back whatever lists of numbers it is made of', () => {
    const some = (from: number, to: number) =>
      fc.uniqueArray(fc.integer({ min: from, max: to }), { minLength: 1 })
    fc.assert(
      fc.property(
        some(0, 59),
        some(0, 59),
        some(0, 23),
        some(1, 28),
        some(1, 12),
        some(0, 6),
        (...fields) => {
          const sorted = fields.map((values) => [...values].sort((a, b) => a - b))
          const [seconds, minutes, hours, daysOfMonth, months, daysOfWeek] = sorted
          expect(good(fields.map((values) => values.join(',')).join(' '))).toEqual({
            seconds,
            minutes,
            hours,
            daysOfMonth,
            months,
            daysOfWeek,
            eitherDay: true,
          })
        },
      ),
    )
  })

  test('of any text is read or refused at a place inside it', () => {
    const letters = fc.constantFrom(...'0123456789*/-,? @ajnmofri'.split(''))
    const line = fc.oneof(fc.string(), fc.string({ unit: letters, maxLength: 30 }))
    fc.assert(
      fc.property(line, (text) => {
        const read = parseCron(text)
        if (!('message' in read)) return
        expect(read.offset).toBeGreaterThanOrEqual(0)
        expect(read.offset + read.length).toBeLessThanOrEqual(Math.max(1, text.length))
      }),
      { numRuns: randomCases(2_000) },
    )
  })
})
