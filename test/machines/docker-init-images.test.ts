// Init steps in images of their own, through the real command line, daemon, Docker and a registry.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import type { EventBody, MachineImagesBody, PrefetchBody } from '../../src/contract/contract.js'
import { builtProgram } from '../cli/program.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { testImage, volumeImage } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { startRegistry, type TestRegistry } from './docker-registry.js'
import { siteOn } from './init-site.js'

const docker = new Docker({ socketPath: inject('dockerSocket') })
const openHost = hostsOf(
  builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
  onDocker('docker-init-images', () => inject('dockerSocket')),
)
let registry: TestRegistry
beforeEach(async () => {
  registry = await startRegistry()
})
afterEach(async () => {
  await registry.stop().catch(() => {})
  await docker
    .getImage(registry.image)
    .remove({ force: true })
    .catch(() => {})
})

const json = async <T>(host: Host, ...args: readonly string[]): Promise<T> =>
  JSON.parse((await host.done(...args, '--json')).stdout) as T
const unnamedVolumes = (): number =>
  execFileSync('docker', ['-H', `unix://${inject('dockerSocket')}`, 'volume', 'ls', '-q'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((name) => /^[0-9a-f]{64}$/.test(name)).length

describe('an init step with an image', { timeout: 90_000 }, () => {
  const inOwn = (run: string) => ({ image: registry.image, run })

  test('runs in it, with the environment, user, files and volumes of the service; the others in that of the service', async () => {
    const { host, project, notes, deploy } = siteOn(openHost())
    await host.startDaemon()
    const see = 'if [ -e /registry ]; then in=own; else in=service; fi; echo "$in $WORD'
    await host.done(
      ...deploy([
        `${see}" >> /notes/notes`,
        inOwn(
          `${see} $(busybox id -u) $(busybox cat /etc/greeting) $(busybox grep -c " /data " /proc/self/mounts)" >> /notes/notes`,
        ),
        `${see}" >> /notes/notes`,
      ]),
    )
    expect(notes()).toEqual(['service hello', 'own hello 1000 from a file 1', 'service hello', 'main'])
    const events = await json<readonly EventBody[]>(host, '-j', project, 'service', 'events', 'web')
    expect(events.find(({ kind }) => kind === 'image-pulling')?.message).toContain(registry.image)
    // A revert may need it.
    const [machine] = await json<readonly { readonly id: string }[]>(host, 'machine', 'list')
    const images = await json<MachineImagesBody['images']>(host, 'machine', 'images', machine?.id ?? '')
    expect(images.find(({ names }) => names.includes(registry.image))?.state).toBe('needed')
  })

  test('is prefetched with the service, and fetched anew where it was removed before the step', async () => {
    const { host, project, notes, deploy, go } = siteOn(openHost())
    await host.startDaemon()
    const words = deploy([
      'echo first >> /notes/notes; until [ -e /notes/go ]; do sleep 0.1; done',
      inOwn('echo second >> /notes/notes'),
    ])
    const file = words.at(-1) ?? ''
    const told = await json<readonly PrefetchBody[]>(host, '-j', project, 'image', 'prefetch', file)
    expect(told.map(({ image, state }) => [image, state])).toContainEqual([registry.image, 'fetched'])
    const deployed = host.run(...words)
    await expect.poll(notes, { timeout: 20_000 }).toEqual(['first'])
    const { Id, RepoTags } = await docker.getImage(registry.image).inspect()
    for (const tag of RepoTags) await docker.getImage(tag).remove({ force: true })
    await expect(docker.getImage(Id).inspect()).rejects.toMatchObject({ statusCode: 404 })
    go()
    expect((await deployed).code).toBe(0)
    expect(notes()).toEqual(['first', 'second', 'main'])
  })

  test('that no registry has keeps the program from being started, and is named', async () => {
    const { host, notes, deploy } = siteOn(openHost())
    await host.startDaemon()
    const image = registry.image.replace(/:1$/, ':none')
    const failed = await host.run(...deploy([{ image, run: 'true' }], 'restart: "no"'))
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining(image)])
    expect(notes()).toEqual([])
  })

  test('leaves nothing of the volumes that its image has it have', async () => {
    const host = openHost()
    await host.startDaemon()
    const before = unnamedVolumes()
    const lines = [
      `image: ${testImage}`,
      'command: [/bin/sh, -c, "exec sleep 1000"]',
      'stop: {timeout: 1, preservestopped: "no"}',
      `init: [{image: "${volumeImage}", command: [/bin/sh, -c, "grep ' /data ' /proc/self/mounts"]}]`,
    ]
    await host.done('service', 'deploy', host.file('left.yml', `${lines.join('\n')}\n`))
    expect(unnamedVolumes()).toBe(before)
  })

  test('leaves the volumes of the image of the service as they are', async () => {
    const host = openHost()
    await host.startDaemon()
    const lines = [
      `image: ${volumeImage}`,
      'command: [/bin/sh, -c, "exec sleep 1000"]',
      'stop: {timeout: 1, preservestopped: "no"}',
      `init: [{image: "${registry.image}", command: [/bin/sh, -c, "echo kept > /data/x"]}]`,
    ]
    await host.done('service', 'deploy', host.file('kept.yml', `${lines.join('\n')}\n`))
    expect((await host.done('service', 'exec', 'kept-1', '--', 'cat', '/data/x')).stdout).toBe('kept\n')
    await host.done('service', 'restart', 'kept', '--count', '1')
  })
})
