import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MachineWord } from '../../src/health/condition.js'
import { type CheckedUnit, startChecker } from '../../src/health/io/checker.js'
import type { ExecResult } from '../../src/health/io/probe.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { CommandCheck } from '../../src/model/health-check.js'
import type { UnitName } from '../../src/model/unit.js'
import { randomCases } from '../random-runs.js'

const start = 1_000_000
beforeEach(() => {
  vi.useFakeTimers({ now: start })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A stretch of time in which everything on the machine takes so many times as long as at rest. */
interface Stretch {
  readonly forMs: number
  readonly factor: number
}

/** When work that takes `workMs` at rest is done, begun now; after the last stretch the machine is at rest. */
function doneAfter(load: readonly Stretch[], workMs: number): number {
  let [at, left] = [start, workMs]
  const now = Date.now()
  for (const { forMs, factor } of load) {
    const from = Math.max(at, now)
    at += forMs
    if (at <= now) continue
    const done = (at - from) / factor
    if (done >= left) return from + left * factor - now
    left -= done
  }
  return Math.max(at, now) + left - now
}

const after = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** What one instance does when it is asked: how long it takes at rest, or for ever from some instant on. */
interface Program {
  readonly answersInMs: number
  readonly beginsInMs?: number
  readonly hangsFrom?: number
  readonly failsFrom?: number
}

/** Checks programs on one machine under a load, for so long, and returns what was told, with how long each was late. */
async function checked(
  programs: readonly Program[],
  check: CommandCheck,
  load: readonly Stretch[],
  forMs: number,
) {
  const told: {
    readonly unit: string
    readonly health: string
    readonly at: number
    readonly reason: string | null
  }[] = []
  const words: MachineWord[] = []
  const probes: { readonly at: number }[] = []
  const checker = startChecker({
    clock: systemClock,
    onVerdict: (unit, { health, reason }) => told.push({ unit, health, reason, at: Date.now() - start }),
    onMachine: (word) => words.push(word),
    ownProbe: (signal) => after(doneAfter(load, 5), signal),
    onError: (error) => {
      throw error
    },
  })
  const exec =
    ({ answersInMs, beginsInMs = 20, hangsFrom, failsFrom }: Program) =>
    async (
      _argv: unknown,
      _user: unknown,
      signal: AbortSignal,
      onRunning: () => void,
    ): Promise<ExecResult> => {
      await after(doneAfter(load, beginsInMs), signal)
      probes.push({ at: Date.now() - start })
      onRunning()
      const isLate = (from: number | undefined) => from !== undefined && Date.now() - start >= from
      if (isLate(hangsFrom)) return await new Promise<ExecResult>(() => {})
      await after(doneAfter(load, answersInMs), signal)
      return { code: isLate(failsFrom) ? 1 : 0, output: '' }
    }
  const units = programs.map((program, n): CheckedUnit => {
    const target = { portOf: (port: number) => ({ address: '127.0.0.1', port }), exec: exec(program) }
    return { name: `web@${n}` as UnitName, startedAt: start, checks: [check], target }
  })
  checker.follow(units)
  await vi.advanceTimersByTimeAsync(forMs)
  const stopped = checker.stop()
  await vi.advanceTimersByTimeAsync(10_000)
  await stopped
  return { told, words, probes }
}

const second: CommandCheck = {
  type: 'command',
  argv: ['probe'],
  user: null,
  pollMs: 1000,
  timeoutMs: 1000,
  retries: 3,
}

/** The machine was seen at rest once before. */
const loads = fc
  .array(
    fc.record({ forMs: fc.integer({ min: 300, max: 10_000 }), factor: fc.integer({ min: 1, max: 60 }) }),
    { minLength: 1, maxLength: 4 },
  )
  .map((stretches): readonly Stretch[] => [{ forMs: 1000, factor: 1 }, ...stretches])

describe('a machine that only slows answers down', () => {
  it('makes no instance unhealthy, whatever the load', async () => {
    await fc.assert(
      fc.asyncProperty(
        loads,
        fc.array(
          fc.record({
            part: fc.double({ min: 0.01, max: 0.25, noNaN: true }),
            begins: fc.integer({ max: 400, min: 0 }),
          }),
          {
            minLength: 1,
            maxLength: 6,
          },
        ),
        fc.record({
          pollMs: fc.integer({ min: 800, max: 5000 }),
          timeoutMs: fc.integer({ min: 400, max: 5000 }),
          retries: fc.integer({ min: 1, max: 4 }),
        }),
        async (load, parts, timing) => {
          vi.setSystemTime(start)
          const programs = parts.map(({ part, begins }) => ({
            answersInMs: part * timing.timeoutMs,
            beginsInMs: begins,
          }))
          const { told } = await checked(programs, { ...second, ...timing }, load, 50_000)
          expect(told.filter(({ health }) => health === 'unhealthy')).toEqual([])
        },
      ),
      { numRuns: randomCases(25) },
    )
  }, 120_000)

  it('does not hide an instance that hangs once the load is over', async () => {
    await fc.assert(
      fc.asyncProperty(loads, fc.integer({ min: 1, max: 4 }), async (load, others) => {
        vi.setSystemTime(start)
        const calmAt = load.reduce((sum, { forMs }) => sum + forMs, 0)
        const programs = Array.from({ length: others }, (): Program => ({ answersInMs: 20 }))
        const { told } = await checked(
          [{ answersInMs: 20, hangsFrom: 1500 }, ...programs],
          second,
          load,
          calmAt + 60_000,
        )
        expect(told.filter(({ health }) => health === 'unhealthy').map(({ unit }) => unit)).toEqual(['web@0'])
      }),
      { numRuns: 10 },
    )
  }, 120_000)

  it('is said to be sick while failures are put down to it, and well afterwards', async () => {
    const load = [
      { forMs: 10_000, factor: 1 },
      { forMs: 20_000, factor: 60 },
    ]
    const programs = Array.from({ length: 5 }, (): Program => ({ answersInMs: 50 }))
    const { words, told } = await checked(programs, second, load, 90_000)
    expect(words.map(({ isSick }) => isSick)).toEqual([true, false])
    expect(words[0]?.slowness).toBeGreaterThan(10)
    expect(new Set(told.map(({ health }) => health))).toEqual(new Set(['healthy']))
  })
})

describe('a machine that is as quick as ever', () => {
  const calm: readonly Stretch[] = []

  it('is not to blame for an instance that hangs: it is unhealthy after its retries', async () => {
    const { told, words } = await checked([{ answersInMs: 20, hangsFrom: 5000 }], second, calm, 30_000)
    expect(told.map(({ health }) => health)).toEqual(['healthy', 'unhealthy'])
    expect(told[1]?.at).toBeLessThan(5000 + 4 * 2100)
    expect(told[1]?.reason).toBe('command probe: no answer within 1 s; 3 failures in a row')
    expect(words).toEqual([])
  })

  it('is asked first, but not blamed, when many instances fail at once', async () => {
    const programs = Array.from({ length: 12 }, (): Program => ({ answersInMs: 20, failsFrom: 5000 }))
    const { told, words } = await checked(programs, second, calm, 30_000)
    expect(told.filter(({ health }) => health === 'unhealthy')).toHaveLength(12)
    expect(words).toEqual([])
  })
})

describe('a machine on which many instances fail at once', () => {
  it('has to answer in time itself before more than two of them count as unhealthy', async () => {
    const load = [
      { forMs: 5000, factor: 1 },
      { forMs: 30_000, factor: 10 },
    ]
    const programs = Array.from({ length: 12 }, (): Program => ({ answersInMs: 5, failsFrom: 5000 }))
    const { told, words } = await checked(programs, second, load, 34_000)
    expect(told.filter(({ health }) => health === 'unhealthy')).toHaveLength(2)
    expect(words.map(({ isSick }) => isSick)).toEqual([true])
  })
})

describe('the clock of a command', () => {
  it('starts when the program runs, however long Docker takes until then', async () => {
    const { told } = await checked([{ answersInMs: 20, beginsInMs: 5000 }], second, [], 30_000)
    expect(told.map(({ health }) => health)).toEqual(['healthy'])
  })

  it('never starts where the program never does: that is no verdict', async () => {
    const programs = [{ answersInMs: 20, beginsInMs: 1_000_000 }]
    const { told } = await checked(programs, second, [], 300_000)
    expect(told.filter(({ health }) => health === 'unhealthy')).toEqual([])
  })
})

describe('the next probe', () => {
  it('is due a poll after the last has ended, not after it began', async () => {
    const { probes } = await checked([{ answersInMs: 600 }], second, [], 60_000)
    const waits = probes.slice(3).map(({ at }, index) => at - (probes[index + 2]?.at ?? 0))
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1620)
  })

  it('comes later for all when probes time out together, and as before when they no longer do', async () => {
    const load = [
      { forMs: 10_000, factor: 1 },
      { forMs: 40_000, factor: 40 },
    ]
    const programs = Array.from({ length: 8 }, (): Program => ({ answersInMs: 100 }))
    const { probes } = await checked(programs, { ...second, pollMs: 500, timeoutMs: 500 }, load, 150_000)
    const between = (from: number, to: number) => probes.filter(({ at }) => at >= from && at < to).length
    const [before, during, later] = [
      between(5000, 10_000),
      between(40_000, 45_000),
      between(140_000, 145_000),
    ]
    expect(during).toBeLessThan(before / 3)
    expect(later).toBeGreaterThan(before * 0.8)
  })
})
