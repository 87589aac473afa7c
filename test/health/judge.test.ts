import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CheckState, judge, nextProbeAt, startWindowMs, summary } from '../../src/health/judge.js'
import type { Sample } from '../../src/health/sample.js'
import type { HealthCheck } from '../../src/model/health-check.js'

const start = 1_000_000
const http: HealthCheck = {
  type: 'http',
  port: 8080,
  path: '/',
  pollMs: 30_000,
  timeoutMs: 10_000,
  retries: 3,
}
const refused: Sample['failure'] = { kind: 'no-answer', code: 'ECONNREFUSED' }

const passed = (at: number, run = start): Sample => ({ run, askedAt: at, failure: null })
const failed = (at: number, run = start): Sample => ({ run, askedAt: at, failure: refused })

/** The state after these samples, each judged at the instant it was sent. */
function stateAfter(samples: readonly Sample[], check: HealthCheck = http): CheckState | null {
  return samples.reduce<CheckState | null>(
    (state, sample) => judge(state, sample, check, start, sample.askedAt),
    null,
  )
}

/** Probes with these answers, one after the other, each sent when it is due; returns every state on the way. */
function play(answers: readonly boolean[], check: HealthCheck, key = 'web'): readonly CheckState[] {
  const states: CheckState[] = []
  for (const ok of answers) {
    const at = nextProbeAt(states.at(-1) ?? null, check, start, key)
    const state = judge(states.at(-1) ?? null, ok ? passed(at) : failed(at), check, start, at)
    if (state !== null) states.push(state)
  }
  return states
}

const checks: fc.Arbitrary<HealthCheck> = fc
  .record({
    pollMs: fc.integer({ min: 1, max: 120_000 }),
    timeoutMs: fc.integer({ min: 1, max: 60_000 }),
    retries: fc.integer({ min: 1, max: 10 }),
  })
  .map((timing) => ({ ...http, ...timing }))

describe('an instance that has just begun', () => {
  it('is not known to be anything before its first success', () => {
    expect(stateAfter([failed(start), failed(start + 250)])?.health).toBe('unknown')
  })

  it('is healthy with its first success', () => {
    expect(stateAfter([failed(start), failed(start + 250), passed(start + 600)])?.health).toBe('healthy')
  })

  it('is unhealthy with the first failure after its start window', () => {
    expect(stateAfter([failed(start), failed(start + 89_999)])?.health).toBe('unknown')
    expect(stateAfter([failed(start), failed(start + 90_000)])?.health).toBe('unhealthy')
  })

  it('has ten seconds at least, however short its checks are', () => {
    expect(startWindowMs({ ...http, pollMs: 100, retries: 1 })).toBe(10_000)
  })

  it('counts its window from the first probe, so that a restarted daemon does not condemn it at once', () => {
    const late = start + 500_000
    expect(stateAfter([failed(late), failed(late + 89_999)])?.health).toBe('unknown')
    expect(stateAfter([failed(late), failed(late + 90_000)])?.health).toBe('unhealthy')
  })
})

describe('an instance with a start period of its own', () => {
  const slow: HealthCheck = {
    ...http,
    pollMs: 5000,
    retries: 3,
    startPeriodMs: 40_000,
    startIntervalMs: 2000,
  }

  it('may fail for so long, and then `retries` times more, before it is unhealthy', () => {
    const during = Array.from({ length: 20 }, (_, n) => failed(start + n * 2000))
    const after = [failed(start + 40_000), failed(start + 45_000)]
    expect(stateAfter([...during, ...after], slow)?.health).toBe('unknown')
    expect(stateAfter([...during, ...after, failed(start + 50_000)], slow)?.health).toBe('unhealthy')
  })

  it('is unhealthy with so many failures in it, once it was healthy', () => {
    const samples = [passed(start), failed(start + 1), failed(start + 2), failed(start + 3)]
    expect(stateAfter(samples, slow)?.health).toBe('unhealthy')
  })

  it('is asked at its own interval in it, and every poll after it', () => {
    const states = play(Array<boolean>(23).fill(false), slow)
    const waits = states.slice(1).map(({ lastAt }, index) => lastAt - (states[index]?.lastAt ?? 0))
    expect(waits).toEqual([...Array<number>(20).fill(2000), 5000, 5000])
    expect(states.at(-1)?.health).toBe('unhealthy')
  })

  it('of none counts failures from the first on', () => {
    const check: HealthCheck = { ...http, startPeriodMs: 0 }
    expect(stateAfter([failed(start), failed(start + 1)], check)?.health).toBe('unknown')
    expect(stateAfter([failed(start), failed(start + 1), failed(start + 2)], check)?.health).toBe('unhealthy')
  })
})

