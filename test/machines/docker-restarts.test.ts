// Docker itself is stopped, killed and started again beneath running services: nothing is lost with it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServiceBody } from '../../src/contract/contract.js'
import { builtProgram } from '../cli/program.js'
import { until } from '../e2e/cluster.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { type DockerHost, startDocker, volumeImage } from './docker-host.js'
import { onDocker } from './docker-place.js'

const program = builtProgram(join(import.meta.dirname, '../../dist/mariposa.js'))

/** A program that writes its name into its volume once, and ends well when it is asked to. */
const script =
  '[ -f /data/mark ] || echo "$WHO" > /data/mark; trap "exit 0" TERM; while :; do sleep 1000 & wait $!; done'

const manifest = (restart: string, more = ''): string => `image: ${volumeImage}
command: [/bin/sh, "-c", ${JSON.stringify(script)}]
environment: {WHO: "{{ .instance.name }}"}
restart: ${restart}
stop: {timeout: 1, preservestopped: "no"}
${more}`

interface Found {
  readonly id: string
  readonly running: boolean
  readonly policy: string
}

/** The containers of this Docker by the name of their instance. */
async function containersOf(docker: Docker): Promise<ReadonlyMap<string, Found>> {
  const listed = await docker.listContainers({ all: true })
  const found = await Promise.all(listed.map(({ Id }) => docker.getContainer(Id).inspect()))
  return new Map(
    found.map(({ Id, State, Config, HostConfig }) => [
      Config.Labels['io.mariposa.instance'] ?? '',
      { id: Id, running: State.Running, policy: HostConfig.RestartPolicy?.Name ?? '' },
    ]),
  )
}

/** What the instances have written into their volumes, of containers that are gone as well. */
async function marksOf(docker: Docker): Promise<readonly string[]> {
  const { Volumes } = await docker.listVolumes()
  return Volumes.flatMap(({ Mountpoint }) => {
    const file = join(Mountpoint, 'mark')
    return existsSync(file) ? [readFileSync(file, 'utf8').trim()] : []
  }).sort()
}

/** The ids of the running containers of a service. */
function idsOf(containers: ReadonlyMap<string, Found>, service: string): readonly string[] {
  return [...containers]
    .filter(([name, { running }]) => name.startsWith(service) && running)
    .map(([, { id }]) => id)
    .sort()
}

