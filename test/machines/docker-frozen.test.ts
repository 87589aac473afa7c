// A Docker that hangs: it keeps its connections, takes new ones, and answers nothing.
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { EventBody } from '../../src/contract/contract.js'
import { builtProgram } from '../cli/program.js'
import { idleManifest, until } from '../e2e/cluster.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { type DockerHost, startDocker, testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'

const program = builtProgram(join(import.meta.dirname, '../../dist/mariposa.js'))

let dockerHost: DockerHost
let docker: Docker
beforeAll(async () => {
  dockerHost = await startDocker()
  docker = new Docker({ socketPath: dockerHost.socketPath })
})
afterAll(async () => await dockerHost.stop())

const openHost = hostsOf(
  program,
  onDocker('docker-frozen', () => dockerHost.socketPath),
)
// Before the host's own end, which needs Docker.
afterEach(() => {
  dockerHost.thaw('containerd')
  dockerHost.thaw()
})

const manifest = (more = ''): string => `image: ${testImage}
command: [/bin/sh, "-c", "trap 'exit 0' TERM; while :; do sleep 1000 & wait $!; done"]
stop: {timeout: 1, preservestopped: "no"}
${more}`

const checked = manifest(
  'healthchecks: [{type: command, command: ["/bin/true"], interval: 1, timeout: 1, retries: 1}]',
)

interface Run {
  readonly id: string
  readonly running: boolean
  readonly since: string
  readonly restarts: number
}

