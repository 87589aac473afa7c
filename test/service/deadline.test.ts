// A scale or a start with a deadline: it fails when what it waits for is not up by then, and leaves all as it is.
import { describe, expect, test } from 'vitest'
import { serviceBodyOf } from '../../src/api/bodies.js'
import type { Task } from '../../src/model/task.js'
import { serviceKey } from '../../src/store/view.js'
import { idOf, project, World } from '../world/world.js'

/** Each machine has room for one of it. */
const lonely = 'compute_type: process\ncommand: [/bin/web]\nports: ["8080:8080"]\n'

function deployed(machines: readonly string[], scale: number | null, text = lonely): World {
  const world = new World()
  for (const name of machines) world.machine(name)
  world.deploy(text, scale === null ? {} : { scale })
  world.settle()
  return world
}

const last = (world: World): Task | undefined => world.view.tasksOf(serviceKey(project, 'web')).at(-1)
const statusOf = (world: World) => {
  const service = world.view.services.get(serviceKey(project, 'web'))
  return service === undefined ? null : serviceBodyOf(world.view, service, world.now).status
}
const scaleOf = (world: World) => world.view.services.get(serviceKey(project, 'web'))?.scale

describe('a scale', () => {
  test('waits for room for ever where no deadline is given', () => {
    const world = deployed(['a'], 1)
    world.scale('web', 2)
    world.settle()
    expect(last(world)).toMatchObject({ kind: 'scale', state: 'active', error: null })
  })

  test('fails when an instance has no machine by its deadline; what serves goes on, and the scale stays', () => {
    const world = deployed(['a'], 1)
    world.scale('web', 2, 30_000)
    const from = world.now
    world.settle()
    expect(last(world)).toMatchObject({
      state: 'failed',
      error: 'web-2: it was not up after 30 s: no machine can take it',
    })
    expect((last(world)?.finishedAt ?? 0) - from).toBe(30_000)
    expect(scaleOf(world)).toBe(2)
    expect(world.serving('web').map(({ name }) => name)).toEqual(['web-1'])
    expect(statusOf(world)).toBe('degraded')
    // There is room later on.
    world.machine('b')
    world.settle()
    expect(world.serving('web').map(({ name }) => name)).toEqual(['web-1', 'web-2'])
    world.scale('web', 1)
    world.settle()
    expect(last(world)).toMatchObject({ kind: 'scale', state: 'completed' })
  })

  test('asks for a pass at its deadline', () => {
    const world = deployed(['a'], 1)
    world.scale('web', 2, 30_000)
    const due = world.now + 30_000
    world.servicePass()
    world.enginePass()
    world.servicePass()
    expect(world.wakeAt).toBe(due)
    world.now = due - 1
    world.servicePass()
    expect(last(world)?.state).toBe('active')
    world.now = due
    world.servicePass()
    expect(last(world)?.state).toBe('failed')
  })

  test.each([3_600_000, -3_600_000])('takes no notice of a clock that is set by %d ms', (byMs) => {
    const world = deployed(['a'], 1)
    world.scale('web', 2, 30_000)
    world.servicePass()
    world.now += 10_000
    world.setClock(byMs)
    world.servicePass()
    expect(last(world)?.state).toBe('active')
    world.now += 19_999
    world.servicePass()
    expect(last(world)?.state).toBe('active')
    world.now += 1
    world.servicePass()
    expect(last(world)?.state).toBe('failed')
  })

  test('completes when all are up in time', () => {
    const world = deployed(['a'], 1)
    world.scale('web', 2, 30_000)
    world.now += 10_000
    world.machine('b')
    world.settle()
    expect(last(world)).toMatchObject({ kind: 'scale', state: 'completed', error: null })
  })

  test('gives what was there before the whole time, too', () => {
    const world = deployed(['a'], 1)
    world.scale('web', 2, 5000)
    world.settle()
    expect(last(world)?.state).toBe('failed')
    world.scale('web', 3, 30_000)
    const from = world.now
    world.settle()
    expect(last(world)).toMatchObject({ state: 'failed' })
    expect((last(world)?.finishedAt ?? 0) - from).toBe(30_000)
  })

  test('down does not fail for what takes its time to stop', () => {
    const world = deployed(['a', 'b'], 2)
    world.scale('web', 1, 5000)
    for (let round = 0; round < 40; round++) {
      world.servicePass()
      world.now += 500
    }
    expect(last(world)).toMatchObject({ kind: 'scale', state: 'active' })
    world.settle()
    expect(last(world)).toMatchObject({ kind: 'scale', state: 'completed' })
  })

  test('that waits its turn has its time from its beginning on', () => {
    const world = deployed(['a'], 1)
    world.stop('web')
    world.settle()
    expect(world.start('web')).toBeNull()
    expect(world.tryScale('web', 2, 30_000)).toBeNull()
    expect(last(world)).toMatchObject({ kind: 'scale', state: 'queued', deadlineMs: 30_000 })
    const from = world.now
    world.settle()
    expect(last(world)).toMatchObject({ kind: 'scale', state: 'failed' })
    expect((last(world)?.finishedAt ?? 0) - from).toBeGreaterThan(30_000)
  })

  test('fails for what is missing with a machine that is lost', () => {
    const world = deployed(['a', 'b', 'c'], 2)
    world.loseMachine(idOf('a'))
    world.scale('web', 3, 30_000)
    world.settle()
    expect(last(world)).toMatchObject({ kind: 'scale', state: 'failed' })
  })

  test('is refused while another one runs, as ever', () => {
    const world = deployed(['a'], 1)
    world.scale('web', 2, 30_000)
    expect(world.tryScale('web', 1)).toMatchObject({ code: 'service/busy' })
  })
})

