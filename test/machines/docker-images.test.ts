// Images that are held and removed, through the driver and a real Docker.
import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import { expect, inject, test } from 'vitest'
import type { Driver, UnitToRun } from '../../src/agent/driver.js'
import { openDockerDriver } from '../../src/drivers/docker/io/driver.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitFile } from '../drivers/driver-contract.js'
import { removeDir } from '../remove-dir.js'
import { testImage } from './docker-host.js'
import { startRegistry } from './docker-registry.js'

const socketPath = inject('dockerSocket')
const docker = new Docker({ socketPath })
const signal = AbortSignal.timeout(110_000)

test('images are held for who needs them, and what was fetched goes when nobody does', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'mariposa-kept-'))
  const machineId = randomUUID().replaceAll('-', '')
  const open = async (): Promise<Driver> =>
    await openDockerDriver({
      ...{ socketPath, clock: systemClock, log: silentLog, machineId },
      images: {
        file: join(dir, 'images.json'),
        retention: { maxAgeMs: 0, maxCount: 0, maxDiskPercent: null },
      },
    })
  const registry = await startRegistry()
  const idNow = async (name: string): Promise<string> => (await docker.getImage(name).inspect()).Id
  const heldTags = async (id: string): Promise<readonly string[]> => {
    const { RepoTags } = await docker.getImage(id).inspect()
    return (RepoTags ?? []).filter((tag) => tag.startsWith(`mariposa-held/${machineId}:`))
  }
  let driver = await open()
  const web = unitOf('web', registry.image)
  await driver.load(web, signal)
  const first = await idNow(registry.image)
  expect(await heldTags(first)).toHaveLength(1)

  // Its tag means another image by now, as a `docker pull` by anybody makes it.
  registry.publish('second')
  await driver.unload(web.name, signal)
  await driver.load(unitOf('next', registry.image, [['Pull', 'always']]), signal)
  const second = await idNow(registry.image)
  expect(second).not.toBe(first)
  await docker.pruneImages({ filters: { dangling: ['true'] } })
  await driver.tidyImages?.([first, registry.image, testImage], signal)
  expect(await idNow(first)).toBe(first)
  expect(await heldTags(await idNow(testImage))).toHaveLength(1)

  // The container of `next` uses the second one, whether anything needs it or not.
  await driver.tidyImages?.([], signal)
  await expect(docker.getImage(first).inspect()).rejects.toMatchObject({ statusCode: 404 })
  expect(await idNow(second)).toBe(second)
  expect(await heldTags(await idNow(testImage))).toEqual([])

  // What was fetched is known after a restart.
  await driver.unload(unitOf('next', registry.image).name, signal)
  await driver.close()
  driver = await open()
  await driver.tidyImages?.([], signal)
  await expect(docker.getImage(second).inspect()).rejects.toMatchObject({ statusCode: 404 })
  await docker.getImage(testImage).inspect()
  await driver.close()
  await registry.stop()
  removeDir(dir)
})

test('an image that was here before and has no other name is left without one, and not deleted', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'mariposa-kept-'))
  const images = { file: join(dir, 'images.json'), retention: null }
  const machineId = randomUUID().replaceAll('-', '')
  const driver = await openDockerDriver({
    ...{ socketPath, clock: systemClock, log: silentLog, machineId, images },
  })
  const container = await docker.createContainer({
    Image: testImage,
    Cmd: ['true'],
    Labels: { mark: machineId },
  })
  const { Id } = (await container.commit({ repo: 'mariposa-built', tag: '1' })) as { readonly Id: string }
  await container.remove()
  await driver.tidyImages?.([Id], signal)
  await docker.getImage('mariposa-built:1').remove()
  expect((await docker.getImage(Id).inspect()).RepoTags).toHaveLength(1)
  await driver.tidyImages?.([], signal)
  expect((await docker.getImage(Id).inspect()).RepoTags).toEqual([])
  await docker.getImage(Id).remove()
  await docker.getImage(testImage).inspect()
  await driver.close()
  removeDir(dir)
})

test.each([
  [0, true],
  [100, false],
])('a disk of which %d %% may be used is full: %s', async (maxDiskPercent, isDiskFull) => {
  const dir = await mkdtemp(join(tmpdir(), 'mariposa-kept-'))
  const driver = await openDockerDriver({
    ...{ socketPath, clock: systemClock, log: silentLog, machineId: randomUUID().replaceAll('-', '') },
    images: {
      file: join(dir, 'images.json'),
      retention: { maxAgeMs: null, maxCount: null, maxDiskPercent },
    },
  })
  expect(await driver.tidyImages?.([], signal)).toEqual({ wakeAt: null, isDiskFull })
  await driver.close()
  removeDir(dir)
})

function unitOf(name: string, image: string, more: readonly (readonly [string, string])[] = []): UnitToRun {
  const lines = [['Image', image], ...more] as const
  return {
    name: asUnitName(`kept-${name}.service`),
    hash: 'h1',
    file: unitFile(lines.map(([key = '', value = '']) => ['Container', key, value] as const)),
    instance: null,
    ports: [],
    environment: {},
  }
}
