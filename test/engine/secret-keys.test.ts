// Machines without the key of the secrets: they get no instances that are given secrets, and keep what they have.
import { expect, test } from 'vitest'
import { explain } from '../../src/api/explain.js'
import { isProblem } from '../../src/changes/problem.js'
import type { KeyProblem, MachineId } from '../../src/model/machine.js'
import { putOf } from '../../src/store/records.js'
import { project, World } from '../world/world.js'

const manifest =
  'compute_type: process\ncommand: [/bin/web]\nenvironment: ["PASSWORD={{ .meta.password }}"]\n'

function setKeys(world: World, id: MachineId, problem: KeyProblem | null): void {
  const machine = world.view.machines.get(id)
  if (machine === undefined) throw new Error('a machine')
  const secretKeys = { fingerprints: [], ...(problem !== null && { problem }) }
  world.apply([putOf('machine', { ...machine, secretKeys })])
}

function cluster(): { world: World; a: MachineId; b: MachineId } {
  const world = new World()
  const [a, b] = [world.machine('a'), world.machine('b')]
  const secret = { project, key: 'password', value: 'sealed', casId: '1', secret: true, updatedAt: world.now }
  world.apply([putOf('meta', secret)])
  return { world, a, b }
}

const places = (world: World) =>
  world.live('web').map(({ unit }) => world.view.placements.get(unit)?.machine ?? null)

test('they get none that need it, and what they have stays', () => {
  const { world, a, b } = cluster()
  world.deploy(manifest, { scale: 2 })
  world.settle()
  expect(places(world).sort()).toEqual([a, b])
  setKeys(world, a, 'no-key')
  world.scale('web', 6)
  world.settle()
  expect(places(world).filter((place) => place === a)).toHaveLength(1)
  expect(places(world).filter((place) => place === b)).toHaveLength(5)
})

test.each([
  ['no-key', 'does not have the key of the secrets that the unit uses'],
  ['wrong-key', 'has a key that cannot decrypt the secrets of the unit'],
] as const)('explain says why (%s), and they take what waited once they have it', (problem, reason) => {
  const { world, a, b } = cluster()
  for (const id of [a, b]) setKeys(world, id, problem)
  const refused = world.tryDeploy(manifest, { scale: 1, waitForRoom: true })
  expect(refused).toBeNull()
  world.settle()
  expect(places(world)).toEqual([null])
  const told = explain(world.view, world.explainer, project, 'web', world.now)
  if (isProblem(told)) throw new Error(told.message)
  expect(told.instances[0]?.machines).toMatchObject([
    { accepted: false, reason },
    { accepted: false, reason },
  ])
  setKeys(world, b, null)
  world.settle()
  expect(places(world)).toEqual([b])
})

test('they take what is given none', () => {
  const { world, a, b } = cluster()
  for (const id of [a, b]) setKeys(world, id, 'wrong-key')
  world.deploy('compute_type: process\ncommand: [/bin/web]\n', { scale: 2 })
  world.settle()
  expect(places(world).sort()).toEqual([a, b])
})
