// Listings that keep what they are made of say what listings say that are made anew, whatever has happened.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KeptBodies } from '../../src/api/kept-bodies.js'
import { servicesOfProject } from '../../src/changes/projects.js'
import { freezeScope } from '../../src/changes/queue.js'
import { deleteService } from '../../src/changes/services.js'
import type { UnitReport } from '../../src/model/unit.js'
import { serviceKey } from '../../src/store/view.js'
import { bodiesOf } from '../world/bodies.js'
import { idOf, project, World } from '../world/world.js'

const names = ['web', 'db'] as const
const named = fc.constantFrom(...names)
const machines = ['a', 'b'] as const
const textOf = (mark: number, memoryMb: number): string =>
  `compute_type: process\ncommand: [/bin/x, "${mark}${mark === 1 ? '{{ .meta.color }}' : ''}"]\nmemory: ${memoryMb}M\nhealthchecks: [{type: http, port: 80}]\n`

const happening = fc.oneof(
  fc.record({
    do: fc.constant('deploy' as const),
    name: named,
    mark: fc.nat(2),
    memoryMb: fc.constantFrom(16, 900),
  }),
  fc.record({ do: fc.constant('scale' as const), name: named, to: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ do: fc.constantFrom('stop' as const, 'freeze' as const, 'delete' as const), name: named }),
  fc.record({
    do: fc.constant('observe' as const),
    which: fc.nat(5),
    what: fc.constantFrom(
      { health: 'unhealthy' as const, healthReason: 'it says 500' },
      { restarts: 4, exit: { code: 1, signal: null, oom: false, at: 1 } },
      { active: 'activating' as const, restartAt: 3000, restarts: 1 },
      { unknownSince: 1_000_500 },
      { active: 'failed' as const, attempts: 2, retryAt: 2000 },
      { address: '10.1.1.7' },
    ),
  }),
  fc.record({ do: fc.constantFrom('lose' as const, 'come' as const), machine: fc.constantFrom(...machines) }),
  fc.record({ do: fc.constant('meta' as const), key: fc.constantFrom('color', 'other'), to: fc.nat(1) }),
  fc.record({ do: fc.constant('later' as const), byMs: fc.constantFrom(100, 2000, 60_000) }),
  fc.record({ do: fc.constantFrom('pass' as const, 'agents' as const, 'settle' as const, 'hold' as const) }),
)
type Happening = typeof happening extends fc.Arbitrary<infer H> ? H : never

/** What is due some time from now. */
function fromNow(what: Partial<UnitReport>, now: number): Partial<UnitReport> {
  const { restartAt, retryAt } = what
  return {
    ...what,
    ...(restartAt != null && { restartAt: now + restartAt }),
    ...(retryAt != null && { retryAt: now + retryAt }),
  }
}

function happen(world: World, one: Happening): void {
  const isThere = 'name' in one && world.view.services.has(serviceKey(project, one.name))
  if (one.do === 'deploy')
    world.tryDeploy('', {
      sources: [{ file: 'x.yml', text: textOf(one.mark, one.memoryMb), name: one.name }],
      waitForRoom: true,
    })
  else if (one.do === 'scale') world.tryScale(one.name, one.to)
  else if (one.do === 'stop') world.tryStop(one.name)
  else if (one.do === 'freeze' && isThere)
    world.attempt(freezeScope(world.view, project, one.name, world.now))
  else if (one.do === 'delete')
    world.attempt(deleteService(world.view, project, one.name, { force: true }, world.now))
  else if (one.do === 'observe') {
    const instance = [...world.view.instances.values()][one.which]
    if (instance !== undefined) world.observe(instance, fromNow(one.what, world.now))
  } else if (one.do === 'lose') world.loseMachine(idOf(one.machine))
  else if (one.do === 'come') world.machine(one.machine, { outside: '192.0.2.7' })
  else if (one.do === 'meta') world.meta(one.key, String(one.to))
  else if (one.do === 'later') world.now += one.byMs
  else if (one.do === 'pass') {
    world.servicePass()
    world.enginePass()
  } else if (one.do === 'agents') world.agentPass({ healthy: () => true })
  else if (one.do === 'settle') world.settle(undefined, 3)
  else if (one.do === 'hold') world.attempt(freezeScope(world.view, project, undefined, world.now))
}

