// What serves goes on serving while changes meet each other: an instance counts for the scale when it is up, and not
// because no rollout has made it.
import { describe, expect, test } from 'vitest'
import { noFilter } from '../../src/model/order.js'
import type { UnitName, UnitReport } from '../../src/model/unit.js'
import { putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { project, World } from '../world/world.js'
import { rollout, SmallService } from './small-service.js'

const bootMs = 8000

/** A service whose instances take eight seconds until they are healthy. */
function slow(scale: number, bad: readonly number[] = []): SmallService {
  const world = new SmallService(scale, { room: 20, bootMs, bad: new Set(bad) })
  for (let second = 0; second < 20; second++) step(world)
  expect(world.up()).toHaveLength(scale)
  return world
}

/** A second; never are fewer up than before where that is not more than the scale. */
function step(world: SmallService): void {
  const before = world.up().length
  world.pass()
  expect(world.up().length).toBeGreaterThanOrEqual(Math.min(before, world.service.scale))
  world.machines(1000)
}

function steps(world: SmallService, seconds: number): void {
  for (let second = 0; second < seconds; second++) step(world)
}

const versions = (world: SmallService): readonly string[] =>
  world
    .up()
    .map(({ instance }) => instance.version)
    .toSorted()
const tasks = (world: SmallService): readonly string[] =>
  world.tasks.map(({ kind, state }) => `${kind} ${state}`)

describe('an instance that serves is not stopped', () => {
  test('when a canary ends a rollout whose first instance is on its way', () => {
    const world = slow(1)
    world.deploy({})
    steps(world, 2)
    expect(world.deploy({ count: 1 })).toBe(true)
    steps(world, 30)
    expect([versions(world), world.live().length]).toEqual([['v3'], 1])
    expect(tasks(world)).toEqual(['deploy completed', 'deploy terminated', 'deploy completed'])
  })

  test('when the version that is on its way is reverted to', () => {
    const world = slow(1)
    world.deploy({})
    steps(world, 2)
    expect(world.order({ ...rollout, version: 'v2' }, 'revert')).toBe(true)
    steps(world, 5)
    expect(tasks(world).at(-1)).toBe('revert active')
    steps(world, 30)
    expect([versions(world), world.live().length]).toEqual([['v2'], 1])
    expect(tasks(world).at(-1)).toBe('revert completed')
  })

  test('when it is picked to be replaced again and again', () => {
    const world = slow(1)
    const filter = { ...noFilter, instance: 'web-1' }
    for (let times = 0; times < 4; times++) {
      expect(world.order({ ...rollout, filter }, 'reprovision')).toBe(true)
      steps(world, 2)
    }
    steps(world, 30)
    expect(world.up().map(({ instance }) => instance.name)).toEqual(['web-5'])
    expect(tasks(world).at(-1)).toBe('reprovision completed')
  })

  test('when another one is back from a machine that was away, before it is seen to serve', () => {
    const world = slow(2)
    world.lose([2])
    steps(world, 20)
    expect(world.order({ ...rollout, filter: { ...noFilter, instance: 'web-1' } }, 'reprovision')).toBe(true)
    steps(world, 2)
    world.giveBack([2])
    steps(world, 40)
    expect(world.live()).toHaveLength(2)
    expect(tasks(world).at(-1)).toBe('reprovision completed')
    expect(world.up().map(({ instance }) => instance.n)).not.toContain(1)
  })

  test('and a version that cannot come up and is reverted to ends its task as failed', () => {
    const world = slow(1, [2])
    world.deploy({ deadlineMs: 30_000 })
    steps(world, 2)
    world.order({ ...rollout, version: 'v2', deadlineMs: 30_000 }, 'revert')
    steps(world, 60)
    expect(tasks(world)[2]).toBe('revert failed')
    expect(versions(world)).toEqual(['v1'])
  })
})

describe('a task that fails', () => {
  test('leaves a rollout beside it alone: all goes to the new version', () => {
    const world = slow(3)
    world.order({ kind: 'scale', target: 4 }, 'scale')
    steps(world, 2)
    world.deploy({ rolling: 2, autoRevert: true })
    steps(world, 1)
    world.sicken(4)
    steps(world, 80)
    expect(tasks(world)).toEqual(['deploy completed', 'scale completed', 'deploy completed'])
    expect(versions(world)).toEqual(['v2', 'v2', 'v2', 'v2'])
  })

  test('as a rollout leaves a scale beside it alone: what it goes back to is as many as asked for', () => {
    const world = slow(2, [2])
    world.deploy({ autoRevert: true })
    world.order({ kind: 'scale', target: 3 }, 'scale')
    steps(world, 80)
    expect(tasks(world)).toEqual(['deploy completed', 'deploy failed', 'scale completed', 'revert completed'])
    expect(versions(world)).toEqual(['v1', 'v1', 'v1'])
  })
})

describe('the scale that was asked for', () => {
  test('stays when a rollout is ended while it has one more than that, and when one is lost', () => {
    const world = slow(2)
    world.deploy({ rolling: 2 })
    steps(world, 2)
    expect(world.live()).toHaveLength(4)
    world.terminate()
    steps(world, 30)
    expect([world.service.scale, versions(world)]).toEqual([2, ['v1', 'v1']])
    world.lose([1])
    world.order({ kind: 'scale', target: 3 }, 'scale')
    steps(world, 1)
    world.terminate()
    steps(world, 30)
    expect([world.service.scale, world.up().length]).toEqual([3, 3])
  })
})

test('an instance without checks counts as up though the clock of its machine is an hour ahead', () => {
  const world = new SmallService(1, { room: 1, bootMs: 0, bad: new Set() })
  const [version] = world.versions
  if (version !== undefined) world.versions.splice(0, 1, { ...version, checked: false })
  for (let pass = 0; pass < 3; pass++) {
    world.pass()
    world.machines(100)
  }
  const [held] = world.live()
  if (held?.report == null) throw new Error('it runs')
  held.report = { ...held.report, since: world.now + 3_600_000 }
  world.pass()
  expect(tasks(world)).toEqual(['deploy completed'])
})

test('what was in trouble goes before what served, when the driver does not answer by now', () => {
  const world = new World()
  world.machine('a')
  world.deploy('compute_type: process\ncommand: [/bin/web]\n', { scale: 3 })
  world.settle()
  const [first] = world.view.instancesOf(serviceKey(project, 'web'))
  for (const { unit, n } of world.view.instancesOf(serviceKey(project, 'web'))) {
    const report = world.view.reportOf(unit)
    if (report === null) throw new Error('no report')
    world.apply([
      putOf('report', { ...report, restarts: n === first?.n ? 17 : 0, unknownSince: world.now - 20_000 }),
    ])
  }
  world.scale('web', 2)
  world.servicePass()
  const going = world.view.instancesOf(serviceKey(project, 'web')).filter(({ retired }) => retired !== null)
  expect(going.map(({ n }) => n)).toEqual([first?.n])
})

describe('where drivers do not answer, and the scale is lowered from 3 to 2', () => {
  const silence = (change: (n: number) => Partial<UnitReport> | null) => {
    const world = new World()
    world.machine('a')
    world.deploy('compute_type: process\ncommand: [/bin/web]\n', { scale: 3 })
    world.settle()
    const all = () => world.view.instancesOf(serviceKey(project, 'web'))
    const report = (unit: UnitName): UnitReport => {
      const known = world.view.reportOf(unit)
      if (known === null) throw new Error('no report')
      return known
    }
    for (const { unit, n } of all()) {
      const known = change(n)
      if (known !== null)
        world.apply([putOf('report', { ...report(unit), unknownSince: world.now - 20_000, ...known })])
    }
    const asBefore = all().map(({ unit }) => report(unit))
    world.scale('web', 2)
    world.servicePass()
    const going = () => all().flatMap(({ n, retired }) => (retired === null ? [] : [n]))
    return { world, going, asBefore }
  }

  test('what was not seen to run goes', () => {
    expect(silence((n) => (n === 1 ? { active: 'inactive', sub: 'dead' } : {})).going()).toEqual([1])
  })

  test('what ran goes where enough of the others are up', () => {
    expect(silence((n) => (n === 1 ? {} : null)).going()).toEqual([1])
  })

  test('nothing that ran goes while the others may have ended, and one does once they are seen again', () => {
    const { world, going, asBefore } = silence((n) => (n === 3 ? null : {}))
    expect(going()).toEqual([])
    for (const { unknownSince: _, ...report } of asBefore) world.apply([putOf('report', report)])
    world.servicePass()
    expect(going()).toHaveLength(1)
  })
})

test('what a canary leaves no place goes after picks that serve nobody, when its driver does not answer by now', () => {
  const world = slow(3)
  world.order({ ...rollout }, 'reprovision')
  world.pass()
  for (let second = 0; second < 10; second++) world.machines(1000)
  expect(world.up().map(({ instance }) => instance.n)).toEqual([1, 2, 3, 4])
  const second = world.held.get(2)
  if (second?.report == null) throw new Error('it runs')
  second.report = { ...second.report, unknownSince: world.now - 20_000 }
  world.deploy({ count: 2 })
  expect(world.service.rollout?.replaces).toEqual([1, 3])
  world.sicken(1)
  world.pass()
  const going = [...world.held.values()].filter(({ instance }) => instance.retired !== null)
  expect(going.map(({ instance }) => instance.n)).toEqual([1])
})
