// How large volumes are, measured on real directories, and who is told.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Driver, VolumeInUse } from '../../src/agent/driver.js'
import { startVolumeMeter } from '../../src/api/io/volume-meter.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Time, Timer } from '../../src/lib/time.js'
import type { Registry } from '../../src/store/io/registry.js'
import { putOf } from '../../src/store/records.js'
import { StoreError } from '../../src/store/store.js'
import { restAfter, sizeOfVolume, TooLarge } from '../../src/volumes/sizes.js'
import { removeDir } from '../remove-dir.js'
import { idOf, project, World } from '../world/world.js'
import { openLocalApi } from './local-api.js'

const mib = 1024 ** 2
const dirs: string[] = []
afterEach(() => {
  for (const dir of dirs.splice(0)) removeDir(dir)
})

const volume = (slot?: number): VolumeInUse => ({
  ...{ project, service: 'web', name: 'data', uuid: 'u', createdAt: 0, users: [] },
  ...(slot !== undefined && { slot }),
})

const manifest = (scope: string, size: string): string =>
  `compute_type: process\ncommand: [/bin/db]\nvolumes: [{name: data, path: /data, scope: ${scope}${size}}]\n`

function deployed(scope: string, size = ', size: 2G'): World {
  const world = new World()
  world.machine('a')
  world.deploy(manifest(scope, size))
  world.settle()
  return world
}

test('a volume has the size that its slot was placed with, or that the current version says for all', () => {
  const a = idOf('a')
  expect(sizeOfVolume(deployed('instance').view, a, volume(0))).toBe(2048 * mib)
  expect(sizeOfVolume(deployed('service').view, a, volume())).toBe(2048 * mib)
  expect(sizeOfVolume(deployed('service', '').view, a, volume())).toBeNull()
  // What the slot had before, what is elsewhere, and what is of another scope.
  expect(sizeOfVolume(deployed('instance').view, a, { ...volume(0), generation: 1 })).toBeNull()
  expect(sizeOfVolume(deployed('instance').view, idOf('b'), volume(0))).toBeNull()
  expect(sizeOfVolume(deployed('instance').view, a, volume())).toBeNull()
})

test('a volume that is too large is told of once, until it has been smaller by a tenth', () => {
  const tooLarge = new TooLarge()
  const asked = [100, 101, 200, 95, 101, 89, 101].map((used) => tooLarge.isNews('u', used, 100))
  expect(asked).toEqual([false, true, false, false, false, false, true])
  expect(tooLarge.isNews('u', 1000, null)).toBe(false)
  expect(tooLarge.isNews('u', 1000, 100)).toBe(true)
})

test('to measure takes a fiftieth of the time at the most', () => {
  for (const spentMs of [0, 10, 60_000, 3_600_000])
    expect(spentMs / restAfter(spentMs)).toBeLessThanOrEqual(1 / 50)
})

test('what a volume takes of the disk is measured, also when it has grown, and told where it is too much', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-meter-'))
  dirs.push(dir)
  mkdirSync(join(dir, 'below'))
  writeFileSync(join(dir, 'below', 'file'), Buffer.alloc(mib, 1))
  // The rests of the meter are over when the test says so.
  const rests: (() => void)[] = []
  let steady = 0
  const clock: Time = {
    ...systemClock,
    steady: () => steady,
    after: (ms, run) => {
      if (ms > 0) rests.push(run)
      else queueMicrotask(run)
      const timer: Timer = { cancel: () => rests.splice(0), unref: () => timer }
      return timer
    },
  }
  const driver = {
    kind: 'process',
    listVolumes: () => Promise.resolve([volume(0)]),
    volumeData: () => Promise.resolve(dir),
  } as unknown as Driver
  const warned: string[] = []
  const log = {
    info: () => {},
    error: () => {},
    debug: () => {},
    warn: (_of: string, text: string) => warned.push(text),
  }
  const { server, context } = await openLocalApi(undefined, {
    log,
    driversHere: new Map([['process', driver]]),
  })
  const { registry, usedBytes } = context
  const record = {
    uuid: 'u',
    project,
    service: 'web',
    name: 'data',
    slot: 0,
    machine: idOf('a'),
    generation: 0,
  }
  await registry.commit([], [putOf('volume', { ...record, createdAt: 0, sizeMb: 2 })])
  let isAway = false
  const told: unknown[] = []
  const unsteady = {
    view: registry.view,
    commit: async (...args: Parameters<Registry['commit']>) => {
      if (isAway) throw new StoreError('store/unreachable', 'the store is unreachable', 'wait')
      told.push(...args[1])
      return await registry.commit(...args)
    },
  } as unknown as Registry
  const stop = startVolumeMeter({ ...context, registry: unsteady, clock })
  const measured = async (atLeast: number): Promise<void> => {
    await expect.poll(() => usedBytes.get('u')).toBeGreaterThanOrEqual(atLeast)
    await expect.poll(() => rests.length).toBe(1)
  }
  await measured(mib)
  expect(usedBytes.get('u')).toBeLessThan(2 * mib)
  expect(warned).toEqual([])
  writeFileSync(join(dir, 'more'), Buffer.alloc(2 * mib, 1))
  isAway = true
  steady += restAfter(0)
  for (const over of rests.splice(0)) over()
  await measured(3 * mib)
  expect(warned).toEqual([
    expect.stringMatching(/^the volume web\.data\.0 holds 3\.\d MB, more than its size of 2\.1 MB$/),
    'cannot measure volumes: the store is unreachable',
  ])
  // The history has it once the store is back.
  isAway = false
  steady += restAfter(0)
  for (const over of rests.splice(0)) over()
  await expect.poll(() => told.length).toBe(1)
  await expect.poll(() => rests.length).toBe(1)
  expect(JSON.stringify(told)).toContain('more than its size')
  // One that is gone has no size any more.
  removeDir(dir)
  steady += restAfter(0)
  for (const over of rests.splice(0)) over()
  await expect.poll(() => usedBytes.size).toBe(0)
  await stop()
  await server.close()
})
