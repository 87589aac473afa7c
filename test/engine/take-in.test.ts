// A scheduler that starts on a large cluster leaves off now and then, and misses nothing that happens meanwhile.
import { expect, test } from 'vitest'
import { Scheduler } from '../../src/engine/scheduler.js'
import { idOf, World } from '../world/world.js'
import { plan } from './plan.js'

const text = 'compute_type: process\ncommand: [/bin/web]\nmemory: 16M\n'

test('what happens while all is taken in is decided on like the rest', () => {
  const world = new World()
  for (const name of ['a', 'b', 'c']) world.machine(name, { memoryMb: 100_000 })
  world.deploy(text, { scale: 1000 })
  world.settle(undefined, 20)
  const needsOf = (unit: Parameters<typeof world.units.needs>[0]) => world.units.needs(unit)
  const scheduler = new Scheduler(world.view, needsOf)
  world.followedBy(scheduler)
  const steps = scheduler.takeIn()
  const happenings = [
    () => world.loseMachine(idOf('a')),
    () => world.scale('web', 1010),
    () => world.servicePass(),
    () => world.machine('d', { memoryMb: 100_000 }),
  ]
  let left = 0
  while (steps.next(true).done !== true) {
    left++
    happenings.shift()?.()
  }
  expect(left).toBeGreaterThanOrEqual(8)
  expect(happenings).toEqual([])
  const anew = plan(world.view, needsOf, world.now).actions
  expect(scheduler.step(world.now).actions).toEqual(anew)
  expect(anew.length).toBeGreaterThan(0)
  expect(new Scheduler(world.view, needsOf).takeIn().next(true).done).toBe(false)
})
