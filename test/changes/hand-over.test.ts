// A service that is renamed: its deletion waits until the one with the new name serves its routes.
import { describe, expect, test } from 'vitest'
import { decideDeploy } from '../../src/changes/deploy.js'
import { planDeploy } from '../../src/changes/plan.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import { terminateTask } from '../../src/changes/queue.js'
import { plainPaint } from '../../src/cli/paint.js'
import { describePlan } from '../../src/cli/plan-text.js'
import { openVersionUnits } from '../../src/compile/version-unit.js'
import type { DeployRequest } from '../../src/contract/contract.js'
import { toEnd } from '../../src/lib/sliced-work.js'
import { claimOf } from '../../src/model/entry.js'
import { takersUnder } from '../../src/service/writes.js'
import { comparesOf } from '../../src/store/decision.js'
import { keys } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { EnteredWorld } from '../entry/entered.js'
import { defaultSettings as settings } from '../manifest/default-settings.js'
import { project } from '../world/world.js'

const entry = '[{host: a.example, drain: 5}, {tcp: 5432}]'

const service = (name: string, more = `ports: [8080]\n    entry: ${entry}`): string =>
  `  ${name}:\n    compute_type: process\n    command: [/bin/x]\n    memory: 16M\n    cns: {ttl: 0}\n    ${more}\n`

const all = (...services: readonly string[]): string => `services:\n${services.join('')}`

const asked = (text: string, prune: boolean): DeployRequest => ({
  sources: [{ file: 'shop.yml', text }],
  ...(prune && { prune }),
})

function renamed(world: EnteredWorld, text: string, prune = true): Problem | null {
  return world.tryDeploy('', asked(text, prune))
}

function withOld(...machines: readonly string[]): EnteredWorld {
  const world = new EnteredWorld()
  for (const [n, name] of machines.entries()) world.machine(name, { outside: `10.0.0.${n + 1}` })
  world.deploy('', asked(all(service('old')), false))
  world.settle()
  return world
}

/** Who has the host, and who would have it otherwise. */
const holders = (world: EnteredWorld): readonly string[] =>
  world
    .routes()
    .filter(({ route }) => claimOf(route) === 'a.example/')
    .map(({ service: name }) => name)

/** What the proxy asks for to be told who serves each route. */
const groups = (world: EnteredWorld): readonly string[] =>
  world.routes().flatMap(({ group, takenBy }) => (takenBy === null ? [group] : []))

/** The instances that requests for the host are led to. */
function ledTo(world: EnteredWorld): readonly string[] {
  return world.standings().flatMap(({ instance, state }) => (state === 'serving' ? [instance] : []))
}

const deletion = (world: EnteredWorld, name = 'old') =>
  world.view.tasksOf(serviceKey(project, name)).findLast(({ kind }) => kind === 'delete')

/** Until something is so. */
function until(world: EnteredWorld, isSo: () => boolean, healthy: boolean): void {
  for (let round = 0; !isSo(); round++) {
    expect(round).toBeLessThan(2000)
    world.settle({ healthy: () => healthy }, 1)
  }
}

const checked = service(
  'new',
  `ports: [8080]\n    healthchecks: [{type: tcp, port: 8080}]\n    entry: ${entry}`,
)

