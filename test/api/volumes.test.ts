// Named volumes as the API tells of them: who has them, which one a word stands for, and who has not been asked.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Driver, DriverError, type VolumeInUse } from '../../src/agent/driver.js'
import { tellVolumes } from '../../src/agent/io/local-volumes.js'
import { openVolumeDirectories } from '../../src/agent/io/volume-directories.js'
import type { VolumeBody, VolumesBody } from '../../src/api/contract.js'
import { isProblem, type Problem } from '../../src/api/problem.js'
import { findVolume, joined, volumeBodyOf, volumesOf } from '../../src/api/volumes.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { DriverKind } from '../../src/model/driver-kind.js'
import type { UnitName } from '../../src/model/unit.js'
import { parseVolumeKey, type VolumeName } from '../../src/model/volume.js'
import { putOf } from '../../src/store/records.js'
import { idle } from '../agent/small-agent.js'
import { idOf, World } from '../world/world.js'
import { deploy, openLocalApi } from './local-api.js'

const uuidOf = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`
const kept = (key: string, digit = '1', ...users: readonly string[]): VolumeInUse => ({
  ...(parseVolumeKey(key) as VolumeName),
  ...{ uuid: uuidOf(digit), createdAt: 1_000_000 },
  users: users.map((name) => ({ driver: 'process', name })),
})

function madeWorld(): World {
  const world = new World()
  world.machine('a')
  world.machine('b')
  return world
}

/** As two machines tell it. */
function told(world: World, a: readonly VolumeInUse[], b: readonly VolumeInUse[] = []): VolumesBody {
  const bodies = [['a', a] as const, ['b', b] as const].map(([name, list]) => {
    const machine = world.view.machines.get(idOf(name))
    if (machine === undefined) throw new Error(name)
    return { volumes: list.map((one) => volumeBodyOf(world.view, machine, one)), silent: [] }
  })
  return joined(bodies)
}

const silent = [{ machine: idOf('b'), hostname: 'b', reason: 'it is down' }]

describe('a volume', () => {
  test('is in use by the instances whose units have it, and by what else does', () => {
    const world = madeWorld()
    world.deploy('name: db\ncompute_type: process\ncommand: [/bin/x]\n')
    world.settle()
    const unit = world.live('db')[0]?.unit ?? ''
    const [volume] = told(world, [kept('default.db.data', '1', unit, 'backup')]).volumes
    expect(volume).toEqual({
      ...{ uuid: uuidOf('1'), project: 'default', service: 'db', name: 'data', scope: 'service' },
      ...{ machine: idOf('a'), hostname: 'a', usedBytes: null, createdAt: '1970-01-01T00:16:40.000Z' },
      ...{ state: 'in-use', instances: ['db-1'], others: ['backup'] },
    })
  })

  test('that nothing has is unused, also where its service is gone', () => {
    const [volume] = told(madeWorld(), [kept('default.gone.data')]).volumes
    expect(volume).toMatchObject({ service: 'gone', state: 'unused', instances: [], others: [] })
  })
})

describe('a list', () => {
  const world = madeWorld()
  const all = told(world, [kept('shop.db.data'), kept('default.db.data')], [kept('default.web.logs')])
  const keysOf = (answer: VolumesBody | Problem): readonly string[] => {
    if (isProblem(answer)) throw new Error(answer.message)
    return answer.volumes.map(({ project, service, name }) => `${project}.${service}.${name}`)
  }

  test('is of all machines, of a project, or of a service', () => {
    expect(keysOf(volumesOf(world.view, all, {}))).toEqual([
      'default.db.data',
      'default.web.logs',
      'shop.db.data',
    ])
    expect(keysOf(volumesOf(world.view, all, { project: 'shop' }))).toEqual(['shop.db.data'])
    expect(keysOf(volumesOf(world.view, all, { service: 'web' }))).toEqual(['default.web.logs'])
  })

  test('of a project or a service that nobody has heard of is refused', () => {
    expect(volumesOf(world.view, all, { project: 'shpo' })).toMatchObject({ code: 'project/unknown' })
    expect(volumesOf(world.view, all, { project: 'shop', service: 'x' })).toMatchObject({
      code: 'service/unknown',
    })
  })

  test('names the machines that do not tell, which may have what is looked for', () => {
    expect(volumesOf(world.view, { volumes: [], silent }, { project: 'shop' })).toEqual({
      volumes: [],
      silent,
    })
  })
})

describe('a word stands for', () => {
  const world = madeWorld()
  const all = told(
    world,
    [kept('default.db.data', '1'), kept('default.web.logs', '2'), kept('shop.db.logs', '3')],
    [kept('default.db.data', '4')],
  )
  const find = (word: string, project = 'default', among = all): VolumeBody | Problem =>
    findVolume(among, project, word)

  test.each([
    ['logs', 'default', '2'],
    ['web.logs', 'default', '2'],
    ['logs', 'shop', '3'],
    ['shop.db.logs', 'default', '3'],
    [uuidOf('4'), 'shop', '4'],
    ['44444444', 'default', '4'],
  ])('%s in %s: the volume of that name, or of that uuid wherever it is', (word, project, digit) => {
    expect(find(word, project)).toMatchObject({ uuid: uuidOf(digit) })
  })

  test('several, which are listed, or none', () => {
    expect(find('db.data')).toMatchObject({
      code: 'volume/ambiguous',
      message: `"db.data" stands for 2 volumes: ${uuidOf('1')} (default.db.data on a), ${uuidOf('4')} (default.db.data on b)`,
    })
    expect(find('data', 'shop')).toMatchObject({
      code: 'volume/unknown',
      message: 'there is no volume "data" in shop',
    })
    expect(find('data', 'shop', { volumes: [], silent })).toMatchObject({
      message: 'there is no volume "data" in shop on the machines that answer; b does not tell: it is down',
    })
  })
})

describe('the API', () => {
  test('tells what the drivers of its machine keep, and that a machine is down', async () => {
    const { server, context, registry } = await openLocalApi()
    onTestFinished(() => server.close())
    await deploy(server, ['db'])
    const gone = new World()
    const b = gone.view.machines.get(gone.machine('b') ?? idOf('b'))
    if (b === undefined) throw new Error('no machine')
    await registry.commit([], [putOf('knownMachine', { ...b, downSince: 1 })])
    const away = new DriverError('docker/unreachable', 'away')
    const quiet: Driver = { ...idle, load: () => Promise.resolve() }
    const drivers = new Map<DriverKind, Driver>([
      [
        'process',
        { ...quiet, kind: 'process', listVolumes: () => Promise.resolve([kept('default.db.data')]) },
      ],
      ['docker', { ...quiet, kind: 'docker', listVolumes: () => Promise.reject(away) }],
    ])
    Object.assign(context, { tellVolumes: (signal: AbortSignal) => tellVolumes(drivers, signal) })
    const { volumes, silent: missing } = (await server.inject('/v1/volumes')).json<VolumesBody>()
    expect(volumes).toMatchObject([{ service: 'db', name: 'data', machine: idOf('a'), state: 'unused' }])
    expect(missing).toMatchObject([
      { machine: idOf('a'), reason: expect.stringContaining('docker: ') as string },
      { machine: idOf('b'), reason: 'it is down' },
    ])
    const one = await server.inject('/v1/volumes/db.data')
    expect(one.json()).toMatchObject({ uuid: uuidOf('1') })
    expect((await server.inject('/v1/volumes/data?project=shop')).statusCode).toBe(404)
    expect((await server.inject('/v1/volumes?machine=nowhere')).json()).toMatchObject({
      error: { code: 'machine/unknown' },
    })
  })
})

describe('volumes that are directories', () => {
  test('are listed with the units that have them, without the mark of one that is gone', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-volumes-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    const volumes = openVolumeDirectories({ dir, driver: 'process', clock: systemClock })
    const volume = { project: 'default', service: 'db', name: 'data' }
    volumes.use(volume, 'db@1.service' as UnitName, null)
    volumes.use(volume, 'db@2.service' as UnitName, null)
    mkdirSync(join(dir, 'default/db/not-one'))
    writeFileSync(join(dir, 'default/db/data/users/systemd~x.service'), '')
    const list = await volumes.list(() => Promise.resolve(new Set(['db@2.service' as UnitName])))
    expect(list).toMatchObject([
      {
        ...volume,
        users: [
          { driver: 'process', name: 'db@2.service' },
          { driver: 'systemd', name: 'x.service' },
        ],
      },
    ])
  })
})
