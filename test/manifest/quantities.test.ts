import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDurationMs } from '../../src/lib/duration.js'
import { parseSizeMb } from '../../src/manifest/quantities.js'

describe('durations', () => {
  test.each([
    ['0', 0],
    ['30', 30_000],
    ['1.5', 1_500],
    ['-1', -1_000],
    ['30s', 30_000],
    ['500ms', 500],
    ['1m30s', 90_000],
    ['1h 5m', 3_900_000],
    ['5 minutes', 300_000],
    ['1 minute', 60_000],
    ['2 Hours', 7_200_000],
    ['1.5h', 5_400_000],
    ['2d', 172_800_000],
    ['1w', 604_800_000],
    ['PT5M', 300_000],
    ['P1D', 86_400_000],
    ['P1DT12H', 129_600_000],
    ['PT1.5S', 1_500],
    ['PT0,25S', 250],
    ['P2W', 1_209_600_000],
    ['-PT1H', -3_600_000],
  ])('%s is read', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms)
  })

  test.each([
    '',
    ' ',
    's',
    '5 parsecs',
    '1m30',
    '30 s 5',
    '--1',
    '+1',
    '1e3',
    '0x10',
    'P',
    'PT',
    'PT1H30',
    'P1H',
    'PT1D',
    'P1M',
    'P1Y',
    'P1.5D',
    'pt5m',
    '5ss',
    '1..5s',
    '∞',
    '99999999999999',
    'constructor',
    '1constructor',
    '1toString',
  ])('%j is refused', (text) => {
    expect(parseDurationMs(text)).toBeUndefined()
  })

  test('a duration written in seconds, units or ISO 8601 is the same duration', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(59), fc.nat(59), (h, m, s) => {
        const ms = ((h * 60 + m) * 60 + s) * 1_000
        for (const text of [
          `${ms / 1_000}`,
          `${h}h${m}m${s}s`,
          `${h} hours ${m} minutes ${s} seconds`,
          `PT${h}H${m}M${s}S`,
          `${ms}ms`,
        ]) {
          expect(parseDurationMs(text)).toBe(ms)
        }
      }),
    )
  })

  test('any text is read or refused', () => {
    fc.assert(
      fc.property(fc.string(), (text) => ['number', 'undefined'].includes(typeof parseDurationMs(text))),
    )
  })
})

describe('sizes', () => {
  test.each([
    ['512', 512],
    ['512M', 512],
    ['512mb', 512],
    ['512 MiB', 512],
    ['1.5GiB', 1_536],
    ['2g', 2_048],
    ['1T', 1_048_576],
    ['2048K', 2],
    ['100K', 1],
    ['1.3G', 1_332],
  ])('%s is read as MiB', (text, mb) => {
    expect(parseSizeMb(text)).toBe(mb)
  })

  test.each(['', '-1', '0.5', '1.5', 'M', '1P', '512 M B', '1e3', '99999999999999999999', '5 GB/s'])(
    '%j is refused',
    (text) => {
      expect(parseSizeMb(text)).toBeUndefined()
    },
  )
})