describe('a service that another one takes the place of', () => {
  test('is refused without --prune, with what to do', () => {
    const world = withOld('a', 'b')
    expect(renamed(world, all(service('new')), false)).toMatchObject({
      code: 'entry/taken',
      hint: expect.stringContaining(
        'if new takes the place of old, deploy the whole project without old and with --prune',
      ),
    })
    expect(renamed(world, all(service('new'), service('old')))).toMatchObject({ code: 'entry/taken' })
  })

  test('serves until the other one does, and then finishes what is under way', () => {
    const world = withOld('a', 'b')
    const before = groups(world)
    expect(renamed(world, all(checked))).toBeNull()
    expect(deletion(world)).toMatchObject({ state: 'queued' })
    for (let n = 0; n < 50; n++) {
      world.settle({ healthy: () => false }, 1)
      expect([holders(world), ledTo(world)]).toEqual([['old', 'new'], ['old-1']])
    }
    until(world, () => world.view.services.get('default/old')?.deleting === true, true)
    expect([holders(world), ledTo(world)]).toEqual([['new', 'old'], ['new-1']])
    // What the proxy asks for leads to the new one: it need not load anything for that.
    expect(groups(world)).toEqual(before)
    for (const group of before) expect(world.table()[group]).toHaveLength(1)
    world.servicePass()
    const [gone] = world.all('old')
    expect(gone?.retired?.cause).toBe('deleted')
    expect(world.view.units.get(gone?.unit ?? ('' as never))).toMatchObject({
      stopAfterMs: 31_000,
      stopWhenIdleAfterMs: 1000,
    })
    world.settle()
    expect([...world.view.services.keys()]).toEqual(['default/new'])
    expect(deletion(world)).toMatchObject({ state: 'completed' })
  })

  test('stays where the other one does not come up, and goes once it has been deployed better', () => {
    const world = withOld('a', 'b')
    renamed(world, all(checked))
    until(world, () => deletion(world)?.finishedAt !== null, false)
    expect(deletion(world)).toMatchObject({
      state: 'failed',
      error: 'old goes on serving: the deploy of new failed',
    })
    expect([holders(world), ledTo(world)]).toEqual([['old', 'new'], ['old-1']])
    expect(renamed(world, all(service('new')))).toBeNull()
    world.settle()
    expect([...world.view.services.keys()]).toEqual(['default/new'])
  })

  test('stays where the other one does not come up after the clock was set back', () => {
    const world = withOld('a', 'b')
    renamed(world, all(checked))
    world.settle({ healthy: () => false }, 10)
    world.setClock(-3_600_000)
    until(world, () => deletion(world)?.finishedAt !== null, false)
    expect(deletion(world)).toMatchObject({ error: 'old goes on serving: the deploy of new failed' })
    expect(world.all('old')).toMatchObject([{ retired: null }])
  })

  test('has its routes also where the one that fails is older', () => {
    const world = new EnteredWorld()
    world.machine('a', { outside: '10.0.0.1' })
    world.machine('b', { outside: '10.0.0.2' })
    world.deploy('', asked(all(service('new', 'ports: [8080]')), false))
    world.now += 1000
    world.deploy('', asked(all(service('old')), false))
    world.settle()
    expect(renamed(world, all(checked))).toBeNull()
    until(world, () => deletion(world)?.finishedAt !== null, false)
    expect(holders(world)).toEqual(['old', 'new'])
    expect(renamed(world, all(service('new')))).toBeNull()
    world.settle()
    expect(holders(world)).toEqual(['new'])
  })

  test('is deleted when a further deploy makes the other one serve, also one without --prune', () => {
    const world = withOld('a', 'b')
    renamed(world, all(checked))
    world.settle({ healthy: () => false }, 10)
    expect(renamed(world, all(service('new')), false)).toBeNull()
    world.settle()
    expect([...world.view.services.keys()]).toEqual(['default/new'])
  })

  test('waits on where the same is deployed again', () => {
    const world = withOld('a', 'b')
    renamed(world, all(checked))
    const before = deletion(world)?.uuid
    world.settle({ healthy: () => false }, 10)
    expect(renamed(world, all(checked))).toBeNull()
    expect(deletion(world)).toMatchObject({ uuid: before, state: 'queued' })
  })

  test('comes back where it is deployed again in place of the other one', () => {
    const world = withOld('a', 'b')
    renamed(world, all(checked))
    world.settle({ healthy: () => false }, 10)
    expect(renamed(world, all(service('old')))).toBeNull()
    expect(deletion(world)).toMatchObject({ state: 'terminated' })
    // The other one has never had them, and does not get them for the moment until it is deleted.
    expect([holders(world)[0], ledTo(world)]).toEqual(['old', ['old-1']])
    world.settle()
    expect([...world.view.services.keys()]).toEqual(['default/old'])
    expect(ledTo(world)).toEqual(['old-1'])
  })

  test('has its routes also where it is the younger one, and is renamed back, reprovisioned or goes to a third name', () => {
    const younger = (): EnteredWorld => {
      const world = new EnteredWorld()
      for (const [n, name] of ['a', 'b', 'c', 'd'].entries())
        world.machine(name, { outside: `10.0.0.${n + 1}` })
      world.deploy('', asked(all(service('new', 'ports: [8080]')), false))
      world.now += 1000
      world.deploy('', asked(all(service('old')), false))
      world.settle()
      renamed(world, all(checked))
      world.settle({ healthy: () => false }, 10)
      return world
    }
    for (const next of [
      (world: EnteredWorld) => renamed(world, all(service('old'))),
      (world: EnteredWorld) => renamed(world, all(checked.replace('new:', 'third:'))),
      (world: EnteredWorld) => world.reprovision('old'),
    ]) {
      const world = younger()
      expect(next(world)).toBeNull()
      expect([holders(world)[0], ledTo(world)]).toEqual(['old', ['old-1']])
    }
  })

  test('keeps what it has, and no more, where the other one failed that was to get it, and is to hand over itself', () => {
    const world = new EnteredWorld()
    for (const [n, name] of ['a', 'b', 'c', 'd'].entries())
      world.machine(name, { outside: `10.0.0.${n + 1}` })
    const [host, port] = ['{host: a.example, drain: 5}', '{tcp: 5432}']
    const having = (name: string, routes: readonly string[], checks = ''): string =>
      service(name, `ports: [8080]\n    ${checks}entry: [${routes.join(', ')}]`)
    const unready = 'healthchecks: [{type: tcp, port: 8080}]\n    '
    world.deploy('', asked(all(having('old', [port]), having('new', [host])), false))
    world.settle()
    // The port does not get to the new one.
    renamed(world, all(having('new', [host, port], unready)))
    until(world, () => deletion(world)?.finishedAt !== null, false)
    const ownersOfBoth = (): readonly string[] =>
      world.routes().flatMap(({ service: name, takenBy }) => (takenBy === null ? [name] : []))
    expect(ownersOfBoth()).toEqual(['new', 'old'])
    // Nor does the host to the old one, before that serves.
    renamed(world, all(having('old', [host, port], unready)))
    world.settle({ healthy: () => false }, 10)
    expect(ownersOfBoth()).toEqual(['new', 'old'])
    until(world, () => world.view.services.get('default/new')?.deleting !== false, true)
    expect(ownersOfBoth()).toEqual(['old', 'old'])
  })

  test('has lost its routes where its deletion is ended after that, also where it is started again', () => {
    const world = withOld('a', 'b', 'c')
    renamed(world, all(checked))
    until(world, () => world.view.services.get('default/old')?.deleting === true, true)
    world.attempt(terminateTask(world.view, deletion(world)?.uuid ?? '', false, world.now))
    expect(world.view.services.get('default/old')).toMatchObject({ deleting: false })
    expect([holders(world), ledTo(world)]).toEqual([['new', 'old'], ['new-1']])
    world.settle()
    expect(world.start('old')).toBeNull()
    world.settle()
    expect(world.reprovision('old')).toBeNull()
    world.settle()
    expect([holders(world), ledTo(world)]).toEqual([['new', 'old'], ['new-1']])
    // The one that has them can be changed, and the other one gets nothing by a deploy of its own.
    const sized = (name: string): string => service(name).replace('16M', '17M')
    expect(renamed(world, all(sized('old')), false)).toMatchObject({ code: 'entry/taken' })
    expect(renamed(world, all(sized('new')), false)).toBeNull()
    world.settle()
    expect(holders(world)).toEqual(['new', 'old'])
    world.delete('new')
    world.settle()
    expect([holders(world), ledTo(world).length]).toEqual([['old'], 1])
  })

  test('stays, and can be scaled, where an operator ends the deletion or deletes the other one', () => {
    const world = withOld('a', 'b', 'c')
    renamed(world, all(checked))
    world.settle({ healthy: () => false }, 10)
    world.scale('old', 2)
    world.attempt(terminateTask(world.view, deletion(world)?.uuid ?? '', false, world.now))
    world.settle({ healthy: ({ service: name }) => name === 'old' })
    expect(ledTo(world)).toHaveLength(2)

    const other = withOld('a', 'b')
    renamed(other, all(checked))
    other.settle({ healthy: () => false }, 10)
    other.delete('new')
    other.settle()
    expect(deletion(other)).toMatchObject({ state: 'failed' })
    expect(ledTo(other)).toEqual(['old-1'])
  })

  test('goes at once where that is asked for, or nothing of it runs', () => {
    const world = withOld('a', 'b')
    renamed(world, all(checked))
    world.delete('old')
    world.settle({ healthy: () => false }, 20)
    expect([...world.view.services.keys()]).toEqual(['default/new'])

    const stopped = withOld('a', 'b')
    stopped.stop('old')
    stopped.settle()
    renamed(stopped, all(checked))
    stopped.settle({ healthy: () => false }, 20)
    expect([...stopped.view.services.keys()]).toEqual(['default/new'])
  })

  test('goes once one of the other serves and the rest have no place', () => {
    const world = withOld('a', 'b')
    expect(world.tryDeploy('', { ...asked(all(service('new')), true), scale: 2 })).toBeNull()
    until(world, () => world.serving('new').length === 1, true)
    expect(holders(world)).toEqual(['old', 'new'])
    world.settle()
    expect([...world.view.services.keys()]).toEqual(['default/new'])
    expect(ledTo(world)).toHaveLength(2)
  })

  test('goes only if the other one is still as it was when that was decided', () => {
    const world = withOld('a', 'b')
    renamed(world, all(service('new')))
    until(
      world,
      () =>
        world.serving('new').length === 1 &&
        world.view.tasksOf('default/new').every((one) => one.finishedAt !== null),
      true,
    )
    const record = world.view.services.get('default/old')
    if (record === undefined || record.deleting) throw new Error('it is gone already')
    const before = { tasks: new Map(world.view.tasks) }
    const plan = world.decideService(record)?.plan ?? { actions: [] }
    expect(plan.actions).toHaveLength(1)
    expect(takersUnder(before, plan)).toEqual([keys.service(project, 'new')])
  })

  test('is looked at again when the other one serves, without anything to say so', () => {
    const world = withOld('a', 'b')
    renamed(world, all(service('new')))
    until(world, () => world.view.tasksOf('default/new').every((one) => one.finishedAt !== null), true)
    const [taker] = world.live('new')
    const record = world.view.services.get('default/old')
    if (taker === undefined || record === undefined) throw new Error('both are there')
    world.observe(taker, { since: world.now, restarts: 1 })
    expect(world.decideService(record)?.plan).toMatchObject({ actions: [], wakeAt: world.now + 1000 })
  })

  test('holds the change to its own record', () => {
    const world = withOld('a', 'b')
    const decided = decideDeploy(world.view, settings, project, asked(all(checked), true), world.now)
    if (isProblem(decided)) throw new Error(decided.message)
    const compared = comparesOf(world.view, decided)
    for (const key of [keys.service(project, 'old'), keys.entries])
      expect(compared).toContainEqual({ key, modRevision: world.view.revisionOf(key) })
    expect(world.view.revisionOf(keys.service(project, 'old'))).toBeGreaterThan(0)
    // A deletion that goes on already may be ended in the same moment.
    world.delete('old')
    const again = decideDeploy(world.view, settings, project, asked(all(checked), true), world.now)
    if (isProblem(again)) throw new Error(again.message)
    expect(comparesOf(world.view, again).map(({ key }) => key)).toContain(keys.service(project, 'old'))
  })
})

