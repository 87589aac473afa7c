// What somebody who looks sees of a unit whose image is on its way, and for how long what passes by itself is waited for.
import { describe, expect, test } from 'vitest'
import { instanceBodyOf, serviceBodyOf } from '../../src/api/bodies.js'
import { explain } from '../../src/api/explain.js'
import { openFleetLists } from '../../src/api/fleet/lists.js'
import { unitDetailsOf } from '../../src/api/unit-bodies.js'
import { isProblem } from '../../src/changes/problem.js'
import type { Instance } from '../../src/model/service.js'
import type { PullProgress, UnitReport } from '../../src/model/unit.js'
import { startedReport } from '../../src/simulate/started-report.js'
import { putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { project, World } from '../world/world.js'

const pulling: PullProgress = {
  image: 'app:1',
  since: 0,
  layers: 5,
  layersDone: 2,
  bytes: 12_345_678,
  totalBytes: 40_100_000,
}

/** A service whose one instance has its place and does not run yet. */
function placed(): { readonly world: World; readonly instance: Instance } {
  const world = new World()
  world.machine('a', { drivers: ['docker'] })
  world.deploy('image: app:1\n', { scale: 1 })
  world.servicePass()
  world.enginePass()
  return { world, instance: first(world) }
}

function first(world: World): Instance {
  const [instance] = world.live('web')
  if (instance === undefined) throw new Error('an instance')
  return instance
}

function report(world: World, { unit }: Instance, change: Partial<UnitReport>): void {
  const machine = world.view.placements.get(unit)?.machine
  if (machine === undefined) throw new Error('a place')
  const down = { hash: '', driver: 'docker', load: 'not-found', active: 'inactive', sub: 'dead' } as const
  const none = { since: null, pid: null, launched: false, health: 'unknown' } as const
  world.apply([putOf('report', { ...startedReport(machine, unit, world.now), ...down, ...none, ...change })])
}

const failure = (code: string) => ({ code, message: 'no room', permanent: false })

describe('a unit whose image is on its way', () => {
  test('is pulling, and says how far that is', () => {
    const { world, instance } = placed()
    report(world, instance, { pulling })
    const reason = 'pulls app:1: 2 of 5 layers, 12.3 MB of 40.1 MB'
    expect(instanceBodyOf(world.view, instance, world.now)).toMatchObject({
      state: 'pulling',
      reason,
      startedAt: null,
    })
    const told = explain(world.view, world.explainer, project, 'web-1', world.now)
    if (isProblem(told)) throw new Error(told.message)
    expect(told.instances[0]).toMatchObject({ state: 'pulling', because: [reason, expect.any(String)] })
    const unit = world.view.units.get(instance.unit)
    if (unit === undefined) throw new Error('a unit')
    const shown = { driver: 'docker', load: null, active: 'activating', sub: 'pulling' }
    expect(unitDetailsOf(world.view, world.units.needs, unit, world.now)).toMatchObject({
      ...shown,
      ...{ state: 'inactive', reason, machines: [shown] },
    })
  })

  test('says why it failed before, and is not tried again meanwhile', () => {
    const { world, instance } = placed()
    const change = { pulling, attempts: 2, retryAt: world.now, failure: failure('docker/image-missing') }
    report(world, instance, change)
    expect(instanceBodyOf(world.view, instance, world.now)).toMatchObject({
      state: 'pulling',
      nextTryAt: null,
      reason: 'pulls app:1: 2 of 5 layers, 12.3 MB of 40.1 MB; before: no room',
    })
  })

  test('is nothing that fleet has a word for: it is in no list of states', () => {
    const { world, instance } = placed()
    report(world, instance, { pulling })
    expect(openFleetLists(world.view).states()).toEqual([])
  })

  test('is stopping or stopped, and not pulling, once it is retired', () => {
    const { world, instance } = placed()
    report(world, instance, { pulling })
    world.scale('web', 0)
    world.servicePass()
    const [retired] = world.all('web')
    if (retired !== undefined)
      expect(instanceBodyOf(world.view, retired, world.now).state).not.toBe('pulling')
  })
})

describe('what passes by itself', () => {
  test.each([
    'docker/image-missing',
    'docker/disk-full',
    'docker/port-taken',
    'agent/port-taken',
    'docker/unreachable',
  ])('%s is waited for until the deadline of the deploy, however often it was tried', (code) => {
    const { world, instance } = placed()
    const change = { attempts: 9, retryAt: world.now + 60_000, failure: failure(code) }
    report(world, instance, change)
    world.now += 9 * 60_000
    world.servicePass()
    expect(first(world).name).toBe(instance.name)
    expect(statusOf(world)).toMatchObject({ status: 'deploying' })
    world.now += 61_000
    world.servicePass()
    expect(statusOf(world)).toMatchObject({
      status: 'failing',
      reason: expect.stringContaining('no room') as string,
    })
  })

  test('and no other failure is', () => {
    const { world, instance } = placed()
    report(world, instance, { attempts: 3, failure: failure('docker/failed') })
    world.servicePass()
    expect(statusOf(world).status).toBe('failing')
  })
})

function statusOf(world: World) {
  const service = world.view.services.get(serviceKey(project, 'web'))
  if (service === undefined) throw new Error('a service')
  return serviceBodyOf(world.view, service, world.now)
}

describe('a service that is well again', () => {
  test('is not degraded for a change that failed, once what is current runs', () => {
    const { world, instance } = placed()
    report(world, instance, { attempts: 3, failure: failure('docker/failed') })
    world.servicePass()
    expect(statusOf(world).status).toBe('failing')
    world.settle()
    expect(world.live('web').length).toBe(1)
    expect(statusOf(world)).toMatchObject({ status: 'running', reason: '', healthy: 1 })
  })

  test('is degraded for as long as the version before serves in place of the one that failed', () => {
    const world = new World()
    world.machine('a', { drivers: ['docker'] })
    world.deploy('image: app:1\n', { scale: 1 })
    world.settle()
    world.deploy('image: app:2\n')
    world.servicePass()
    world.enginePass()
    const made = world.live('web').find(({ ordinal }) => ordinal === 2)
    if (made === undefined) throw new Error('an instance')
    report(world, made, { attempts: 3, failure: { ...failure('docker/failed'), permanent: true } })
    world.servicePass()
    expect(statusOf(world)).toMatchObject({ status: 'degraded', running: 1 })
  })

  test('is running while an instance of before is still lost', () => {
    const world = new World()
    const a = world.machine('a', { drivers: ['docker'] })
    world.machine('b', { drivers: ['docker'] })
    world.machine('c', { drivers: ['docker'] })
    world.deploy('image: app:1\n', { scale: 3 })
    world.settle()
    world.loseMachine(a)
    world.settle()
    expect(world.live('web').length).toBeGreaterThan(3)
    expect(statusOf(world)).toMatchObject({ status: 'running', reason: '' })
  })
})
