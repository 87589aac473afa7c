// Images that are fetched before a rollout begins: by the Dockers of two machines, from a registry that does as it is told.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { EventBody, MachineImagesBody, PrefetchBody } from '../../src/contract/contract.js'
import { builtProgram } from '../cli/program.js'
import { until } from '../e2e/cluster.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { idA, idB, usePairs } from '../e2e/pair.js'
import { removeDir } from '../remove-dir.js'
import { type DockerHost, startDocker } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { startRegistry, type TestRegistry } from './docker-registry.js'

const here = new Docker({ socketPath: inject('dockerSocket') })
let registry: TestRegistry
beforeEach(async () => {
  registry = await startRegistry()
})
afterEach(async () => {
  await registry.stop().catch(() => {})
})

const manifest = (image = registry.image): string =>
  `image: ${image}\ncommand: [/bin/sh, "-c", "exec busybox sleep 1000"]\nstop: {timeout: 1, preservestopped: "no"}\n`
const json = async <T>(host: Host, ...args: readonly string[]): Promise<T> =>
  JSON.parse((await host.done(...args, '--json')).stdout) as T
const has = async (docker: Docker, image = registry.image): Promise<boolean> =>
  await docker
    .getImage(image.replace(/:1$/, `@${registry.digest()}`))
    .inspect()
    .then(
      () => true,
      () => false,
    )

describe('on two machines, each with a Docker of its own', { timeout: 180_000 }, () => {
  let other: DockerHost
  let there: Docker
  let dir: string
  beforeAll(async () => {
    other = await startDocker()
    there = new Docker({ socketPath: other.socketPath })
    dir = mkdtempSync(join(tmpdir(), 'mariposa-prefetch-'))
  }, 120_000)
  afterAll(async () => {
    await other?.stop()
    removeDir(dir)
  })
  const pairs = usePairs(
    () => ({ driver: 'docker', env: { DOCKER_HOST: `unix://${other.socketPath}` } }),
    () => ({
      driver: 'docker',
      env: { DOCKER_HOST: `unix://${inject('dockerSocket')}`, DOCKER_CONFIG: dir },
    }),
  )

  test('a deploy with --prefetch begins once both have the image, and tells how far they are', async () => {
    const { a } = await pairs.openWithTls()
    registry.fail({ kind: 'hold' })
    const deploying = a.start('service', 'deploy', a.file('web.yml', manifest()), '--prefetch')
    await registry.stalled(2)
    await deploying.saw('0 of 1 layers, ')
    expect([await a.service('web'), await has(here), await has(there)]).toEqual([undefined, false, false])
    registry.fail(null)
    const { code, stdout } = await deploying.ended
    expect(code).toBe(0)
    expect(stdout.match(/: has fetched localhost:/g)).toHaveLength(2)
    expect([await has(here), await has(there)]).toEqual([true, true])
    expect(await a.instances('web')).toMatchObject([{ state: 'running' }])
    const events = await json<readonly EventBody[]>(a, 'service', 'events', 'web')
    expect(events.filter(({ kind }) => kind.startsWith('image-'))).toEqual([])
    // Nothing is left to be fetched, and the registry may be gone.
    await registry.stop()
    const again = await json<readonly PrefetchBody[]>(a, 'image', 'prefetch', 'web')
    expect(again.map(({ machine, state }) => [machine, state]).sort()).toEqual([
      [idA, 'present'],
      [idB, 'present'],
    ])
  })

  test('where one cannot get it, that one is named with the reason, and nothing is deployed', async () => {
    const { a } = await pairs.openWithTls()
    await registry.stop()
    registry = await startRegistry({ password: 'right' })
    // Only the first machine knows the password.
    const auth = Buffer.from('deploy:right').toString('base64')
    writeFileSync(join(dir, 'config.json'), JSON.stringify({ auths: { [registry.host]: { auth } } }))
    const { code, stderr } = await a.run('service', 'deploy', a.file('web.yml', manifest()), '--prefetch')
    expect(code).toBe(1)
    expect(stderr).toContain('images were not fetched on 1 machine, nothing was deployed')
    expect(stderr).toMatch(/: has no localhost:.*(authentication required|no basic auth credentials)/)
    expect(stderr).not.toContain('right')
    expect([await a.service('web'), await has(here), await has(there)]).toEqual([undefined, true, false])
    expect(await json<readonly EventBody[]>(a, 'events')).not.toContainEqual(
      expect.objectContaining({ service: 'web' }),
    )
  })

  test('Ctrl-C ends the pulls of all of them, and nothing is deployed', async () => {
    const { a } = await pairs.openWithTls()
    registry.fail({ kind: 'stall' })
    const file = a.file('web.yml', manifest())
    const deploying = a.start('service', 'deploy', file, '--prefetch')
    await registry.stalled(2)
    deploying.signal('SIGINT')
    expect((await deploying.ended).code).toBe(130)
    expect(await a.service('web')).toBe(undefined)
    registry.fail(null)
    // A pull that went on would be what this one waits for.
    const again = await json<readonly PrefetchBody[]>(a, 'image', 'prefetch', file, '--deadline', '60s')
    expect(again.map(({ state }) => state)).toEqual(['fetched', 'fetched'])
  })

  test('a machine whose Docker has gone is skipped; one whose daemon has just gone has not the image', async () => {
    const { a, b, daemonB } = await pairs.openWithTls()
    const file = a.file('web.yml', manifest())
    await other.crash()
    await until(async () => {
      const told = await json<readonly PrefetchBody[]>(a, 'image', 'prefetch', file)
      expect(told.find(({ machine }) => machine === idB)).toMatchObject({
        state: 'skipped',
        reason: 'its Docker does not answer',
      })
      expect(told.find(({ machine }) => machine === idA)?.reason).toBe('')
    })
    await other.recover()
    await until(async () => {
      const told = await json<readonly PrefetchBody[]>(b, 'image', 'prefetch', file)
      expect(told.map(({ state }) => state).sort()).toEqual(['fetched', 'present'])
    })
    daemonB.signal('SIGKILL')
    await daemonB.ended
    const { code, stderr } = await a.run('image', 'prefetch', file)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/has no localhost:.*cannot be reached/)])
  })
})

