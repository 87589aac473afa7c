// Old instances on a machine that is away while a rollout goes by.
import { describe, expect, test } from 'vitest'
import { idOf, World } from '../world/world.js'

const manifest = (mark: string): string =>
  `compute_type: process\ncommand: [/bin/web, "${mark}"]\nhealthchecks:\n  - {type: http, port: 80, path: /}\n`

/** Two instances of version 1, of which one machine is gone when version 2 has been rolled out. */
function rolledOutWithout(away: string): World {
  const world = new World()
  world.machine('a')
  world.machine('b')
  world.deploy(manifest('1'), { scale: 2 })
  world.settle()
  world.loseMachine(idOf(away))
  world.settle(undefined, 5)
  world.deploy(manifest('2'))
  world.settle()
  return world
}

const ordinals = (world: World): readonly number[] => world.live('web').map(({ ordinal }) => ordinal)

describe('an instance that a rollout replaced while its machine was away', () => {
  test('is no part of its service any more when the rollout is over', () => {
    const world = rolledOutWithout('b')
    expect(ordinals(world)).toEqual([2, 2])
  })

  test('is not counted for a scale that has grown since, when its machine is back', () => {
    const world = rolledOutWithout('b')
    world.machine('b')
    world.scale('web', 3)
    world.settle()
    expect(ordinals(world)).toEqual([2, 2, 2])
  })

  test('stays while the rollout is not over: it may be what still serves', () => {
    const world = new World()
    world.machine('a')
    world.machine('b')
    world.deploy(manifest('1'), { scale: 2 })
    world.settle()
    world.loseMachine(idOf('b'))
    world.settle(undefined, 5)
    world.deploy(manifest('2'))
    world.settle({ healthy: ({ ordinal }) => ordinal === 1 }, 20)
    expect(world.live('web').map(({ name }) => name)).toEqual(expect.arrayContaining(['web-1', 'web-2']))
  })
})
