import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { loopDelay, stallMs, watchLoopDelay } from '../../src/lib/io/loop-delay.js'

test('a thread that is busy for longer than a second is measured, counted and told of', async () => {
  const told: unknown[] = []
  const note = (_subject: string, message: string, fields?: object): void => {
    told.push([message, fields])
  }
  const before = loopDelay().stalls
  const end = watchLoopDelay({ debug: () => {}, info: () => {}, warn: note, error: note }, 200)
  try {
    // The monitor compares with the time at which it looked before.
    await wait(100)
    const until = performance.now() + stallMs + 500
    while (performance.now() < until) Math.sqrt(until)
    while (loopDelay().stalls === before) await wait(50)
    expect(told).toHaveLength(1)
  } finally {
    end()
  }
})
