// Where time leaps to, and what it does not leap over.
import { expect, test } from 'vitest'
import { beginsAt, Clockwork, MachineTime } from './clockwork.js'

const leaps = { isQuiet: () => true, onLeap: () => {} }

function openTime() {
  const clockwork = new Clockwork(1)
  clockwork.leap(leaps)
  const time = new MachineTime(clockwork)
  const looks: number[] = []
  const look = (): void => {
    time.after(
      1000,
      () => {
        looks.push(time.steady())
        look()
      },
      Number.POSITIVE_INFINITY,
    )
  }
  look()
  const run = (forMs: number): Promise<void> =>
    clockwork.run(
      beginsAt + forMs,
      () => {},
      () => false,
    )
  return { clockwork, time, looks, run }
}

test('a leap ends just before what has to happen, and a second earlier where something is done to the world', async () => {
  const { clockwork, time, looks, run } = openTime()
  clockwork.announce([beginsAt + 600_500])
  time.after(300_500, () => {})
  clockwork.after(600_500, () => {})
  await run(900_000)
  // Each look before the one that is done to the world was made less than a second before.
  expect(looks.filter((at) => at < 302_000).length).toBeLessThan(3)
  expect(looks.filter((at) => at >= 599_500 && at <= 600_500).length).toBeGreaterThan(0)
})

test('a check that is not waited for is made in its time again once it may find something else', async () => {
  const { clockwork, time, run } = openTime()
  const made: number[] = []
  const check = (name: number): void =>
    void time.ofChecks(() => true).after(60_000 + name, () => made.push(time.steady()))
  check(0)
  clockwork.after(50_000, () => time.unsettle())
  await run(900_000)
  // Of the time until then most was leapt over.
  expect(made).toHaveLength(1)
  expect(made[0]).toBeGreaterThan(100_000)
  check(1)
  time.unsettle()
  await run(1_800_000)
  expect(made[1]).toBe(900_000 + 60_001)
})

test('the wait for the next comparison of clocks is leapt over, and that for answers is not', async () => {
  const { time, run } = openTime()
  const made: string[] = []
  const comparisons = time.ofComparisons(() => true)
  comparisons.after(60_000, () => made.push('comparison'), 900_000)
  comparisons.after(10_000, () => made.push('answers'), 10_000)
  await run(950_000)
  expect(made).toEqual(['answers'])
})
