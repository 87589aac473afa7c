// What somebody who looks sees of programs that crash again and again.
import { describe, expect, test } from 'vitest'
import { instanceBodyOf, serviceBodyOf } from '../../src/api/bodies.js'
import { explain } from '../../src/api/explain.js'
import { unitDetailsOf } from '../../src/api/unit-bodies.js'
import { steadyAfterMs } from '../../src/lib/backoff.js'
import { toIso } from '../../src/lib/time.js'
import type { Instance } from '../../src/model/service.js'
import type { UnitReport } from '../../src/model/unit.js'
import { serviceKey } from '../../src/store/view.js'
import { project, World } from '../world/world.js'

function deployed(scale: number, more = ''): World {
  const world = new World()
  world.machine('a')
  world.deploy(`compute_type: process\ncommand: [/bin/web]\n${more}`, { scale })
  world.settle()
  return world
}

function first(world: World): Instance {
  const [instance] = world.live('web')
  if (instance === undefined) throw new Error('an instance')
  return instance
}

function service(world: World) {
  const found = world.view.services.get(serviceKey(project, 'web'))
  if (found === undefined) throw new Error('a service')
  return serviceBodyOf(world.view, found, world.now)
}

function details(world: World) {
  const unit = world.view.units.get(first(world).unit)
  if (unit === undefined) throw new Error('a unit')
  return unitDetailsOf(world.view, world.units.needs, unit, world.now)
}

const crashed = (world: World, restarts: number): Partial<UnitReport> => ({
  active: 'activating',
  sub: 'auto-restart',
  restarts,
  restartAt: world.now + 800,
  exit: { code: 7, signal: null, oom: false, at: world.now },
})

describe('a program that crashes again and again', () => {
  test('is shown with how it ended, how often it was restarted, and when it is tried next', () => {
    const world = deployed(1)
    const due = toIso(world.now + 800)
    world.observe(first(world), crashed(world, 3))
    const told = { restarts: 3, nextTryAt: due, reason: `exited with status 7; restart 4 is due at ${due}` }
    expect(instanceBodyOf(world.view, first(world), world.now)).toMatchObject({ state: 'starting', ...told })
    expect(service(world)).toMatchObject({ status: 'failing', ...told })
    expect(details(world)).toMatchObject(told)
  })

  test('fails its service also in the moments in which it runs, until it has run for a while', () => {
    const world = deployed(1)
    const exit = { code: 7, signal: null, oom: false, at: world.now }
    world.observe(first(world), { active: 'active', sub: 'running', restarts: 4, since: world.now, exit })
    expect(service(world)).toMatchObject({
      status: 'failing',
      running: 1,
      nextTryAt: null,
      reason: 'restarted 4 times, last exited with status 7',
    })
    world.now += steadyAfterMs
    expect(service(world)).toMatchObject({ status: 'running', restarts: 4, reason: '' })
  })

  test('is told of, and not how another one ended that is gone by now', () => {
    const world = deployed(2)
    world.scale('web', 3)
    world.servicePass()
    world.enginePass()
    world.agentPass({ healthy: () => true })
    const late = world.live('web').at(-1) ?? expect.fail('no third')
    const exit = { code: 9, signal: null, oom: false, at: world.now }
    world.observe(late, { active: 'failed', sub: 'dead', exit })
    world.servicePass()
    expect(service(world)).toMatchObject({ status: 'degraded', reason: expect.stringContaining('web-3') })
    world.settle()
    world.observe(first(world), crashed(world, 3))
    expect(service(world)).toMatchObject({
      status: 'degraded',
      reason: expect.stringMatching(/^exited with status 7/),
    })
  })

  test('degrades a service of which others are well', () => {
    const world = deployed(2)
    world.observe(first(world), crashed(world, 3))
    expect(service(world)).toMatchObject({ status: 'degraded', restarts: 3 })
  })

  test('and is restarted for the first time fails nothing yet', () => {
    const world = deployed(1)
    world.observe(first(world), crashed(world, 0))
    expect(service(world)).toMatchObject({ status: 'degraded', restarts: 0 })
  })

  test('as one instance after the other says when the next one is made', () => {
    const world = deployed(1, 'restart: "no"\n')
    // The first one had lived for a while when it failed, and does not count.
    for (let n = 0; n < 5; n += 1) {
      while (world.live('web').every((one) => world.report(one) === null)) {
        world.now += 500
        world.servicePass()
        world.enginePass()
        world.agentPass({ healthy: () => true })
      }
      const exit = { code: 1, signal: null, oom: false, at: world.now }
      world.observe(first(world), { active: 'failed', sub: 'failed', exit })
      world.servicePass()
    }
    const due = toIso(world.now + 4000)
    expect(service(world)).toMatchObject({
      status: 'failing',
      nextTryAt: due,
      reason: `its last 4 instances failed; the next one is made at ${due}`,
    })
    expect(explain(world.view, world.explainer, project, 'web', world.now)).toMatchObject({
      because: [`its last 4 instances failed; the next one is made at ${due}`],
    })
  })
})

test('a program that cannot be started says when that is tried again', () => {
  const world = deployed(1)
  const failure = { code: 'process/spawn-failed', message: 'no memory', permanent: false }
  const retryAt = world.now + 4000
  world.observe(first(world), {
    active: 'inactive',
    sub: 'dead',
    launched: false,
    failure,
    attempts: 3,
    retryAt,
  })
  expect(instanceBodyOf(world.view, first(world), world.now)).toMatchObject({
    state: 'failed',
    nextTryAt: toIso(retryAt),
    reason: `no memory; tried again at ${toIso(retryAt)}`,
  })
  // It is being tried just then.
  world.now = retryAt
  const told = { nextTryAt: null, reason: 'no memory' }
  expect(instanceBodyOf(world.view, first(world), world.now)).toMatchObject({ state: 'failed', ...told })
  expect(service(world)).toMatchObject(told)
  expect(details(world)).toMatchObject(told)
})

test('what is due while its driver does not answer says since when that is so, and no time that is over', () => {
  const world = deployed(1)
  const failure = { code: 'docker/failed', message: 'no memory', permanent: false }
  const away = { driver: 'docker', unknownSince: world.now } as const
  world.observe(first(world), { active: 'failed', failure, attempts: 3, retryAt: world.now + 500, ...away })
  const reason = `unknown since ${toIso(world.now)}: docker does not answer on that machine; retrying every 1 s`
  for (const later of [0, 60_000]) {
    const told = { nextTryAt: null, reason }
    expect(instanceBodyOf(world.view, first(world), world.now + later)).toMatchObject({
      state: 'unknown',
      ...told,
    })
    expect(service(world)).toMatchObject(told)
    expect(details(world)).toMatchObject(told)
  }
})

test('a restart that is overdue has no time', () => {
  const world = deployed(1)
  world.observe(first(world), crashed(world, 3))
  world.now += 800
  const told = { nextTryAt: null, reason: 'exited with status 7' }
  expect(instanceBodyOf(world.view, first(world), world.now)).toMatchObject(told)
})
