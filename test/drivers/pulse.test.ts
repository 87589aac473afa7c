// When something that takes questions and gives no answers is found silent, and how often it is asked.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answersWithinMs, askAnewMs, Pulse, type PulseOptions, quietMs } from '../../src/drivers/io/pulse.js'
import { systemClock } from '../../src/lib/io/clock.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})

afterEach(() => {
  pulse?.close()
  vi.useRealTimers()
})

interface Question {
  readonly signal: AbortSignal
  readonly answer: () => void
  readonly fail: () => void
}

let pulse: Pulse | null = null

function open(more: Partial<PulseOptions> = {}): {
  readonly questions: Question[]
  readonly told: boolean[]
  readonly pulse: Pulse
} {
  const questions: Question[] = []
  const told: boolean[] = []
  const opened = new Pulse({
    time: systemClock,
    onChange: (isSilent) => told.push(isSilent),
    ask: (signal) =>
      new Promise<void>((resolve, reject) => {
        questions.push({ signal, answer: resolve, fail: () => reject(new Error('refused')) })
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      }),
    ...more,
  })
  pulse = opened
  return { questions, told, pulse: opened }
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
  await nextTurn()
}

test('it is asked when nothing has come for a while, and not before', async () => {
  const { questions, told, pulse } = open()
  for (let at = 0; at < 10; at += 1) {
    await pass(quietMs / 2)
    pulse.heard()
  }
  expect(questions).toHaveLength(0)
  await pass(quietMs)
  expect(questions).toHaveLength(1)
  questions[0]?.answer()
  await pass(quietMs)
  expect(questions).toHaveLength(2)
  expect(told).toEqual([])
})

test('a question that is not answered in time says that it is silent, and its answer that it is not', async () => {
  const { questions, told, pulse } = open()
  await pass(quietMs + answersWithinMs)
  expect(told).toEqual([true])
  await pass(askAnewMs / 2)
  expect(questions).toHaveLength(1)
  questions[0]?.answer()
  await pass(0)
  expect(told).toEqual([true, false])
  expect(pulse.isSilent).toBe(false)
})

test('there is one question at a time, for however long', async () => {
  const { questions, told } = open()
  await pass(20 * askAnewMs)
  expect(questions.length).toBeGreaterThan(10)
  expect(questions.filter(({ signal }) => !signal.aborted)).toHaveLength(1)
  expect(told).toEqual([true])
})

test('an answer to something else counts', async () => {
  const { told, pulse } = open()
  await pass(quietMs + answersWithinMs / 2)
  pulse.heard()
  await pass(answersWithinMs)
  expect(told).toEqual([])
})

test('where it cannot be reached others learn that; one that was silent stays so until it answers', async () => {
  const { questions, told } = open()
  await pass(quietMs)
  questions[0]?.fail()
  await pass(quietMs)
  expect(questions).toHaveLength(2)
  expect(told).toEqual([])
  await pass(answersWithinMs)
  questions[1]?.fail()
  await pass(5000)
  questions[2]?.answer()
  await pass(0)
  expect(told).toEqual([true, false])
})

test('one that is asked at once is silent as soon as its answer is due', async () => {
  const { questions, told } = open({ asksAtOnce: true })
  expect(questions).toHaveLength(1)
  await pass(answersWithinMs)
  expect(told).toEqual([true])
})

test('where this process was held up itself, the time to answer begins anew', async () => {
  let heldUpMs = 0
  const { told } = open({ time: { ...systemClock, steady: () => systemClock.steady() + heldUpMs } })
  await pass(quietMs)
  heldUpMs = 2 * answersWithinMs
  await pass(answersWithinMs)
  expect(told).toEqual([])
  await pass(answersWithinMs)
  expect(told).toEqual([true])
})
