// A deploy that is drafted in steps, while the cluster goes on, is decided as one that looks at the cluster once, at last.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideDeploy } from '../../src/changes/deploy.js'
import { DeployDraft } from '../../src/changes/draft.js'
import { Found } from '../../src/changes/draft-parts.js'
import { decidePlaceable } from '../../src/changes/plan.js'
import { isProblem } from '../../src/changes/problem.js'
import { deleteProject, type FoundChanges, startProject, stopProject } from '../../src/changes/projects.js'
import { pruneOthers } from '../../src/changes/prune.js'
import { freezeScope } from '../../src/changes/queue.js'
import { openVersionUnits } from '../../src/compile/version-unit.js'
import type { DeployRequest } from '../../src/contract/contract.js'
import { type Steps, toEnd } from '../../src/lib/sliced-work.js'
import { defaultSettings as settings } from '../manifest/default-settings.js'
import { project, World } from '../world/world.js'

const names = ['web', 'db', 'old'] as const
type Name = (typeof names)[number]

const textOf = (mark: number): string =>
  `compute_type: process\ncommand: [/bin/x, "${mark}"]\nmemory: 16M\nenvironment:\n  ASKED: '{{ default .meta.asked "none" }}'\n`

const requestOf = (marks: readonly { readonly name: Name; readonly mark: number }[]): DeployRequest => ({
  sources: marks.map(({ name, mark }) => ({ file: `${name}.yml`, text: textOf(mark), name })),
  waitForRoom: true,
})

const named = fc.constantFrom(...names)
const mark = fc.integer({ min: 1, max: 3 })
const happening = fc.oneof(
  fc.record({ do: fc.constant('deploy' as const), name: named, mark }),
  fc.record({ do: fc.constant('scale' as const), name: named, to: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ do: fc.constantFrom('stop' as const, 'freeze' as const, 'delete' as const), name: named }),
  fc.record({ do: fc.constant('meta' as const), value: fc.constantFrom('a', 'b') }),
  fc.record({ do: fc.constantFrom('pass' as const, 'machine' as const, 'nothing' as const) }),
)
type Happening = typeof happening extends fc.Arbitrary<infer H> ? H : never

let machines = 0
/** What others do meanwhile; what is refused is not done. */
function happen(world: World, one: Happening): void {
  const isThere = 'name' in one && world.view.services.has(`${project}/${one.name}`)
  if (one.do === 'deploy') world.tryDeploy('', requestOf([one]))
  else if (one.do === 'scale') world.tryScale(one.name, one.to)
  else if (one.do === 'stop') world.tryStop(one.name)
  else if (one.do === 'meta') world.meta('asked', one.value)
  else if (one.do === 'machine') world.machine(`m${machines++}`, { drivers: ['process', 'docker'] })
  else if (one.do === 'freeze' && isThere)
    world.attempt(freezeScope(world.view, project, one.name, world.now))
  else if (one.do === 'delete' && isThere && world.tryStop(one.name) === null) world.servicePass()
  else if (one.do === 'pass') {
    world.servicePass()
    world.enginePass()
  }
}

function afterEachStep(draft: DeployDraft, world: World, act: () => void): void {
  const steps = draft.steps(world.view, world.explainer)
  while (steps.next(true).done !== true) act()
}