const whats = fc.constantFrom('services' as const, 'instances' as const)

/** A world with what was kept of its listings from the beginning. */
function followed(): { readonly world: World; readonly kept: KeptBodies } {
  const world = new World()
  const kept = new KeptBodies(world.view)
  world.followedBy(kept)
  for (const name of machines) world.machine(name)
  return { world, kept }
}

/** All that listings say: what is kept, and what is made anew. */
function listings({ view, now }: World, kept: KeptBodies) {
  const services = () => servicesOfProject(view, project)
  const instances = services().flatMap(({ name }) => view.instancesOf(serviceKey(project, name)))
  const anew = bodiesOf(view, now)
  return {
    kept: {
      services: (kept.knownServiceList(project) ?? kept.serviceList(project, services, now)).text,
      instances: kept.instanceList(instances, now),
      one: services().map(kept.at(now).service),
    },
    anew: {
      services: JSON.stringify(services().map(anew.service)),
      instances: JSON.stringify(instances.map(anew.instance)),
      one: services().map(anew.service),
    },
  }
}

describe('what is kept of listings', () => {
  test('is what would be made anew, whatever happens', () => {
    const seen = { same: 0 }
    fc.assert(
      fc.property(fc.array(happening, { minLength: 3, maxLength: 25 }), (list) => {
        const { world, kept } = followed()
        expect(listings(world, kept).kept.services).toBe('[]')
        world.deploy('', { sources: [{ file: 'x.yml', text: textOf(0, 16), name: 'web' }], scale: 2 })
        world.settle(undefined, 4)
        for (const one of list) {
          happen(world, one)
          const said = listings(world, kept)
          expect(said.kept).toEqual(said.anew)
          if (kept.knownServiceList(project) !== null) seen.same++
        }
      }),
      { numRuns: 80 },
    )
    expect(seen.same).toBeGreaterThan(50)
  })

  test('is the same where it was made ready in slices, while things went on', () => {
    fc.assert(
      fc.property(fc.array(happening, { minLength: 1, maxLength: 6 }), whats, (list, what) => {
        const { world, kept } = followed()
        world.deploy(textOf(0, 16), { scale: 60 })
        world.settle(undefined, 6)
        const left = [...list]
        const steps = kept.steps(() => servicesOfProject(world.view, project), world.now, what)
        let turns = 0
        while (steps.next(true).done !== true) {
          turns++
          const next = left.shift()
          if (next !== undefined) happen(world, next)
        }
        expect(turns).toBeGreaterThan(2)
        const said = listings(world, kept)
        expect(said.kept).toEqual(said.anew)
      }),
      { numRuns: 20 },
    )
  })

  test('is made once, and made anew for what has changed alone', () => {
    const { world, kept } = followed()
    world.deploy(textOf(0, 16), { scale: 3 })
    world.settle()
    const { now } = world
    const bodies = () => world.live('web').map(kept.at(now).instance)
    const before = bodies()
    const list = () => kept.serviceList(project, () => servicesOfProject(world.view, project), now)
    const { tag } = list()
    expect(bodies().every((body, n) => body === before[n])).toBe(true)
    expect(kept.knownServiceList(project)?.tag).toBe(tag)
    const [first] = world.live('web')
    if (first === undefined) throw new Error('there is none')
    world.observe(first, { health: 'unhealthy' })
    expect(bodies().map((body, n) => body === before[n])).toEqual([false, true, true])
    expect(kept.knownServiceList(project)).toBeNull()
    expect(list().tag).not.toBe(tag)
  })
})
