// A machine whose Docker does not answer: nothing new goes there while another can take it, and what is there stays.
import { expect, test } from 'vitest'
import { explain } from '../../src/api/explain.js'
import { isProblem } from '../../src/changes/problem.js'
import type { MachineId } from '../../src/model/machine.js'
import { putOf } from '../../src/store/records.js'
import { project, World } from '../world/world.js'

const manifest = 'image: app:1\n'

function machines(world: World, ...names: readonly string[]): readonly MachineId[] {
  return names.map((name) => world.machine(name, { drivers: ['process', 'docker'] }))
}

function docker(world: World, id: MachineId | undefined, isAway: boolean): void {
  const machine = id === undefined ? undefined : world.view.machines.get(id)
  if (machine === undefined) throw new Error('a machine')
  world.apply([putOf('machine', { ...machine, driversAway: isAway ? ['docker'] : [] })])
}

const places = (world: World) =>
  world.live('web').map(({ unit }) => world.view.placements.get(unit)?.machine ?? null)

test('takes nothing new, and keeps what it has', () => {
  const world = new World()
  const [a, b] = machines(world, 'a', 'b')
  world.deploy(manifest, { scale: 2 })
  world.settle()
  expect(places(world).sort()).toEqual([a, b])
  docker(world, a, true)
  world.scale('web', 6)
  world.settle()
  expect(places(world).filter((place) => place === a)).toHaveLength(1)
  expect(places(world).filter((place) => place === b)).toHaveLength(5)
  docker(world, a, false)
  world.scale('web', 8)
  world.settle()
  expect(places(world).filter((place) => place === a)).toHaveLength(3)
})

test('is named where no other can take a unit, and takes it when it answers again', () => {
  const world = new World()
  const [a] = machines(world, 'a')
  docker(world, a, true)
  expect(world.tryDeploy(manifest, { scale: 1 })).toBeNull()
  world.settle()
  expect(places(world)).toEqual([null])
  const told = explain(world.view, world.explainer, project, 'web', world.now)
  if (isProblem(told)) throw new Error(told.message)
  expect(told.instances[0]).toMatchObject({
    state: 'pending',
    because: ['a has docker, which does not answer now'],
    machines: [{ accepted: false, reason: 'has docker, which does not answer now' }],
  })
  docker(world, a, false)
  world.settle()
  expect(places(world)).toEqual([a])
})

test('takes what another driver of it can run', () => {
  const world = new World()
  const [a] = machines(world, 'a')
  docker(world, a, true)
  world.deploy('compute_type: process\ncommand: [/bin/web]\n', { scale: 1 })
  world.settle()
  expect(places(world)).toEqual([a])
})