describe('a start', () => {
  test('fails when nothing is up by its deadline', () => {
    const world = deployed(['a'], 1)
    world.stop('web')
    world.settle()
    world.loseMachine(idOf('a'))
    expect(world.start('web', undefined, 10_000)).toBeNull()
    world.settle()
    expect(last(world)).toMatchObject({
      kind: 'start',
      state: 'failed',
      error: expect.stringContaining('web-2: it was not up after 10 s') as string,
    })
    expect(scaleOf(world)).toBe(1)
  })

  test('of an event service likewise', () => {
    const world = deployed(['a'], null, `${lonely}service_type: event\n`)
    world.start('web')
    world.settle()
    expect(last(world)).toMatchObject({ kind: 'start', state: 'completed' })
    world.start('web', undefined, 10_000)
    world.settle()
    expect(last(world)).toMatchObject({
      kind: 'start',
      state: 'failed',
      error: 'web-2: it was not up after 10 s: no machine can take it',
    })
    expect(world.serving('web').map(({ name }) => name)).toEqual(['web-1'])
  })
})

describe('a fault that passes by itself', () => {
  const away = { code: 'docker/image-missing', message: 'the registry is away', permanent: false }

  /** A machine on which the second instance cannot come up for now, whatever it tries. */
  const troubled = (): World => deployed(['a', 'b'], 1)

  const full = { code: 'process/disk-full', message: 'no space is left', permanent: false }
  const held = { code: 'volume/held', message: 'the volume is held', permanent: false }

  function pass(world: World, ms: number, trouble: object = { failure: away, attempts: 9 }): void {
    for (const until = world.now + ms; world.now < until; world.now += 30_000) {
      world.servicePass()
      world.enginePass()
      world.agentPass({ healthy: () => false })
      for (const instance of world.live('web').filter(({ n }) => n > 1))
        world.observe(instance, { active: 'activating', sub: 'start', ...trouble })
    }
  }

  test.each([
    ['the registry is away', { failure: away, attempts: 9 }],
    ['no space is left', { failure: full, attempts: 9 }],
    ['no space is left', { failure: full, restarts: 4 }],
    ['the volume is held', { failure: held, attempts: 9 }],
  ])('has the time that --deadline gives, also where that is more than is usual: %s', (why, trouble) => {
    const world = troubled()
    world.scale('web', 2, 3_600_000)
    pass(world, 30 * 60_000, trouble)
    expect(last(world)).toMatchObject({ kind: 'scale', state: 'active', error: null })
    pass(world, 31 * 60_000, trouble)
    expect(last(world)).toMatchObject({ state: 'failed', error: `web-2: ${why}` })
  })

  test('has it in a start, too', () => {
    const world = troubled()
    world.stop('web')
    world.settle()
    expect(world.start('web', undefined, 3_600_000)).toBeNull()
    pass(world, 30 * 60_000)
    expect(last(world)).toMatchObject({ kind: 'start', state: 'active', error: null })
    pass(world, 31 * 60_000)
    expect(last(world)).toMatchObject({ kind: 'start', state: 'failed' })
  })

  test('has the usual time where none is given', () => {
    const world = troubled()
    world.scale('web', 2)
    pass(world, 9 * 60_000)
    expect(last(world)?.state).toBe('active')
    pass(world, 3 * 60_000)
    expect(last(world)).toMatchObject({ state: 'failed', error: 'web-2: the registry is away' })
  })
})

test('a scale down that cannot end well names an instance that stays, and not the one that goes', () => {
  const world = deployed(['a', 'b'], 2)
  const failure = { code: 'docker/start', message: 'no such device', permanent: false }
  for (const instance of world.live('web'))
    world.observe(instance, { active: 'activating', sub: 'auto-restart', failure, attempts: 5 })
  world.scale('web', 1)
  world.servicePass()
  expect(last(world)).toMatchObject({ kind: 'scale', state: 'failed', error: 'web-1: no such device' })
  expect(world.live('web').map(({ name }) => name)).toEqual(['web-1'])
})
