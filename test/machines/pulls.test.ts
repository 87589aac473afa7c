// Images that are long in coming: pulls that stall, are not wanted any more, or are refused for now, with a registry that
// does as it is told and a real Docker.
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import type { EventBody, ExplainBody, UnitBody } from '../../src/contract/contract.js'
import { createImagePulls } from '../../src/drivers/docker/io/image-pulls.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { PullProgress } from '../../src/model/unit.js'
import { builtProgram } from '../cli/program.js'
import { until } from '../e2e/cluster.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { freePort } from '../free-port.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { startRegistry, type TestRegistry } from './docker-registry.js'

const docker = new Docker({ socketPath: inject('dockerSocket') })
let registry: TestRegistry
beforeEach(async () => {
  registry = await startRegistry()
})
afterEach(async () => {
  await registry.stop()
  await docker
    .getImage(registry.image)
    .remove({ force: true })
    .catch(() => {})
})

/** `docker pull`, by hand. */
async function pullByHand(image: string): Promise<void> {
  const progress = await docker.pull(image)
  progress.resume()
  await once(progress, 'end')
  await docker.getImage(image).inspect()
}

describe('a pull', () => {
  const pulls = (stallMs?: number) =>
    createImagePulls({
      ...{ docker, clock: systemClock, log: silentLog, tellEveryMs: 20 },
      ...(stallMs !== undefined && { stallMs }),
    })
  const patience = () => AbortSignal.timeout(60_000)

  test('that brings nothing for a while is given up, and stands in nobody’s way', async () => {
    registry.fail({ kind: 'stall' })
    const told: PullProgress[] = []
    const stalled = pulls(10_000).pull(registry.image, patience(), (progress) => told.push(progress))
    await expect(stalled).rejects.toMatchObject({
      code: 'docker/image-missing',
      permanent: false,
      message: expect.stringContaining('no data for 10 s') as string,
    })
    expect(told[0]).toMatchObject({ image: registry.image, layers: 0, bytes: 0 })
    expect(told.at(-1)).toMatchObject({ layers: 1, layersDone: 0 })
    registry.fail(null)
    await pullByHand(registry.image)
  })

  test('goes on for those who still wait, and ends with the last of them', async () => {
    registry.fail({ kind: 'stall' })
    const all = pulls()
    const [first, second] = [new AbortController(), new AbortController()]
    const waits = [first, second].map(({ signal }) => all.pull(registry.image, signal).catch(() => 'left'))
    await registry.stalled()
    first.abort()
    expect(await waits[0]).toBe('left')
    expect(registry.pulls()).toBe(1)
    second.abort()
    expect(await waits[1]).toBe('left')
    registry.fail(null)
    // Docker would let it wait for the layer that is under way, were there one.
    await pullByHand(registry.image)
  })

  test.each([
    ['too many requests', { kind: 'status', status: 429, headers: { 'retry-after': '77' } }, 77_000],
    ['too much to do', { kind: 'status', status: 503, headers: { 'retry-after': '30' } }, 30_000],
    [
      'a longer time than anybody waits',
      { kind: 'status', status: 429, headers: { 'retry-after': '86400' } },
      900_000,
    ],
    ['too many requests, and no time', { kind: 'status', status: 429 }, null],
    ['an error of its own', { kind: 'status', status: 500, headers: { 'retry-after': '30' } }, null],
  ] as const)('whose registry says %s may be made again, when it says', async (_, fault, retryAfterMs) => {
    registry.fail(fault)
    await expect(pulls().pull(registry.image, patience())).rejects.toMatchObject({
      code: 'docker/image-missing',
      permanent: false,
      retryAfterMs,
    })
  })
})

