// Which stopped container has been kept the longest on a machine.
import { expect, test } from 'vitest'
import { oldestKept } from '../../src/agent/kept-containers.js'
import type { Instance } from '../../src/model/service.js'
import { isFrozen } from '../../src/service/queue.js'
import { putOf } from '../../src/store/records.js'
import { World } from '../world/world.js'

test('the oldest that is kept, stopped, in a container on this machine is the first to go', () => {
  const world = new World()
  const here = world.machine('a', { drivers: ['docker'] })
  const elsewhere = world.machine('b', { drivers: ['docker'] })
  world.deploy('image: app:1\n', { scale: 8 })
  world.settle()
  const [first, second, third, ...others] = world
    .live('web')
    .filter(({ unit }) => world.view.placements.get(unit)?.machine === here)
  if (first === undefined || second === undefined || third === undefined) throw new Error('three instances')
  const keep = (one: Instance, at: number, containerId: string | null): void => {
    world.apply([putOf('instance', { ...one, retired: { cause: 'failed', at, kept: true } })])
    world.observe(one, { active: 'failed', containerId })
  }
  expect(oldestKept(world.view, here, isFrozen)).toBeNull()
  keep(first, 30, 'c1')
  keep(second, 20, 'c2')
  // There is nothing of it that takes space.
  keep(third, 10, null)
  for (const one of others) world.observe(one, { containerId: 'running' })
  expect(oldestKept(world.view, here, isFrozen)).toBe(second.unit)
  expect(oldestKept(world.view, elsewhere, isFrozen)).toBeNull()
})

test('what is frozen is passed over, so that nobody waits behind it', () => {
  const world = new World()
  const here = world.machine('a', { drivers: ['docker'] })
  world.deploy('name: frozen\nimage: app:1\n')
  world.deploy('image: app:1\n')
  world.settle()
  const [[frozen], [other]] = [world.live('frozen'), world.live('web')]
  if (frozen === undefined || other === undefined) throw new Error('an instance of each')
  for (const [at, one] of [frozen, other].entries()) {
    world.apply([putOf('instance', { ...one, retired: { cause: 'failed', at, kept: true } })])
    world.observe(one, { active: 'failed', containerId: 'c' })
  }
  expect(oldestKept(world.view, here, isFrozen)).toBe(frozen.unit)
  world.freeze('frozen')
  expect(oldestKept(world.view, here, isFrozen)).toBe(other.unit)
})
