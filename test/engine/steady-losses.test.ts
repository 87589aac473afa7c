// What is held for machines that vanished together, while somebody sets the clock.
import { describe, expect, test } from 'vitest'
import { holdMs, LossWatch } from '../../src/store/losses.js'
import { keys } from '../../src/store/records.js'
import { SteadyLosses } from '../../src/store/steady-losses.js'
import { idOf, World } from '../world/world.js'

const hourMs = 3_600_000

/** Three machines that all run something, of which two vanish at the beginning. */
function cutOff() {
  let wall = 1_000_000
  let steady = 0
  const world = new World()
  for (const name of ['a', 'b', 'c']) world.machine(name)
  world.deploy('compute_type: process\ncommand: [/bin/web]\n', { scale: 3 })
  world.settle()
  const losses = new SteadyLosses(new LossWatch(world.view, 10_000), { steady: () => steady })
  for (const name of ['b', 'c']) {
    world.loseMachine(idOf(name))
    losses.note([{ type: 'delete', key: keys.machine(idOf(name)), previous: null as never }])
  }
  return {
    wait: (ms: number) => {
      wall += ms
      steady += ms
    },
    setClock: (byMs: number) => {
      wall += byMs
    },
    heldFor: () => {
      const until = losses.heldUntil(idOf('b'), wall)
      return until === null ? null : until - wall
    },
    massFor: () => (losses.massLoss(wall)?.until ?? wall) - wall,
    missing: () => losses.missing().length,
  }
}

describe.each([hourMs, -hourMs])('a clock that is set by %d ms while machines are held', (byMs) => {
  test('neither ends the hold nor makes it longer', () => {
    const cluster = cutOff()
    expect(cluster.heldFor()).toBe(holdMs)
    cluster.wait(60_000)
    cluster.setClock(byMs)
    expect([cluster.heldFor(), cluster.massFor()]).toEqual([holdMs - 60_000, holdMs - 60_000])
    expect(cluster.missing()).toBe(2)
    cluster.wait(holdMs - 60_000)
    expect(cluster.heldFor()).toBeNull()
  })
})