describe('a draft', () => {
  test('decides what would be decided without it, whatever happens while it is made', () => {
    const marks = fc
      .subarray([...names], { minLength: 1 })
      .chain((some) => fc.tuple(...some.map((name) => mark.map((number) => ({ name, mark: number })))))
    const seen = { steps: 0, changed: 0 }
    fc.assert(
      fc.property(
        marks,
        fc.array(happening, { maxLength: 8 }),
        fc.array(happening, { maxLength: 8 }),
        (asked, before, meanwhile) => {
          const world = new World()
          world.machine('a')
          world.meta('asked', 'a')
          for (const one of before) happen(world, one)
          const { now } = world
          const request = requestOf(asked)
          const draft = new DeployDraft({ settings, project, request, now, images: null })
          const left = [...meanwhile]
          afterEachStep(draft, world, () => {
            seen.steps++
            const next = left.shift()
            if (next !== undefined) happen(world, next)
          })
          for (const one of left) happen(world, one)
          if (!draft.isDone(world.view)) seen.changed++
          const anew = decideDeploy(world.view, settings, project, request, now)
          expect(decideDeploy(world.view, settings, project, request, now, null, draft)).toEqual(anew)
        },
      ),
      { numRuns: 100 },
    )
    expect(seen.steps).toBeGreaterThan(100)
    expect(seen.changed).toBeGreaterThan(10)
  })

  test('leaves little to the decision: what it has found is found once', () => {
    const world = new World()
    world.machine('a')
    const request = requestOf(names.map((name) => ({ name, mark: 1 })))
    const draft = new DeployDraft({ settings, project, request, now: world.now, images: null })
    let steps = 0
    afterEachStep(draft, world, () => steps++)
    expect(steps).toBeGreaterThanOrEqual(2 * names.length)
    expect(draft.isDone(world.view)).toBe(true)
    const decided = () => decideDeploy(world.view, settings, project, request, world.now, null, draft)
    const [one, other] = [decided(), decided()]
    if (isProblem(one) || isProblem(other)) throw new Error('it is refused')
    expect(one.made).toHaveLength(names.length)
    expect(one.made.every((made, n) => made === other.made[n])).toBe(true)
  })

  test('two sources of one name are told of as without it', () => {
    const world = new World()
    world.machine('a')
    const request = requestOf([
      { name: 'web', mark: 1 },
      { name: 'web', mark: 2 },
    ])
    const draft = new DeployDraft({ settings, project, request, now: world.now, images: null })
    afterEachStep(draft, world, () => happen(world, { do: 'meta', value: 'b' }))
    const refused = decideDeploy(world.view, settings, project, request, world.now, null, draft)
    expect(refused).toMatchObject({ code: 'manifest/invalid' })
    expect(refused).toEqual(decideDeploy(world.view, settings, project, request, world.now))
  })

  test('what found no machine is tried again when it is decided', () => {
    const world = new World()
    world.machine('a', { memoryMb: 8 })
    const request = { ...requestOf([{ name: 'web', mark: 1 }]), waitForRoom: false }
    const tools = { settings, unitOf: openVersionUnits(settings), explainer: world.explainer }
    const draft = new DeployDraft({ settings, project, request, now: world.now, images: null })
    afterEachStep(draft, world, () => {})
    const decided = () => decidePlaceable(world.view, tools, project, request, world.now, null, draft)
    expect(decided()).toMatchObject({ code: 'deploy/no-machine' })
    world.machine('b', { memoryMb: 1000 })
    expect(decided()).not.toMatchObject({ code: 'deploy/no-machine' })
  })
})

test('what is found out about a whole project in steps, while the cluster goes on, changes nothing of what is decided', () => {
  type Verb = (view: World['view'], name: string, now: number, found: FoundChanges) => Steps<unknown>
  const verbs: Readonly<Record<'stop' | 'start' | 'delete' | 'prune', Verb>> = {
    stop: stopProject,
    start: startProject,
    delete: (view, name, now, found) => deleteProject(view, name, true, now, found),
    prune: (view, name, now, found) => pruneOthers(view, name, ['web'], now, found),
  }
  const verb = fc.constantFrom(...(['stop', 'start', 'delete', 'prune'] as const))
  fc.assert(
    fc.property(
      fc.array(happening, { maxLength: 3 }),
      fc.array(happening),
      verb,
      (before, meanwhile, which) => {
        const world = new World()
        world.machine('m')
        world.deploy('', requestOf(names.map((name) => ({ name, mark: 1 }))))
        for (const one of before) happen(world, one)
        const { now } = world
        const found: FoundChanges = new Found()
        const left = [...meanwhile]
        const steps = verbs[which](world.view, project, now, found)
        while (steps.next(true).done !== true) {
          const [one] = left.splice(0, 1)
          if (one !== undefined) happen(world, one)
        }
        const decided = toEnd(verbs[which](world.view, project, now, found))
        expect(decided).toEqual(toEnd(verbs[which](world.view, project, now, new Found())))
      },
    ),
  )
})