describe('the plan of that', () => {
  const planned = (world: EnteredWorld, text: string) => {
    const tools = { settings, unitOf: openVersionUnits(settings), explainer: world.explainer }
    const told = planDeploy(world.view, tools, project, asked(text, true), world.now)
    if (isProblem(told)) throw new Error(told.message)
    return toEnd(told.steps)
  }

  test('tells who serves until when', () => {
    const plan = planned(withOld('a', 'b'), all(checked))
    expect(plan.services.map(({ service: name, start, stop }) => [name, start.length, stop.length])).toEqual([
      ['new', 1, 0],
      ['old', 0, 1],
    ])
    const text = describePlan(plan, plainPaint)
    expect(text).toContain('old: is removed, was at version 1, scale 1 -> 0\n')
    expect(text).toContain('  serves a.example/ until new does\n  serves tcp:5432 until new does\n')
    expect(plan.warnings).toEqual([])
  })

  test('warns where the old one has to go first, and that is done', () => {
    // Both need the same port of a host.
    const world = withOld('a')
    const plan = planned(world, all(service('new')))
    expect(plan.warnings.map(({ code, message }) => [code, message])).toEqual([
      [
        'entry/moves-at-once',
        'a.example/ moves from old to new: no machine has room for both, so old stops first, and requests for it fail until new serves',
      ],
      ['entry/moves-at-once', expect.stringContaining('tcp:5432 moves from old to new')],
    ])
    expect(plan.services[0]?.start).toHaveLength(1)
    expect(plan.services[1]?.handsOver).toBeUndefined()
    expect(renamed(world, all(service('new')))).toBeNull()
    world.settle()
    expect(ledTo(world)).toEqual(['new-1'])
    expect([...world.view.services.keys()]).toEqual(['default/new'])
  })
})
