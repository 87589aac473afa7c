// How much time has gone by when the clock was set meanwhile.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ClockJump, elapsedAt, jumpsKept, noJumps, withJump } from '../../src/lib/elapsed.js'

const hourMs = 3_600_000

/** A clock that is set now and then, and what it said when something happened. */
class SetClock {
  now = 10_000_000_000
  jumps: readonly ClockJump[] = noJumps
  backMs = 0
  readonly happened: { readonly instant: number; readonly at: number }[] = []
  #steady = 0

  advance(ms: number): void {
    this.now += ms
    this.#steady += ms
  }

  set(byMs: number): void {
    this.jumps = withJump(this.jumps, { byMs, before: this.now, after: this.now + byMs })
    this.now += byMs
    this.backMs += Math.max(0, -byMs)
  }

  note(): void {
    this.happened.push({ instant: this.now, at: this.#steady })
  }

  /** What is told of each, and what is true. */
  ages(): readonly { readonly told: number; readonly real: number }[] {
    const time = elapsedAt(this.now, this.jumps)
    return this.happened.map(({ instant, at }) => ({ told: time.since(instant), real: this.#steady - at }))
  }
}

const steps = (jumpMs: fc.Arbitrary<number>) =>
  fc.array(
    fc.oneof(
      fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 2 * hourMs }) }),
      fc.record({ do: fc.constant('note' as const), ms: fc.constant(0) }),
      fc.record({ do: fc.constant('set' as const), ms: jumpMs }),
    ),
    { maxLength: 40 },
  )

function played(all: readonly { readonly do: 'advance' | 'note' | 'set'; readonly ms: number }[]): SetClock {
  const clock = new SetClock()
  for (const one of all) clock[one.do](one.ms)
  return clock
}

describe('how long ago something was', () => {
  test('is what it was where the clock was only set forward', () => {
    fc.assert(
      fc.property(steps(fc.integer({ min: 1, max: 3 * hourMs })), (all) => {
        for (const { told, real } of played(all).ages()) expect(told).toBe(real)
      }),
    )
  })

  test('is never told to be longer than it was, and shorter at most by what the clock was set back', () => {
    fc.assert(
      fc.property(steps(fc.integer({ min: -3 * hourMs, max: 3 * hourMs })), (all) => {
        const clock = played(all)
        for (const { told, real } of clock.ages()) {
          expect(told).toBeLessThanOrEqual(real)
          expect(told).toBeGreaterThanOrEqual(Math.max(0, real - clock.backMs))
        }
      }),
    )
  })

  test('is what it was for what the clock has not said again since it was set back', () => {
    const clock = new SetClock()
    clock.note()
    clock.advance(1000)
    clock.set(-hourMs)
    clock.advance(hourMs - 1001)
    expect(clock.ages()).toEqual([{ told: hourMs - 1, real: hourMs - 1 }])
  })

  test('is counted from when it was passed over for what the clock never said', () => {
    const time = elapsedAt(9000, [{ byMs: 7000, before: 1000, after: 8000 }])
    expect(time.since(5000)).toBe(1000)
  })

  test('is never told to be longer than it was where the jump was noticed only later', () => {
    // Set back by 5000 at 10000, noticed 800 later, when both of these are written.
    const jumps = [{ byMs: -5000, before: 10_800, after: 4700 }]
    const time = elapsedAt(5800, jumps)
    expect(time.since(5100)).toBe(700)
    expect(time.since(9900)).toBe(900)
  })

  test('is below zero for what is later than anything that the clock has said', () => {
    expect(elapsedAt(1000).since(1500)).toBe(-500)
    expect(elapsedAt(1000, [{ byMs: -500, before: 1400, after: 900 }]).since(1500)).toBe(-500)
    expect(elapsedAt(1000, [{ byMs: -500, before: 1400, after: 900 }]).since(1300)).toBe(200)
  })

  test('asks so many jumps at most to be remembered, the last ones', () => {
    const clock = new SetClock()
    for (let n = 0; n < jumpsKept + 10; n++) clock.set(1000)
    expect(clock.jumps).toHaveLength(jumpsKept)
    clock.note()
    clock.advance(5)
    expect(clock.ages()).toEqual([{ told: 5, real: 5 }])
  })
})

test('what is left of a time wakes when it is over, and not at all afterwards', () => {
  const time = elapsedAt(5000, [{ byMs: 3000, before: 1000, after: 4000 }])
  expect([time.left(500, 2000), time.wakeAt(time.left(500, 2000))]).toEqual([500, 5500])
  expect([time.left(500, 1500), time.wakeAt(time.left(500, 1500))]).toEqual([0, null])
})
