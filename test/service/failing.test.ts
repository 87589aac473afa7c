// Instances that cannot come up: whatever lets them go, they have failed, and `stop.preservestopped` keeps them.
import { describe, expect, test } from 'vitest'
import { restartsUntilFailing } from '../../src/model/instance-state.js'
import type { RetireCause } from '../../src/model/service.js'
import type { ServiceAction } from '../../src/service/actions.js'
import { serviceKey } from '../../src/store/view.js'
import { project, World } from '../world/world.js'

const manifest = (mark: string, extra = ''): string =>
  `compute_type: process\ncommand: [/bin/web, "${mark}"]\n${extra}`

function deployed(scale: number, extra = ''): World {
  const world = new World()
  world.machine('a')
  world.deploy(manifest('1', extra), { scale })
  world.settle()
  return world
}

/** One of its instances ends as soon as it is started, again and again. */
function crash(world: World, name: string): void {
  const instance = world.live('web').find((one) => one.name === name)
  if (instance === undefined) throw new Error(`no ${name}`)
  const exit = { code: 7, signal: null, oom: false, at: world.now }
  world.observe(instance, {
    active: 'activating',
    sub: 'auto-restart',
    restarts: restartsUntilFailing,
    exit,
  })
}

/** A rollout whose first new instance, web-3, crashes; returns what is decided then. */
function failingRollout(
  options: { readonly autoRevert?: boolean } = {},
  extra = '',
): [World, readonly Gone[]] {
  const world = deployed(2, extra)
  world.deploy(manifest('2', extra), options)
  world.servicePass()
  world.enginePass()
  world.agentPass({ healthy: () => true })
  crash(world, 'web-3')
  return [world, goneOf(world.servicePass())]
}

type Gone = readonly [name: string, cause: RetireCause, reason: string]

const goneOf = (actions: readonly ServiceAction[]): readonly Gone[] =>
  actions.flatMap((one) => (one.kind === 'retire' ? [[one.instance.name, one.cause, one.reason]] : []))

/** What is left when all has come to rest: names, those that are kept with a star. */
function left(world: World): readonly string[] {
  world.settle()
  return world.all('web').map(({ name, retired }) => (retired?.kept === true ? `${name}*` : name))
}

const crashed = ['failed', 'restarted 3 times, last exited with status 7'] as const
const tasksOf = (world: World) =>
  world.view.tasksOf(serviceKey(project, 'web')).map(({ kind, state }) => `${kind} ${state}`)

describe('an instance that cannot come up', () => {
  test('goes as failed when its rollout does, and is kept', () => {
    const [world, gone] = failingRollout()
    expect(gone).toEqual([['web-3', ...crashed]])
    expect(left(world)).toEqual(['web-1', 'web-2', 'web-3*'])
    expect(tasksOf(world)).toEqual(['deploy completed', 'deploy failed'])
  })

  test('goes as failed when its rollout goes back by itself, and is kept', () => {
    const [world, gone] = failingRollout({ autoRevert: true })
    expect(gone).toEqual([['web-3', ...crashed]])
    expect(left(world)).toEqual(['web-1', 'web-2', 'web-3*'])
    expect(world.live('web').map(({ ordinal }) => ordinal)).toEqual([1, 1])
    expect(tasksOf(world)).toEqual(['deploy completed', 'deploy failed', 'revert completed'])
  })

  test('takes none of its rollout with it that may still come up', () => {
    const world = deployed(3)
    world.deploy(manifest('2'), { rolling: 2, autoRevert: true })
    world.servicePass()
    world.enginePass()
    world.agentPass({ healthy: () => true })
    crash(world, 'web-4')
    expect(goneOf(world.servicePass())).toEqual([['web-4', ...crashed]])
    expect(left(world)).toEqual(['web-1', 'web-2', 'web-3', 'web-4*'])
  })

  test('is the first to go when the scale is lowered, as failed, and is kept', () => {
    const world = deployed(3)
    crash(world, 'web-2')
    world.scale('web', 2)
    expect(goneOf(world.servicePass())).toEqual([['web-2', ...crashed]])
    expect(left(world)).toEqual(['web-1', 'web-2*', 'web-3'])
    expect(tasksOf(world)).toEqual(['deploy completed', 'scale completed'])
  })

  test('is told from those that are well and go with it', () => {
    const world = deployed(3)
    crash(world, 'web-2')
    world.scale('web', 1)
    expect(goneOf(world.servicePass())).toEqual([
      ['web-2', ...crashed],
      ['web-1', 'scale-down', 'the scale was lowered'],
    ])
    expect(left(world)).toEqual(['web-2*', 'web-3'])
  })

  test('goes as stopped, and leaves nothing, where all of its service is stopped', () => {
    const world = deployed(2)
    crash(world, 'web-2')
    world.stop('web')
    expect(goneOf(world.servicePass()).map(([, cause]) => cause)).toEqual(['stopped', 'stopped'])
    expect(left(world)).toEqual([])
  })

  test('leaves nothing where nothing is to be kept', () => {
    const [world] = failingRollout({}, 'stop: {preservestopped: "no"}\n')
    expect(left(world)).toEqual(['web-1', 'web-2'])
  })

  test('does not slow down what its service makes next: nobody has asked for it in its place', () => {
    const world = deployed(2)
    crash(world, 'web-2')
    world.scale('web', 1)
    world.servicePass()
    expect(world.view.services.get(serviceKey(project, 'web'))?.failures).toBeNull()
  })
})

test('a start of a run is judged by its own instance, and by no other that fails', () => {
  const world = new World()
  world.machine('a')
  world.deploy(manifest('1', 'service_type: event\n'))
  world.settle()
  const look = (): void => {
    world.servicePass()
    world.enginePass()
    world.agentPass({ healthy: () => true })
  }
  world.start('web')
  look()
  crash(world, 'web-1')
  world.start('web')
  world.servicePass()
  expect(tasksOf(world).slice(-2)).toEqual(['start failed', 'start active'])
  for (let n = 0; n < 3; n++) {
    look()
    crash(world, 'web-1')
    world.now += 2000
  }
  world.servicePass()
  expect(tasksOf(world).slice(-2)).toEqual(['start failed', 'start completed'])
})
