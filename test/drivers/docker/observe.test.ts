import { describe, expect, it } from 'vitest'
import type { Inspected, RestartPolicy } from '../../../src/drivers/docker/api.js'
import { startFailure } from '../../../src/drivers/docker/failure.js'
import { runLabel } from '../../../src/drivers/docker/labels.js'
import {
  afterDeath,
  mayBeCutOff,
  mayBeDockers,
  observe,
  ownSteadyRestarts,
  reportedEnd,
  restartsSince,
  steadyRestartsOf,
  withReportedEnd,
} from '../../../src/drivers/docker/observe.js'
import { restartMark } from '../../../src/drivers/docker/restart-policy.js'
import { asUnitName } from '../../../src/unit/name.js'

const owner = { unit: asUnitName('web.service'), hash: 'abc', machine: 'm' }
const unasked = { stopAsked: false, endedWith: null }
const never = '0001-01-01T00:00:00Z'
const started = '2026-11-21T09:00:00.123456789Z'
const finished = '2026-11-21T09:00:05.5Z'

describe('a container in the words of systemd', () => {
  it('is inactive before its first start', () => {
    expect(seen({ Status: 'created' })).toEqual({
      name: 'web.service',
      hash: 'abc',
      driver: 'docker',
      load: 'loaded',
      active: 'inactive',
      sub: 'dead',
      since: null,
      pid: null,
      containerId: 'c1',
      address: null,
      restarts: 0,
      exit: null,
      failure: null,
    })
  })

  it('is active while it runs, and reachable at its own address', () => {
    expect(
      seen({ Status: 'running', Pid: 42, StartedAt: started, FinishedAt: '2026-11-21T08:00:00Z' }),
    ).toMatchObject({
      active: 'active',
      sub: 'running',
      pid: 42,
      since: Date.parse(started),
      address: '172.17.0.2',
      exit: null,
    })
  })

  it('is reachable at the loopback where it shares the network of the host', () => {
    expect(seen({ Status: 'running', Pid: 42 }, { Networks: { host: { IPAddress: '' } } }).address).toBe(
      '127.0.0.1',
    )
  })

  it('that runs again tells how it ended before, as its events told', () => {
    const state = {
      Status: 'running',
      Pid: 43,
      StartedAt: '2026-11-21T09:00:06Z',
      FinishedAt: finished,
    } as const
    expect(again(state, 1, 137).exit).toEqual({
      code: null,
      signal: 'SIGKILL',
      oom: false,
      at: Date.parse(finished),
    })
    expect(again(state, 1, null).exit).toBeNull()
    expect(again(state, 0, 137).exit).toBeNull()
  })

  it('waits for its restart, and says until when', () => {
    expect(observe(restarting(3, 5500), owner, unasked)).toMatchObject({
      active: 'activating',
      sub: 'auto-restart',
      exit: { code: 1 },
      restarts: 2,
      restartAt: Date.parse(finished) + 400,
    })
  })

  it('waits as at first after a run of ten seconds, although Docker counts on', () => {
    const first = steadyRestartsOf(restarting(5, 10_000), 0)
    expect(observe(restarting(5, 10_000), owner, { ...unasked, steadyRestarts: first })).toMatchObject({
      restarts: 4,
      restartAt: Date.parse(finished) + 100,
    })
    const second = steadyRestartsOf(restarting(6, 9999), first)
    expect(observe(restarting(6, 9999), owner, { ...unasked, steadyRestarts: second })).toMatchObject({
      restarts: 5,
      restartAt: Date.parse(finished) + 200,
    })
  })

  it('counts anew after a start by hand', () => {
    expect(steadyRestartsOf(restarting(1, 10), 7)).toBe(0)
  })

  it.each([
    [0, false, 'inactive', { code: 0, signal: null, oom: false }],
    [3, false, 'failed', { code: 3, signal: null, oom: false }],
    [137, false, 'failed', { code: null, signal: 'SIGKILL', oom: false }],
    [137, true, 'failed', { code: null, signal: 'SIGKILL', oom: true }],
    [143, false, 'inactive', { code: null, signal: 'SIGTERM', oom: false }],
    [255, false, 'failed', { code: 255, signal: null, oom: false }],
  ])('ended with status %i (out of memory: %s) is %s', (ExitCode, OOMKilled, active, exit) => {
    expect(
      seen({ Status: 'exited', ExitCode, OOMKilled, StartedAt: started, FinishedAt: finished }),
    ).toMatchObject({
      active,
      since: Date.parse(finished),
      address: null,
      exit: { ...exit, at: Date.parse(finished) },
    })
  })

  it('has not failed when it was killed because it was to stop', () => {
    const state = { Status: 'exited', ExitCode: 137, StartedAt: started, FinishedAt: finished } as const
    expect(seen(state, {}, true)).toMatchObject({
      active: 'inactive',
      sub: 'dead',
      exit: { signal: 'SIGKILL' },
    })
  })

  it('has failed when it could not be started, and says why', () => {
    const message = 'OCI runtime create failed: exec: "nosuch": executable file not found in $PATH: unknown'
    expect(seen({ Status: 'created', ExitCode: 127, Error: message })).toMatchObject({
      active: 'failed',
      exit: null,
      failure: { code: 'docker/command-not-found', permanent: true, message },
    })
  })
})

