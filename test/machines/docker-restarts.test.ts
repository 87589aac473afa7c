// Docker itself is stopped, killed and started again beneath running services: nothing is lost with it.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServiceBody } from '../../src/api/contract.js'
import { builtProgram } from '../cli/program.js'
import { until } from '../e2e/cluster.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { type DockerHost, startDocker, volumeImage } from './docker-host.js'

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

describe.each([{ liveRestore: false }, { liveRestore: true }])('a Docker with $liveRestore', (wish) => {
  let dockerHost: DockerHost
  let docker: Docker
  beforeAll(async () => {
    dockerHost = await startDocker(wish)
    docker = new Docker({ socketPath: dockerHost.socketPath })
  })
  afterAll(async () => await dockerHost.stop())

  const openHost = hostsOf(program, () => ({
    driver: 'docker',
    env: { DOCKER_HOST: `unix://${dockerHost.socketPath}` },
    makeDir: () => {
      const dir = mkdtempSync(join(tmpdir(), 'mariposa-docker-restarts-'))
      return { inside: dir, outside: dir }
    },
  }))

  const deploy = async (host: Host, name: string, text: string, ...more: readonly string[]) =>
    await host.done('service', 'deploy', host.file(`${name}.yml`, text), ...more)

  test.each(['shutDown', 'crash'] as const)(
    'that goes by %s and comes back has lost nothing',
    async (goes) => {
      const host = openHost()
      await host.startDaemon()
      await Promise.all([
        deploy(host, 'always', manifest('always'), '--scale', '3'),
        deploy(host, 'never', manifest('"no"')),
        deploy(host, 'failing', manifest('on-failure')),
        deploy(host, 'halted', manifest('always')),
        deploy(host, 'kept', manifest('always').replace('"no"}', 'always}')),
        deploy(host, 'rolled', manifest('always'), '--scale', '2'),
        deploy(host, 'grown', manifest('always')),
        deploy(host, 'gone', manifest('always')),
      ])
      await host.done('service', 'stop', 'kept')
      const before = await containersOf(docker)
      const marked = await marksOf(docker)
      expect(before.size).toBe(11)
      expect(before.get('kept-1')).toMatchObject({ running: false, policy: 'no' })
      expect(before.get('always-1')).toMatchObject({ running: true, policy: 'always' })

      const changes = Promise.all([
        host.run('service', 'deploy', host.file('rolled.yml', manifest('always', 'memory: 64M'))),
        host.run('service', 'scale', 'grown', '3'),
        host.run('service', 'delete', 'gone', '--force'),
        host.run('service', 'stop', 'halted'),
      ])
      await dockerHost[goes]()
      await dockerHost.recover()
      expect((await changes).map(({ code }) => code)).toEqual([0, 0, 0, 0])
      await until(async () => {
        expect(idsOf(await containersOf(docker), '')).toHaveLength(3 + 1 + 1 + 2 + 3)
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
      expect(after.size).toBe(3 + 1 + 1 + 2 + 3 + 1)
      expect(await marksOf(docker)).toEqual(expect.arrayContaining([...marked]))
    },
  )
})

async function servicesOf(host: Host): Promise<readonly ServiceBody[]> {
  return JSON.parse((await host.done('service', 'list', '--json')).stdout) as readonly ServiceBody[]
}
