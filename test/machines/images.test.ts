// Versions that always mean the same bits: tags of images through the real command line, daemon and Docker.
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import Docker from 'dockerode'
import { describe, expect, inject, test } from 'vitest'
import type { EventBody, MachineBody, VersionDetails } from '../../src/contract/contract.js'
import { builtProgram } from '../cli/program.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { idB, usePairs } from '../e2e/pair.js'
import { testImage, volumeImage } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { startRegistry } from './docker-registry.js'

const docker = new Docker({ socketPath: inject('dockerSocket') })
const openHost = hostsOf(
  builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
  onDocker('images', () => inject('dockerSocket')),
)

const manifest = (image: string, more = ''): string =>
  `image: ${image}\ncommand: [/bin/sh, "-c", "exec busybox sleep 1000"]\nstop: {timeout: 1, preservestopped: "no"}\n${more}`

const version = async (host: Host, word: string): Promise<VersionDetails> =>
  JSON.parse((await host.done('service', 'version', word, '--json')).stdout) as VersionDetails

/** Of the images that the instances of a service run, the label that tells them apart. */
async function marksOf(host: Host): Promise<readonly string[]> {
  const containers = (await host.instances('web')).flatMap(({ container }) => container ?? [])
  const images = await Promise.all(containers.map((id) => docker.getContainer(id).inspect()))
  return images.map(({ Config }) => Config.Labels['mark'] ?? '')
}

describe('a version', () => {
  test('means the bits that its tag meant when it was made, also when the tag means others by now', async () => {
    const registry = await startRegistry()
    registry.publish('first')
    const host = openHost()
    await host.startDaemon()
    const first = registry.digest()
    await host.done('service', 'deploy', host.file('web.yml', manifest(registry.image)))
    registry.publish('second')
    await host.done('service', 'scale', 'web', '2')
    expect(await marksOf(host)).toEqual(['first', 'first'])
    expect(await version(host, 'web@1')).toMatchObject({
      image: registry.image,
      pinned: `${registry.image}@${first}`,
    })
    await host.done(
      'service',
      'deploy',
      host.file('web.yml', manifest(registry.image, '# again\n')),
      '--rolling',
      '2',
    )
    expect(await marksOf(host)).toEqual(['second', 'second'])
    await host.done('service', 'revert', 'web', '1', '--rolling', '2')
    expect(await marksOf(host)).toEqual(['first', 'first'])
    await registry.stop()
  })

  test('is made anew of the same text by --refresh where its tag has moved, and only there', async () => {
    const registry = await startRegistry()
    registry.publish('first')
    const host = openHost()
    await host.startDaemon()
    const file = host.file('web.yml', manifest(registry.image))
    await host.done('service', 'deploy', file)
    const first = registry.digest()
    expect((await host.done('service', 'deploy', file, '--refresh')).stdout).toContain('unchanged')
    registry.publish('second')
    expect((await host.done('service', 'deploy', file)).stdout).toContain('unchanged')
    const plan = await host.done('service', 'plan', file, '--refresh')
    expect(plan.stdout).toContain(`- image: ${registry.image}@${first}`)
    expect(plan.stdout).toContain(`+ image: ${registry.image}@${registry.digest()}`)
    const again = await host.done('service', 'deploy', file, '--refresh')
    expect(again.stdout).toContain('web: updated, now version 2')
    expect(await marksOf(host)).toEqual(['second'])
    await registry.stop()
    const away = await host.run('service', 'deploy', file, '--refresh')
    expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('cannot resolve')])
    expect(await marksOf(host)).toEqual(['second'])
  })

  test('of an image that was made here means that very one', async () => {
    const host = openHost()
    await host.startDaemon()
    const { Id } = await docker.getImage(testImage).inspect()
    const done = await host.done('service', 'deploy', host.file('web.yml', manifest(testImage)))
    expect(done.stderr).toBe('')
    expect((await version(host, 'web@1')).pinned).toBe(Id)
  })

  test('of an image that nobody can tell of is made with a warning', async () => {
    const host = openHost()
    await host.startDaemon()
    const image = 'localhost:1/nosuch:1'
    const done = await host.done('service', 'deploy', host.file('web.yml', manifest(image)), '--detach')
    expect(done.stderr).toContain(`cannot resolve the image ${image}`)
    expect((await version(host, 'web@1')).pinned).toBeNull()
  })
})

