// What a deploy would change, told before it is done.
import { describe, expect, test } from 'vitest'
import { bearsOnPlan } from '../../src/changes/bears-on-plan.js'
import { decideAsPlanned, planDeploy } from '../../src/changes/plan.js'
import { isProblem } from '../../src/changes/problem.js'
import { plainPaint } from '../../src/cli/paint.js'
import { describePlan } from '../../src/cli/plan-text.js'
import { openVersionUnits } from '../../src/compile/version-unit.js'
import type { DeployRequest, PlanResponse } from '../../src/contract/contract.js'
import { type Steps, toEnd } from '../../src/lib/sliced-work.js'
import { keys, putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { defaultSettings as settings } from '../manifest/default-settings.js'
import { idOf, project, World } from '../world/world.js'

const manifest = (mark: string, extra = ''): string =>
  `compute_type: process\ncommand: [/bin/web, "${mark}"]\nhealthchecks:\n  - {type: http, port: 80, path: /}\n${extra}`

const toolsOf = ({ explainer }: World) => ({ settings, unitOf: openVersionUnits(settings), explainer })

function planned(world: World, text: string, options: Partial<DeployRequest> = {}): PlanResponse {
  const request = { sources: [{ file: 'web.yml', text, name: 'web' }], ...options }
  const told = planDeploy(world.view, toolsOf(world), project, request, world.now)
  if (isProblem(told)) throw new Error(told.message)
  return toEnd(told.steps)
}

function deployed(text: string, scale: number, machines: readonly string[] = ['a', 'b']): World {
  const world = new World()
  for (const name of machines) world.machine(name)
  world.deploy(text, { scale })
  world.settle()
  return world
}

const names = (list: readonly { readonly name: string }[]): readonly string[] => list.map(({ name }) => name)

describe('a plan', () => {
  test('of a new service tells where its instances would go', () => {
    const world = new World()
    world.machine('a')
    world.machine('b')
    const [web] = planned(world, manifest('1'), { scale: 2 }).services
    expect(web).toMatchObject({ outcome: 'created', ordinal: 1, previous: null, scale: { from: 0, to: 2 } })
    expect(web?.start.map(({ name, hostname }) => [name, hostname])).toEqual([
      ['web-1', 'a'],
      ['web-2', 'b'],
    ])
  })

  test('tells of just those instances that a deploy then starts and stops, and changes nothing', () => {
    const world = deployed(manifest('1'), 3)
    const before = JSON.stringify([...world.view.services, ...world.view.instances, ...world.view.units])
    const [web] = planned(world, manifest('2'), { canary: 2 }).services
    expect(JSON.stringify([...world.view.services, ...world.view.instances, ...world.view.units])).toBe(
      before,
    )
    expect(web?.diff.map(({ kind, text }) => [kind, text.includes('command')])).toEqual([
      ['gone', true],
      ['new', true],
    ])
    expect([names(web?.stop ?? []), names(web?.start ?? [])]).toEqual([
      ['web-1', 'web-2'],
      ['web-4', 'web-5'],
    ])
    world.deploy(manifest('2'), { canary: 2 })
    world.settle()
    expect(names(world.all('web'))).toEqual(['web-3', 'web-4', 'web-5'])
    const placed = world.live('web').map(({ unit }) => world.view.placements.get(unit)?.machine)
    expect(web?.start.map(({ machine }) => machine)).toEqual(placed.slice(1))
  })

  test('tells what no machine could take, and why', () => {
    const world = deployed(manifest('1', 'ports: ["8080"]\n'), 2)
    const { services } = planned(world, manifest('1', 'ports: ["8080"]\n'), { scale: 3 })
    expect(services[0]?.unplaced).toMatchObject([{ name: 'web-3', hostname: null }])
    expect(services[0]?.unplaced[0]?.reason).toContain('8080')
  })

  test('tells that an old instance goes first where both have no room', () => {
    const world = deployed(manifest('1', 'ports: ["8080"]\n'), 1, ['a'])
    const [web] = planned(world, manifest('2', 'ports: ["8080"]\n')).services
    expect(web?.stop[0]?.reason).toContain(
      'no machine has room for its replacement beside it (host port 8080)',
    )
    expect(names(web?.start ?? [])).toEqual(['web-2'])
  })

  test('of what is there already tells of no change', () => {
    const world = deployed(manifest('1'), 2)
    expect(planned(world, manifest('1'))).toMatchObject({
      changes: false,
      services: [{ start: [], stop: [] }],
    })
  })
})

describe('a plan that takes long', () => {
  const text = 'compute_type: process\ncommand: [/bin/web]\nmemory: 4M\n'

  function stepsOf(world: World, scale: number): Steps<PlanResponse> {
    const request = { sources: [{ file: 'web.yml', text, name: 'web' }], scale }
    const plan = planDeploy(world.view, toolsOf(world), project, request, world.now)
    if (isProblem(plan)) throw new Error(plan.message)
    return plan.steps
  }

  test('is of the cluster as it was when it was asked for, whatever happens between its steps', () => {
    const world = deployed(text, 300)
    const expected = toEnd(stepsOf(world, 600))
    const steps = stepsOf(world, 600)
    let step = steps.next(true)
    expect(step.done).toBe(false)
    world.loseMachine(idOf('b'))
    world.scale('web', 1)
    world.settle()
    while (step.done !== true) step = steps.next(true)
    expect(step.value).toEqual(expected)
    expect(expected.services[0]?.start).toHaveLength(300)
  })

  test('says that it was cut where there was no time for all of it, and no deploy is held to it', () => {
    const world = deployed(text, 1)
    const steps = stepsOf(world, 600)
    let step = steps.next(true)
    while (step.done !== true) step = steps.next(false)
    expect(step.value).toMatchObject({ id: '', cut: true, changes: true })
    expect(describePlan(step.value, plainPaint)).toMatch(/this list is incomplete: .* cut/)
    const request = { sources: [{ file: 'web.yml', text, name: 'web' }], scale: 600, expect: 'any' }
    const held = decideAsPlanned(world.view, toolsOf(world), project, request, world.now, null, step.value)
    expect(held).toMatchObject({ status: 409, code: 'deploy/not-as-planned' })
  })

  test('is made anew for a deploy where something has changed that bears on it, and only then', () => {
    const world = deployed(text, 1)
    world.deploy('', { sources: [{ file: 'other.yml', text, name: 'other' }] })
    world.settle()
    const scope = { project, services: [serviceKey(project, 'web')] }
    const before = { value: '', createRevision: 1, modRevision: 1, lease: null }
    const bears = (key: string): boolean => {
      const previous = { ...before, key }
      const change = { type: 'put', key, entry: previous, previous } as const
      return bearsOnPlan(world.view, scope, change)
    }
    const unitOf = (name: string) => world.live(name)[0]?.unit ?? fail(name)
    const bearing = [
      keys.machine(idOf('a')),
      keys.order(idOf('a')),
      keys.placement(unitOf('other')),
      keys.unit(unitOf('other')),
      keys.report(idOf('a'), unitOf('web')),
      keys.service(project, 'web'),
      keys.version(project, 'web', 1),
      keys.instance(project, 'web', 1),
      keys.meta(project, 'colour'),
      keys.freezes(project),
      keys.task('one that cannot be read'),
    ]
    expect(bearing.filter((key) => !bears(key))).toEqual([])
    const others = [
      keys.report(idOf('a'), unitOf('other')),
      keys.waiting(unitOf('other')),
      keys.service(project, 'other'),
      keys.service(project, 'web-2'),
      keys.version(project, 'other', 1),
      keys.instance(project, 'other', 1),
      keys.meta('elsewhere', 'colour'),
      keys.freezes('elsewhere'),
      keys.file('0000'),
      'metrics/a',
      'events/1',
      'leader',
    ]
    expect(others.filter(bears)).toEqual([])
    const taskChange = (service: string) => {
      const task = world.view.tasksOf(serviceKey(project, service))[0] ?? fail(service)
      const { key, value } = putOf('task', task) as { key: string; value: string }
      return { type: 'delete', key, previous: { ...before, key, value } } as const
    }
    expect(bearsOnPlan(world.view, scope, taskChange('web'))).toBe(true)
    expect(bearsOnPlan(world.view, scope, taskChange('other'))).toBe(false)
    const gone = { type: 'delete', previous: { ...before, key: '' } } as const
    expect(bearsOnPlan(world.view, scope, { ...gone, key: keys.service(project, 'other') })).toBe(true)
    expect(bearsOnPlan(world.view, scope, { ...gone, key: keys.service('elsewhere', 'other') })).toBe(false)
  })
})

function fail(name: string): never {
  throw new Error(`there is no instance of ${name}`)
}