// Sentences of dockerd 20.10.24.
describe('what a sentence of Docker means', () => {
  it.each([
    ['Bind for 0.0.0.0:18090 failed: port is already allocated', 'docker/port-taken', false],
    [
      'Error starting userland proxy: listen tcp4 0.0.0.0:18091: bind: address already in use',
      'docker/port-taken',
      false,
    ],
    [
      'unable to start container process: exec: "/no/such": stat /no/such: no such file or directory: unknown',
      'docker/command-not-found',
      true,
    ],
    [
      'unable to start container process: exec: "/etc/passwd": permission denied: unknown',
      'docker/command-not-found',
      true,
    ],
    ['unable to find user nouser: no matching entries in passwd file', 'docker/user-not-found', true],
    ['network nope not found', 'docker/network-missing', false],
    [
      'error mounting "/x" to rootfs at "/y": open o_path procfd: open /z: no such file or directory',
      'docker/failed',
      false,
    ],
    [
      'failed to register layer: Error processing tar file: write /bin/sh: no space left on device',
      'docker/disk-full',
      false,
    ],
    ['something new', 'docker/failed', false],
  ])('%s', (message, code, permanent) => {
    expect(startFailure(message)).toEqual({ code, permanent, message })
  })
})

/** A container that waits for its n-th restart, after a run of so long. */
function restarting(n: number, ranMs: number): Inspected {
  const StartedAt = new Date(Date.parse(finished) - ranMs).toISOString()
  const state = { Status: 'restarting', ExitCode: 1, StartedAt, FinishedAt: finished } as const
  return containerIn(state, n)
}

describe('a container that died, by its event alone', () => {
  const died = {
    Action: 'die',
    timeNano: Date.UTC(2026, 0, 2) * 1e6,
    Actor: { ID: 'c1', Attributes: { exitCode: '137' } },
  }

  it('is seen as Docker shows it once it has cleared up', () => {
    const dead = afterDeath(containerIn({ Status: 'running', Pid: 7, StartedAt: started }, 0), died)
    expect(dead && observe(dead, owner, unasked)).toMatchObject({
      active: 'failed',
      pid: null,
      address: null,
      since: Date.UTC(2026, 0, 2),
      exit: { code: null, signal: 'SIGKILL', at: Date.UTC(2026, 0, 2) },
    })
  })

  it('ended when that was told, whatever Docker notes of the same end later', () => {
    const dead = afterDeath(containerIn({ Status: 'running', Pid: 7, StartedAt: started }, 0), died)
    const endedAt = (startedAt: string) =>
      Date.parse(
        withReportedEnd(
          containerIn({ Status: 'exited', StartedAt: startedAt, FinishedAt: '2026-01-02T00:00:00.06Z' }, 0),
          dead ?? undefined,
        ).State.FinishedAt,
      )
    expect(endedAt(started)).toBe(Date.UTC(2026, 0, 2))
    expect(endedAt('2026-11-21T09:00:09Z')).toBe(Date.UTC(2026, 0, 2) + 60)
  })

  it('is asked for where Docker may start it again, or has done so', () => {
    const running = { Status: 'running', Pid: 7, StartedAt: started } as const
    expect(afterDeath(containerIn(running, 0, {}, 'always'), died)).toBeNull()
    expect(afterDeath(containerIn({ ...running, Status: 'restarting' }, 1), died)).toBeNull()
  })
})