describe.each([{ liveRestore: false }, { liveRestore: true }])(
  'a Docker with live-restore $liveRestore',
  (wish) => {
    let dockerHost: DockerHost
    let docker: Docker
    beforeAll(async () => {
      dockerHost = await startDocker(wish)
      docker = new Docker({ socketPath: dockerHost.socketPath })
    })
    afterAll(async () => await dockerHost.stop())

    const openHost = hostsOf(
      program,
      onDocker('docker-restarts', () => dockerHost.socketPath),
    )

    test.each(['shutDown', 'crash'] as const)(
      'that goes by %s and comes back has lost nothing',
      async (goes) => {
        const host = openHost()
        await host.startDaemon()
        const file = (name: string, text: string): string => host.file(`${name}.yml`, text)
        await host.done(
          ...['service', 'deploy', file('never', manifest('"no"')), file('failing', manifest('on-failure'))],
          ...['always', 'halted', 'rolled', 'grown', 'gone'].map((name) => file(name, manifest('always'))),
          file('kept', manifest('always').replace('"no"}', 'always}')),
        )
        await host.done('service', 'stop', 'kept')
        const before = await containersOf(docker)
        const marked = await marksOf(docker)
        expect(before.size).toBe(8)
        expect(before.get('kept-1')).toMatchObject({ running: false, policy: 'no' })
        expect(before.get('always-1')).toMatchObject({ running: true, policy: 'always' })

        const changes = Promise.all([
          host.run('service', 'deploy', file('rolled', manifest('always', 'memory: 64M'))),
          host.run('service', 'scale', 'grown', '2'),
          host.run('service', 'delete', 'gone', '--force'),
          host.run('service', 'stop', 'halted'),
        ])
        await dockerHost[goes]()
        await dockerHost.recover()
        expect((await changes).map(({ code }) => code)).toEqual([0, 0, 0, 0])
        await until(async () => {
          const now = await containersOf(docker)
          expect([idsOf(now, '').length, now.size]).toEqual([6, 7])
          for (const { status } of await servicesOf(host)) expect(['running', 'stopped']).toContain(status)
        })

        const after = await containersOf(docker)
        for (const name of ['always', 'never', 'failing'])
          expect(idsOf(after, name), name).toEqual(idsOf(before, name))
        expect(idsOf(after, 'grown')).toEqual(expect.arrayContaining([...idsOf(before, 'grown')]))
        expect(after.get('kept-1')).toMatchObject({
          id: before.get('kept-1')?.id,
          running: false,
          policy: 'no',
        })
        expect(await marksOf(docker)).toEqual(expect.arrayContaining([...marked]))

        await host.done('service', 'delete', 'always', '--force')
        await host.done('service', 'delete', 'failing', '--force', '--volumes')
        await until(async () => expect(await marksOf(docker)).not.toContain('failing-1'))
        expect(await marksOf(docker)).toContain('always-1')
        await docker.pruneVolumes()
      },
    )

    test.each(['the daemon', 'Docker'] as const)(
      'that lost power with its machine has lost nothing, where %s comes up first',
      async (first) => {
        const host = openHost()
        const daemon = await host.startDaemon()
        const file = (name: string, text: string): string => host.file(`${name}.yml`, text)
        const kept = manifest('always').replace('"no"}', 'always}')
        await host.done(
          ...['service', 'deploy', file('always', manifest('always'))],
          ...[file('failing', manifest('on-failure')), file('kept', kept)],
        )
        await host.done('service', 'stop', 'kept')
        const before = await containersOf(docker)
        const marked = await marksOf(docker)
        expect(before.size).toBe(3)
        daemon.signal('SIGKILL')
        await daemon.ended
        await dockerHost.powerLoss()

        if (first === 'Docker') await dockerHost.recover()
        await host.startDaemon()
        if (first === 'the daemon') {
          await until(async () => {
            expect(await host.instances('always')).toMatchObject([{ name: 'always-1', state: 'unknown' }])
          })
          await dockerHost.recover()
        }
        await until(async () => {
          for (const { name, status } of await servicesOf(host))
            expect(status, name).toBe(name === 'kept' ? 'stopped' : 'running')
          expect(idsOf(await containersOf(docker), '')).toHaveLength(2)
        })
        const after = await containersOf(docker)
        expect([...after].map(([name, { id }]) => [name, id]).sort()).toEqual(
          [...before].map(([name, { id }]) => [name, id]).sort(),
        )
        expect(after.get('kept-1')).toMatchObject({ running: false, policy: 'no' })
        expect(await marksOf(docker)).toEqual(marked)
        await host.done('service', 'delete', 'kept', '--force')
        await docker.pruneVolumes()
      },
    )

    test.each(['shutDown', 'crash'] as const)(
      'that goes by %s while no daemon runs, and comes back, has lost nothing',
      async (goes) => {
        const host = openHost()
        const daemon = await host.startDaemon()
        const file = (name: string, text: string): string => host.file(`${name}.yml`, text)
        await host.done(
          ...['service', 'deploy', file('always', manifest('always')), file('never', manifest('"no"'))],
          file('failing', manifest('on-failure')),
        )
        const before = await containersOf(docker)
        const marked = await marksOf(docker)
        daemon.signal('SIGKILL')
        await daemon.ended
        await dockerHost[goes]()
        await dockerHost.recover()
        await host.startDaemon()
        await until(async () => {
          for (const { name, status } of await servicesOf(host)) expect(status, name).toBe('running')
          expect(idsOf(await containersOf(docker), '')).toEqual(idsOf(before, ''))
        })
        expect((await containersOf(docker)).size).toBe(3)
        expect(await marksOf(docker)).toEqual(marked)
        await docker.pruneVolumes()
      },
    )

    test('that is not there yet when the daemon starts gets what waits for it', async () => {
      await dockerHost.shutDown()
      const host = openHost()
      await host.startDaemon()
      await until(async () => {
        const { stdout } = await host.done('machine', 'list')
        expect(stdout).toContain('docker (away)')
      })
      await host.done('service', 'deploy', host.file('web.yml', manifest('always')), '--detach')
      await until(async () => {
        const [web] = await host.instances('web')
        expect(web?.state).toBe('pending')
        expect(web?.reason).toMatch(/has docker, which does not answer now$/)
      })
      await dockerHost.recover()
      await until(async () => {
        expect(await host.service('web')).toMatchObject({ status: 'running', running: 1 })
      })
      await host.done('service', 'delete', 'web', '--force', '--volumes')
      await until(async () => expect(await marksOf(docker)).not.toContain('web-1'))
    })

    test('that ends while nothing is asked of it is told to be away at once', async () => {
      const host = openHost()
      await host.startDaemon()
      await host.done('service', 'deploy', host.file('web.yml', manifest('always')))
      await dockerHost.shutDown()
      await until(async () => {
        expect((await host.instances('web'))[0]).toMatchObject({ state: 'unknown' })
        expect((await host.done('machine', 'list')).stdout).toContain('docker (away)')
      })
      await dockerHost.recover()
      await until(async () => {
        expect(await host.service('web')).toMatchObject({ status: 'running', running: 1 })
      })
      await host.done('service', 'delete', 'web', '--force', '--volumes')
    })

    if (wish.liveRestore)
      test('that is away when the daemon starts is waited for', async () => {
        const host = openHost()
        const daemon = await host.startDaemon()
        await host.done('service', 'deploy', host.file('web.yml', manifest('always')))
        const [{ pid = null } = {}] = await host.instances('web')
        daemon.signal('SIGTERM')
        await daemon.ended
        await dockerHost.shutDown()

        await host.startDaemon()
        await until(async () => {
          const [web] = await host.instances('web')
          expect(web).toMatchObject({ state: 'unknown', health: 'unknown', nextTryAt: null })
          expect(web?.reason).toMatch(/^unknown since .*docker/)
        })
        expect(await host.service('web')).toMatchObject({ status: 'degraded', running: 0 })
        const deleted = await host.run('service', 'delete', 'web', '--force', '--timeout', '3s')
        expect(deleted.code).toBe(3)
        process.kill(pid ?? 0, 0)
        expect(await host.instances('web')).toMatchObject([{ state: 'unknown' }])

        await dockerHost.recover()
        await until(async () => {
          expect(await host.service('web')).toBeUndefined()
          expect((await containersOf(docker)).size).toBe(0)
        })
        await docker.pruneVolumes()
      })
  },
)

async function servicesOf(host: Host): Promise<readonly ServiceBody[]> {
  return JSON.parse((await host.done('service', 'list', '--json')).stdout) as readonly ServiceBody[]
}
