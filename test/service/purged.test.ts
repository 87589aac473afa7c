// Instances that a machine stopped and removed before its daemon ended.
import { describe, expect, test } from 'vitest'
import { absentUnit, freshMemory, reportOf } from '../../src/agent/report.js'
import { putOf } from '../../src/store/records.js'
import { idOf, World } from '../world/world.js'

const manifest =
  'compute_type: process\ncommand: [/bin/web]\nhealthchecks:\n  - {type: http, port: 80, path: /}\n'

/** A service at scale 2, of which machine b has one; b leaves. */
function left(text = manifest): World {
  const world = new World()
  world.machine('a')
  world.machine('b')
  world.deploy(text, { scale: 2 })
  world.settle()
  leave(world)
  return world
}

/** Machine b leaves as a daemon does that purges what runs there. */
function leave(world: World): void {
  const b = idOf('b')
  for (const name of world.view.placedOn(b).keys())
    world.apply([putOf('report', { ...reportOf(b, absentUnit(name, 'process'), freshMemory), purged: true })])
  world.loseMachine(b)
}

const names = (world: World): readonly string[] => world.all('web').map(({ name }) => name)

describe('what a machine has purged', () => {
  test('is given up once others serve in its place, and is not started again beside them', () => {
    const world = left()
    world.settle()
    expect(names(world)).toHaveLength(2)
    const before = names(world)
    world.machine('b')
    world.settle()
    expect(names(world)).toEqual(before)
    expect([...world.view.placedOn(idOf('b')).keys()]).toEqual([])
  })

  test('stays for as long as nothing serves in its place, and serves again when its machine is back', () => {
    const world = left()
    world.settle({ healthy: ({ n }) => n <= 2 }, 20)
    expect(names(world)).toEqual(['web-1', 'web-2', 'web-3'])
    world.machine('b')
    world.settle({ healthy: ({ n }) => n <= 2 }, 40)
    expect(world.serving('web').map(({ name }) => name)).toEqual(expect.arrayContaining(['web-1', 'web-2']))
  })

  test('stays where no machine takes another one', () => {
    const world = left(`${manifest}ports: ["8080:8080"]\n`)
    world.settle(undefined, 40)
    world.machine('b')
    world.settle()
    expect(world.serving('web')).toHaveLength(2)
  })

  test('is given up with a service that is stopped', () => {
    const world = left()
    world.servicePass()
    world.stop('web')
    world.settle()
    expect(names(world)).toEqual([])
  })
})

test('what a machine has not said that it purged is waited for', () => {
  const world = new World()
  world.machine('a')
  world.machine('b')
  world.deploy(manifest, { scale: 2 })
  world.settle()
  world.loseMachine(idOf('b'))
  world.settle(undefined, 40)
  expect(names(world)).toEqual(['web-1', 'web-2', 'web-3'])
})
