// What is told of a daemon that takes connections and says nothing, and when it is given up.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Endpoint } from '../../src/client/endpoint.js'
import { awaitDaemon, type Silence, usualPatience } from '../../src/client/io/silence.js'
import { aLogRecord, aLook } from './bodies.js'
import { useProgram } from './program.js'
import { beginEvents, type SpeakingDaemon, startDaemon } from './speaking-daemon.js'

const { silentAfterMs, answerTimeoutMs } = usualPatience

describe('a wait for the daemon', () => {
  const start = new Date('2026-01-01T12:00:00Z')
  beforeEach(() => void vi.useFakeTimers({ now: start }))
  afterEach(() => void vi.useRealTimers())
  const endpoint: Endpoint = { kind: 'unix', path: '/run/m.sock' }
  const later = (ms: number): Date => new Date(start.getTime() + ms)

  function waiting(stage: 'connecting' | 'asked' | 'begun', endsAt: Date | null = null) {
    const told: Silence[] = []
    const giveUp = vi.fn()
    const wait = awaitDaemon(endpoint, { tell: (news) => told.push(news), endsAt }, giveUp, () => stage)
    return { told, giveUp, wait }
  }

  test('is told of after five seconds, once, with its end, and ends after a minute', () => {
    const { told, giveUp } = waiting('asked')
    vi.advanceTimersByTime(silentAfterMs - 1)
    expect(told).toEqual([])
    vi.advanceTimersByTime(1)
    const what = 'the daemon at unix:///run/m.sock takes the connection and does not answer for 5 s'
    expect(told).toEqual([{ kind: 'silent', what, until: later(answerTimeoutMs) }])
    vi.advanceTimersByTime(answerTimeoutMs - silentAfterMs)
    expect([told.length, giveUp.mock.calls.length]).toEqual([1, 1])
  })

  test('is over with the command where that ends before', () => {
    const [sooner, after] = [waiting('asked', later(30_000)), waiting('asked', later(900_000))]
    expect(endOf(sooner.told)).toEqual(later(30_000))
    expect(after.told).toMatchObject([{ until: later(answerTimeoutMs) }])
  })

  test('for an answer that goes on lasts until the --timeout of the command', () => {
    const { told, giveUp } = waiting('begun', later(900_000))
    expect(endOf(told)).toEqual(later(900_000))
    vi.advanceTimersByTime(answerTimeoutMs * 2)
    expect(giveUp).not.toHaveBeenCalled()
  })

  test('says so when the daemon answers again, and nothing where it was never told', () => {
    const late = waiting('begun')
    vi.advanceTimersByTime(silentAfterMs)
    late.wait.heard()
    expect(late.told.map(({ kind }) => kind)).toEqual(['silent', 'heard'])
    const soon = waiting('asked')
    soon.wait.heard()
    vi.advanceTimersByTime(answerTimeoutMs)
    expect([soon.told, soon.giveUp.mock.calls]).toEqual([[], []])
  })

  test('tells a connection that nobody takes from one that nobody answers', () => {
    const { told } = waiting('connecting')
    vi.advanceTimersByTime(silentAfterMs)
    expect(told[0]?.what).toContain('has not taken the connection for 5 s')
  })

  function endOf(told: readonly Silence[]): Date | null | undefined {
    vi.advanceTimersByTime(silentAfterMs)
    return told[0]?.kind === 'silent' ? told[0].until : undefined
  }
})

describe('a command', () => {
  const program = useProgram()
  const open: SpeakingDaemon[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((daemon) => daemon.close()))
  })
  async function daemonWith(answers: Parameters<typeof startDaemon>[0]): Promise<SpeakingDaemon> {
    const daemon = await startDaemon(answers)
    open.push(daemon)
    return daemon
  }

  test('says when an answer that shows signs of life stops to do so, and when it goes on', async () => {
    let goOn: () => void = () => {}
    const daemon = await daemonWith({
      'GET /v1/projects/default/logs/web': (_asked, response) => {
        response.writeHead(200, { 'x-mariposa-beat': '2' })
        response.flushHeaders()
        goOn = () => response.end(`${JSON.stringify(aLogRecord())}\n`)
      },
    })
    const command = program.start(['service', 'logs', 'web', '-f', '--endpoint', daemon.endpoint])
    await command.said('has said nothing for 5 s; waiting until ')
    goOn()
    expect(await command.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('answers again') })
  })

  test('that waits says why nothing goes on, once for each state', async () => {
    const held = { code: 'cluster/no-leader', message: 'no daemon leads', hint: 'start one' }
    const daemon = await daemonWith({
      'POST /v1/projects/default/scale': { tasks: [aLook({}).task] },
      'GET /v1/tasks/task-1/progress': (_asked, response) => {
        const events = beginEvents(response)
        events.send(aLook({}, { held }))
        events.send(aLook({}, { held, total: 3 }))
        events.send(aLook({}, { total: 3 }))
        events.send(aLook({}, { held, total: 3 }))
        events.send(aLook({ state: 'completed' }, { done: 3, total: 3 }))
        events.end()
      },
    })
    for (const flags of [[], ['--json'], ['-q']]) {
      const words = ['service', 'scale', 'web', '3', ...flags, '--endpoint', daemon.endpoint]
      const { code, stderr } = await program.run(words)
      const line = 'no change makes progress: no daemon leads; start one\n'
      expect([code, stderr]).toEqual([0, `${line}it continues\n${line}it continues\n`])
    }
  })

  test('that is not done in time names what holds it up first', async () => {
    const held = { code: 'cluster/no-leader', message: 'no daemon leads' }
    const daemon = await daemonWith({
      'POST /v1/projects/default/scale': { tasks: [aLook({}).task] },
      'GET /v1/tasks/task-1/progress': (_asked, response) => beginEvents(response).send(aLook({}, { held })),
    })
    const words = ['service', 'scale', 'web', '3', '--timeout', '5s', '--endpoint', daemon.endpoint]
    const { code, stderr } = await program.run(words)
    expect(code).toBe(3)
    expect(stderr).toContain('\n  no daemon leads\n')
  })
})
