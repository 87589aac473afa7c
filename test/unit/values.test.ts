import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseUnit } from '../../src/unit/parse.js'
import {
  lastOf,
  parseBoolean,
  parseCount,
  parseSize,
  parseTimeSpan,
  printTimeSpan,
  valuesOf,
} from '../../src/unit/values.js'

describe('values of options', () => {
  it('add up, and an empty one drops those before it', () => {
    const { file } = parseUnit('[S]\nA=1\nA=2\nA=\nA=3\nA=4\nB=1\nB=\n[T]\nA=5')
    expect(valuesOf(file, 'S', 'A')).toEqual(['3', '4'])
    expect(lastOf(file, 'S', 'A')).toBe('4')
    expect(lastOf(file, 'S', 'B')).toBeNull()
    expect(lastOf(file, 'S', 'C')).toBeNull()
  })

  // Answers of parse_sec() of systemd 252, in seconds.
  it.each([
    ['5min 20s', 320],
    ['5', 5],
    ['1.5h', 5400],
    ['5 5', 10],
    ['.5s', 0.5],
    [' 5 ', 5],
    ['1min20', 80],
    ['100ms', 0.1],
    ['1M', 2_629_800],
    ['2 weeks 3 days', 1_468_800],
    ['1y', 31_557_600],
    ['7us', 0.000007],
    ['1month', 2_629_800],
    ['infinity', Number.POSITIVE_INFINITY],
    ['0', 0],
  ])('reads the time span %j', (text, seconds) => {
    expect(parseTimeSpan(text)).toBeCloseTo(seconds * 1000, 6)
  })

  it.each([
    '',
    ' ',
    '5.',
    '5foo',
    '-1',
    '1e3',
    '.51.5',
    's',
    'inf',
    '1 infinity',
    `1${' '.repeat(1e6)}x`,
    '9'.repeat(30),
  ])('takes %j for no time span', (text) => {
    expect(parseTimeSpan(text)).toBeNull()
  })

  it('prints time spans that read back the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (ms) => {
        expect(parseTimeSpan(printTimeSpan(ms))).toBe(ms)
      }),
    )
    expect([0, 1500, 30_000, Number.POSITIVE_INFINITY, 0.25].map(printTimeSpan)).toEqual([
      '0s',
      '1500ms',
      '30s',
      'infinity',
      '250us',
    ])
  })

  it.each([
    ['256M', 256 * 1024 ** 2],
    ['1.5G', 1.5 * 1024 ** 3],
    ['5 M', 5 * 1024 ** 2],
    ['5B', 5],
    ['12', 12],
    ['infinity', Number.POSITIVE_INFINITY],
    ['1KB', null],
    ['M', null],
    ['-1', null],
    ['256m', null],
    ['9999999999999P', null],
  ])('reads the size %j', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes)
  })

  it('reads booleans in any case', () => {
    expect(['1', 'Yes', 'y', 'TRUE', 't', 'on'].map(parseBoolean)).toEqual(Array(6).fill(true))
    expect(['0', 'no', 'N', 'false', 'f', 'OFF'].map(parseBoolean)).toEqual(Array(6).fill(false))
    expect(['', '2', 'yess'].map(parseBoolean)).toEqual([null, null, null])
  })

  it('reads counts as plain digits alone', () => {
    expect(
      ['0', '65535', '65536', '-1', '1.0', '', ' 1', '0x10', '1e3'].map((text) => parseCount(text, 65535)),
    ).toEqual([0, 65535, null, null, null, null, null, null, null])
  })
})
