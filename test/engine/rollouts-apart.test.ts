// Instances that a soft rule keeps apart: older ones, which are about to go, are on all machines in a rollout.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomCases } from '../random-runs.js'
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

function makeUnhealthy(world: World, index: number): void {
  const instance = world.live('web')[index]
  if (instance !== undefined) world.observe(instance, { health: 'unhealthy', healthReason: 'HTTP 500' })
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
      { numRuns: randomCases(60) },
    )
  })

  test('are so however single ones, some or all of them are replaced, whatever their version', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ what: fc.constant('reprovision'), rolling: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ what: fc.constant('heal'), which: fc.nat(3) }),
        fc.record({ what: fc.constantFrom('canary', 'new canary'), count: fc.integer({ min: 1, max: 2 }) }),
        fc.record({ what: fc.constant('deploy') }),
      ),
      { minLength: 1, maxLength: 5 },
    )
    const rules = fc.constantFrom('"service!=~web"', '"tier!=~/^front/"', '{rule: "service!=~web", by: rack}')
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 4 }), fc.nat(1), rules, steps, (scale, spare, rule, all) => {
        const world = new World()
        for (let n = 0; n < scale + spare; n++) world.machine(`m${n}`, { metadata: { rack: `r${n}` } })
        const text = (version: number): string => `${manifest(version, rule)}labels: {tier: frontend}\n`
        world.deploy(text(0), { scale })
        world.settle()
        for (const [index, step] of all.entries()) {
          if ('rolling' in step) world.reprovision('web', { rolling: Math.min(step.rolling, scale) })
          else if ('which' in step) makeUnhealthy(world, step.which % scale)
          else if ('count' in step && step.what === 'canary')
            world.reprovision('web', { canary: Math.min(step.count, scale) })
          else world.deploy(text(index + 1), 'count' in step ? { canary: Math.min(step.count, scale) } : {})
          world.settle()
          expect([new Set(machinesOf(world, 'web')).size, world.live('web').length]).toEqual([scale, scale])
        }
      }),
      { numRuns: randomCases(60) },
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
