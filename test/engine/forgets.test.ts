// What an index of the cluster remembers goes with what it is of.
import { expect, test } from 'vitest'
import { ClusterIndex } from '../../src/engine/cluster-index.js'
import { PassDecisions } from '../../src/engine/pass-decisions.js'
import { World } from '../world/world.js'

test('versions that nothing runs any more are forgotten, and those that something runs are not', () => {
  const world = new World()
  world.machine('a', { memoryMb: 100_000 })
  const index = new ClusterIndex(world.view, (unit) => world.units.needs(unit))
  world.followedBy(index)
  for (let version = 0; version < 60; version++) {
    world.deploy(`compute_type: process\ncommand: [/bin/web, "${version}"]\nmemory: ${16 + (version % 7)}M\n`)
    world.settle()
    index.follow(new PassDecisions(0))
  }
  expect(world.view.instances.size).toBe(1)
  expect(index.units.requirementsCount).toBeGreaterThan(0)
  expect(index.units.requirementsCount).toBeLessThan(30)
})
