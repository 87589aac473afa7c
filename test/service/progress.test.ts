// How far a task has come, while it goes on and once it is over.
import { expect, test } from 'vitest'
import { terminateTask } from '../../src/changes/queue.js'
import type { Task } from '../../src/model/task.js'
import { progressOf, stopsOf } from '../../src/service/progress.js'
import { instancesOf } from '../../src/service/situation.js'
import { keys } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { idOf, project, World } from '../world/world.js'

const text = 'compute_type: process\ncommand: [/bin/x]\n'
const checked = `${text}healthchecks: [{type: command, command: /bin/ok}]\n`
const changed = (n: number): string => `${checked}tags: {n: "${n}"}\n`

function running(scale: number): World {
  const world = new World()
  world.machine('a')
  world.deploy(checked, { scale })
  world.settle()
  world.now += 1000
  return world
}

function last(world: World): Task {
  const task = world.view.tasksOf(`${project}/web`).at(-1)
  if (task === undefined) throw new Error('no task')
  return task
}

const far = (world: World) => {
  const task = last(world)
  return { state: task.state, ...progressOf(world.view, task, world.now) }
}

const sick = { healthy: () => false }

test('a rollout that failed counts none of the instances that it left as they were', () => {
  const world = running(1)
  world.deploy(changed(1), { deadlineMs: 5000 })
  world.settle(sick, 40)
  expect(far(world)).toEqual({ state: 'failed', done: 0, total: 1 })
})

test('a rollout that failed on its way counts those of the new version that came up', () => {
  const world = running(3)
  world.deploy(changed(1), { deadlineMs: 20_000 })
  world.settle({ healthy: ({ n }) => n <= 4 }, 100)
  expect(far(world)).toEqual({ state: 'failed', done: 1, total: 3 })
})

test('a rollout that was ended counts what was replaced until then, whatever comes afterwards', () => {
  const world = running(3)
  world.deploy(changed(1))
  world.settle({ healthy: ({ n }) => n <= 4 }, 30)
  expect(far(world)).toEqual({ state: 'active', done: 1, total: 3 })
  const ended = last(world)
  expect(world.attempt(terminateTask(world.view, ended.uuid, false, world.now))).toBeNull()
  expect(far(world)).toEqual({ state: 'terminated', done: 1, total: 3 })
  world.now += 1000
  world.reprovision('web')
  world.settle()
  const over = world.view.tasks.get(ended.uuid)
  if (over === undefined) throw new Error('the task is kept')
  expect(progressOf(world.view, over, world.now)).toEqual({ done: 1, total: 3 })
  expect(far(world)).toEqual({ state: 'completed', done: 3, total: 3 })
})

test('a canary is about the instances that it picks, also where others are in trouble', () => {
  const world = running(3)
  world.deploy(changed(1), { canary: 1, deadlineMs: 5000 })
  world.settle(sick, 40)
  expect(far(world)).toEqual({ state: 'failed', done: 0, total: 1 })
})

test('a rollout that goes back by itself has failed with what it had reached', () => {
  const world = running(2)
  const before = world.view.tasksOf(`${project}/web`).length
  world.deploy(changed(1), { autoRevert: true, deadlineMs: 5000 })
  world.settle(sick, 40)
  const task = world.view.tasksOf(`${project}/web`)[before]
  if (task === undefined) throw new Error('a task')
  expect([task.kind, task.state, progressOf(world.view, task, world.now)]).toEqual([
    'deploy',
    'failed',
    { done: 0, total: 2 },
  ])
})

test('what a freeze ends has reached what it had', () => {
  const world = running(1)
  world.deploy(changed(1))
  world.settle(sick, 5)
  world.freeze('web')
  const deploy = world.view.tasksOf(`${project}/web`).find(({ state }) => state === 'terminated')
  if (deploy === undefined) throw new Error('a deploy that was ended')
  expect(progressOf(world.view, deploy, world.now)).toEqual({ done: 0, total: 1 })
})

test('a task told of before tasks kept how far they came counts what was made since it began', () => {
  const world = running(1)
  world.deploy(changed(1), { deadlineMs: 5000 })
  world.settle(sick, 40)
  const { reached: _unknown, ...old } = last(world)
  expect(progressOf(world.view, old, world.now)).toEqual({ done: 0, total: 1 })
})

test('a rollout that has replaced what it picked, and waits for that to stop, is still about its picks', () => {
  const world = running(3)
  world.deploy(changed(1), { canary: 1 })
  const seen = new Set<string>()
  for (let round = 0; round < 60; round++) {
    world.settle({ healthy: () => true }, 1)
    const { state, done, total } = far(world)
    seen.add(`${state} ${done}/${total}`)
  }
  expect([...seen]).toEqual(['active 0/1', 'active 1/1', 'completed 1/1'])
})

