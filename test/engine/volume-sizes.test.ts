// The sizes of volumes and the disks of machines (10,000 MiB each here): what is promised, and to whom there is none left.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explain } from '../../src/api/explain.js'
import { isProblem } from '../../src/changes/problem.js'
import { PromisedDisk } from '../../src/engine/state/promised-disk.js'
import type { MachineId } from '../../src/model/machine.js'
import { keys, putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { randomCases } from '../random-runs.js'
import { project, World } from '../world/world.js'
import { plan } from './plan.js'

const manifest = (version: string, size: string, scope = 'instance'): string =>
  `compute_type: process\ncommand: [/bin/db, ${version}]\nvolumes: [{name: data, path: /data, scope: ${scope}, size: ${size}}]\n`

const records = (world: World) => [...world.view.volumesOf(serviceKey(project, 'web')).values()]

const places = (world: World): readonly (MachineId | null)[] =>
  [...world.live('web')]
    .sort((a, b) => (a.slot ?? a.n) - (b.slot ?? b.n))
    .map(({ unit }) => world.view.placements.get(unit)?.machine ?? null)

/** What machines say to the last instance. */
function told(world: World): readonly string[] {
  const said = explain(world.view, world.explainer, project, 'web', world.now)
  if (isProblem(said)) throw new Error(said.message)
  return said.instances.at(-1)?.machines.map(({ reason }) => reason) ?? []
}

const tooLittle = 'has 4000 MiB of its disk left for volumes, 6000 MiB are needed'

function fullCluster(scale = 3): { world: World; a: MachineId; b: MachineId } {
  const world = new World()
  const [a, b] = [world.machine('a'), world.machine('b')]
  world.deploy(manifest('1', '6000M'), { scale: 2 })
  world.settle()
  if (scale > 2) world.scale('web', scale)
  world.settle()
  return { world, a, b }
}

test('a machine has no more volumes than their sizes leave room for, and says so', () => {
  const { world, a, b } = fullCluster()
  expect(places(world)).toEqual([a, b, null])
  expect(told(world)).toEqual([tooLittle, tooLittle])
  const c = world.machine('c')
  world.settle()
  expect(places(world)).toEqual([a, b, c])
  expect(records(world).map(({ sizeMb }) => sizeMb)).toEqual([6000, 6000, 6000])
})

test('a volume that no instance has counts until it is gone; then whoever waits gets its space', () => {
  const { world, b } = fullCluster(2)
  world.scale('web', 1)
  world.settle()
  const other = manifest('1', '6000M')
  expect(world.tryDeploy(other, { sources: [{ file: 'x.yml', text: other, name: 'x' }] })).toMatchObject({
    code: 'deploy/no-machine',
  })
  world.deploy(other, { sources: [{ file: 'x.yml', text: other, name: 'x' }], waitForRoom: true })
  world.settle()
  expect(world.view.placements.size).toBe(1)
  world.apply([{ op: 'delete', key: keys.volume(project, 'web', 'data', 1) }])
  world.settle()
  const [instance] = world.live('x')
  expect(world.view.placements.get(instance?.unit ?? ('' as never))?.machine).toBe(b)
})

test('a volume that instances share counts once on a machine', () => {
  const world = new World()
  const [a, b] = [world.machine('a'), world.machine('b')]
  world.deploy(manifest('1', '6000M', 'service'), { scale: 4 })
  world.settle()
  expect(places(world)).toEqual([a, b, a, b])
})

test('the next version of a volume needs no more than it asks for beyond what its volume has', () => {
  const { world, a, b } = fullCluster(2)
  world.deploy(manifest('2', '9000M'))
  world.settle()
  expect(places(world)).toEqual([a, b])
  expect(records(world).map(({ sizeMb }) => sizeMb)).toEqual([9000, 9000])
  const refused = world.tryDeploy(manifest('3', '11000M'))
  expect(refused).toMatchObject({ code: 'deploy/no-machine' })
  expect(refused?.details?.map(({ message }) => message)).toEqual([
    expect.stringContaining('has 1000 MiB of its disk left for volumes, 2000 MiB are needed') as string,
    expect.stringContaining('its volume data is on machine a') as string,
  ])
  // Without a size it has none of the disk for itself.
  world.deploy(manifest('4', '1M').replace(', size: 1M', ''))
  world.settle()
  expect(records(world).map(({ sizeMb }) => sizeMb)).toEqual([undefined, undefined])
})

test('a disk that is smaller than what was promised of it takes nobody away', () => {
  const { world, a, b } = fullCluster()
  const machine = world.view.machines.get(a)
  if (machine === undefined) throw new Error('no machine')
  world.apply([putOf('machine', { ...machine, capacity: { ...machine.capacity, diskMb: 100 } })])
  world.settle()
  expect(places(world)).toEqual([a, b, null])
  expect(told(world)[0]).toBe('has 0 MiB of its disk left for volumes, 6000 MiB are needed')
})

const step = fc.record({
  do: fc.constantFrom('scale', 'deploy', 'lose', 'return', 'forget', 'pass', 'pass'),
  n: fc.nat(5),
})

test('whatever happens, nobody is placed where the sizes of volumes would go beyond the disk', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const world = new World()
      for (const name of ['a', 'b']) world.machine(name)
      world.deploy(manifest('0', '3000M'), { scale: 2 })
      for (const [index, { do: what, n }] of steps.entries()) {
        const name = ['a', 'b'][n % 2] ?? 'a'
        const version = String(index + 1)
        if (what === 'scale') world.tryScale('web', n)
        else if (what === 'deploy')
          world.tryDeploy(manifest(version, `${(n + 1) * 1000}M`), { waitForRoom: true })
        else if (what === 'lose') world.loseMachine(world.machine(name))
        else if (what === 'return') world.machine(name)
        else if (what === 'forget') {
          const idle = records(world).find(({ slot }) => world.all('web').every((one) => one.slot !== slot))
          if (idle) world.apply([{ op: 'delete', key: keys.volume(project, 'web', 'data', idle.slot) }])
        } else world.settle(undefined, n * 5)
        for (const id of world.view.machines.keys()) {
          const here = records(world).filter(({ machine }) => machine === id)
          expect(here.reduce((sum, { sizeMb = 0 }) => sum + sizeMb, 0)).toBeLessThanOrEqual(10_000)
        }
      }
      for (const name of ['a', 'b']) world.machine(name)
      world.settle()
      // One that has followed all of this and one that begins now say the same.
      const begun = plan(world.view, (unit) => world.units.needs(unit), world.now)
      expect(begun.actions).toEqual([])
    }),
    { numRuns: randomCases(60) },
  )
})

test('what is promised is the most that somebody asks for each volume, whoever comes and goes', () => {
  const holders = ['store', {} as never, {} as never] as const
  const asked = fc.record({ volume: fc.constantFrom('a', 'b'), holder: fc.nat(2), size: fc.nat(5) })
  fc.assert(
    fc.property(fc.array(asked), (calls) => {
      const disk = new PromisedDisk()
      const now = new Map<string, number[]>()
      for (const { volume, holder, size } of calls) {
        const before = disk.totalMb
        const hasChanged = disk.set(volume, holders[holder] ?? 'store', size)
        const sizes = now.get(volume) ?? [0, 0, 0]
        sizes[holder] = size
        now.set(volume, sizes)
        expect(disk.totalMb).toBe([...now.values()].reduce((sum, all) => sum + Math.max(...all), 0))
        expect(hasChanged).toBe(disk.totalMb !== before)
      }
      expect(disk.isEmpty).toBe([...now.values()].flat().every((size) => size === 0))
    }),
  )
})