describe('an instance that was healthy', () => {
  it('is unhealthy after so many failures in a row, not one earlier', () => {
    const twice = [passed(start), failed(start + 1), failed(start + 2)]
    expect(stateAfter(twice)?.health).toBe('healthy')
    expect(stateAfter([...twice, failed(start + 3)])?.health).toBe('unhealthy')
  })

  it('begins to count anew with each success', () => {
    const samples = [
      passed(start),
      failed(start + 1),
      failed(start + 2),
      passed(start + 3),
      failed(start + 4),
    ]
    expect(stateAfter(samples)).toMatchObject({ health: 'healthy', failures: 1 })
  })

  it('is healthy again with one success', () => {
    const down = [passed(start), failed(start + 1), failed(start + 2), failed(start + 3)]
    expect(stateAfter([...down, passed(start + 4)])?.health).toBe('healthy')
  })
})

describe('a program that was started again', () => {
  const run = start + 5000

  it('is judged from nothing', () => {
    const old = stateAfter([passed(start)])
    expect(judge(old, failed(run, run), http, run, run)).toMatchObject({
      health: 'unknown',
      failures: 1,
      run,
    })
  })

  it('is not judged by a sample of the run before', () => {
    const fresh = judge(null, passed(run, run), http, run, run)
    expect(judge(fresh, failed(start), http, run, run + 1)).toBe(fresh)
    expect(judge(stateAfter([passed(start)]), failed(start), http, run, run + 1)).toBeNull()
  })
})

describe('when to probe next', () => {
  it('is at once after a start', () => {
    expect(nextProbeAt(null, http, start, 'web')).toBe(start)
  })

  it('is soon while the instance is not up, and ever later', () => {
    const waits = play([false, false, false, false, false], http).map(
      (state) => nextProbeAt(state, http, start, 'web') - state.lastAt,
    )
    expect(waits).toEqual([250, 375, 563, 844, 1266])
  })

  it('is the end of the start window, if the last failure came before', () => {
    const state = stateAfter([failed(start), failed(start + 89_900)])
    expect(nextProbeAt(state, http, start, 'web')).toBe(start + 90_000)
  })

  it('is every poll from then on, at an instant of its own', () => {
    const states = play([true, true, true, true], http)
    const at = states.map((state) => state.lastAt)
    expect([at[2], at[3]].map((instant, index) => (instant ?? 0) - (at[index + 1] ?? 0))).toEqual([
      30_000, 30_000,
    ])
  })

  it('differs between instances that were started together', () => {
    const phases = new Set(
      Array.from({ length: 100 }, (_, n) =>
        nextProbeAt(stateAfter([passed(start)]), http, start, `web@${n}`),
      ),
    )
    expect(phases.size).toBeGreaterThan(90)
  })

  it('is later than the last probe and never more than one poll later', () => {
    fc.assert(
      fc.property(
        checks,
        fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }),
        fc.string(),
        (check, answers, key) => {
          for (const state of play(answers, check, key)) {
            const next = nextProbeAt(state, check, start, key)
            expect(next).toBeGreaterThan(state.lastAt)
            expect(next - state.lastAt).toBeLessThanOrEqual(check.pollMs)
          }
        },
      ),
    )
  })
})

describe('any run of answers', () => {
  it('gives the health that the last answers say', () => {
    fc.assert(
      fc.property(checks, fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), (check, answers) => {
        play(answers, check).forEach((state, index) => {
          const seen = answers.slice(0, index + 1)
          const failures = seen.length - 1 - seen.lastIndexOf(true)
          const windowOver = state.lastAt >= start + startWindowMs(check)
          const expected = seen.includes(true)
            ? failures >= check.retries
              ? 'unhealthy'
              : 'healthy'
            : windowOver
              ? 'unhealthy'
              : 'unknown'
          expect(state).toMatchObject({ health: expected, failures })
        })
      }),
    )
  })

  it('ends in a verdict, soon after the start window', () => {
    fc.assert(
      fc.property(checks, (check) => {
        const state = play(Array<boolean>(500).fill(false), check).find((one) => one.health === 'unhealthy')
        if (check.pollMs > 50) expect(state?.lastAt).toBe(start + startWindowMs(check))
      }),
    )
  })
})

