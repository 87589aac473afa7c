// However much is to be changed of a service, one pass changes so much at most; passes go on until all is as it is to be.
import { describe, expect, test } from 'vitest'
import { changesPerPass } from '../../src/service/changes-per-pass.js'
import { idOf, project, World } from '../world/world.js'

const text = 'compute_type: process\ncommand: [/bin/web]\nmemory: 16M\n'
const scale = 3 * changesPerPass + 10
const healthy = { healthy: () => true }

function running(): World {
  const world = new World()
  for (const name of ['a', 'b']) world.machine(name, { memoryMb: 100_000, cpus: 16 })
  world.deploy(text, { scale })
  world.settle(healthy, 30)
  expect(world.serving('web')).toHaveLength(scale)
  return world
}

/** What passes do, one after the other, until they leave the rest to others; each asks for the next where it leaves some. */
function passes(world: World): readonly number[] {
  const sizes: number[] = []
  for (;;) {
    const { length } = world.servicePass().filter(({ kind }) => kind !== 'finish')
    if (length === 0) return sizes
    sizes.push(length)
    if (length >= changesPerPass) expect(world.wakeAt).toBe(world.now)
  }
}

describe('of two thousand instances', () => {
  test('those that are stopped are told so in portions, and all of them are', () => {
    const world = running()
    world.stop('web')
    expect(passes(world)).toEqual([500, 500, 500, 10])
    expect(world.live('web')).toEqual([])
    world.agentPass(healthy)
    const [removed, ...others] = passes(world)
    expect(removed).toBe(500)
    expect(others).toEqual([500, 500, 10])
    world.settle(healthy, 20)
    expect(world.all('web')).toEqual([])
    expect([...world.view.tasks.values()].map(({ state }) => state)).toEqual(['completed', 'completed'])
  })

  test('those that are too many go in portions, the same that would go at once', () => {
    const world = running()
    world.scale('web', 9)
    expect(passes(world)).toEqual([500, 500, 500, 1])
    expect(world.live('web').map(({ n }) => n)).toEqual(Array.from({ length: 9 }, (_, n) => scale - 8 + n))
    world.settle(healthy, 20)
    expect(world.all('web')).toHaveLength(9)
  })

  test('those of a lost machine are noted in portions', () => {
    const world = running()
    world.loseMachine(idOf('a'))
    const lost = world.all('web').filter(({ unit }) => world.view.placements.get(unit)?.machine === idOf('a'))
    expect(lost.length).toBeGreaterThan(changesPerPass)
    const notes = world.servicePass().filter(({ kind }) => kind === 'note')
    expect(notes).toHaveLength(changesPerPass)
    expect(world.wakeAt).toBe(world.now)
    world.servicePass()
    expect(world.all('web').filter((one) => one.lost !== null)).toHaveLength(lost.length)
  })

  test('a service that is deleted is gone only when all of them are', () => {
    const world = running()
    world.delete('web')
    expect(passes(world).at(0)).toBe(500)
    expect(world.view.services.has(`${project}/web`)).toBe(true)
    world.settle(healthy, 40)
    expect(world.view.services.has(`${project}/web`)).toBe(false)
    expect(world.all('web')).toEqual([])
  })
})