describe('a service', () => {
  const openHost = hostsOf(
    builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
    onDocker('pulls', () => inject('dockerSocket')),
  )
  const manifest = (image: string): string =>
    `image: ${image}\ncommand: [/bin/sh, "-c", "exec busybox sleep 1000"]\nstop: {timeout: 1, preservestopped: "no"}\n`
  const json = async <T>(host: Host, ...args: readonly string[]): Promise<T> =>
    JSON.parse((await host.done(...args, '--json')).stdout) as T
  const events = async (host: Host): Promise<readonly string[]> =>
    (await json<readonly EventBody[]>(host, 'service', 'events', 'web')).map(({ kind }) => kind)

  test('whose image is stuck is shown as pulling, holds up no other, and waits no more once it is deleted', async () => {
    const host = openHost()
    await host.startDaemon()
    registry.fail({ kind: 'stall' })
    await host.done('service', 'deploy', host.file('web.yml', manifest(registry.image)), '--detach')
    const begun = await host.sawEvent('web', ({ kind }) => kind === 'image-pulling')
    expect(begun).toMatchObject({
      instance: 'web-1',
      message: expect.stringContaining('web-1 pulls localhost') as string,
    })
    await registry.stalled()
    await until(async () => {
      const [web] = await host.instances('web')
      expect(web).toMatchObject({ state: 'pulling', startedAt: null, nextTryAt: null })
      expect(web?.reason).toMatch(/^pulls localhost:.*: 0 of 1 layers, \d+ kB of 1\.\d MB$/)
    })
    const { instances } = await json<ExplainBody>(host, 'service', 'explain', 'web')
    expect(instances[0]?.state).toBe('pulling')
    expect(instances[0]?.because[0]).toMatch(/^pulls localhost:/)
    const [unit] = await json<readonly UnitBody[]>(host, 'unit', 'list')
    expect(unit).toMatchObject({ state: 'inactive', load: null, active: 'activating', sub: 'pulling' })
    expect(await fleetStates(host)).toEqual([])

    await host.done('service', 'deploy', host.file('other.yml', manifest(testImage)))
    expect(await host.instances('other')).toMatchObject([{ state: 'running' }])
    const given = host.sawEvent('web', ({ kind }) => kind === 'image-not-pulled')
    await host.done('service', 'delete', 'web', '--force')
    expect((await given).message).toContain('no longer waits')
    registry.fail(null)
    await pullByHand(registry.image)
  })

  test('whose registry asks for patience is up as soon as that is over, within its deadline', async () => {
    const host = openHost()
    await host.startDaemon()
    registry.fail({ kind: 'status', status: 429, headers: { 'retry-after': '3' } })
    const file = host.file('web.yml', manifest(registry.image))
    const deployed = host.run('service', 'deploy', file)
    await host.sawEvent('web', ({ kind }) => kind === 'image-not-pulled')
    await until(async () => {
      const [web] = await host.instances('web')
      expect(web?.reason).toMatch(/not now|toomanyrequests/)
    })
    await until(() => {
      expect(registry.pulls()).toBeGreaterThan(5)
      return Promise.resolve()
    })
    expect((await host.service('web'))?.status).toBe('deploying')
    registry.fail(null)
    expect((await deployed).code).toBe(0)
    const told = await events(host)
    for (const kind of ['image-pulling', 'image-not-pulled', 'image-pulled'])
      expect(
        told.filter((one) => one === kind),
        kind,
      ).toHaveLength(1)
  })

  test('whose port is taken waits for it until its deadline', async () => {
    const host = openHost()
    await host.startDaemon()
    const port = await freePort()
    const taken = createServer().listen(port, '0.0.0.0')
    await once(taken, 'listening')
    const file = host.file('web.yml', `${manifest(testImage)}ports: ["${port}:80"]\n`)
    const deployed = host.run('service', 'deploy', file)
    const tries = new Set<string>()
    await until(async () => {
      const [web] = await host.instances('web')
      expect(web?.name).toBe('web-1')
      if (web?.nextTryAt != null) tries.add(web.nextTryAt)
      expect(tries.size).toBeGreaterThan(3)
    })
    taken.close()
    expect((await deployed).code).toBe(0)
    expect(await host.instances('web')).toMatchObject([{ name: 'web-1', state: 'running' }])
  })
})

/** What fleet's API says of the states of units. */
function fleetStates(host: Host): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    get({ socketPath: host.socketPath, path: '/fleet/v1/state' }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve((JSON.parse(text) as { states?: readonly unknown[] }).states ?? []))
    }).on('error', reject)
  })
}