describe('images', () => {
  test('are held while a version needs them, and removed when none does', async () => {
    const registry = await startRegistry()
    const host = openHost()
    await host.startDaemon('--keep-images', 'none', '--container-log-max-size', '1M')
    await host.done('service', 'deploy', host.file('web.yml', manifest(registry.image)))
    const [instance] = await host.instances('web')
    const { Image, HostConfig } = await docker.getContainer(instance?.container ?? '').inspect()
    expect(HostConfig.LogConfig?.Config).toEqual({ 'max-size': '1048576', 'max-file': '3' })
    const { RepoTags } = await docker.getImage(Image).inspect()
    expect(RepoTags.filter((tag) => tag.startsWith('mariposa-held/'))).toHaveLength(1)
    const [machine] = JSON.parse(
      (await host.done('machine', 'list', '--json')).stdout,
    ) as readonly MachineBody[]
    const listed = (await host.done('machine', 'images', machine?.id ?? '', '--json')).stdout
    expect(JSON.parse(listed)).toMatchObject([
      {
        id: Image,
        names: [expect.stringContaining(registry.host) as string],
        state: 'needed',
        reason: 'a version or a unit names it',
      },
    ])
    const gone = deleted(Image)
    await host.done('service', 'delete', 'web', '--force')
    await gone
    await docker.getImage(testImage).inspect()
    await registry.stop()
  })
})

describe('stopped containers that are kept', () => {
  test('go one after the other while the disk is fuller than allowed, and leave their volumes', async () => {
    const host = openHost()
    const daemon = await host.startDaemon('--keep-images', '100%')
    const kept = manifest(volumeImage).replace('"no"', 'always')
    await host.done('service', 'deploy', host.file('web.yml', kept), '--scale', '2')
    const containers = (await host.instances('web')).map(({ container }) => container ?? '')
    const volumes = await Promise.all(containers.map(volumeOf))
    await host.done('service', 'scale', 'web', '1')
    await host.done('service', 'scale', 'web', '0')
    await host.sawEvent('web', ({ kind, instance }) => kind === 'instance-kept' && instance === 'web-1')
    expect((await host.instances('web')).map(({ name }) => name)).toEqual(['web-1', 'web-2'])
    daemon.signal('SIGTERM')
    await daemon.ended

    await host.startDaemon('--keep-images', '0%')
    for (const name of ['web-1', 'web-2'])
      await host.sawEvent('web', ({ kind, instance }) => kind === 'instance-removed' && instance === name)
    const events = JSON.parse(
      (await host.done('service', 'events', 'web', '--json')).stdout,
    ) as readonly EventBody[]
    const told = (kind: EventBody['kind']) => events.filter((event) => event.kind === kind)
    const oldestFirst = told('instance-retired').map(({ instance }) => instance)
    expect(told('instance-discarded').map(({ instance }) => instance)).toEqual(oldestFirst)
    for (const { instance, message } of told('instance-discarded'))
      expect(message).toBe(
        `${instance ?? ''} is no longer kept: the disk of Docker on its machine is nearly full`,
      )
    for (const container of containers)
      await expect(docker.getContainer(container).inspect()).rejects.toMatchObject({ statusCode: 404 })
    for (const volume of volumes) await docker.getVolume(volume).remove()
  })
})

/** The volume that Docker made for a container. */
async function volumeOf(container: string): Promise<string> {
  const { Mounts } = await docker.getContainer(container).inspect()
  return Mounts[0]?.Name ?? ''
}

/** Resolves when Docker says that an image is deleted. */
async function deleted(id: string): Promise<void> {
  const filters = JSON.stringify({ type: ['image'], event: ['delete'] })
  const events = (await docker.getEvents({ filters })) as Readable
  for await (const line of createInterface({ input: events }))
    if ((JSON.parse(line) as { readonly id?: string }).id === id) return
}

describe('a version that is made by a daemon without Docker', () => {
  const pairs = usePairs(() => ({
    driver: 'docker',
    env: { DOCKER_HOST: `unix://${inject('dockerSocket')}` },
  }))

  test('means the bits that the Docker of another machine tells', async () => {
    const registry = await startRegistry()
    registry.publish('first')
    const { a } = await pairs.openWithTls()
    const first = registry.digest()
    const done = await a.done('service', 'deploy', a.file('web.yml', manifest(registry.image)))
    expect(done.stderr).toBe('')
    expect(await a.instances('web')).toMatchObject([{ machine: idB, state: 'running' }])
    expect((await version(a, 'web@1')).pinned).toBe(`${registry.image}@${first}`)
    registry.publish('second')
    await a.done('service', 'scale', 'web', '2')
    expect(await marksOf(a)).toEqual(['first', 'first'])
    const { Id } = await docker.getImage(testImage).inspect()
    await a.done('service', 'deploy', a.file('own.yml', manifest(testImage)))
    expect((await version(a, 'own@1')).pinned).toBe(Id)
    await registry.stop()
  })

  test('is made with a warning that says why, where that machine tells no address', async () => {
    const { a, b } = pairs.open()
    await a.startDaemon()
    await b.startDaemon()
    const done = await a.done('service', 'deploy', a.file('web.yml', manifest(testImage)))
    expect(done.stderr).toContain(`cannot resolve the image ${testImage}`)
    expect(done.stderr).toContain('announces no address to reach it at')
    expect((await version(a, 'web@1')).pinned).toBeNull()
  })
})
