// Runs (instances of services that are not continuous) under a Docker that goes down beneath them: what a start began is
// never begun again by that, and only what a program itself ends with is told of it.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EventBody, RunBody } from '../../src/contract/contract.js'
import { builtProgram } from '../cli/program.js'
import { until } from '../e2e/cluster.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { type DockerHost, startDocker, testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'

const program = builtProgram(join(import.meta.dirname, '../../dist/mariposa.js'))

const manifest = (restart: string, script: string): string => `image: ${testImage}
service_type: event
command: [/bin/sh, "-c", ${JSON.stringify(script)}]
restart: ${restart}
stop: {timeout: 1, preservestopped: always}
`

/** Says that it was begun, and goes on until it is ended; it ends well when it is asked to. */
const endless = 'echo begun; trap "exit 0" TERM; while :; do sleep 1000 & wait $!; done'

const policies = { never: '"no"', failing: 'on-failure', always: 'always' } as const
const names = Object.keys(policies) as readonly (keyof typeof policies)[]

const runOf = async (host: Host, service: string): Promise<RunBody | undefined> =>
  (JSON.parse((await host.done('schedule', 'runs', service, '--json')).stdout) as RunBody[])[0]

const exitsOf = async (host: Host, service: string): Promise<readonly EventBody[]> =>
  (JSON.parse((await host.done('service', 'events', service, '--json')).stdout) as EventBody[]).filter(
    ({ kind }) => kind === 'instance-exited',
  )

const timesBegun = async (host: Host, instance: string): Promise<number> =>
  (await host.done('service', 'logs', instance)).stdout.split('\n').filter((line) => line.includes('begun'))
    .length