describe('the container of a run', () => {
  const exited = { Status: 'exited', ExitCode: 3, StartedAt: started, FinishedAt: finished } as const
  const endedAt = Date.parse(finished)
  const run = (name: RestartPolicy['Name'], state: Partial<Inspected['State']> = exited): Inspected => ({
    ...containerIn(state, 0),
    Config: { Labels: { ...restartMark({ Name: name, MaximumRetryCount: 0 }), [runLabel]: 'true' } },
  })

  it('waits for a restart by the agent as long as Docker would wait', () => {
    expect(observe(run('on-failure'), owner, { ...unasked, ownRestarts: 3 })).toMatchObject({
      active: 'activating',
      sub: 'auto-restart',
      restarts: 3,
      restartAt: endedAt + 800,
      restartIsDue: true,
      exit: { code: 3 },
    })
    const steady = { ...unasked, ownRestarts: 3, steadyRestarts: 3 }
    expect(observe(run('always'), owner, steady).restartAt).toBe(endedAt + 100)
    const long = { ...exited, StartedAt: '2026-11-21T08:59:00Z' }
    expect(ownSteadyRestarts(run('always', long), 3, 0)).toBe(3)
    expect(ownSteadyRestarts(run('always'), 3, 1)).toBe(1)
  })

  it.each([
    ['whose policy asks for none', 'no', {}, unasked],
    ['that ended well', 'on-failure', { ExitCode: 0 }, unasked],
    ['that was told to stop', 'always', {}, { ...unasked, stopAsked: true }],
    ['that somebody stopped through Docker', 'always', {}, { ...unasked, isHalted: true }],
    ['that could not be started', 'always', { Error: 'something new' }, unasked],
    ['that went down with Docker', 'always', {}, { ...unasked, interrupted: true }],
  ] as const)('is over %s', (_, policy, state, known) => {
    const observed = observe(run(policy, { ...exited, ...state }), owner, known)
    expect(['inactive', 'failed']).toContain(observed.active)
    expect(observed).not.toHaveProperty('restartAt')
    expect(observed).not.toHaveProperty('restartIsDue')
  })

  it('that went down with Docker is told as cut off, whatever status Docker has for it', () => {
    for (const ExitCode of [0, 137, 255])
      expect(
        observe(run('no', { ...exited, ExitCode }), owner, { ...unasked, interrupted: true }),
      ).toMatchObject({
        active: 'failed',
        exit: { code: null, signal: null, oom: false, at: endedAt, cutOff: true },
      })
  })

  it('may have been ended by a Docker that ends its containers with it, or does not know how it ended', () => {
    expect(mayBeDockers(run('no'), false)).toBe(true)
    expect(mayBeDockers(run('no'), true)).toBe(false)
    expect(mayBeDockers(run('no', { ...exited, ExitCode: 255 }), true)).toBe(true)
  })

  const at = Date.parse(finished)
  it.each([
    ['Docker was started again since', { startedAt: at + 1000 }, true],
    [
      'Docker was started again since, and its containers live on',
      { startedAt: at + 1000, livesOn: true },
      false,
    ],
    ['Docker is the one of before', { startedAt: at - 3_600_000 }, false],
    ['it was followed to its end, and Docker is not seen', { startedAt: null, isFollowed: true }, false],
    ['nobody followed it, and Docker is not seen', { startedAt: null }, true],
    [
      'nobody followed it, Docker is not seen, and containers live on',
      { startedAt: null, livesOn: true },
      false,
    ],
    ['the machine was started since', { bootedAt: at, livesOn: true }, true],
    [
      'the clock was set ahead while it was followed',
      { bootedAt: at, livesOn: true, isFollowed: true },
      false,
    ],
  ])('where %s, may have been cut off: %j %s', (_, host, cut) => {
    const usual = { bootedAt: 0, startedAt: at - 3_600_000, livesOn: false, isFollowed: false }
    const step = run('no', { ...exited, StartedAt: started, FinishedAt: finished, ExitCode: 0 })
    expect(mayBeCutOff(step, { ...usual, ...host })).toBe(cut)
  })

  it('ended as it was reported to, by a daemon that knew the time of its event', () => {
    const exit = { code: 3, signal: null, oom: false, at: endedAt - 60 }
    const told = { active: 'failed', containerId: 'c1', exit, restarts: 0 } as const
    expect(reportedEnd(run('no'), told)).toEqual(exit)
    expect(observe(run('no'), owner, { ...unasked, told: exit }).exit).toEqual(exit)
    const cut = { ...exit, code: null, cutOff: true as const }
    expect(reportedEnd(run('no', { ...exited, ExitCode: 255 }), { ...told, exit: cut })).toEqual(cut)
    expect(reportedEnd(run('no'), { ...told, containerId: 'c2' })).toBeNull()
    expect(reportedEnd(run('no'), { ...told, exit: { ...exit, code: 4 } })).toBeNull()
    expect(reportedEnd(run('no'), { ...told, exit: { ...exit, at: endedAt - 60_000 } })).toBeNull()
    expect(reportedEnd(run('no'), undefined)).toBeNull()
    expect(
      reportedEnd(run('no', { Status: 'running', StartedAt: started, FinishedAt: finished }), told),
    ).toBeNull()
  })

  it('was restarted once more than was told, where it began after the end that it was told to wait after', () => {
    const exit = { code: 3, signal: null, oom: false, at: endedAt - 60 }
    const told = { active: 'activating', containerId: 'c1', exit, restarts: 2 } as const
    expect(restartsSince(run('always'), told)).toBe(2)
    const later = run('always', { ...exited, StartedAt: '2026-11-21T09:00:06Z' })
    expect(restartsSince(later, told)).toBe(3)
    expect(restartsSince(later, { ...told, active: 'active' })).toBe(2)
  })

  it('that runs again ended before when that was told', () => {
    const told = run('always', { ...exited, FinishedAt: '2026-11-21T09:00:05.4Z' })
    const up = { Status: 'running', Pid: 7, StartedAt: '2026-11-21T09:00:06Z', FinishedAt: finished } as const
    const adopted = withReportedEnd(run('always', up), told)
    expect(adopted.State.FinishedAt).toBe('2026-11-21T09:00:05.4Z')
    expect(withReportedEnd(run('always', up), adopted).State.FinishedAt).toBe('2026-11-21T09:00:05.4Z')
    const later = { ...up, StartedAt: '2026-11-21T09:00:09Z', FinishedAt: '2026-11-21T09:00:08Z' }
    expect(withReportedEnd(run('always', later), adopted).State.FinishedAt).toBe(later.FinishedAt)
  })
})

function seen(
  state: Partial<Inspected['State']>,
  network: Inspected['NetworkSettings'] = { IPAddress: '172.17.0.2' },
  stopAsked = false,
) {
  return observe(containerIn(state, 0, network), owner, { stopAsked, endedWith: null })
}

function again(state: Partial<Inspected['State']>, restarts: number, endedWith: number | null) {
  return observe(containerIn(state, restarts), owner, { stopAsked: false, endedWith })
}

function containerIn(
  state: Partial<Inspected['State']>,
  restarts: number,
  network: Inspected['NetworkSettings'] = { IPAddress: '172.17.0.2' },
  policy: RestartPolicy['Name'] = 'no',
): Inspected {
  return {
    Id: 'c1',
    RestartCount: restarts,
    State: {
      Status: 'created',
      Pid: 0,
      ExitCode: 0,
      OOMKilled: false,
      Error: '',
      StartedAt: never,
      FinishedAt: never,
      ...state,
    },
    Config: { Labels: null },
    HostConfig: { RestartPolicy: { Name: policy, MaximumRetryCount: 0 } },
    NetworkSettings: network,
  }
}
