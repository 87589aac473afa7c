// What others were faster with is tried again, later and later, and not for ever.
import { expect, test } from 'vitest'
import { tryUntilDone } from '../../src/lib/io/tries.js'
import type { Timer } from '../../src/lib/time.js'

/** Time goes on only while somebody waits, and with each try. */
function pacing(tryMs: number, random: number) {
  let now = 0
  const pauses: number[] = []
  const timer: Timer = { cancel: () => {}, unref: () => timer }
  const time = {
    steady: () => now,
    after: (ms: number, run: () => void) => {
      pauses.push(ms)
      now += ms
      queueMicrotask(run)
      return timer
    },
  }
  const tried: number[] = []
  const attempt = (succeedsAt: number) => (failures: number) => {
    tried.push(failures)
    now += tryMs
    return Promise.resolve(failures === succeedsAt ? { failures } : null)
  }
  return { of: { time, random: () => random }, pauses, tried, attempt, now: () => now }
}

const patience = { firstMs: 10, longestMs: 100, withinMs: 1000 }

test('the first failure is followed by a try at once, further ones by pauses that grow', async () => {
  const { of, pauses, attempt } = pacing(1, 0.999_999)
  await expect(tryUntilDone(of, patience, attempt(7))).resolves.toEqual({ failures: 7 })
  expect(pauses.map(Math.round)).toEqual([10, 20, 40, 80, 100, 100])
})

test('pauses are drawn from half of their length to all of it', async () => {
  const { of, pauses, attempt } = pacing(1, 0)
  await tryUntilDone(of, patience, attempt(4))
  expect(pauses).toEqual([5, 10, 20])
})

test('it ends when the time is over, with nothing', async () => {
  const { of, tried, attempt, now } = pacing(1, 0.5)
  await expect(tryUntilDone(of, patience, attempt(Number.POSITIVE_INFINITY))).resolves.toBeNull()
  expect(now()).toBeLessThan(1000)
  expect(tried.length).toBeGreaterThan(5)
})

test('there are two tries where one alone takes longer than there is time', async () => {
  const { of, tried, attempt } = pacing(5000, 0.5)
  await expect(tryUntilDone(of, patience, attempt(2))).resolves.toBeNull()
  expect(tried).toEqual([0, 1])
})

test('what fails for another reason is not tried again', async () => {
  const { of } = pacing(1, 0.5)
  await expect(tryUntilDone(of, patience, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
