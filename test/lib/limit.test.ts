// How much is asked of Docker at a time.
import { expect, test } from 'vitest'
import { createLimit } from '../../src/lib/io/limit.js'
import type { Timer } from '../../src/lib/time.js'

const { signal } = new AbortController()
const never = (): Promise<never> => new Promise(() => {})

/** A time that passes when it is told to. */
function handTime(): { readonly after: (ms: number, run: () => void) => Timer; readonly pass: () => void } {
  const due = new Set<() => void>()
  return {
    after: (_, run) => {
      due.add(run)
      const timer: Timer = { cancel: () => due.delete(run), unref: () => timer }
      return timer
    },
    pass: () => {
      for (const run of due) run()
    },
  }
}

test('what hangs holds up no others for ever, and gives its place up once', async () => {
  const time = handTime()
  const limit = createLimit(1, { time, heldUpAfterMs: 1000 })
  let end: () => void = () => {}
  const hung = limit(() => new Promise<void>((resolve) => (end = resolve)), signal)
  let began = 0
  const count = async (): Promise<void> => {
    began += 1
  }
  const next = limit(count, signal)
  await Promise.resolve()
  expect(began).toBe(0)
  time.pass()
  await next
  const holding = limit(never, signal)
  holding.catch(() => {})
  end()
  await hung
  const last = limit(count, signal)
  await Promise.resolve()
  expect(began).toBe(1)
  time.pass()
  await last
  expect(began).toBe(2)
})

test('what waits gives up with its caller, and takes nobody else’s turn', async () => {
  const limit = createLimit(1, { time: handTime(), heldUpAfterMs: 1000 })
  let end: () => void = () => {}
  const first = limit(() => new Promise<void>((resolve) => (end = resolve)), signal)
  const caller = new AbortController()
  const second = limit(never, caller.signal)
  const third = limit(async () => 'done', signal)
  caller.abort(new Error('not wanted'))
  await expect(second).rejects.toThrow('not wanted')
  end()
  await first
  expect(await third).toBe('done')
})
