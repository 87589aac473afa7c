import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Reading, readingOf, remember, since } from '../../src/autoscale/readings.js'

describe('the values of several instances', () => {
  it.each([
    ['avg', 4],
    ['sum', 16],
    ['min', 1],
    ['max', 9],
    ['p90', 9],
  ] as const)('have the %s %d', (aggregate, value) => {
    expect(readingOf([1, 9, null, 2, 4], aggregate, 7)).toEqual({ at: 7, value, known: 4, missing: 1 })
  })

  it('have a p90 below which nine of ten lie', () => {
    const ten = Array.from({ length: 10 }, (_, n) => n + 1)
    expect(readingOf(ten, 'p90', 0).value).toBe(9)
  })

  it('are nothing when none is known', () => {
    expect(readingOf([null], 'sum', 7)).toEqual({ at: 7, value: null, known: 0, missing: 1 })
    expect(readingOf([], 'avg', 7)).toEqual({ at: 7, value: null, known: 0, missing: 0 })
  })
})

describe('what is remembered', () => {
  it('covers the window as soon as enough has been seen, and no more than that is kept', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 30 }), (steps, windowMs) => {
        let kept: readonly Reading[] = []
        let at = 0
        for (const step of steps) {
          at += step
          kept = remember(kept, readingOf([1], 'avg', at), windowMs)
          const covered = since(kept, at - windowMs)
          expect(covered !== null).toBe(at - windowMs >= (steps[0] ?? 0))
          expect(kept.filter((one) => one.at <= at - windowMs).length).toBeLessThanOrEqual(1)
        }
      }),
    )
  })
})
