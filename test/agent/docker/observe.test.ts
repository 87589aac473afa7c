import { describe, expect, it } from 'vitest'
import type { Inspected, RestartPolicy } from '../../../src/agent/docker/api.js'
import { startFailure } from '../../../src/agent/docker/failure.js'
import { afterDeath, asTold, observe, steadyRestartsOf } from '../../../src/agent/docker/observe.js'
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
        asTold(
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
