// What is told of tasks and instances that failed.
import { expect, test } from 'vitest'
import { instanceBodyOf } from '../../src/api/bodies.js'
import { failedOf } from '../../src/api/io/failed-logs.js'
import type { Instance } from '../../src/model/service.js'
import type { Task } from '../../src/model/task.js'
import { project, World } from '../world/world.js'

const text = 'compute_type: process\ncommand: [/bin/x]\n'

function instancesOf(world: World): readonly Instance[] {
  return world.view.instancesOf(`${project}/web`)
}

function lastTask(world: World): Task {
  const task = world.view.tasksOf(`${project}/web`).at(-1)
  if (task === undefined) throw new Error('no task')
  return task
}

test('a task shows the lines of the instance that its error names, and of no older one', () => {
  const world = new World()
  world.machine('a')
  world.deploy(text, { scale: 11 })
  world.settle()
  world.now += 1000
  world.deploy(`${text}tags: {a: "1"}\n`)
  world.settle()
  const task = lastTask(world)
  const all = instancesOf(world)
  const nameOf = (error: string | null): readonly string[] =>
    failedOf({ ...task, error }, all).map(({ name }) => name)
  const newest = all.at(-1)?.name ?? ''
  expect(nameOf(`${newest} is unhealthy: GET / answered 500`)).toEqual([newest])
  expect(nameOf(`${newest}: it was not up after 600 s`)).toEqual([newest])
  // Where the error names none, it is about what the task made.
  const made = all.filter(({ createdAt }) => createdAt >= task.createdAt).map(({ name }) => name)
  expect(nameOf('no instance of web can be created: x')).toEqual(made)
})

test('a rollout shows the lines of what it made, also where the clock was set back as it had begun', () => {
  const world = new World()
  world.machine('a')
  world.deploy(text, { scale: 2 })
  world.settle()
  world.deploy(`${text}tags: {a: "1"}\n`)
  world.now -= 3_600_000
  world.settle()
  const error = 'no instance of web can be created: x'
  const made = failedOf({ ...lastTask(world), error }, instancesOf(world))
  expect(made.map(({ n }) => n)).toEqual([3, 4])
})

test('what is retired is not told to be tried again at a time that is over', () => {
  const world = new World()
  world.machine('a')
  world.deploy(text)
  world.settle()
  const [instance] = world.live('web')
  if (instance === undefined) throw new Error('an instance')
  const failure = { code: 'process/no-program', message: 'there is no such program', permanent: false }
  world.observe(instance, { active: 'failed', sub: 'failed', failure, attempts: 2, retryAt: world.now + 500 })
  expect(instanceBodyOf(world.view, instance, world.now).reason).toContain('; tried again at')
  const retired: Instance = { ...instance, retired: { cause: 'failed', at: world.now, kept: true } }
  const later = instanceBodyOf(world.view, retired, world.now + 1000)
  expect([later.reason, later.nextTryAt]).toEqual(['there is no such program', null])
})
