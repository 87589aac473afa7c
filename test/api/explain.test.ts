// What is told of why instances are where they are, where there are more of them than one answer can tell of.
import { expect, test } from 'vitest'
import { explain } from '../../src/api/explain.js'
import { isProblem } from '../../src/changes/problem.js'
import { describeExplanation } from '../../src/cli/details.js'
import { keys } from '../../src/store/records.js'
import { project, World } from '../world/world.js'

const text = 'compute_type: process\ncommand: [/bin/web]\nmemory: 16M\n'

function explained(world: World, name: string) {
  const told = explain(world.view, world.explainer, project, name, world.now)
  if (isProblem(told)) throw new Error(told.message)
  return told
}

test('all instances are explained where one answer can hold them', () => {
  const world = new World()
  world.machine('a', { memoryMb: 16 * 499 })
  world.deploy(text, { scale: 500 })
  world.settle(undefined, 20)
  const told = explained(world, 'web')
  expect(told.instances).toHaveLength(500)
  expect(told).not.toHaveProperty('leftOut')
  expect(describeExplanation(told)).not.toContain('left out')
})

test('of too many those without a place are explained first, and how many are left out is told', () => {
  const world = new World()
  for (let n = 0; n < 50; n++) world.machine(`m${100 + n}`)
  world.deploy(text, { scale: 302 })
  world.settle(undefined, 20)
  const waiting = world.live('web').slice(-2)
  world.apply(waiting.map(({ unit }) => ({ op: 'delete', key: keys.placement(unit) })))
  const told = explained(world, 'web')
  expect(told.instances).toHaveLength(100)
  expect(told.leftOut).toBe(202)
  const names = told.instances.map(({ name }) => name)
  expect([names.at(0), ...names.slice(-2)]).toEqual(['web-1', 'web-301', 'web-302'])
  expect(told.instances.every(({ machines }) => machines.length === 50)).toBe(true)
  expect(describeExplanation(told)).toContain(
    '\n202 more instances are left out: mariposa service explain INSTANCE',
  )
  expect(explained(world, 'web-200')).toMatchObject({ instances: [{ name: 'web-200' }] })
})

test('only of a machine where the program is up it is said that it runs there', () => {
  const world = new World()
  world.machine('a')
  world.deploy(text)
  world.settle(undefined, 20)
  const [web] = world.live('web')
  if (web === undefined) throw new Error('no instance')
  const told = () => explained(world, 'web').instances[0]?.machines.map(({ reason }) => reason)
  expect(told()).toEqual(['it runs here'])
  world.observe(web, { active: 'failed', sub: 'failed' })
  expect(told()).toEqual(['it is placed here'])
  world.observe(web, { active: 'active', sub: 'running', unknownSince: world.now })
  expect(told()).toEqual(['it is placed here'])
})