/** What Docker has, by the name of the instance; every container counts. */
async function runs(): Promise<readonly (readonly [string, Run])[]> {
  const listed = await docker.listContainers({ all: true })
  const found = await Promise.all(listed.map(({ Id }) => docker.getContainer(Id).inspect()))
  return found
    .map(({ Id, State, Config, RestartCount }): readonly [string, Run] => [
      Config.Labels['io.mariposa.instance'] ?? '',
      { id: Id, running: State.Running, since: State.StartedAt, restarts: RestartCount },
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

async function isAway(host: Host): Promise<boolean> {
  return (await host.done('machine', 'list')).stdout.includes('docker (away)')
}

async function history(host: Host, service: string): Promise<readonly EventBody[]> {
  const { stdout } = await host.done('events', '--service', service, '--jsonl')
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EventBody)
}

/** A host with a service on Docker and one that Docker has no part in. */
async function bothDrivers(): Promise<Host> {
  const host = openHost()
  await host.startDaemon('--driver', 'process')
  const files = [host.file('web.yml', manifest()), host.file('idle.yml', idleManifest())]
  await host.done('service', 'deploy', ...files)
  return host
}

describe('a Docker that answers nothing', () => {
  test('is away until it answers again: nothing is done for what it has, and nothing is said to be done', async () => {
    const host = openHost()
    await host.startDaemon()
    const file = (name: string, text = manifest()): string => host.file(`${name}.yml`, text)
    await host.done(
      ...['service', 'deploy', file('web', checked)],
      ...['gone', 'halted', 'emptied'].map((name) => file(name)),
    )
    const before = await runs()
    expect(before.map(([name]) => name)).toEqual(['emptied-1', 'gone-1', 'halted-1', 'web-1'])
    const told = await history(host, 'web')

    dockerHost.freeze()
    await until(async () => {
      expect(await isAway(host)).toBe(true)
      const [web] = await host.instances('web')
      expect(web).toMatchObject({ state: 'unknown', health: 'unknown' })
      expect(web?.reason).toMatch(/^unknown since .*docker/)
    })
    const asked = await Promise.all([
      host.run('service', 'delete', 'gone', '--force', '--timeout', '3s'),
      host.run('service', 'stop', 'halted', '--timeout', '3s'),
      host.run('service', 'scale', 'emptied', '0', '--timeout', '3s'),
    ])
    expect(asked.map(({ code }) => code)).toEqual([3, 3, 3])
    expect(await host.instances('gone')).toMatchObject([{ state: 'unknown' }])

    dockerHost.thaw()
    await until(async () => {
      expect(await isAway(host)).toBe(false)
      expect(await host.service('web')).toMatchObject({ status: 'running', running: 1 })
      expect(await host.instances('web')).toMatchObject([{ health: 'healthy' }])
      expect(await host.service('gone')).toBeUndefined()
      expect(await runs()).toEqual(before.filter(([name]) => name === 'web-1'))
    })
    const since = (await history(host, 'web')).filter(({ id }) => !told.some((one) => one.id === id))
    expect(since.filter(({ kind }) => kind.startsWith('instance') || kind === 'health')).toEqual([])
  })

  test('holds up nothing of other drivers, from the first moment', async () => {
    const host = await bothDrivers()
    dockerHost.freeze()
    // What is begun there now is under way when it hangs, and is looked at when it is given up.
    await host.done('service', 'scale', 'web', '2', '--detach')
    await until(async () => {
      expect(await host.instances('web')).toMatchObject([
        { name: 'web-1' },
        { name: 'web-2', machine: expect.any(String) },
      ])
    })
    await host.done('service', 'delete', 'web', '--force', '--detach')
    await host.done('service', 'deploy', host.file('other.yml', idleManifest()))
    await host.done('service', 'scale', 'idle', '2')
    await host.done('service', 'logs', 'idle')
    expect(await host.instances('idle')).toMatchObject([{ state: 'running' }, { state: 'running' }])
    await host.done('service', 'delete', 'other', '--force')
    await host.done('service', 'stop', 'idle')
    dockerHost.thaw()
    await until(async () => {
      expect(await host.service('web')).toBeUndefined()
      expect(await runs()).toEqual([])
    })
  })
  test('does not keep the daemon from ending, nor from starting again', async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', checked))
    const [[, before] = []] = await runs()
    dockerHost.freeze()
    await host.done('service', 'scale', 'web', '3', '--detach')
    const inside = host.start('service', 'exec', 'web-1', '--', '/bin/true')
    daemon.signal('SIGTERM')
    expect(await daemon.ended).toMatchObject({ code: 0 })
    expect((await inside.ended).code).not.toBe(0)

    await host.startDaemon()
    await until(async () => {
      expect((await host.instances('web'))[0]).toMatchObject({ name: 'web-1', state: 'unknown' })
    })
    dockerHost.thaw()
    await until(async () => {
      expect(await host.service('web')).toMatchObject({ status: 'running', running: 3 })
    })
    const after = await runs()
    expect(after.map(([name]) => name)).toEqual(['web-1', 'web-2', 'web-3'])
    expect(after[0]?.[1]).toEqual(before)
  })

  test.each(['before it is found to hang', 'after that'])(
    'and is killed %s has lost nothing and doubled nothing',
    async (when) => {
      const host = openHost()
      await host.startDaemon()
      const file = (name: string, more = ''): string => host.file(`${name}.yml`, manifest(more))
      await host.done(
        'service',
        'deploy',
        ...['grown', 'gone', 'halted', 'rolled', 'web'].map((name) => file(name)),
      )
      const before = await runs()
      const changes = Promise.all([
        host.run('service', 'scale', 'grown', '4'),
        host.run('service', 'delete', 'gone', '--force'),
        host.run('service', 'stop', 'halted'),
        host.run('service', 'deploy', file('rolled', 'memory: 64M')),
      ])
      // Something of it is under way.
      await until(async () => expect(await runs()).not.toEqual(before))
      dockerHost.freeze()
      if (when === 'after that') await until(async () => expect(await isAway(host)).toBe(true))
      await dockerHost.crash()
      await dockerHost.recover()
      const [deployed, ...others] = (await changes).toReversed()
      expect(others.map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']))
      // A deploy that was still asking what the image's tag means says that it was not told.
      expect(deployed?.stderr).toMatch(/^$|\[deploy\/image-not-pinned\]/)
      expect(deployed?.code).toBe(0)
      await until(async () => {
        const found = await runs()
        expect(found.map(([name]) => name)).toEqual([
          'grown-1',
          'grown-2',
          'grown-3',
          'grown-4',
          'rolled-2',
          'web-1',
        ])
        expect(found.filter(([, { running }]) => !running)).toEqual([])
        expect(await host.service('grown')).toMatchObject({ status: 'running', running: 4 })
        expect(await host.service('web')).toMatchObject({ status: 'running', running: 1 })
        expect(await host.service('halted')).toMatchObject({ status: 'stopped' })
      })
    },
  )
})

describe('a Docker that answers, and of which a container hangs', () => {
  test('holds up nothing but what waits for that', async () => {
    const host = await bothDrivers()
    dockerHost.freeze('containerd')
    await host.done('service', 'scale', 'web', '12', '--detach')
    // All that are held up, and looked at.
    await until(async () => expect(await docker.listContainers({ all: true })).toHaveLength(12))
    await host.done('service', 'delete', 'web', '--force', '--detach')
    await host.done('service', 'scale', 'idle', '2')
    await host.done('service', 'stop', 'idle')
    expect(await isAway(host)).toBe(false)
    dockerHost.thaw('containerd')
    await until(async () => {
      expect(await host.service('web')).toBeUndefined()
      expect(await runs()).toEqual([])
    })
  })
})
