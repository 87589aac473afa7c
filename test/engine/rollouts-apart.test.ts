// Instances that a soft rule keeps apart: older ones, which are about to go, are on all machines in a rollout.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { World } from '../world/world.js'

const manifest = (version: number, rule = '"service!=~web"'): string =>
  `compute_type: process\ncommand: [/bin/web, "${version}"]\nmemory: 16M\naffinity: [${rule}]\n`

/** The machines of what is to run, in order. */
function machinesOf(world: World, name: string): readonly string[] {
  return world
    .live(name)
    .map(({ unit }) => world.view.placements.get(unit)?.machine ?? 'none')
    .sort()
}

describe('instances of one service that a soft rule keeps apart', () => {
  test('are on a machine each after a rollout on as many machines', () => {
    const world = new World()
    for (const name of ['a', 'b', 'c']) world.machine(name)
    world.deploy(manifest(0), { scale: 3 })
    world.settle()
    for (let version = 1; version < 4; version++) {
      world.deploy(manifest(version))
      world.settle()
      expect(new Set(machinesOf(world, 'web')).size).toBe(3)
    }
  })

  test('are so whatever else is there, and however many are replaced at a time', () => {
    const machines = fc.integer({ min: 2, max: 5 })
    fc.assert(
      fc.property(
        machines,
        fc.nat(3),
        fc.array(fc.record({ others: fc.nat(6), rolling: fc.integer({ min: 1, max: 3 }) }), {
          minLength: 1,
          maxLength: 3,
        }),
        (count, spare, rollouts) => {
          const world = new World()
          for (let n = 0; n < count; n++) world.machine(`m${n}`)
          const scale = Math.max(1, count - spare)
          const other = 'compute_type: process\ncommand: [/bin/other]\nmemory: 16M\n'
          world.deploy('', { sources: [{ file: 'other.yml', text: other, name: 'other' }] })
          world.deploy(manifest(0), { scale })
          world.settle()
          for (const [version, { others, rolling }] of rollouts.entries()) {
            world.scale('other', others)
            world.deploy(manifest(version + 1), { rolling: Math.min(rolling, scale) })
            world.settle()
            expect(new Set(machinesOf(world, 'web')).size).toBe(scale)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('share machines where there are more than machines, and where one alone has room', () => {
    const world = new World()
    world.machine('a')
    world.machine('b', { memoryMb: 8 })
    world.deploy(manifest(0), { scale: 3 })
    world.settle()
    world.deploy(manifest(1))
    world.settle()
    expect(new Set(machinesOf(world, 'web')).size).toBe(1)
    expect(machinesOf(world, 'web')).toHaveLength(3)
  })

  test('are apart by a value of the metadata', () => {
    const world = new World()
    for (const [name, rack] of [
      ['a', 'r1'],
      ['b', 'r1'],
      ['c', 'r2'],
      ['d', 'r3'],
    ] as const)
      world.machine(name, { metadata: { rack } })
    const racks = (): readonly (string | undefined)[] =>
      machinesOf(world, 'web')
        .map((id) => [...world.view.machines.values()].find((one) => one.id === id)?.metadata['rack'])
        .sort()
    const rule = '{rule: "service!=~web", by: rack}'
    world.deploy(manifest(0, rule), { scale: 3 })
    world.settle()
    expect(racks()).toEqual(['r1', 'r2', 'r3'])
    world.deploy(manifest(1, rule))
    world.settle()
    expect(racks()).toEqual(['r1', 'r2', 'r3'])
  })
})
