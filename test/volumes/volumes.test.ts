// Named volumes as the API tells of them: who has them, which one a word stands for, and who has not been asked.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Driver, KeptVolume, VolumeInUse } from '../../src/agent/driver.js'
import { listVolumes } from '../../src/agent/io/local-volumes.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import type { VolumeBody, VolumesBody } from '../../src/contract/contract.js'
import { openVolumeDirectories } from '../../src/drivers/io/volume-directories.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Time, Timer } from '../../src/lib/time.js'
import { DriverError } from '../../src/model/driver-error.js'
import type { DriverKind } from '../../src/model/driver-kind.js'
import type { UnitName } from '../../src/model/unit.js'
import { parseVolumeKey, type VolumeName } from '../../src/model/volume.js'
import { decode, prefixes, putOf } from '../../src/store/records.js'
import {
  findVolume,
  findVolumeOn,
  joined,
  lostVolumes,
  volumeBodyOf,
  volumesOf,
} from '../../src/volumes/bodies.js'
import { forgetVolume, type VolumeDeletion, volumeToDelete } from '../../src/volumes/removal.js'
import { idle } from '../agent/small-agent.js'
import { deploy, openLocalApi } from '../api/local-api.js'
import { removeDir } from '../remove-dir.js'
import { idOf, World } from '../world/world.js'