describe('an instance with several checks', () => {
  const other: HealthCheck = {
    type: 'command',
    argv: ['probe'],
    user: null,
    pollMs: 1000,
    timeoutMs: 500,
    retries: 1,
  }
  const up = { check: http, state: stateAfter([passed(start)]) }
  const unprobed = { check: http, state: null }
  const down = {
    check: other,
    state: judge(
      stateAfter([passed(start)], other),
      { run: start, askedAt: start + 1, failure: { kind: 'exit', code: 2, lastLine: 'queue is full' } },
      other,
      start,
      start + 1,
    ),
  }

  it('is healthy when all of them are', () => {
    expect(summary([up, up])).toEqual({ health: 'healthy', reason: null, notice: null })
  })

  it('is unknown while one has not been probed', () => {
    expect(summary([up, unprobed])).toEqual({ health: 'unknown', reason: null, notice: null })
  })

  it('is unhealthy when one of them is, and says which and why', () => {
    expect(summary([up, unprobed, down])).toEqual({
      health: 'unhealthy',
      reason: 'command probe: exit status 2 (queue is full)',
      notice: null,
    })
  })

  it('is unknown when there are none', () => {
    expect(summary([])).toEqual({ health: 'unknown', reason: null, notice: null })
  })
})

describe('an instance with ContainerPilot beside a check of its own', () => {
  const pilot: HealthCheck = {
    type: 'containerpilot',
    port: 9090,
    pollMs: 10_000,
    timeoutMs: 5_000,
    retries: 3,
  }
  const unread: Sample['failure'] = { kind: 'no-telemetry', why: 'connection refused' }
  const jobs: Sample['failure'] = { kind: 'jobs', names: ['main'] }
  const states = (failures: readonly Sample['failure'][], every = 10_000): CheckState | null =>
    failures.reduce<CheckState | null>((state, failure, index) => {
      const at = start + index * every
      return judge(state, { run: start, askedAt: at, failure }, pilot, start, at)
    }, null)
  const own = { check: http, state: stateAfter([passed(start)]) }

  it('is healthy by its own check when the telemetry never answers, and it is told that it does not', () => {
    expect(summary([own, { check: pilot, state: states([unread]) }])).toEqual({
      health: 'healthy',
      reason: null,
      notice: null,
    })
    expect(summary([own, { check: pilot, state: states([unread, unread, unread, unread]) }])).toEqual({
      health: 'healthy',
      reason: null,
      notice: 'the telemetry at port 9090 cannot be read: connection refused',
    })
  })

  it('stays as it was when telemetry that was there goes away', () => {
    const gone = summary([own, { check: pilot, state: states([null, unread, unread, unread, unread]) }])
    expect(gone).toMatchObject({ health: 'healthy', notice: expect.stringContaining('connection refused') })
    // Within the start window too: what has answered once is not still beginning.
    const atOnce = summary([own, { check: pilot, state: states([null, unread]) }])
    expect(atOnce).toMatchObject({ health: 'healthy', notice: expect.stringContaining('connection refused') })
  })

  it('is unhealthy when a job is, whatever its own check says', () => {
    expect(summary([own, { check: pilot, state: states([null, jobs, jobs, jobs]) }])).toEqual({
      health: 'unhealthy',
      reason: 'containerpilot port 9090: main is unhealthy; 3 failures in a row',
      notice: null,
    })
  })

  it('is never made unhealthy by telemetry that cannot be read', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(null, unread), { maxLength: 50 }), (failures) => {
        const { health } = summary([own, { check: pilot, state: states(failures) }])
        expect(health).toBe('healthy')
      }),
    )
  })
})

describe('the reason', () => {
  const reasonOf = (samples: readonly Sample[]) =>
    summary([{ check: http, state: stateAfter(samples) }]).reason

  it('tells how often it failed', () => {
    expect(reasonOf([passed(start), failed(start + 1), failed(start + 2), failed(start + 3)])).toBe(
      'http port 8080 /: connection refused; 3 failures in a row',
    )
  })

  it('tells that an instance never came up', () => {
    expect(reasonOf([failed(start), failed(start + 90_000)])).toBe(
      'http port 8080 /: connection refused; not once healthy in 90 s',
    )
  })
})
