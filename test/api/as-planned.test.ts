// What is executed is what was planned: the planners on a copy and the cluster itself come to the same.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instanceBodyOf } from '../../src/api/bodies.js'
import type { Deploy } from '../../src/changes/deploy.js'
import { decideAsPlanned, planDeploy } from '../../src/changes/plan.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import { describeDifferences } from '../../src/cli/plan-differences.js'
import { openVersionUnits } from '../../src/compile/version-unit.js'
import type { DeployRequest, PlannedService, PlanResponse } from '../../src/contract/contract.js'
import { toEnd } from '../../src/lib/sliced-work.js'
import { serviceKey } from '../../src/store/view.js'
import { defaultSettings as settings } from '../manifest/default-settings.js'
import { randomRuns } from '../random-runs.js'
import { idOf, project, World } from '../world/world.js'

/** PLAN_RUNS=1000 looks longer; each plays two deploys to their end, half a second of computing. */
const runs = randomRuns('PLAN_RUNS', 20)

const unitOf = openVersionUnits(settings)
const toolsOf = ({ explainer }: World) => ({ settings, unitOf, explainer })

interface Given {
  readonly name: string
  readonly mark: number
  readonly memoryMb: number
  readonly port: boolean
  readonly apart: boolean
}

const given = (name: string): fc.Arbitrary<Given> =>
  fc.record({
    name: fc.constant(name),
    mark: fc.integer({ min: 1, max: 3 }),
    memoryMb: fc.constantFrom(64, 300, 700),
    port: fc.boolean(),
    apart: fc.boolean(),
  })

const textOf = (services: readonly Given[]): string =>
  [
    'services:',
    ...services.flatMap(({ name, mark, memoryMb, port, apart }) => [
      `  ${name}:`,
      '    compute_type: process',
      `    command: [/bin/x, "${mark}"]`,
      `    memory: ${memoryMb}`,
      ...(port ? ['    ports: ["8080"]'] : []),
      ...(apart ? [`    affinity: ["service!=${name}"]`] : []),
    ]),
  ].join('\n')

const someServices = fc
  .tuple(given('web'), given('db'), given('old'))
  .chain((all) => fc.subarray(all, { minLength: 1 }))

const scenario = fc.record({
  machines: fc.array(fc.constantFrom(512, 1024, 2048), { minLength: 1, maxLength: 4 }),
  before: someServices,
  scale: fc.integer({ min: 1, max: 4 }),
  after: someServices,
  request: fc.record(
    { rolling: fc.integer({ min: 1, max: 2 }), scale: fc.integer({ min: 0, max: 4 }), prune: fc.boolean() },
    { requiredKeys: [] },
  ),
})

type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never

/** Every service is as it is for good, whatever its rollouts wait for. */
const roundsAtMost = 4000

const requestOf = (services: readonly Given[], options: Partial<DeployRequest>): DeployRequest => ({
  sources: [{ file: 'shop.yml', text: textOf(services) }],
  // What finds no place is planned too.
  waitForRoom: true,
  ...options,
})

/** A deploy that is held to the plan of what would be done now. */
function decided(world: World, request: DeployRequest): Deploy | Problem {
  const plan = request.expect === undefined ? null : planned(world, request)
  return decideAsPlanned(world.view, toolsOf(world), project, request, world.now, null, plan)
}

function deployed(world: World, request: DeployRequest): void {
  const deploy = decided(world, request)
  if (isProblem(deploy)) throw new Error(`${deploy.code}: ${deploy.message}`)
  world.attempt(deploy)
  world.settle(undefined, roundsAtMost)
}

function planned(world: World, request: DeployRequest): PlanResponse | null {
  const plan = planDeploy(world.view, toolsOf(world), project, request, world.now)
  return isProblem(plan) ? null : toEnd(plan.steps)
}

/** Where every live instance is; null for one that waits for a place. */
function places(world: World): ReadonlyMap<string, string | null> {
  return new Map(
    [...world.view.services.values()].flatMap(({ name }) =>
      world
        .live(name)
        .map((one): [string, string | null] => [
          one.name,
          world.view.placements.get(one.unit)?.machine ?? null,
        ]),
    ),
  )
}

/** Where a plan has the instances that it starts, and those that find no place. */
function plannedPlaces(services: readonly PlannedService[]): ReadonlyMap<string, string | null> {
  return new Map(
    services.flatMap(({ start, unplaced }) => [
      ...start.map(({ name, machine }): [string, string | null] => [name, machine]),
      ...unplaced.map(({ name }): [string, null] => [name, null]),
    ]),
  )
}

/** What a plan speaks of: instances that are new, or were to stop. What waited before may find a place in their stead. */
function planSpeaksOf(
  all: ReadonlyMap<string, string | null>,
  services: readonly PlannedService[],
): ReadonlyMap<string, string | null> {
  const isMeant = (name: string): boolean =>
    services.some(
      ({ service, lastInstance, stop }) =>
        stop.some((one) => one.name === name) ||
        (name.startsWith(`${service}-`) && Number(name.slice(service.length + 1)) > lastInstance),
    )
  return new Map([...all].filter(([name]) => isMeant(name)))
}

const sorted = (map: ReadonlyMap<string, string | null>): readonly (readonly [string, string | null])[] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1))