const uuidOf = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`
const kept = (key: string, digit = '1', ...users: readonly string[]): VolumeInUse => ({
  ...(parseVolumeKey(key) as VolumeName),
  ...{ uuid: uuidOf(digit), createdAt: 1_000_000 },
  users: users.map((name) => ({ driver: 'process', name })),
})

function madeWorld(): World {
  const world = new World()
  for (const name of ['a', 'b']) world.machine(name, { drivers: ['process', 'docker'] })
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
      ...{
        machine: idOf('a'),
        hostname: 'a',
        sizeBytes: null,
        usedBytes: null,
        createdAt: '1970-01-01T00:16:40.000Z',
      },
      ...{ current: true, work: null, to: null, movedBytes: null, incomplete: false },
      ...{ state: 'in-use', instances: ['db-1'], instance: 'db-1', others: ['backup'] },
      ...{ slot: null, generation: 0 },
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
      message: `"db.data" is ambiguous: it matches 2 volumes: ${uuidOf('1')} (default.db.data on a), ${uuidOf('4')} (default.db.data on b)`,
      hint: 'give the uuid',
    })
    expect(find('data', 'shop')).toMatchObject({
      code: 'volume/unknown',
      message: 'there is no volume "data" in shop',
    })
    expect(find('data', 'shop', { volumes: [], silent })).toMatchObject({
      message: 'there is no volume "data" in shop on the machines that answer; b does not answer: it is down',
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
    Object.assign(context, { listVolumes: (signal: AbortSignal) => listVolumes(drivers, signal) })
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

describe('a volume may be deleted', () => {
  const text = 'name: db\ncompute_type: process\ncommand: [/bin/x]\n'
  const withVolume = `${text}volumes: [{name: data, path: /data, scope: service}]\n`
  const asked = { word: 'data', project: 'default', force: true }
  const judge = (world: World, volume: VolumeInUse, more: Partial<VolumeDeletion> = {}, missing = none) =>
    volumeToDelete(world.view, { ...told(world, [volume]), silent: missing }, { ...asked, ...more })
  const none: VolumesBody['silent'] = []
  const db = kept('default.db.data')

  test('where its service is gone, or names it no more', () => {
    const world = madeWorld()
    expect(judge(world, db)).toMatchObject({ uuid: db.uuid })
    world.deploy(text)
    world.settle()
    expect(judge(world, db)).toMatchObject({ uuid: db.uuid })
  })

  test('but not while something has it', () => {
    const world = madeWorld()
    world.deploy(withVolume)
    world.settle()
    const unit = world.live('db')[0]?.unit ?? ''
    expect(judge(world, kept('default.db.data', '1', unit))).toMatchObject({
      code: 'volume/in-use',
      message: 'the volume default.db.data is in use by db-1',
      hint: 'deploy db without it, or delete the service: mariposa service delete db',
    })
    expect(judge(world, kept('default.db.data', '1', 'backup'))).toMatchObject({
      message: 'the volume default.db.data is in use by backup',
    })
  })

  test('nor while a version that a rollout may come back to names it', () => {
    const world = madeWorld()
    world.deploy(withVolume)
    world.settle()
    world.deploy(text)
    expect(judge(world, db)).toMatchObject({ code: 'volume/named' })
    world.settle()
    expect(judge(world, db)).toMatchObject({ uuid: db.uuid })
  })

  test.each([
    ['a program', withVolume],
    ['a container', withVolume.replace(/compute_type.*\n.*\n/, 'image: nginx\n')],
  ])('nor while %s of its service names it, though nothing runs', (_what, named) => {
    const world = madeWorld()
    world.deploy(named)
    world.scale('db', 0)
    world.settle()
    expect(judge(world, db)).toMatchObject({ code: 'volume/named' })
    expect(judge(world, kept('default.db.other'), { word: 'other' })).toMatchObject({ name: 'other' })
    world.deploy(text)
    world.settle()
    expect(judge(world, db)).toMatchObject({ uuid: db.uuid })
  })

  test('only where that is said, and by its uuid where a machine does not tell', () => {
    const world = madeWorld()
    expect(judge(world, db, { force: false })).toMatchObject({
      code: 'volume/not-forced',
      hint: 'add --force',
    })
    expect(judge(world, db, {}, silent)).toMatchObject({
      code: 'volume/ambiguous',
      message: '"data" may also match a volume on b, which does not answer: it is down',
      hint: `give the uuid: ${db.uuid}`,
    })
    expect(judge(world, db, { word: db.uuid }, silent)).toMatchObject({ uuid: db.uuid })
  })
})

describe('who deletes a volume', () => {
  const openWith = async (deleteVolume: (volume: KeptVolume) => Promise<void>) => {
    const { server, context, registry } = await openLocalApi()
    onTestFinished(() => server.close())
    Object.assign(context, {
      listVolumes: () => Promise.resolve({ volumes: [kept('default.db.data')], silent: [] }),
      deleteVolume,
    })
    const events = () =>
      registry
        .entriesUnder(prefixes.event)
        .flatMap((entry) => decode('event', entry))
        .filter(({ kind }) => kind === 'delete')
    const remove = (query: string) => server.inject({ method: 'DELETE', url: `/v1/volumes/data${query}` })
    return { server, context, registry, events, remove }
  }
  const said = `the volume db.data (${uuidOf('1')}) on ${idOf('a')}`

  test('is in the history, with what becomes of it', async () => {
    const gone: KeptVolume[] = []
    const { events, remove } = await openWith((volume) => {
      gone.push(volume)
      return Promise.resolve()
    })
    expect((await remove('')).json()).toMatchObject({ error: { code: 'volume/not-forced' } })
    expect([gone, events()]).toEqual([[], []])
    expect((await remove('?force=true')).json()).toMatchObject({ uuid: uuidOf('1'), going: false })
    expect(gone).toMatchObject([{ uuid: uuidOf('1'), project: 'default', service: 'db', name: 'data' }])
    expect(events()).toMatchObject([
      { service: 'db', machine: idOf('a'), message: `${said} is deleted`, by: { client: 'lightMyRequest' } },
    ])
  })

  test('is told of what has taken it meanwhile, and the history says that it stays', async () => {
    const { events, remove } = await openWith(() =>
      Promise.reject(new DriverError('volume/in-use', 'the volume default.db.data is in use by x')),
    )
    const refused = await remove('?force=true')
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({ error: { code: 'volume/in-use' } })
    expect(events().map(({ message }) => message)).toEqual([
      `${said} is deleted`,
      `${said} was probably not deleted: the volume default.db.data is in use by x`,
    ])
  })

  test('does not wait for much data to go, and the history says if they stay after all', async () => {
    let fail = (_error: Error): void => {}
    const { context, registry, events, remove } = await openWith(
      () =>
        new Promise<void>((_done, failed) => {
          fail = failed
        }),
    )
    const idleTimer: Timer = { cancel: () => {}, unref: () => idleTimer }
    const impatient: Time = {
      ...context.clock,
      after: (_ms, then) => {
        queueMicrotask(then)
        return idleTimer
      },
    }
    Object.assign(context, { clock: impatient, log: { ...context.log, warn: () => {} } })
    expect((await remove('?force=true')).json()).toMatchObject({ going: true })
    const isTold = new Promise<void>((resolve) => registry.onChange(() => resolve()))
    fail(new DriverError('volume/failed', 'the disk is broken'))
    await isTold
    expect(events().at(-1)?.message).toBe(`${said} was not deleted: the disk is broken`)
  })

  test('is refused while its service names it', async () => {
    const { server, events, remove } = await openWith(() => Promise.reject(new Error('never')))
    await deploy(server, ['db'], 'volumes: [{name: data, path: /data, scope: service}]\n')
    expect((await remove('?force=true')).json()).toMatchObject({ error: { code: 'volume/named' } })
    expect(events()).toEqual([])
  })
})

/** Mounts move with the directories that they are in. */
function unmountBelow(dir: string): void {
  for (const line of readFileSync('/proc/self/mounts', 'utf8').split('\n')) {
    const at = line.split(' ')[1]
    if (at?.startsWith(`${dir}/`) === true) execFileSync('umount', [at])
  }
}

describe('volumes that are directories', () => {
  test('are listed with the units that have them, without the mark of one that is gone', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-volumes-'))
    onTestFinished(() => removeDir(dir))
    const volumes = openVolumeDirectories({ dir, driver: 'process', clock: systemClock })
    const volume = { project: 'default', service: 'db', name: 'data' }
    volumes.use(volume, 'db@1.service' as UnitName, null)
    volumes.use(volume, 'db@2.service' as UnitName, null)
    mkdirSync(join(dir, 'default/db/not-one'))
    writeFileSync(join(dir, 'default/db/data/users/systemd~x.service'), '')
    const held = () => Promise.resolve(new Set(['db@2.service' as UnitName]))
    const users = [
      { driver: 'process', name: 'db@2.service' },
      { driver: 'systemd', name: 'x.service' },
    ]
    expect(await volumes.list(held)).toMatchObject([{ ...volume, users }])
    expect(await volumes.usersOf(volume, held)).toEqual(users)
    expect(await volumes.usersOf({ ...volume, name: 'other' }, held)).toEqual([])
  })

  test('are known again by their uuid, and as in use, where a loss of power has taken what was written of them', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-volumes-'))
    onTestFinished(() => removeDir(dir))
    const volume = { project: 'default', service: 'db', name: 'data', slot: 0, uuid: uuidOf('1') }
    const unit = 'db@1.service' as UnitName
    openVolumeDirectories({ dir, driver: 'process', clock: systemClock }).use(volume, unit, null)
    writeFileSync(join(dir, 'default/db/data.0/volume.json'), '')
    const volumes = openVolumeDirectories({ dir, driver: 'process', clock: systemClock })
    volumes.use(volume, unit, null)
    const list = await volumes.list(() => Promise.resolve(new Set([unit])))
    expect(list).toMatchObject([{ ...volume, users: [{ name: unit }] }])
  })

  test('are deleted once nothing has them, and never in place of another of the name', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-volumes-'))
    onTestFinished(() => removeDir(dir))
    const volumes = openVolumeDirectories({ dir, driver: 'process', clock: systemClock })
    const volume = { project: 'default', service: 'db', name: 'data' }
    const unit = 'db@1.service' as UnitName
    volumes.use(volume, unit, null)
    const held = () => Promise.resolve(new Set([unit]))
    const list = async () => await volumes.list(held)
    const [first] = await list()
    if (first === undefined) throw new Error('no volume')
    await expect(volumes.delete(first, held)).rejects.toMatchObject({ code: 'volume/in-use' })
    volumes.release(unit)
    await volumes.delete({ ...first, uuid: uuidOf('9') }, held)
    expect(await list()).toHaveLength(1)
    volumes.make({ ...volume, service: 'web' }, null)
    await volumes.delete(first, held)
    expect((await list()).map(({ service }) => service)).toEqual(['web'])
    // Nothing of its service stays, as each service that ever was would have a directory.
    expect(readdirSync(join(dir, 'default'))).toEqual(['web'])
    await volumes.delete(first, held)
  })

  test.runIf(process.getuid?.() === 0)(
    'are listed on where some of their data cannot be deleted, and go once they can',
    async () => {
      const dir = mkdtempSync(join(tmpdir(), 'mariposa-volumes-'))
      onTestFinished(() => removeDir(dir))
      const volumes = openVolumeDirectories({ dir, driver: 'process', clock: systemClock })
      const volume = { project: 'default', service: 'db', name: 'data' }
      const unit = 'db@1.service' as UnitName
      volumes.use(volume, unit, null)
      volumes.release(unit)
      const held = () => Promise.resolve(new Set<UnitName>())
      const [first] = await volumes.list(held)
      if (first === undefined) throw new Error('no volume')
      const busy = join(volumes.pathOf(volume), 'busy')
      mkdirSync(busy)
      execFileSync('mount', ['-t', 'tmpfs', 'none', busy])
      try {
        await expect(volumes.delete(first, held)).rejects.toMatchObject({ code: 'volume/failed' })
        expect(await volumes.list(held)).toMatchObject([{ ...volume, uuid: first.uuid }])
        expect(() => volumes.use(volume, unit, null)).toThrow('was only deleted in part')
      } finally {
        unmountBelow(dir)
      }
      await volumes.delete(first, held)
      expect(await volumes.list(held)).toEqual([])
    },
  )
})

describe('the volume of a slot', () => {
  const slotted = (): World => {
    const world = madeWorld()
    world.deploy('name: db\ncompute_type: process\ncommand: [/bin/x]\nvolumes: ["data:/data"]\n')
    world.settle()
    return world
  }

  test('on a machine that is there and does not answer is said to be there, and not to be unknown', () => {
    const world = slotted()
    const [instance] = world.live('db')
    const machine = world.view.placements.get(instance?.unit ?? ('' as never))?.machine ?? idOf('a')
    const hostname = world.view.machines.get(machine)?.hostname ?? ''
    const all = { volumes: [], silent: [{ machine, hostname, reason: 'the connection was refused' }] }
    const told = {
      code: 'api/peer-unreachable',
      message: expect.stringMatching(
        `the volume .* \\(default.db.data.0\\) is on ${hostname}, which does not answer: the connection was refused`,
      ) as string,
    }
    for (const word of ['data.0', 'db.data', 'default.db.data.0'])
      expect(findVolumeOn(world.view, all, 'default', word)).toMatchObject(told)
    expect(
      volumeToDelete(world.view, all, { word: 'db.data.0', project: 'default', force: true }),
    ).toMatchObject(told)
    expect(findVolumeOn(world.view, all, 'default', 'logs')).toMatchObject({ code: 'volume/unknown' })
    expect(findVolumeOn(world.view, { volumes: [], silent: [] }, 'default', 'data.0')).toMatchObject({
      code: 'volume/unknown',
    })
  })

  test('on a machine that is away is lost, and can be given up, so that its slot begins anew', () => {
    const world = slotted()
    const [instance] = world.live('db')
    const home = world.view.placements.get(instance?.unit ?? ('' as never))?.machine ?? idOf('a')
    expect(lostVolumes(world.view)).toEqual([])
    world.loseMachine(home)
    world.settle()
    const [volume] = lostVolumes(world.view)
    expect(volume).toMatchObject({ slot: 0, machine: home, state: 'lost', instance: 'db-1' })
    const all = { volumes: lostVolumes(world.view).slice(), silent: [] }
    const asked = { word: 'db.data.0', project: 'default' }
    expect(volumeToDelete(world.view, all, { ...asked, force: false })).toMatchObject({
      code: 'volume/not-forced',
    })
    const found = volumeToDelete(world.view, all, { ...asked, force: true })
    if (isProblem(found)) throw new Error(found.message)
    world.apply(forgetVolume(world.view, found))
    world.settle()
    expect(world.serving('db').map(({ n, slot }) => [n, slot])).toEqual([[2, 0]])
    world.machine(home === idOf('a') ? 'a' : 'b')
    world.settle()
    expect(world.serving('db').map(({ n, slot }) => [n, slot])).toEqual([[2, 0]])
  })

  test('is named by its service below the scale alone', () => {
    const world = slotted()
    const of = (slot: number): VolumeBody => ({
      ...{ uuid: uuidOf('1'), project: 'default', service: 'db', name: 'data', scope: 'instance' },
      ...{
        slot,
        generation: 0,
        machine: idOf('a'),
        hostname: 'a',
        sizeBytes: null,
        usedBytes: null,
        createdAt: '',
      },
      ...{ current: true, work: null, to: null, movedBytes: null, incomplete: false },
      ...{ instances: [], instance: null, others: [], state: 'unused' },
    })
    const all = { volumes: [of(0), of(1)], silent: [] }
    const rm = (word: string) => volumeToDelete(world.view, all, { word, project: 'default', force: true })
    expect(rm('db.data.0')).toMatchObject({ code: 'volume/named' })
    expect(rm('db.data.1')).toMatchObject({ slot: 1 })
    const hint = 'give one of these names, or the uuid'
    expect(rm('data')).toMatchObject({ code: 'volume/ambiguous', hint })
    expect(rm('default.db.data.1')).toMatchObject({ slot: 1 })
  })
})
