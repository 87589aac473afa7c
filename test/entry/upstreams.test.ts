// Who serves a route, and how much of it.
import { describe, expect, test } from 'vitest'
import { type Deploy, decideDeploy } from '../../src/changes/deploy.js'
import { isProblem } from '../../src/changes/problem.js'
import type { Machine } from '../../src/model/machine.js'
import type { Instance } from '../../src/model/service.js'
import { comparesOf } from '../../src/store/decision.js'
import { putOf } from '../../src/store/records.js'
import type { Compare } from '../../src/store/store.js'
import { serviceKey } from '../../src/store/view.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { idOf, project } from '../world/world.js'
import { EnteredWorld } from './entered.js'

const text = (entry: string, mark = '', port = 8080): string =>
  `compute_type: process\ncommand: [/bin/web, "${mark}"]\nports: [${port}, 9090]\nmemory: 16M\nentry: ${entry}\n`

function twoMachines(entry: string): EnteredWorld {
  const world = new EnteredWorld()
  world.machine('a', { outside: '10.0.0.1' })
  world.machine('b', { outside: '10.0.0.2' })
  world.deploy(text(entry), { scale: 2 })
  world.settle()
  return world
}

const isCurrent = (world: EnteredWorld, { version }: Instance) =>
  version === world.view.services.get(serviceKey(project, 'web'))?.current

const machineOf = (world: EnteredWorld, { unit }: Instance) => world.view.placements.get(unit)?.machine

describe('the upstreams of a route', () => {
  test('are the instances that serve, each once, at the port that is asked for', () => {
    expect(twoMachines('{host: a.example}').upstreams()).toEqual(['10.0.0.1:8080 x1', '10.0.0.2:8080 x1'])
    expect(twoMachines('{port: 9090}').upstreams()).toEqual(['10.0.0.1:9090 x1', '10.0.0.2:9090 x1'])
  })

  test('are none for what is redirected, and where the world does not reach a service', () => {
    expect(twoMachines('{host: a.example, redirect: "https://b.example"}').table()).toEqual({})
    const world = twoMachines('{}')
    world.deploy(text('[]'), {})
    world.settle()
    expect(world.routes()).toEqual([])
  })

  test('leave out who is to stop, and say why', () => {
    const world = twoMachines('{}')
    world.scale('web', 1)
    world.servicePass()
    expect(world.upstreams()).toHaveLength(1)
    expect(world.standings().map(({ instance, state, reason }) => [instance, state, reason])).toEqual([
      ['web-1', 'out', 'it is to stop for good'],
      ['web-2', 'serving', ''],
    ])
  })

  test('are shared out by the weights of versions', () => {
    const world = twoMachines('{weight: 90}')
    world.machine('c', { outside: '10.0.0.3' })
    world.deploy(text('{weight: 20}', 'canary'), { canary: 1 })
    world.settle()
    expect(
      world
        .upstreams()
        .map((one) => one.split(' ')[1])
        .toSorted(),
    ).toEqual(['x2', 'x9'])
  })

  test('of requests that ask for it are those of the current version, and all where none of it serves', () => {
    const world = twoMachines('{weight: 90}')
    world.machine('c', { outside: '10.0.0.3' })
    expect(world.askedUpstreams()).toEqual([])
    world.deploy(text('{weight: 20, canary: {header: "X-Canary: 1"}}', 'canary'), { canary: 1 })
    // Before it is up.
    expect(world.askedUpstreams()).toEqual(world.upstreams())
    world.settle()
    const [all, asked] = [world.upstreams(), world.askedUpstreams()]
    expect(all.map((one) => one.split(' ')[1]).toSorted()).toEqual(['x2', 'x9'])
    expect(asked).toEqual([(all.find((one) => one.endsWith('x2')) ?? '').replace('x2', 'x1')])
    for (const instance of world.live('web'))
      if (isCurrent(world, instance)) world.observe(instance, { health: 'unhealthy' })
    expect(world.askedUpstreams()).toEqual(world.upstreams())
    expect(world.askedUpstreams()).toHaveLength(1)
  })

  test('are none of a version with weight 0, but for requests that ask for it, until older ones are to go', () => {
    const world = twoMachines('{}')
    world.machine('c', { outside: '10.0.0.3' })
    const before = world.upstreams()
    world.deploy(text('{weight: 0, canary: {cookie: canary=1}}', 'canary'), { canary: 1 })
    world.settle()
    const [all, asked] = [world.upstreams(), world.askedUpstreams()]
    expect(all).toHaveLength(1)
    expect(before).toContain(all[0])
    expect(asked).toHaveLength(1)
    expect(all).not.toContain(asked[0])
    expect(world.standings().map(({ state, reason }) => [state, reason])).toEqual([
      ['serving', ''],
      ['canary', 'only for requests that ask for it'],
    ])
    world.reprovision('web')
    world.servicePass()
    expect(world.upstreams()).toEqual(expect.arrayContaining([...asked]))
    world.settle()
    expect(world.upstreams()).toHaveLength(2)
    expect(world.standings().map(({ state }) => state)).toEqual(['serving', 'serving'])
    expect(world.askedUpstreams()).toEqual(world.upstreams())
  })

  test('are those of a port for plain TCP as well, and are waited for when they leave', () => {
    const world = twoMachines('{tcp: 5432, port: 9090, drain: 5}')
    expect(world.upstreams()).toEqual(['10.0.0.1:9090 x1', '10.0.0.2:9090 x1'])
    world.scale('web', 1)
    world.servicePass()
    expect(world.upstreams()).toHaveLength(1)
    const [leaving] = [...world.view.units.values()].filter(({ stopAfterMs }) => stopAfterMs !== undefined)
    expect(leaving).toMatchObject({ stopAfterMs: 6000 })
  })

  test('keep the port that their own version has', () => {
    const world = twoMachines('{port: 8080}')
    world.machine('c', { outside: '10.0.0.3' })
    world.deploy(text('{port: 8081}', 'other', 8081), { canary: 1 })
    world.settle()
    expect(
      world
        .upstreams()
        .map((one) => one.replace(/^.*:(\d+) .*$/, '$1'))
        .toSorted(),
    ).toEqual(['8080', '8081'])
  })

  test('are those that were seen last where every machine with one is out of sight', () => {
    const world = twoMachines('{}')
    const before = world.upstreams()
    world.apply([...world.view.machines.values()].map((machine) => putOf('knownMachine', machine)))
    world.loseMachine(idOf('b'))
    expect(world.upstreams()).toEqual(['10.0.0.1:8080 x1'])
    world.loseMachine(idOf('a'))
    expect(world.upstreams()).toEqual(before)
    expect(world.standings().map(({ state }) => state)).toEqual(['out', 'out'])
    expect(world.live('web').map((instance) => machineOf(world, instance))).toContain(idOf('a'))
  })
})

