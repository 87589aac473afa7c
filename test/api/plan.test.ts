// What a deploy would change, told before it is done.
import { describe, expect, test } from 'vitest'
import type { DeployRequest, PlanResponse } from '../../src/api/contract.js'
import { planDeploy } from '../../src/api/plan.js'
import { isProblem } from '../../src/api/problem.js'
import { openVersionUnits } from '../../src/compile/version-unit.js'
import { defaultSettings as settings } from '../../src/manifest/settings.js'
import { project, World } from '../world/world.js'

const manifest = (mark: string, extra = ''): string =>
  `compute_type: process\ncommand: [/bin/web, "${mark}"]\nhealthchecks:\n  - {type: http, port: 80, path: /}\n${extra}`

const toolsOf = ({ explainer }: World) => ({ settings, unitOf: openVersionUnits(settings), explainer })

function planned(world: World, text: string, options: Partial<DeployRequest> = {}): PlanResponse {
  const request = { sources: [{ file: 'web.yml', text, name: 'web' }], ...options }
  const told = planDeploy(world.view, toolsOf(world), project, request, world.now)
  if (isProblem(told)) throw new Error(told.message)
  return told
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
