import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RateLimiter } from '../../src/lib/rate-limit.js'

describe('a rate limiter', () => {
  it('lets so many at once, and then one each time that one more fits', () => {
    const limiter = new RateLimiter({ burst: 3, everyMs: 1000 })
    for (let n = 0; n < 3; n++) {
      expect(limiter.waitMs('a', 0)).toBe(0)
      limiter.take('a', 0)
    }
    expect(limiter.waitMs('a', 0)).toBe(1000)
    expect(limiter.waitMs('b', 0)).toBe(0)
    expect(limiter.waitMs('a', 999)).toBe(1)
    expect(limiter.waitMs('a', 1000)).toBe(0)
    limiter.take('a', 1000)
    expect(limiter.waitMs('a', 1000)).toBe(1000)
    expect(limiter.waitMs('a', 10_000)).toBe(0)
  })

  it('never lets more through in any stretch of time than its burst and what came in since', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 60 }),
        (burst, gaps) => {
          const limiter = new RateLimiter({ burst, everyMs: 1000 })
          let now = 0
          const taken: number[] = []
          for (const gap of gaps) {
            now += gap
            if (limiter.waitMs('a', now) > 0) continue
            limiter.take('a', now)
            taken.push(now)
          }
          for (const [first, from] of taken.entries())
            for (const [last, to] of taken.entries())
              if (last >= first) expect(last - first + 1).toBeLessThanOrEqual(burst + (to - from) / 1000)
        },
      ),
    )
  })

  it('forgets those that came first when too many come', () => {
    const limiter = new RateLimiter({ burst: 1, everyMs: 1000 })
    for (let n = 0; n <= 10_000; n++) limiter.take(`key ${n}`, 0)
    expect(limiter.waitMs('key 0', 0)).toBe(0)
    expect(limiter.waitMs('key 1', 0)).toBe(1000)
  })
})