describe('two services that claim one host and path', () => {
  const claim = (name: string, entry: string): string =>
    `name: ${name}\n${text(entry).replace('[8080, 9090]', '["0:8080"]')}`

  test('do not both get it: the second is refused, naming the first', () => {
    const world = new EnteredWorld()
    world.machine('a')
    world.deploy(claim('web', '{host: a.example, path: /x}'))
    expect(world.tryDeploy(claim('other', '{host: a.example, path: /x/}'))).toMatchObject({
      code: 'entry/taken',
      status: 409,
      message: 'default/other cannot have a.example/x of the entry: default/web has it',
    })
    // The proxy compares paths without regard to case.
    expect(world.tryDeploy(claim('other', '{host: a.example, path: /X}'))).toMatchObject({
      code: 'entry/taken',
    })
    expect(world.tryDeploy(claim('other', '{host: a.example}'))).toBeNull()
    expect(world.routes().map(({ service, takenBy }) => [service, takenBy])).toEqual([
      ['other', null],
      ['web', null],
    ])
  })

  test('do not both get it at one moment: what one writes, the other has compared', () => {
    const world = new EnteredWorld()
    world.machine('a')
    const decide = (name: string, entry: string): Deploy => {
      const sources = [{ file: 'web.yml', text: claim(name, entry) }]
      const decided = decideDeploy(world.view, defaultSettings, project, { sources }, world.now)
      if (isProblem(decided)) throw new Error(decided.message)
      return decided
    }
    const isOvertaken = (compares: readonly Compare[]): boolean =>
      compares.some((one) => 'modRevision' in one && world.view.revisionOf(one.key) !== one.modRevision)
    const [claiming, plain] = [decide('two', '{host: a.example}'), decide('three', '[]')]
    const [ofClaiming, ofPlain] = [claiming, plain].map((one) => comparesOf(world.view, one))
    world.deploy(claim('one', '{host: a.example}'))
    expect(isOvertaken(ofClaiming ?? [])).toBe(true)
    expect(isOvertaken(ofPlain ?? [])).toBe(false)
  })

  test('do not get one port either, nor one of HTTP, and none where no entry takes what is not HTTP', () => {
    const world = new EnteredWorld()
    world.machine('a')
    world.deploy(claim('db', '{tcp: 5432}'))
    expect(world.tryDeploy(claim('other', '[{host: a.example}, {tcp: 5432}]'))).toMatchObject({
      code: 'entry/taken',
      message: 'default/other cannot have tcp:5432 of the entry: default/db has it',
    })
    const at = { http: ':80', https: '10.0.0.1:443' }
    const withEntry = (entry: NonNullable<Machine['entry']>) =>
      world.apply([...world.view.machines.values()].map((machine) => putOf('machine', { ...machine, entry })))
    withEntry(at)
    expect(world.tryDeploy(claim('other', '{tcp: 5433}'))).toMatchObject({ code: 'entry/no-tcp' })
    withEntry({ ...at, tcp: true })
    expect(world.tryDeploy(claim('other', '{tcp: 443}'))).toMatchObject({
      code: 'entry/taken',
      message: expect.stringContaining('10.0.0.1:443') as string,
    })
    expect(world.tryDeploy(claim('other', '{tcp: 5433}'))).toBeNull()
  })

  test('do not get a port that a machine with an entry needs itself, neither by a deploy nor by a revert', () => {
    const world = new EnteredWorld()
    world.machine('a')
    world.deploy(claim('db', '{tcp: 2379}'))
    world.settle()
    world.deploy(claim('db', '{tcp: 5432}'))
    world.settle()
    const entry = { http: ':80', https: ':443', tcp: true, ownPorts: { 2379: 'the store (etcd)' } }
    world.apply([...world.view.machines.values()].map((machine) => putOf('machine', { ...machine, entry })))
    const refusal = {
      code: 'entry/taken',
      status: 409,
      message: expect.stringContaining('needs that port for the store (etcd)') as string,
    }
    expect(world.tryDeploy(claim('other', '{tcp: 2379}'))).toMatchObject(refusal)
    expect(world.tryRevert('db', { version: '1' })).toMatchObject(refusal)
    expect(world.tryDeploy(claim('other', '{tcp: 2381}'))).toBeNull()
  })

  test('do not get it in one deploy, nor by a revert', () => {
    const world = new EnteredWorld()
    world.machine('a')
    const route = '    compute_type: process\n    command: x\n    ports: [80]\n    entry: {host: a.example}\n'
    expect(world.tryDeploy(`services:\n  one:\n${route}  two:\n${route}`)).toMatchObject({
      code: 'entry/taken',
    })
    world.deploy(claim('web', '{host: a.example}'))
    world.settle()
    world.deploy(claim('web', '{host: b.example}'))
    world.settle()
    world.deploy(claim('other', '{host: a.example}'))
    expect(world.tryRevert('web', { version: '1' })).toMatchObject({ code: 'entry/taken' })
    world.delete('other')
    world.settle()
    expect(world.tryRevert('web', { version: '1' })).toBeNull()
  })

  test('do not get it by a start that makes a version current, nor what such a start waits to serve', () => {
    const world = new EnteredWorld()
    world.machine('a')
    for (const host of ['a', 'b']) world.deploy(claim('web', `{host: ${host}.example}`))
    world.settle()
    world.stop('web')
    world.settle()
    world.deploy(claim('other', '{host: a.example}'))
    expect(world.start('web', '1')).toMatchObject({ code: 'entry/taken' })
    world.delete('other')
    world.settle()
    const [one] = world.view.versionsOf(serviceKey(project, 'web')).filter(({ ordinal }) => ordinal === 1)
    expect(world.start('web', one?.uuid.slice(0, 8))).toBeNull()
    const [task] = world.view.tasksOf(serviceKey(project, 'web')).filter(({ kind }) => kind === 'start')
    if (task === undefined) throw new Error('no task')
    // As if another task were before it.
    const order = { kind: 'start', version: '1' } as const
    const service = world.view.services.get(serviceKey(project, 'web'))
    const two = world.view.versionsOf(serviceKey(project, 'web')).find(({ ordinal }) => ordinal === 2)
    if (service === undefined || two === undefined) throw new Error('no service')
    world.apply([
      putOf('service', { ...service, current: two.uuid }),
      putOf('task', { ...task, state: 'queued', order }),
    ])
    expect(world.tryDeploy(claim('other', '{host: a.example}'))).toMatchObject({ code: 'entry/taken' })
  })
})
