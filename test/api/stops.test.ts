// Stops that take their time, and deletions that somebody ends half-way, as decisions.
import { describe, expect, test } from 'vitest'
import { serviceBodyOf } from '../../src/api/bodies.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import { freezeScope, terminateTask, unfreezeScope } from '../../src/changes/queue.js'
import { type Change, deleteService, stopService } from '../../src/changes/services.js'
import type { Service } from '../../src/model/service.js'
import type { Task } from '../../src/model/task.js'
import { keys } from '../../src/store/records.js'
import { idOf, project, World } from '../world/world.js'

const text = 'compute_type: process\ncommand: [/bin/x]\nstop: {timeout: -1}\n'

function running(scale: number): World {
  const world = new World()
  world.machine('a')
  world.deploy(text, { scale })
  world.settle()
  return world
}

const serviceOf = (world: World): Service => {
  const service = world.view.services.get(`${project}/web`)
  if (service === undefined) throw new Error('no service')
  return service
}

const bodyOf = (world: World) => serviceBodyOf(world.view, serviceOf(world), world.now)

const openTask = (world: World): Task | undefined =>
  world.view
    .tasksOf(`${project}/web`)
    .find(({ finishedAt, kind }) => finishedAt === null && kind !== 'freeze')

const stop = (world: World, request: Parameters<typeof stopService>[3]): Change | Problem =>
  stopService(world.view, project, 'web', request, world.now)

const remove = (world: World, request: Parameters<typeof deleteService>[3]): Change | Problem =>
  deleteService(world.view, project, 'web', request, world.now)

test('a service is stopping until the last of its programs has stopped', () => {
  const world = running(2)
  world.stop('web')
  expect(bodyOf(world)).toMatchObject({ status: 'stopping', running: 2 })
  world.servicePass()
  expect(bodyOf(world)).toMatchObject({
    status: 'stopping',
    running: 0,
    reason: 'web-1 and 1 more have not stopped yet',
  })
  world.settle()
  expect(bodyOf(world)).toMatchObject({ status: 'stopped', reason: '' })
})

test('a task that is ended leaves nothing that looks stopped and runs', () => {
  const world = running(1)
  world.stop('web')
  world.servicePass()
  world.apply((terminateTask(world.view, openTask(world)?.uuid ?? '', false, world.now) as Change).ops)
  expect(bodyOf(world).status).toBe('stopping')
})

describe('what is told of a stop', () => {
  test('is no more than is known: it is to stop, and is removed when it has', () => {
    const world = running(1)
    const asked = stop(world, {}) as Change
    expect(asked.events.map(({ message }) => message)).toEqual(['web is to stop'])
    world.attempt(asked)
    world.told.splice(0)
    world.servicePass()
    expect(world.told).toEqual(['web-1 is to stop: the service was told to stop'])
    world.settle()
    expect(world.told.slice(1)).toEqual(['web-1 is removed', 'stop is done'])
  })

  test('with a machine that is away says that nobody knows', () => {
    const world = running(1)
    world.stop('web')
    world.servicePass()
    world.loseMachine(idOf('a'))
    world.settle()
    expect(world.told).toContain('web-1 is given up: its machine is down, and stops it when it returns')
    expect(world.told).not.toContain('web-1 is removed')
  })

  test('of one version, and of a deletion that is ended, likewise', () => {
    const world = running(1)
    const asked = stop(world, { version: '1' }) as Change
    expect(asked.events.map(({ message }) => message)).toEqual(['version 1 of web is to stop'])
    world.delete('web')
    world.servicePass()
    const ended = terminateTask(world.view, openTask(world)?.uuid ?? '', false, world.now) as Change
    expect(ended.events.map(({ message }) => message).join()).toContain('its instances continue to stop')
  })
})

describe('who joins what goes on', () => {
  test('gets the task of the stop, and changes nothing', () => {
    const world = running(1)
    world.stop('web')
    world.servicePass()
    const going = openTask(world)
    expect(stop(world, { join: true })).toEqual({
      decidedOn: [],
      seen: [keys.task(going?.uuid ?? '')],
      ops: [],
      events: [],
      tasks: [],
      joined: [going],
    })
    const version = { version: '1', join: true }
    expect(stop(world, version)).toMatchObject({ ops: [], joined: [going] })
    const refused = stop(world, {}) as Problem
    expect([refused.code, refused.hint]).toEqual(['service/busy', expect.stringContaining('web --now')])
  })

  test('gets the task of the deletion, for a stop as well', () => {
    const world = running(1)
    world.delete('web')
    world.servicePass()
    const going = openTask(world)
    expect(going?.kind).toBe('delete')
    expect(remove(world, { join: true })).toMatchObject({ ops: [], joined: [going] })
    expect(stop(world, { join: true })).toMatchObject({ ops: [], joined: [going] })
    const refused = remove(world, { force: true }) as Problem
    expect([refused.code, refused.hint]).toEqual(['service/deleting', expect.stringContaining('--now')])
  })

  test('is told that the volumes stay where the deletion that goes on leaves them', () => {
    const world = running(1)
    world.delete('web')
    world.servicePass()
    expect(remove(world, { join: true, force: true, volumes: true })).toMatchObject({
      code: 'service/deleting',
      message: expect.stringContaining('its volumes are kept') as string,
    })
  })

  test('begins anew where nothing goes on, and where less is being stopped than is asked for', () => {
    const world = running(1)
    const begun = stop(world, { join: true }) as Change
    expect(begun.tasks).toMatchObject([{ kind: 'stop' }])
    expect(begun.joined).toBeUndefined()
    world.deploy(`${text}tags: {a: "1"}\n`, { canary: 1 })
    world.settle()
    world.scale('web', 3)
    world.settle()
    world.tryStop('web', '1')
    world.servicePass()
    if (openTask(world)?.kind === 'stop') expect(isProblem(stop(world, { join: true }))).toBe(true)
  })

  test('deletes what only stops', () => {
    const world = running(1)
    world.stop('web')
    world.servicePass()
    expect(remove(world, { join: true, force: true })).toMatchObject({ tasks: [{ kind: 'delete' }] })
  })
})

describe('a deletion that somebody ends', () => {
  test('by a freeze: the answer says what is left, and a start brings the scale back', () => {
    const world = running(2)
    world.attempt(remove(world, { force: true, volumes: true }))
    world.servicePass()
    const frozen = freezeScope(world.view, project, 'web', world.now) as Change
    expect(frozen.ended).toMatchObject([{ kind: 'delete', state: 'terminated' }])
    const told = frozen.ended?.[0]?.error ?? ''
    expect(told).toContain('mariposa service delete web --force continues')
    expect(frozen.events.map(({ message }) => message).join()).toContain(told)
    world.attempt(frozen)
    world.attempt(unfreezeScope(world.view, project, 'web', world.now))
    // Whoever deletes it later says anew whether the volumes go.
    expect(serviceOf(world)).toMatchObject({ deleting: false, scale: 0, stoppedFrom: 2 })
    expect(serviceOf(world).deleteVolumes).toBeUndefined()
    world.settle()
    expect(world.start('web')).toBeNull()
    world.settle()
    expect(world.serving('web')).toHaveLength(2)
  })

  test('by an operator: likewise', () => {
    const world = running(1)
    world.delete('web')
    world.servicePass()
    const ended = terminateTask(world.view, openTask(world)?.uuid ?? '', false, world.now) as Change
    expect(ended.events.map(({ message }) => message).join()).toContain('service start web starts')
  })
})
