import { describe, expect, it } from 'vitest'
import { decideDeploy } from '../../src/changes/deploy.js'
import { forgetOneOff, type OneOffChange, startOneOff, stopOneOff } from '../../src/changes/one-offs.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import { emptyChange } from '../../src/changes/services.js'
import { elapsedAt } from '../../src/lib/elapsed.js'
import { clearOneOff } from '../../src/service/leftovers.js'
import { putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { project, World } from '../world/world.js'

const web = serviceKey(project, 'web')

function worldWith(text: string): World {
  const world = new World()
  world.machine('a')
  const request = { sources: [{ file: 'web.yml', text, name: 'web' }] }
  const decided = decideDeploy(world.view, defaultSettings, project, request, world.now)
  if (isProblem(decided)) throw new Error(decided.message)
  world.attempt(decided)
  world.settle()
  return world
}

function ask(world: World, change: Partial<Parameters<typeof startOneOff>[3]> = {}): OneOffChange | Problem {
  const [attendedBy] = world.view.machines.keys()
  if (attendedBy === undefined) throw new Error('there is no machine')
  const asked = { argv: ['/bin/true'], environment: {}, attendedBy, id: 'one', ...change }
  return startOneOff(world.view, project, 'web', asked, defaultSettings, world.now)
}

function begin(world: World): OneOffChange {
  const change = ask(world)
  if (isProblem(change)) throw new Error(change.message)
  world.attempt(change)
  world.settle()
  return change
}

const lasting = `compute_type: process
command: [/bin/serve]
environment: {A: one, B: two}
ports: [8080]
healthchecks: [{type: tcp, port: 8080}]
init: [{command: [/bin/prepare]}]
`

describe('an instance that runs once', () => {
  it('is made beside those of the scale, of which the service has as many as before', () => {
    const world = worldWith(lasting)
    const { instance } = begin(world)
    expect(world.view.instancesOf(web).map(({ name }) => name)).toEqual(['web-1'])
    expect(world.view.oneOffsOf(web)).toEqual([instance])
    expect(world.view.allInstancesOf(web).map(({ name }) => name)).toEqual(['web-1', 'web-2'])
    expect(world.view.placements.has(instance.unit)).toBe(true)
  })

  it('has what the program needs of the service, and nothing by which the service is reached', () => {
    const world = worldWith(lasting)
    const change = ask(world, { environment: { B: 'three' } })
    if (isProblem(change)) throw new Error(change.message)
    const file = change.ops.find((op) => op.op === 'put' && op.key.startsWith('files/'))
    const text = file?.op === 'put' ? String((JSON.parse(String(file.value)) as { text: string }).text) : ''
    expect(text).toContain('Environment=A=one')
    expect(text).toContain('Environment=B=three')
    expect(text).not.toMatch(/8080|prepare|bin\/serve/)
  })

  it('has its number for itself, also after it is gone', () => {
    const world = worldWith(lasting)
    const { instance } = begin(world)
    world.attempt({ ...emptyChange, ...stopOneOff(world.view, instance, 0, world.now) })
    world.attempt({ ...emptyChange, ...forgetOneOff(world.view, instance) })
    expect(world.view.allInstancesOf(web).map(({ name }) => name)).toEqual(['web-1'])
    expect(world.view.units.has(instance.unit)).toBe(false)
    expect(begin(world).instance.name).toBe('web-3')
  })

  it('is told of as its program has ended, once, and not where it never ran', () => {
    const world = worldWith(lasting)
    const { instance } = begin(world)
    expect(stopOneOff(world.view, instance, 3, world.now).events).toMatchObject([
      { kind: 'instance-exited', message: 'web-2 exited with status 3', data: { exit: { code: 3 } } },
    ])
    world.attempt({ ...emptyChange, ...stopOneOff(world.view, instance, 3, world.now) })
    expect(stopOneOff(world.view, instance, 3, world.now).events).toEqual([])
    const early = ask(world)
    if (isProblem(early)) throw new Error(early.message)
    world.attempt(early)
    expect(stopOneOff(world.view, early.instance, null, world.now).events).toEqual([])
  })

  it('goes with its service, which is there until it has gone', () => {
    const world = worldWith(lasting)
    const { instance } = begin(world)
    world.delete('web')
    for (let round = 0; round < 400 && world.view.services.has(web); round++) {
      const isThere = world.view.reportOf(instance.unit)?.active === 'active'
      expect([isThere, world.view.services.has(web)]).not.toEqual([true, false])
      world.settle(undefined, 1)
    }
    expect(world.view.services.has(web)).toBe(false)
    expect(world.view.units.has(instance.unit)).toBe(false)
  })

  it('is refused where it would write into a volume that has one instance at a time', () => {
    const world = worldWith('compute_type: process\ncommand: [/bin/serve]\nvolumes: ["data:/data"]\n')
    expect(ask(world)).toMatchObject({ code: 'service/cannot-run' })
  })

  it('is refused with a command or variables that no program can be given', () => {
    const world = worldWith(lasting)
    expect(ask(world, { argv: [] })).toMatchObject({ status: 400 })
    expect(ask(world, { argv: ['a\0b'] })).toMatchObject({ status: 400 })
    expect(ask(world, { environment: { 'A B': '1' } })).toMatchObject({ status: 400 })
    expect(ask(world, { environment: { A: '\uE000volume\uE001' } })).toMatchObject({ status: 400 })
  })
})

describe('an instance that runs once, for a caller of a machine that has gone', () => {
  const hourMs = 3_600_000
  const cleared = (downSinceFromNow: number, byMs = 0): boolean => {
    const world = worldWith(lasting)
    const { instance } = begin(world)
    const [machine] = world.view.machines.values()
    if (machine === undefined) throw new Error('there is no machine')
    world.apply([putOf('knownMachine', { ...machine, downSince: world.now + downSinceFromNow })])
    world.loseMachine(machine.id)
    const jump = { byMs, before: world.now, after: world.now + byMs }
    const time = elapsedAt(world.now + byMs, byMs === 0 ? [] : [jump])
    return clearOneOff(world.view, instance.unit, time) !== null
  }

  it('goes once the machine has been down for an hour', () => {
    expect([cleared(-hourMs), cleared(1 - hourMs)]).toEqual([true, false])
  })

  it('neither sooner nor later where the clock was set meanwhile', () => {
    expect([cleared(-1000, hourMs), cleared(-hourMs, -2 * hourMs)]).toEqual([false, true])
  })
})