describe('on one machine', { timeout: 120_000 }, () => {
  const openHost = hostsOf(
    builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
    onDocker('prefetch', () => inject('dockerSocket')),
  )

  test('an image is fetched once for two who ask at a time, is kept for what is to need it, and is what a deploy runs', async () => {
    const host = openHost()
    await host.startDaemon('--keep-images', 'none')
    const file = host.file('web.yml', manifest())
    registry.fail({ kind: 'hold' })
    const both = [1, 2].map(() => host.start('image', 'prefetch', file))
    await Promise.all(both.map((one) => one.saw('0 of 1 layers')))
    await registry.stalled()
    registry.fail(null)
    expect((await Promise.all(both.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0])
    const [machine] = await json<readonly { readonly id: string }[]>(host, 'machine', 'list')
    const images = await json<MachineImagesBody['images']>(host, 'machine', 'images', machine?.id ?? '')
    expect(images.map(({ state }) => state)).toEqual(['needed'])
    await host.done('service', 'deploy', file, '--prefetch')
    const kinds = (await json<readonly EventBody[]>(host, 'service', 'events', 'web')).map(({ kind }) => kind)
    expect(kinds).not.toContain('image-pulling')
  })

  test('an image is only looked for with pull: never, and asked for each time with pull: always', async () => {
    const host = openHost()
    await host.startDaemon()
    const never = host.file('web.yml', `${manifest()}pull: never\n`)
    const refused = await host.run('service', 'deploy', never, '--prefetch')
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('Pull=never forbids fetching it'),
    ])
    expect(await host.service('web')).toBe(undefined)
    await host.done('service', 'deploy', host.file('web.yml', `${manifest()}pull: if_not_present\n`))
    await host.done('service', 'deploy', host.file('web.yml', `${manifest()}pull: never\n`), '--prefetch')
    expect((await json<readonly PrefetchBody[]>(host, 'image', 'prefetch', 'web'))[0]?.state).toBe('present')
    const always = host.file('web.yml', `${manifest()}pull: always\n`)
    expect((await json<readonly PrefetchBody[]>(host, 'image', 'prefetch', always)).at(-1)?.state).toBe(
      'fetched',
    )
    await registry.stop()
    expect((await host.run('image', 'prefetch', always)).code).toBe(1)
  })

  test('an image that no registry has is told with its reason', async () => {
    const host = openHost()
    await host.startDaemon()
    const none = registry.image.replace(/:1$/, ':none')
    const { code, stderr } = await host.run('image', 'prefetch', host.file('web.yml', manifest(none)))
    expect(code).toBe(1)
    expect(stderr).toContain('images were not fetched on 1 machine, running instances continue')
    expect(stderr).toMatch(/: has no localhost:\d+\/app:none: .*it has no such tag/)
    const id = `sha256:${'0'.repeat(64)}`
    const unknown = await host.run('image', 'prefetch', host.file('web.yml', manifest(id)))
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('is not on this machine, and comes from no registry'),
    ])
  })
})
