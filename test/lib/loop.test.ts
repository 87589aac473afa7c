import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { backoffMs } from '../../src/lib/backoff.js'
import { systemClock, watchForJumps } from '../../src/lib/io/clock.js'
import { type Loop, startLoop } from '../../src/lib/io/loop.js'
import { ReportedStates } from '../../src/lib/reported-states.js'

const hourMs = 3_600_000
let loop: Loop | null = null

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  })
})

afterEach(async () => {
  await loop?.stop()
  loop = null
  vi.useRealTimers()
})

describe('a loop', () => {
  test('whose passes throw waits longer and longer, however often it is woken, and says the same thing once', async () => {
    let [passes, fails] = [0, true]
    const told: string[] = []
    loop = startLoop({
      clock: systemClock,
      intervalMs: 15_000,
      restMs: 15,
      backoff: { firstMs: 250, longestMs: 5000 },
      onError: (error) => told.push(String(error)),
      pass: () => {
        passes += 1
        return fails ? Promise.reject(new Error('the disk is full')) : Promise.resolve({ wakeAt: null })
      },
    })
    const wokenFor = async (ms: number): Promise<number> => {
      const before = passes
      for (let at = 0; at < ms; at += 10) {
        loop?.wake()
        await vi.advanceTimersByTimeAsync(10)
      }
      return passes - before
    }
    expect(await wokenFor(8000)).toBeLessThanOrEqual(7)
    expect(await wokenFor(60_000)).toBeLessThanOrEqual(13)
    expect(told).toEqual(['Error: the disk is full'])
    fails = false
    await wokenFor(5100)
    expect(await wokenFor(1000)).toBeGreaterThan(20)
    fails = true
    expect(await wokenFor(1000)).toBeLessThanOrEqual(4)
    expect(told).toHaveLength(2)
  })

  test('tells of another failure when it comes to that', async () => {
    const told: unknown[] = []
    let n = 0
    loop = startLoop({
      clock: systemClock,
      intervalMs: 1000,
      onError: (error) => told.push(String(error)),
      pass: () => Promise.reject(new Error(n++ < 3 ? 'one' : 'other')),
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(told).toEqual(['Error: one', 'Error: other'])
  })

  test('goes on at its pace when the clock is set back by an hour, in whatever it waits for', async () => {
    let passes = 0
    loop = startLoop({
      clock: systemClock,
      intervalMs: 2000,
      restMs: 500,
      onError: () => {},
      pass: () => {
        passes += 1
        return Promise.resolve({ wakeAt: null })
      },
    })
    for (const after of [100, 1000]) {
      await vi.advanceTimersByTimeAsync(after)
      vi.setSystemTime(Date.now() - hourMs)
    }
    const before = passes
    await vi.advanceTimersByTimeAsync(10_000)
    expect(passes - before).toBeGreaterThanOrEqual(5)
  })
})

test('a loop that finds nothing to do sets one timer for each pass, and one more when it is woken in its rest', async () => {
  let [timers, passes] = [0, 0]
  const clock: typeof systemClock = {
    ...systemClock,
    after: (...given) => {
      timers += 1
      return systemClock.after(...given)
    },
  }
  loop = startLoop({
    clock,
    intervalMs: 1000,
    restMs: 100,
    onError: () => {},
    pass: () => {
      passes += 1
      return Promise.resolve({ wakeAt: null })
    },
  })
  await vi.advanceTimersByTimeAsync(4500)
  expect([passes, timers]).toEqual([5, 5])
  for (let n = 0; n < 3; n++) loop.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect([passes, timers]).toEqual([6, 6])
  for (let n = 0; n < 3; n++) loop.wake()
  await vi.advanceTimersByTimeAsync(99)
  expect([passes, timers]).toEqual([6, 7])
  await vi.advanceTimersByTimeAsync(1)
  expect([passes, timers]).toEqual([7, 8])
})

describe('a clock on the wall', () => {
  test('that is set is noticed within a second, and one that goes is not', async () => {
    const jumps: number[] = []
    const watch = watchForJumps(systemClock)
    watch.onJump((byMs) => jumps.push(byMs))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(jumps).toEqual([])
    vi.setSystemTime(Date.now() + hourMs)
    await vi.advanceTimersByTimeAsync(1000)
    vi.setSystemTime(Date.now() - hourMs)
    await vi.advanceTimersByTimeAsync(5000)
    expect(jumps).toEqual([hourMs, -hourMs])
    watch.end()
  })

  test('is told before anything is kept by what the clock says since', () => {
    let aheadMs = 0
    const time = { ...systemClock, now: () => 1_000_000 + aheadMs, steady: () => 0 }
    let kept = [1_005_000]
    const watch = watchForJumps(time)
    watch.onJump((byMs) => {
      kept = kept.map((at) => at + byMs)
    })
    aheadMs = 3_600_000
    const at = watch.noticing(time).now() + 5000
    kept = [...kept, at]
    expect(kept).toEqual([4_605_000, 4_605_000])
    watch.end()
  })

  test('that is set is known at once to who asks, with what it said before', async () => {
    let told = 0
    const watch = watchForJumps(systemClock)
    watch.onJump(() => {
      told += 1
    })
    await vi.advanceTimersByTimeAsync(3400)
    const before = Date.now()
    vi.setSystemTime(before - hourMs)
    expect(watch.jumps()).toEqual([{ byMs: -hourMs, before, after: before - hourMs - 400 }])
    expect([watch.jumps().length, told]).toEqual([1, 1])
    watch.end()
  })
})

test('a back-off begins with its first wait, never shrinks and never passes its longest', () => {
  const backoff = fc.record({
    firstMs: fc.integer({ min: 1, max: 5000 }),
    longestMs: fc.integer({ min: 5000, max: 90_000 }),
  })
  fc.assert(
    fc.property(backoff, fc.integer({ min: 1, max: 5000 }), (limits, failures) => {
      const waitMs = backoffMs(failures, limits)
      expect(backoffMs(1, limits)).toBe(limits.firstMs)
      expect(backoffMs(failures + 1, limits)).toBeGreaterThanOrEqual(waitMs)
      expect(waitMs).toBeLessThanOrEqual(limits.longestMs)
      expect(waitMs).toBeGreaterThanOrEqual(limits.firstMs)
    }),
  )
})

test('a state is news when it begins, when it becomes another and when it comes again after it was over', () => {
  const reported = new ReportedStates()
  const news = ['full', 'full', 'gone', 'full'].map((state) => reported.isNews('disk', state))
  expect(news).toEqual([true, false, true, true])
  expect([reported.over('disk'), reported.over('disk'), reported.isNews('disk', 'full')]).toEqual([
    true,
    false,
    true,
  ])
})
