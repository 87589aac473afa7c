// The history of runs, with the real planners on a cluster in memory.
import { describe, expect, test } from 'vitest'
import { runsKept } from '../../src/model/schedule.js'
import { serviceKey } from '../../src/store/view.js'
import { project, World } from '../world/world.js'

const event = (more = ''): string =>
  `service_type: event\ncompute_type: process\ncommand: [/bin/job]\nrestart: "no"\n${more}`

function deployed(text: string): World {
  const world = new World()
  world.machine('a')
  world.deploy(text)
  return world
}

const runs = (world: World) => world.view.runsOf(serviceKey(project, 'web'))

/** Starts one instance and sees it run. */
function start(world: World): void {
  world.start('web')
  for (let n = 0; n < 3; n += 1) {
    world.servicePass()
    world.enginePass()
    world.agentPass({ healthy: () => true })
  }
}

function end(world: World, code: number): void {
  const instance = world.live('web').at(-1)
  if (instance === undefined) throw new Error('an instance')
  const exit = { code, signal: null, oom: false, at: world.now }
  const output = [{ at: world.now, stream: 'stdout' as const, line: `ended with ${code}` }]
  world.observe(instance, { active: code === 0 ? 'inactive' : 'failed', sub: 'dead', exit, output })
  world.settle()
}

describe('a run of an event service', () => {
  test('is there with its instance, and keeps how that ended and what it wrote last when it is gone', () => {
    const world = deployed(event('stop: {preservestopped: "no"}\n'))
    start(world)
    expect(runs(world)).toMatchObject([{ by: 'start', instance: 'web-1', endedAt: null, exit: null }])
    const endsAt = world.now
    end(world, 3)
    expect(world.all('web')).toEqual([])
    expect(runs(world)).toMatchObject([
      { instance: 'web-1', endedAt: endsAt, exit: { code: 3 }, output: [{ line: 'ended with 3' }] },
    ])
  })

  test('has ended also where its instance is kept', () => {
    const world = deployed(event('stop: {preservestopped: always}\n'))
    start(world)
    end(world, 0)
    expect(world.all('web')).toHaveLength(1)
    expect(runs(world)).toMatchObject([{ instance: 'web-1', exit: { code: 0 } }])
  })

  test('is one of so many that are kept, and goes with its service', () => {
    const world = deployed(event('stop: {preservestopped: "no"}\n'))
    for (let n = 0; n < runsKept + 3; n += 1) {
      start(world)
      end(world, 0)
    }
    expect(runs(world).map(({ instance }) => instance)).toEqual(
      Array.from({ length: runsKept }, (_, n) => `web-${n + 4}`),
    )
    world.delete('web')
    world.settle()
    expect(runs(world)).toEqual([])
  })
})

test('a service that is continuous has no runs', () => {
  const world = deployed('compute_type: process\ncommand: [/bin/web]\n')
  world.settle()
  expect(world.live('web')).toHaveLength(1)
  expect(runs(world)).toEqual([])
})
