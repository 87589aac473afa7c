// What the scheduler decided comes back to it as changes of the view. They are no news, however many there are.
import { expect, test } from 'vitest'
import { Scheduler } from '../../src/engine/scheduler.js'
import { opsOf } from '../../src/engine/writes.js'
import type { ClusterView } from '../../src/store/view.js'
import { World } from '../world/world.js'

const text = 'compute_type: process\ncommand: [/bin/web]\nmemory: 16M\n'

/** A view, and how often it was asked for something. */
function counted(view: ClusterView) {
  let asked = 0
  const get = (of: object, name: string | symbol): unknown => {
    asked++
    const value: unknown = Reflect.get(of, name, of)
    return typeof value === 'function' ? (value as () => unknown).bind(of) : value
  }
  return { view: new Proxy<ClusterView & object>(view, { get }), asked: () => asked }
}

test.each([
  { what: 'placed', memoryMb: 100_000 },
  { what: 'left waiting', memoryMb: 1 },
])('a thousand units that were $what are not looked at again', ({ memoryMb }) => {
  const world = new World()
  world.machine('a', { memoryMb })
  world.deploy(text, { scale: 1000, waitForRoom: true })
  while (world.live('web').length < 1000) world.servicePass()
  const { view, asked } = counted(world.view)
  const scheduler = new Scheduler(view, (unit) => world.units.needs(unit))
  world.followedBy(scheduler)
  const { actions } = scheduler.step(world.now)
  expect(actions).toHaveLength(1000)
  world.apply(actions.flatMap((action) => opsOf(world.view, action)))
  const before = asked()
  expect(scheduler.step(world.now).actions).toEqual([])
  expect(asked() - before).toBeLessThan(100)
})
