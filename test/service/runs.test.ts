// The history of runs, with the real planners on a cluster in memory.
import { describe, expect, test } from 'vitest'
import { instanceBodyOf, serviceBodyOf } from '../../src/api/bodies.js'
import { projectBodies } from '../../src/api/project-bodies.js'
import { runsKept, type Schedule } from '../../src/model/schedule.js'
import { withAllStopped } from '../../src/model/service.js'
import { decideFiring, stateFor } from '../../src/schedule/decide.js'
import { timetableOf } from '../../src/schedule/timetable.js'
import { describeRun, hasStarted, writesOf } from '../../src/schedule/writes.js'
import { lostKeptMs } from '../../src/service/retire.js'
import { putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { bodiesOf } from '../world/bodies.js'
import { idOf, project, World } from '../world/world.js'

const event = (more = ''): string =>
  `service_type: event\ncompute_type: process\ncommand: [/bin/job]\nrestart: "no"\n${more}`

const schedule: Schedule = {
  ...{ kind: 'interval', expression: 'R/1970-01-01T00:00:00Z/PT1S', epsilonMs: 1000 },
  ...{ timezone: null, overlap: 'replace' },
}

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

describe('an event service', () => {
  test('is idle while nothing of it runs, and so is a project of such', () => {
    const world = deployed(event())
    const service = () => world.view.services.get(serviceKey(project, 'web')) ?? expect.fail('no service')
    const status = () => serviceBodyOf(world.view, service(), world.now)
    world.settle()
    expect(status()).toMatchObject({ status: 'idle', reason: '', running: 0 })
    expect(projectBodies(world.view, ['default'], bodiesOf(world.view, world.now))).toMatchObject([
      { status: 'idle' },
    ])
    start(world)
    expect(status()).toMatchObject({ status: 'deploying', running: 1 })
    world.settle()
    expect(status()).toMatchObject({ status: 'running', running: 1 })
    end(world, 0)
    expect(status()).toMatchObject({ status: 'idle', reason: '', running: 0 })
  })
})

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

describe('a run that is told to stop on a machine that is away', () => {
  /** One that runs on `a`, which is away when it is told to stop. */
  function stoppedAway(): World {
    const world = deployed(event('stop: {preservestopped: "no"}\n'))
    start(world)
    world.settle()
    world.loseMachine(idOf('a'))
    world.settle()
    world.stop('web')
    world.settle()
    return world
  }

  const tasks = (world: World) =>
    world.view.tasksOf(serviceKey(project, 'web')).map(({ kind, state }) => `${kind} ${state}`)

  test('has not ended: the stop goes on, and says whose machine is away', () => {
    const world = stoppedAway()
    expect(runs(world)).toMatchObject([{ instance: 'web-1', endedAt: null, exit: null }])
    expect(tasks(world).at(-1)).toBe('stop active')
    const [instance] = world.all('web')
    if (instance === undefined) throw new Error('an instance')
    expect(instanceBodyOf(world.view, instance, world.now)).toMatchObject({
      state: 'lost',
      reason: 'its machine a0000000 is down, and stops it when it returns',
    })
    const service = world.view.services.get(serviceKey(project, 'web'))
    expect(service && serviceBodyOf(world.view, service, world.now)).toMatchObject({
      status: 'stopping',
      reason: 'web-1 has not been seen to stop: its machine is down',
    })
  })

  test('ends as it was seen to when the machine is back', () => {
    const world = stoppedAway()
    const backAt = world.now
    world.machine('a')
    world.settle()
    expect(world.all('web')).toEqual([])
    expect(runs(world)).toMatchObject([{ instance: 'web-1', exit: { signal: 'SIGTERM' } }])
    expect(runs(world)[0]?.endedAt).toBeGreaterThanOrEqual(backAt)
    expect(tasks(world).at(-1)).toBe('stop completed')
  })

  test('is given up with the machine after an hour, and nobody saw how it ended', () => {
    const world = stoppedAway()
    world.now += lostKeptMs
    world.settle()
    expect(world.all('web')).toEqual([])
    expect(tasks(world).at(-1)).toBe('stop completed')
    expect(world.told).toContain('web-1 is given up: its machine is down, and stops it when it returns')
    const [run] = runs(world)
    expect(run && describeRun(run)).toBe('it is gone, and its exit status is unknown')
  })

  test('holds up nothing else: the next one starts elsewhere, and the stop ends for it', () => {
    const world = stoppedAway()
    world.machine('b')
    expect(world.start('web')).toBeNull()
    world.settle()
    expect(world.serving('web').map(({ name }) => name)).toEqual(['web-2'])
    expect(tasks(world).slice(-2)).toEqual(['stop terminated', 'start completed'])
    expect(runs(world)).toMatchObject([
      { instance: 'web-1', endedAt: null },
      { instance: 'web-2', endedAt: null },
    ])
    world.machine('a')
    world.settle()
    expect(world.all('web').map(({ name }) => name)).toEqual(['web-2'])
    expect(runs(world)).toMatchObject([{ exit: { signal: 'SIGTERM' } }, { endedAt: null }])
  })

  test('goes with its service', () => {
    const world = stoppedAway()
    world.delete('web')
    world.settle()
    expect(world.view.services.size).toBe(0)
  })
})

describe('a run that is told to stop before its instance is made', () => {
  /** A firing that has been decided, of which nothing is made yet. */
  function fired(): World {
    const world = deployed(event())
    const service = world.view.services.get(serviceKey(project, 'web'))
    if (service === undefined) throw new Error('a service')
    const state = stateFor(service, schedule, world.now, undefined, world.now)
    const decision = decideFiring(state, timetableOf(schedule, state.origin), false, world.now)
    world.apply(writesOf(world.view, service, decision, undefined).ops)
    expect(runs(world)).toMatchObject([{ by: 'schedule', instance: 'web-1', endedAt: null }])
    return world
  }

  test.each([
    ['by an operator', (world: World) => world.stop('web')],
    ['for the firing after it', (world: World) => replace(world)],
  ])('%s ends, and no other gets its number', (_who, stop) => {
    const world = fired()
    stop(world)
    world.settle()
    expect(world.all('web')).toEqual([])
    const [run] = runs(world)
    expect(run).toMatchObject({ instance: 'web-1', endedAt: expect.any(Number), exit: null })
    expect(run && describeRun(run)).toBe('it was stopped before it started')
    start(world)
    expect(world.live('web').map(({ name }) => name)).toEqual(['web-2'])
  })
})

test('a start whose run was told to stop before it was made has failed, and says so', () => {
  const world = deployed(event())
  world.settle()
  world.start('web')
  replace(world)
  world.settle()
  expect(world.all('web')).toEqual([])
  expect(world.view.tasksOf(serviceKey(project, 'web')).at(-1)).toMatchObject({
    ...{ kind: 'start', state: 'failed' },
    error: 'web-1 was withdrawn before it started: the service was told to stop',
  })
})

describe('a firing whose time comes again, as the clock was set back,', () => {
  test('starts nothing more, not even by another schedule that was deployed since', () => {
    const world = deployed(event())
    const service = world.view.services.get(serviceKey(project, 'web')) ?? expect.fail('a service')
    const dueAt = world.now - (world.now % 1000) + 1000
    const first = stateFor(service, schedule, dueAt - 1, undefined, dueAt)
    const decision = decideFiring(first, timetableOf(schedule, first.origin), false, dueAt)
    world.apply(writesOf(world.view, service, decision, undefined).ops)
    expect(runs(world)).toMatchObject([{ dueAt, instance: 'web-1' }])

    const other: Schedule = { ...schedule, overlap: 'allow' }
    const before = dueAt - 500
    const anew = stateFor(service, other, before, decision.state, before)
    const wasStarted = (due: number): boolean => hasStarted(world.view, service, due)
    const timetable = timetableOf(other, anew.origin)
    const again = decideFiring(anew, timetable, false, dueAt, wasStarted)
    expect(again).toMatchObject({ action: null, run: null, wakeAt: dueAt })
    const next = decideFiring(again.state, timetable, false, dueAt + 1000, wasStarted)
    expect(next).toMatchObject({ action: 'start', run: { dueAt: dueAt + 1000 } })
  })
})

/** What `overlap: replace` does when the next firing is due. */
function replace(world: World): void {
  const service = world.view.services.get(serviceKey(project, 'web'))
  if (service !== undefined) world.apply([putOf('service', withAllStopped(service))])
}

test('a service that is continuous has no runs', () => {
  const world = deployed('compute_type: process\ncommand: [/bin/web]\n')
  world.settle()
  expect(world.live('web')).toHaveLength(1)
  expect(runs(world)).toEqual([])
})

test('starts that waited behind a deploy begin together, as starts do', () => {
  const world = deployed(event())
  const states = (): readonly string[] =>
    world.view.tasksOf(serviceKey(project, 'web')).map(({ kind, state }) => `${kind} ${state}`)
  world.settle()
  start(world)
  world.now += 1
  world.deploy(event('labels: {a: b}\n'))
  for (let n = 0; n < 5; n++) {
    world.now += 1
    expect(world.start('web')).toBeNull()
  }
  expect(states().slice(-6)).toEqual(['deploy queued', ...Array(5).fill('start queued')])
  for (let round = 0; states().includes('deploy queued') && round < 50; round++) world.settle(undefined, 1)
  for (let pass = 0; pass < 20; pass++) world.servicePass()
  expect(states().slice(-5)).toEqual(Array(5).fill('start active'))
  world.settle()
  expect(runs(world)).toHaveLength(6)
})

test('starts that are asked for in one instant while a deploy goes on are each done', () => {
  const world = deployed(event())
  world.start('web')
  world.start('web')
  world.start('web')
  const starts = () => world.view.tasksOf(serviceKey(project, 'web')).filter(({ kind }) => kind === 'start')
  expect(starts().map(({ state }) => state)).toEqual(['queued', 'queued', 'queued'])
  world.settle()
  expect(starts().map(({ state }) => state)).toEqual(['completed', 'completed', 'completed'])
  expect(runs(world)).toHaveLength(3)
})
