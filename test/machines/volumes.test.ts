// Volumes without a name outlive their containers, and go with their service where that is said.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Docker from 'dockerode'
import { expect, inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { until } from '../e2e/cluster.js'
import { hostsOf } from '../e2e/host.js'
import { volumeImage } from './docker-host.js'
import { onDocker } from './docker-place.js'

const docker = new Docker({ socketPath: inject('dockerSocket') })
const openHost = hostsOf(
  builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
  onDocker('volumes', () => inject('dockerSocket')),
)

const script = '[ -f /data/mark ] || echo "$WHO" > /data/mark; exec sleep 1000'
const manifest = (more = ''): string => `image: ${volumeImage}
command: [/bin/sh, "-c", ${JSON.stringify(script)}]
environment: {WHO: "{{ .instance.name }}"}
stop: {timeout: 1, preservestopped: "no"}
${more}`

/** What instances of a service have written into volumes that are there. */
async function marksOf(service: string): Promise<readonly string[]> {
  const filters = { label: [`io.mariposa.service=${service}`] }
  const { Volumes } = await docker.listVolumes({ filters })
  return Volumes.map(({ Mountpoint }) => join(Mountpoint, 'mark'))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8').trim())
    .sort()
}

test('those of replaced instances are found by their label, and go with a service that is deleted with them', async () => {
  const host = openHost()
  await host.startDaemon()
  const web = (more?: string): string => host.file('web.yml', manifest(more))
  await host.done('service', 'deploy', web(), host.file('other.yml', manifest()))
  await host.done('service', 'deploy', web('# again\n'))
  expect(await host.instances('web')).toMatchObject([{ name: 'web-2', state: 'running' }])
  await until(async () => expect(await marksOf('web')).toEqual(['web-1', 'web-2']))

  await host.done('service', 'delete', 'web', '--force')
  expect(await marksOf('web')).toEqual(['web-1', 'web-2'])
  await host.done('service', 'deploy', web())
  await host.done('service', 'deploy', web('# again\n'))
  const deleted = await host.done('service', 'delete', 'web', '--force', '--volumes')
  expect(deleted.stderr).toContain('mariposa events --kind delete')
  // What the service of the same name before it left stays: that was not to go.
  await until(async () => expect(await marksOf('web')).toEqual(['web-1', 'web-2']))
  const { Volumes } = await docker.listVolumes({ filters: { label: ['io.mariposa.service=web'] } })
  expect(Volumes).toHaveLength(2)
  await host.sawEvent('web', ({ kind, message }) => {
    const names = Volumes.map(({ Name }) => Name)
    return kind === 'delete' && names.every((name) => message.includes(name))
  })
  await host.done('service', 'delete', 'other', '--force', '--volumes')
  await until(async () => expect(await marksOf('other')).toEqual([]))
  for (const { Name } of Volumes) await docker.getVolume(Name).remove()
})