describe('a run of a container', () => {
  let dockerHost: DockerHost
  beforeAll(async () => {
    dockerHost = await startDocker()
  })
  afterAll(async () => await dockerHost.stop())

  const openHost = hostsOf(
    program,
    onDocker('docker-runs', () => dockerHost.socketPath),
  )

  const begin = async (host: Host, service: string, restart: string, script: string): Promise<void> => {
    await host.done('service', 'deploy', host.file(`${service}.yml`, manifest(restart, script)))
    await host.done('service', 'start', service, '--detach')
  }

  const beginEndless = async (host: Host): Promise<void> => {
    for (const name of names) await begin(host, name, policies[name], endless)
    for (const name of names) await until(async () => expect(await timesBegun(host, `${name}-1`)).toBe(1))
  }

  const ways = {
    'a Docker that is shut down': async () => await dockerHost.shutDown(),
    'a Docker that crashes': async () => await dockerHost.crash(),
    'a loss of power': async () => await dockerHost.powerLoss(),
  } as const

  describe.each(Object.keys(ways) as (keyof typeof ways)[])('that is cut off by %s', (way) => {
    test.each(['goes on', 'ended before'] as const)('is over, where the daemon %s', async (daemonIs) => {
      const host = openHost()
      const daemon = await host.startDaemon()
      await beginEndless(host)
      if (daemonIs === 'ended before') {
        daemon.signal('SIGKILL')
        await daemon.ended
      }
      await ways[way]()
      await dockerHost.recover()
      if (daemonIs === 'ended before') await host.startDaemon()
      for (const name of names) {
        await until(async () => expect((await runOf(host, name))?.endedAt ?? null, name).not.toBeNull())
        expect(await runOf(host, name)).toMatchObject({
          exitCode: null,
          result: 'cut off: its machine or its driver went down',
        })
        expect(await host.instances(name)).toMatchObject([{ name: `${name}-1`, state: 'stopped' }])
        expect(await timesBegun(host, `${name}-1`), name).toBe(1)
        expect(await exitsOf(host, name), name).toHaveLength(1)
      }
    })
  })

  test('is restarted as its policy says when its program ends, whatever becomes of the daemon meanwhile', async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    await begin(host, 'failing', 'on-failure:3', 'echo begun; exit 3')
    await until(async () => expect(await timesBegun(host, 'failing-1')).toBeGreaterThan(1))
    daemon.signal('SIGKILL')
    await daemon.ended
    await host.startDaemon()
    await until(async () => expect((await runOf(host, 'failing'))?.endedAt ?? null).not.toBeNull())
    expect(await runOf(host, 'failing')).toMatchObject({ exitCode: 3, result: 'exited with status 3' })
    expect(await timesBegun(host, 'failing-1')).toBe(4)
    expect((await exitsOf(host, 'failing')).length).toBeLessThanOrEqual(4)

    await begin(host, 'done', 'on-failure', 'echo begun; exit 0')
    await until(async () => expect(await runOf(host, 'done')).toMatchObject({ exitCode: 0 }))
    await begin(host, 'again', 'always', 'echo begun; exit 0')
    await until(async () => expect(await timesBegun(host, 'again-1')).toBeGreaterThan(2))
    await host.done('service', 'stop', 'again')
    expect(await host.instances('again')).toMatchObject([{ name: 'again-1', state: 'stopped' }])
  })

  test('that waits for a restart when Docker goes down is over', async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    await begin(host, 'failing', 'on-failure', 'echo begun; exit 3')
    // The wait for it has grown to seconds by then.
    await until(async () => {
      const [failing] = await host.instances('failing')
      expect(failing).toMatchObject({ state: 'starting' })
      expect(failing?.restarts).toBeGreaterThan(5)
    })
    daemon.signal('SIGKILL')
    await daemon.ended
    await dockerHost.powerLoss()
    await dockerHost.recover()
    await host.startDaemon()
    await until(async () => expect((await runOf(host, 'failing'))?.endedAt ?? null).not.toBeNull())
    const begun = await timesBegun(host, 'failing-1')
    expect(await runOf(host, 'failing')).toMatchObject({ exitCode: 3 })
    expect(await timesBegun(host, 'failing-1')).toBe(begun)
  })

  test('that is kept is told to have ended once, however often the daemon and Docker are started again', async () => {
    const host = openHost()
    let daemon = await host.startDaemon()
    await begin(host, 'done', '"no"', 'echo begun; exit 0')
    await begin(host, 'bad', '"no"', 'echo begun; exit 5')
    await begin(host, 'stopped', '"no"', endless)
    for (const name of ['done', 'bad'])
      await until(async () => expect((await runOf(host, name))?.endedAt ?? null).not.toBeNull())
    await until(async () => expect(await timesBegun(host, 'stopped-1')).toBe(1))
    await host.done('service', 'stop', 'stopped')
    for (const again of ['daemon', 'Docker', 'both'] as const) {
      if (again !== 'Docker') {
        daemon.signal('SIGKILL')
        await daemon.ended
      }
      if (again !== 'daemon') await dockerHost.shutDown()
      if (again !== 'daemon') await dockerHost.recover()
      if (again !== 'Docker') daemon = await host.startDaemon()
      // What a daemon tells of one unit it tells after what it has found at its start.
      const probe = `probe-${again.toLowerCase()}`
      await begin(host, probe, '"no"', 'echo begun')
      await until(async () => expect((await runOf(host, probe))?.endedAt ?? null).not.toBeNull())
      expect(await exitsOf(host, 'done'), again).toHaveLength(1)
      expect(await exitsOf(host, 'bad'), again).toHaveLength(1)
      expect(await exitsOf(host, 'stopped'), again).toHaveLength(1)
    }
    for (const name of ['done', 'bad', 'stopped'])
      expect(await host.instances(name)).toMatchObject([{ state: 'stopped' }])
  }, 300_000)
})

describe('a run of a container that ends by itself while a Docker is away that lets containers live on', () => {
  let dockerHost: DockerHost
  beforeAll(async () => {
    dockerHost = await startDocker({ liveRestore: true })
  })
  afterAll(async () => await dockerHost.stop())

  const openHost = hostsOf(
    program,
    onDocker('docker-runs', () => dockerHost.socketPath),
  )

  test.each([true, false])(
    'is told to have ended as it did, where the daemon goes on: %s',
    async (goesOn) => {
      const host = openHost()
      const daemon = await host.startDaemon()
      await host.done('service', 'deploy', host.file('job.yml', manifest('on-failure', endless)))
      await host.done('service', 'start', 'job', '--detach')
      await until(async () => expect(await timesBegun(host, 'job-1')).toBe(1))
      const [{ pid = null } = {}] = await host.instances('job')
      if (!goesOn) {
        daemon.signal('SIGKILL')
        await daemon.ended
      }
      await dockerHost.shutDown()
      process.kill(pid ?? 0, 'SIGTERM')
      await until(() => expect(() => process.kill(pid ?? 0, 0)).toThrow())
      await dockerHost.recover()
      if (!goesOn) await host.startDaemon()
      await until(async () => expect((await runOf(host, 'job'))?.endedAt ?? null).not.toBeNull())
      expect(await runOf(host, 'job')).toMatchObject({ exitCode: 0, result: 'exited with status 0' })
      expect(await timesBegun(host, 'job-1')).toBe(1)
      expect(await exitsOf(host, 'job')).toHaveLength(1)
    },
  )
})