/** Plays a scenario: the plan, and the cluster after it was carried out. */
function carriedOut({ machines, before, scale, after, request: options }: Scenario) {
  const world = new World()
  for (const [n, memoryMb] of machines.entries()) world.machine(`m${n}`, { memoryMb })
  deployed(world, requestOf(before, { scale }))
  const someWaited = world.view.waiting.size > 0
  const request = requestOf(after, options)
  const plan = planned(world, request)
  fc.pre(plan !== null)
  if (plan === null) throw new Error('unreachable')
  deployed(world, { ...request, expect: plan.id })
  return { world, plan, someWaited }
}

/** What the command line tells of a deploy that is done. */
function told(world: World, services: readonly PlannedService[]): readonly string[] {
  return services.flatMap((one) =>
    describeDifferences(
      one,
      world.all(one.service).map((instance) => instanceBodyOf(world.view, instance, world.now)),
      (machine) => machine,
    ),
  )
}

describe('what is executed', () => {
  test('is what was planned for a service where nothing waits: the same instances start, in the same places, and the same ones stop', () => {
    fc.assert(
      fc.property(scenario, (chosen) => {
        const { world, plan, someWaited } = carriedOut({
          ...chosen,
          after: chosen.after.slice(0, 1),
          request: { ...chosen.request, prune: false },
        })
        // What waits for room goes for it too, as soon as there is any: that is told, as of several services.
        fc.pre(!someWaited)
        expect(sorted(planSpeaksOf(places(world), plan.services))).toEqual(
          sorted(plannedPlaces(plan.services)),
        )
        expect(told(world, plan.services)).toEqual([])
      }),
      { numRuns: runs },
    )
  }, 600_000)

  test('of several services that go for the same room may be otherwise, and then that is told', () => {
    fc.assert(
      fc.property(scenario, (chosen) => {
        const { world, plan } = carriedOut(chosen)
        const same =
          JSON.stringify(sorted(planSpeaksOf(places(world), plan.services))) ===
          JSON.stringify(sorted(plannedPlaces(plan.services)))
        expect([same, told(world, plan.services)]).toEqual([
          same,
          same ? [] : expect.arrayContaining([expect.any(String)]),
        ])
      }),
      { numRuns: runs },
    )
  }, 600_000)
})

describe('a plan that a deploy is held to', () => {
  const web = (mark: number): readonly Given[] => [
    { name: 'web', mark, memoryMb: 64, port: false, apart: false },
  ]
  const running = (): World => {
    const world = new World()
    world.machine('a')
    world.machine('b')
    deployed(world, requestOf(web(1), { scale: 2 }))
    return world
  }

  test('is the same a while later, and is carried out; the answer has it', () => {
    const world = running()
    const plan = planned(world, requestOf(web(2), {}))
    world.now += 60_000
    expect(planned(world, requestOf(web(2), {}))?.id).toBe(plan?.id)
    const expecting = requestOf(web(2), { expect: plan?.id ?? '' })
    const deploy = decided(world, expecting)
    expect(isProblem(deploy) ? deploy.code : deploy.response.planned).toEqual(plan?.services)
  })

  test.each<[string, (world: World) => void]>([
    ['the scale changed', (world) => world.scale('web', 3)],
    ['a machine came', (world) => void world.machine('0')],
    ['a machine went', (world) => world.loseMachine(idOf('b'))],
    ['somebody deployed', (world) => deployed(world, requestOf(web(3), {}))],
  ])('is refused where %s, and says what would be done now', (_what, change) => {
    const world = running()
    const plan = planned(world, requestOf(web(2), {}))
    change(world)
    world.settle()
    const before = world.view.services.get(serviceKey(project, 'web'))
    const expecting = requestOf(web(2), { expect: plan?.id ?? '' })
    const deploy = decided(world, expecting)
    expect(deploy).toMatchObject({ status: 409, code: 'deploy/not-as-planned' })
    expect(isProblem(deploy) ? deploy.details?.[0]?.message : '').toContain('would now start web-')
    expect(world.view.services.get(serviceKey(project, 'web'))).toBe(before)
  })

  test('is refused where a value that it would be made of is another one by now, and is done where it is set back', () => {
    const world = running()
    world.meta('colour', 'blue')
    const text = 'name: web\ncompute_type: process\nmemory: 64M\ncommand: [/bin/x, "{{ .meta.colour }}"]\n'
    const asked = { sources: [{ file: 'web.yml', text }], waitForRoom: true }
    const expecting = { ...asked, expect: planned(world, asked)?.id ?? '' }
    world.meta('colour', 'red')
    expect(decided(world, expecting)).toMatchObject({ status: 409, code: 'deploy/not-as-planned' })
    world.meta('colour', 'blue')
    expect(isProblem(decided(world, expecting))).toBe(false)
  })

  test('is refused for another manifest and for other options', () => {
    const world = running()
    const id = planned(world, requestOf(web(2), {}))?.id ?? ''
    for (const other of [requestOf(web(3), { expect: id }), requestOf(web(2), { expect: id, scale: 4 })]) {
      expect(decided(world, other)).toMatchObject({
        code: 'deploy/not-as-planned',
      })
    }
  })
})