/** All that is told of the last task on its way, its machines stopping no more than one instance in each round. */
function stopsTold(world: World, instances: readonly string[]): readonly string[] {
  const told: string[] = []
  const tell = (): void => {
    const { state, done, total } = far(world)
    const line = `${state} ${done}/${total}`
    if (told.at(-1) !== line) told.push(line)
  }
  tell()
  for (const name of instances) {
    world.servicePass()
    tell()
    const instance = world.all('web').find((one) => one.name === name)
    if (instance !== undefined) world.observe(instance, { active: 'inactive', launched: false })
    tell()
  }
  world.settle()
  tell()
  return told
}

test('a stop counts the instances that were seen to have stopped', () => {
  const world = running(3)
  world.stop('web')
  expect(stopsTold(world, ['web-1', 'web-2'])).toEqual([
    'active 0/3',
    'active 1/3',
    'active 2/3',
    'completed 3/3',
  ])
})

test('a stop or a scale with nothing to stop counts nothing', () => {
  const world = running(1)
  world.stop('web')
  world.settle()
  world.stop('web')
  world.settle()
  expect(far(world)).toEqual({ state: 'completed', done: 0, total: 0 })
  world.scale('web', 0)
  world.settle()
  expect(far(world)).toEqual({ state: 'completed', done: 0, total: 0 })
})

test('stopping one version while a rollout goes on ends the rollout with its task', () => {
  const world = running(3)
  world.deploy(changed(1))
  world.settle({ healthy: ({ n }) => n <= 4 }, 30)
  const deploy = last(world)
  expect(world.view.services.get(serviceKey(project, 'web'))?.rollout).not.toBeNull()
  expect(world.tryStop('web', '1')).toBeNull()
  expect(world.view.tasks.get(deploy.uuid)?.state).toBe('terminated')
  expect(world.view.services.get(serviceKey(project, 'web'))?.rollout).toBeNull()
  world.settle()
  expect(world.live('web').map(({ n }) => n)).toEqual([4])
})

test('a deletion counts the instances that were seen to have stopped, or are gone', () => {
  const world = running(3)
  world.delete('web')
  const told: string[] = []
  for (const name of ['web-1', 'web-2', 'web-3']) {
    world.servicePass()
    const instance = world.all('web').find((one) => one.name === name)
    if (instance === undefined) throw new Error(name)
    world.observe(instance, { active: 'inactive', launched: false })
    const { done, total } = far(world)
    told.push(`${done}/${total}`)
  }
  expect(told).toEqual(['1/3', '2/3', '3/3'])
})

test('a deletion never counts fewer than it did, in whatever order machines tell of what they unload', () => {
  const world = running(4)
  world.delete('web')
  const seen: number[] = []
  for (let round = 0; round < 60 && last(world).state !== 'completed'; round++) {
    world.servicePass()
    seen.push(far(world).done)
    // A machine drops what it said of a unit as soon as that is unloaded, and the place goes afterwards.
    const first = world.all('web').find(({ unit }) => world.view.reportOf(unit) !== null)
    if (first === undefined) world.enginePass()
    else if (world.view.units.get(first.unit)?.desired === 'inactive')
      world.apply([{ op: 'delete', key: keys.report(idOf('a'), first.unit) }])
    else world.observe(first, { launched: false, active: 'inactive', sub: 'dead' })
    seen.push(far(world).done)
    world.now += 10
  }
  expect(seen).toEqual([...seen].sort((one, other) => one - other))
  expect(seen).toContain(4)
})

test('a scale that is lowered counts those that go, and not those that stay', () => {
  const world = running(5)
  world.scale('web', 3)
  expect(stopsTold(world, ['web-1'])).toEqual(['active 0/2', 'active 1/2', 'completed 2/2'])
})

test('a scale that is raised counts those that are up', () => {
  const world = running(2)
  world.scale('web', 4)
  expect(far(world)).toEqual({ state: 'active', done: 2, total: 4 })
})

test('a scale to the number that was asked for already stops nothing, also while there are too many', () => {
  const world = running(3)
  const [asked] = world.view.services.values()
  if (asked === undefined) throw new Error('no service')
  const [there, fewer] = [{ instances: instancesOf(world.view, `${project}/web`) }, { ...asked, scale: 2 }]
  expect(stopsOf('scale', fewer, fewer, there)).toEqual({})
  expect(stopsOf('scale', asked, fewer, there)).toEqual({ stops: 1 })
})
