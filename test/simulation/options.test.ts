// For how long the simulator runs, by what it is given.
import { expect, test } from 'vitest'
import { nameOf, numberOf, spansOf, wholeNumberOf } from './options.js'

const ever = Number.POSITIVE_INFINITY
const hourMs = 3_600_000

test.each([
  ['nothing', {}, { busyMs: hourMs / 2, forMs: 60_000, daysMs: ever }],
  ['one seed for days', { seed: '8', days: '2' }, { busyMs: 48 * hourMs, forMs: ever, daysMs: ever }],
  ['days of many seeds', { days: '100' }, { busyMs: hourMs / 2, forMs: ever, daysMs: 2400 * hourMs }],
  ['an hour', { hours: '1' }, { busyMs: hourMs / 2, forMs: hourMs, daysMs: ever }],
  [
    'whichever comes first',
    { hours: '1', days: '1' },
    { busyMs: hourMs / 2, forMs: hourMs, daysMs: 24 * hourMs },
  ],
  [
    'minutes of longer seeds',
    { minutes: '0.5', busy: '60' },
    { busyMs: hourMs, forMs: 30_000, daysMs: ever },
  ],
  ['so many seeds', { seeds: '3' }, { busyMs: hourMs / 2, forMs: ever, daysMs: ever }],
])('%s', (_, given, spans) => {
  expect(spansOf(given)).toEqual(spans)
})

test.each([
  [{ days: '0' }, '--days takes a number above 0, not "0"'],
  [{ days: 'two' }, '--days takes a number above 0, not "two"'],
  [{ hours: '' }, '--hours takes a number above 0, not ""'],
  [{ hours: '1', minutes: '2' }, '--minutes and --hours do not go together'],
  [{ seed: '1', days: '1', busy: '5' }, '--busy and --days do not go together'],
  [{ seeds: '1', days: '1' }, '--seeds and --days do not go together'],
  [{ scenario: 'x.scn', days: '1' }, '--scenario and --days do not go together'],
])('%o is refused in one line', (given, message) => {
  expect(() => spansOf(given)).toThrow(message)
})

test('numbers and names are checked', () => {
  expect(wholeNumberOf('--seed', '8')).toBe(8)
  expect(() => wholeNumberOf('--seed', '-8')).toThrow('--seed takes a whole number, not "-8"')
  expect(numberOf('--calm', '0.5')).toBe(0.5)
  expect(nameOf('--profile', 'a', ['a', 'b'])).toBe('a')
  expect(() => nameOf('--profile', 'c', ['a', 'b'])).toThrow('--profile: there is no "c", of a, b')
})
