// How long events are kept.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { elapsedAt } from '../../src/lib/elapsed.js'
import { askedKept, chooseForgotten, type KeptEvents, unaskedKept } from '../../src/store/history.js'

const keepMs = 1000

function anEvent(n: number, more: Partial<KeptEvents> = {}): KeptEvents {
  return {
    key: `events/${String(n).padStart(13, '0')}`,
    at: n,
    asked: 0,
    unasked: 1,
    createRevision: n,
    ...more,
  }
}

const forgotten = (events: readonly KeptEvents[], now: number, readUpTo = Number.MAX_SAFE_INTEGER) =>
  chooseForgotten(events, { keepMs, readUpTo }, elapsedAt(now))

describe('the history', () => {
  test('forgets what is older than it is to be kept, asked for or not', () => {
    const events = [anEvent(1, { asked: 1, unasked: 0 }), anEvent(2), anEvent(500)]
    expect(forgotten(events, 1003)).toEqual([events[0]?.key, events[1]?.key])
  })

  test('forgets nothing because the clock is set forward', () => {
    const jumps = [{ byMs: 50 * keepMs, before: 600, after: 600 + 50 * keepMs }]
    const events = [anEvent(100), anEvent(500)]
    const at = (now: number) =>
      chooseForgotten(events, { keepMs, readUpTo: 1e9 }, elapsedAt(now + 50 * keepMs, jumps))
    expect(at(1100)).toEqual([])
    expect(at(1101)).toEqual([events[0]?.key])
  })

  test('keeps what has not been read by those who have to', () => {
    const events = [anEvent(1), anEvent(2)]
    expect(forgotten(events, 9000, 1)).toEqual([events[0]?.key])
  })

  test('keeps the changes that people made while what happens by itself goes beyond its number', () => {
    const change = anEvent(0, { asked: 1, unasked: 0 })
    const noise = Array.from({ length: unaskedKept + 2 }, (_, n) => anEvent(n + 1))
    expect(forgotten([change, ...noise], 1)).toEqual([noise[0]?.key, noise[1]?.key])
    const changes = Array.from({ length: askedKept + 1 }, (_, n) => anEvent(n, { asked: 1, unasked: 0 }))
    expect(forgotten(changes, 1)).toEqual([changes[0]?.key])
  })

  test('keeps what was told at once together, for as long as any of it is to be kept', () => {
    const noise = anEvent(9, { unasked: unaskedKept })
    const mixed = anEvent(5, { asked: 1, unasked: 3 })
    const many = anEvent(4, { unasked: unaskedKept - 1 })
    expect(forgotten([anEvent(3), many, mixed, noise], 10)).toEqual([anEvent(3).key, many.key])
    expect(forgotten([anEvent(3), many, anEvent(5)], 10)).toEqual([anEvent(3).key])
    expect(forgotten([many, mixed], 10)).toEqual([])
  })

  test('keeps all that is young enough, in whatever order it is listed', () => {
    const some = fc.uniqueArray(fc.nat(5000), { maxLength: 50 })
    fc.assert(
      fc.property(some, fc.nat(6000), fc.nat(5000), (ages, now, readUpTo) => {
        const events = ages.map((n) => anEvent(n, { asked: n % 2, unasked: 1 - (n % 2) }))
        const expected = ages
          .filter((n) => n < now - keepMs && n <= readUpTo)
          .sort((a, b) => a - b)
          .map((n) => anEvent(n).key)
        expect(forgotten(events, now, readUpTo)).toEqual(expected)
      }),
    )
  })
})
