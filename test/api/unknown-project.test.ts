// A project that nobody has heard of is told from one that has nothing.
import { describe, expect, test } from 'vitest'
import { KeptBodies } from '../../src/api/kept-bodies.js'
import { projectDetails } from '../../src/api/project-bodies.js'
import { Found } from '../../src/changes/draft-parts.js'
import { findMeta, setMeta } from '../../src/changes/meta.js'
import { stopProject, unknownProject } from '../../src/changes/projects.js'
import { freezeScope, unfreezeScope } from '../../src/changes/queue.js'
import { toEnd } from '../../src/lib/sliced-work.js'
import { World } from '../world/world.js'

const made = (): World => {
  const world = new World()
  world.machine('a')
  world.deploy('compute_type: process\ncommand: [/bin/x]\n')
  world.settle()
  return world
}

test('the default project is known from the first day, also where it is shown or stopped as a whole', () => {
  const { view, now } = new World()
  expect(unknownProject(view, 'default')).toBeNull()
  expect(projectDetails(view, 'default', new KeptBodies(view).at(now))).toMatchObject({
    name: 'default',
    status: 'empty',
    services: [],
    meta: 0,
  })
  expect(toEnd(stopProject(view, 'default', now, new Found()))).not.toHaveProperty('code')
})

test('any other one is an error, with what shows those that are there', () => {
  expect(unknownProject(made().view, 'shop')).toMatchObject({
    status: 404,
    code: 'project/unknown',
    message: 'there is no project "shop"',
  })
})

describe('a project is known', () => {
  test('by its metadata', () => {
    const world = made()
    world.attempt(setMeta(world.view, 'shop', 'color', { value: 'red' }, (text) => text, world.now))
    expect(unknownProject(world.view, 'shop')).toBeNull()
  })

  test('by what was done there, also when it is deleted', () => {
    const world = made()
    world.delete('web')
    world.settle()
    expect(world.view.services.size).toBe(0)
    const [task] = world.view.tasks.values()
    expect(unknownProject(world.view, task?.project ?? '')).toBeNull()
  })
})

test('one that nobody has heard of is not said to lack a key of metadata', () => {
  const { view } = made()
  expect(findMeta(view, 'shpo', 'color')).toMatchObject({ code: 'project/unknown' })
  expect(findMeta(view, 'default', 'color')).toMatchObject({ code: 'meta/unknown' })
})

test('one that nobody has heard of cannot be frozen: it is a slip of the keyboard', () => {
  const world = made()
  expect(freezeScope(world.view, 'shpo', undefined, world.now)).toMatchObject({ code: 'project/unknown' })
})

test('one that nobody has heard of is not said to be not frozen, nor is such a service', () => {
  const { view, now } = made()
  expect(unfreezeScope(view, 'shpo', undefined, now)).toMatchObject({ code: 'project/unknown' })
  expect(unfreezeScope(view, 'default', 'wbe', now)).toMatchObject({ code: 'service/unknown' })
  expect(unfreezeScope(view, 'default', undefined, now)).toMatchObject({ code: 'queue/not-frozen' })
  expect(unfreezeScope(view, 'default', 'web', now)).toMatchObject({ code: 'queue/not-frozen' })
})
