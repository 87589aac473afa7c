import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CheckedUnit, type Checker, startChecker } from '../../src/health/io/checker.js'
import type { ExecResult } from '../../src/health/io/probe.js'
import type { Verdict } from '../../src/health/judge.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Time } from '../../src/lib/time.js'
import type { CommandCheck, HttpCheck } from '../../src/model/health-check.js'
import type { UnitName } from '../../src/model/unit.js'
import { deferred } from './deferred.js'

const checkers: Checker[] = []
const servers: Server[] = []
afterEach(async () => {
  await Promise.all(checkers.splice(0).map((checker) => checker.stop()))
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface Told extends Verdict {
  readonly name: string
}

/** A checker that keeps what it told, and lets a test wait for the next of it. */
function newChecker(concurrency = 64, clock: Time = systemClock) {
  const told: Told[] = []
  let wake = deferred()
  const checker = startChecker({
    clock,
    concurrency,
    ownProbe: () => Promise.resolve(),
    onError: (error) => {
      throw error
    },
    onVerdict: (name, verdict) => {
      told.push({ name, ...verdict })
      wake.resolve()
    },
  })
  checkers.push(checker)
  const next = async (): Promise<Told> => {
    while (told.length === 0) {
      await wake.promise
      wake = deferred()
    }
    return told.shift() as Told
  }
  return { checker, told, next }
}

const name = (text: string) => text as UnitName

describe('a program with an HTTP check', () => {
  const check: HttpCheck = { type: 'http', port: 8080, path: '/', pollMs: 20, timeoutMs: 200, retries: 3 }

  /** A program that can be told how to answer. */
  async function program() {
    const behave: { as: 'up' | 'failing' | 'silent' | 'closing' } = { as: 'up' }
    const server = createServer((request, response) => {
      if (behave.as === 'closing') request.socket.destroy()
      else if (behave.as !== 'silent') response.writeHead(behave.as === 'up' ? 200 : 503).end()
    })
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const unit: CheckedUnit = {
      name: name('web'),
      startedAt: Date.now(),
      checks: [check],
      target: {
        portOf: () => ({ address: '127.0.0.1', port }),
        exec: () => Promise.reject(new Error('no exec')),
      },
    }
    return { behave, server, unit }
  }

  it.each([
    ['failing', 'http port 8080 /: answered 503; 3 failures in a row'],
    ['silent', 'http port 8080 /: no answer within 200 ms; 3 failures in a row'],
    ['closing', 'http port 8080 /: connection closed before an answer; 3 failures in a row'],
  ] as const)('is healthy, then unhealthy when it is %s, then healthy again', async (fault, reason) => {
    const { behave, unit } = await program()
    const { checker, next } = newChecker()
    checker.follow([unit])
    expect(await next()).toEqual({ name: 'web', health: 'healthy', reason: null, notice: null })
    behave.as = fault
    expect(await next()).toEqual({ name: 'web', health: 'unhealthy', reason, notice: null })
    behave.as = 'up'
    expect(await next()).toEqual({ name: 'web', health: 'healthy', reason: null, notice: null })
  })

  it.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('is asked at the same pace when the clock is set %s by an hour', async (_, byMs) => {
    const { behave, unit } = await program()
    let aheadMs = 0
    const clock: Time = {
      now: () => Date.now() + aheadMs,
      steady: () => systemClock.steady(),
      after: systemClock.after,
    }
    const { checker, next } = newChecker(64, clock)
    checker.follow([unit])
    expect(await next()).toMatchObject({ health: 'healthy' })
    aheadMs = byMs
    // One that is found by the new clock, and one that is known since before.
    checker.follow([unit, { ...unit, name: name('later'), startedAt: clock.now() }])
    expect(await next()).toMatchObject({ name: 'later', health: 'healthy' })
    behave.as = 'failing'
    expect([(await next()).health, (await next()).health]).toEqual(['unhealthy', 'unhealthy'])
  })

  it('is unhealthy when it no longer listens', async () => {
    const { server, unit } = await program()
    const { checker, next } = newChecker()
    checker.follow([unit])
    await next()
    server.closeAllConnections()
    server.close()
    expect(await next()).toMatchObject({
      health: 'unhealthy',
      reason: 'http port 8080 /: connection refused; 3 failures in a row',
    })
  })
})

describe('the checks of many units', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const passed: ExecResult = { code: 0, output: '' }
  const check: CommandCheck = {
    type: 'command',
    argv: ['probe'],
    user: null,
    pollMs: 10_000,
    timeoutMs: 5000,
    retries: 3,
  }

  function unit(
    text: string,
    exec: CheckedUnit['target']['exec'],
    rest: Partial<CheckedUnit> = {},
  ): CheckedUnit {
    const target = { portOf: (port: number) => ({ address: '127.0.0.1', port }), exec }
    return { name: name(text), startedAt: Date.now(), checks: [check], target, ...rest }
  }

  it('say nothing of a program that is still starting, and condemn it when its start window is over', async () => {
    const { checker, told } = newChecker()
    checker.follow([unit('web', () => Promise.resolve({ code: 1, output: 'not yet' }))])
    await vi.advanceTimersByTimeAsync(29_999)
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(told).toEqual([
      {
        name: 'web',
        health: 'unhealthy',
        reason: 'command probe: exit status 1 (not yet); not once healthy in 30 s',
        notice: null,
      },
    ])
  })

  it('see a program that comes up late within its start window', async () => {
    const upAt = Date.now() + 3000
    const { checker, told } = newChecker()
    checker.follow([unit('web', () => Promise.resolve({ code: Date.now() < upAt ? 1 : 0, output: '' }))])
    await vi.advanceTimersByTimeAsync(6000)
    expect(told).toEqual([{ name: 'web', health: 'healthy', reason: null, notice: null }])
  })

  it('are made once per poll', async () => {
    let probes = 0
    const { checker } = newChecker()
    checker.follow([unit('web', () => Promise.resolve(passed).finally(() => probes++))])
    await vi.advanceTimersByTimeAsync(10_000)
    const before = probes
    await vi.advanceTimersByTimeAsync(100_000)
    expect(probes - before).toBe(10)
  })

  it('never overlap for one check, and never exceed the bound over all', async () => {
    const running = new Map<string, number>()
    let most = 0
    let overlaps = 0
    const slow = (text: string) => () => {
      running.set(text, (running.get(text) ?? 0) + 1)
      most = Math.max(most, running.size)
      if (running.get(text) !== 1) overlaps += 1
      return new Promise<ExecResult>((resolve) => {
        setTimeout(() => {
          running.delete(text)
          resolve(passed)
        }, 4000)
      })
    }
    const { checker, told } = newChecker(4)
    checker.follow(Array.from({ length: 20 }, (_, n) => unit(`web@${n}`, slow(`web@${n}`))))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(overlaps).toBe(0)
    expect(most).toBe(4)
    expect(new Set(told.map((one) => one.name)).size).toBe(20)
  })

  it('end for a unit that is no longer followed, also those under way', async () => {
    const signals: AbortSignal[] = []
    const { checker, told } = newChecker()
    checker.follow([
      unit('web', (_argv, _user, signal) => {
        signals.push(signal)
        return new Promise(() => {})
      }),
    ])
    await vi.advanceTimersByTimeAsync(100)
    expect(signals.map((signal) => signal.aborted)).toEqual([false])
    checker.follow([])
    await vi.advanceTimersByTimeAsync(100_000)
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
    expect(told).toEqual([])
  })

  it('begin anew when the program was started again', async () => {
    const { checker, told } = newChecker()
    const up = unit('web', () => Promise.resolve(passed))
    checker.follow([up])
    await vi.advanceTimersByTimeAsync(100)
    const again = unit('web', () => Promise.resolve({ code: 1, output: '' }))
    checker.follow([again])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(told.map((one) => one.health)).toEqual(['healthy', 'unknown'])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(told.map((one) => one.health)).toEqual(['healthy', 'unknown', 'unhealthy'])
  })

  it('do not count the answer of the run before', async () => {
    const late = deferred<ExecResult>()
    const { checker, told } = newChecker()
    checker.follow([unit('web', () => late.promise)])
    await vi.advanceTimersByTimeAsync(100)
    checker.follow([unit('web', () => new Promise(() => {}))])
    late.resolve(passed)
    await vi.advanceTimersByTimeAsync(1000)
    expect(told).toEqual([])
  })

  it('go on undisturbed when the same units are followed again, with where to reach them now', async () => {
    const { checker, told } = newChecker()
    const before = unit('web', () => Promise.resolve(passed))
    checker.follow([before])
    await vi.advanceTimersByTimeAsync(100)
    let moved = 0
    const target = {
      ...before.target,
      exec: () => {
        moved += 1
        return Promise.resolve(passed)
      },
    }
    checker.follow([{ ...before, checks: structuredClone(before.checks), target }])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(told.map((one) => one.health)).toEqual(['healthy'])
    expect(moved).toBe(2)
  })

  it('are all over when the checker has stopped', async () => {
    const { checker } = newChecker()
    checker.follow([unit('web', () => new Promise(() => {}))])
    await vi.advanceTimersByTimeAsync(100)
    await checker.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})
