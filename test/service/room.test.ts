// Rollouts where there is no room for a replacement beside the old instance, and those that wait for something else.
import { describe, expect, test } from 'vitest'
import { settleMs } from '../../src/service/assess.js'
import { serviceKey } from '../../src/store/view.js'
import { project, World } from '../world/world.js'
import { SmallService } from './small-service.js'

/** A service on machines that hold just as many instances as it has, or a few more; they take a while to stop. */
function full(scale: number, spare = 0): SmallService {
  const world = new SmallService(scale, { room: scale + spare, bootMs: 2000, bad: new Set() })
  for (let pass = 0; pass < 20; pass++) {
    world.pass()
    world.machines(1000)
  }
  expect(world.up()).toHaveLength(scale)
  return world
}

/** The numbers of the instances that passes replace, pass by pass. */
function replacedIn(world: SmallService, passes: number, ms: number): readonly (readonly number[])[] {
  return Array.from({ length: passes }, () => {
    const actions = world.pass()
    world.machines(ms)
    return actions.flatMap((one) =>
      one.kind === 'retire' && one.cause === 'replaced' ? [one.instance.n] : [],
    )
  })
}

/** An instance that runs no more, and still has its place. */
function trip(world: SmallService, n: number): void {
  const held = world.held.get(n)
  if (held?.report != null) held.report = { ...held.report, active: 'activating', restarts: 1 }
}

describe('where no machine has room for both', () => {
  test('as many old instances go first as the rollout is wide', () => {
    const world = full(4)
    world.deploy({ rolling: 2 })
    expect(replacedIn(world, 6, 100).flat()).toEqual([1, 2])
  })

  test('those that serve nobody go before those that serve', () => {
    const world = full(4, 1)
    trip(world, 4)
    world.deploy({ rolling: 2 })
    expect(replacedIn(world, 6, 100).flat()).toEqual([4])
  })

  test('the next one goes when the one before has left its place, also where both serve nobody', () => {
    const world = full(3)
    trip(world, 2)
    trip(world, 3)
    world.deploy({})
    expect(replacedIn(world, 6, 100).flat()).toEqual([3])
  })
})

describe('a rollout that failed after it had made room', () => {
  test('is not gone on with when what takes that place is well', () => {
    const world = full(3)
    world.deploy({})
    const fresh = () => world.up().find(({ instance }) => instance.version === 'v2')
    while (fresh() === undefined) replacedIn(world, 1, 500)
    const held = fresh()
    if (held?.report != null) held.report = { ...held.report, health: 'unhealthy' }
    replacedIn(world, 100, 1000)
    const tasks = world.tasks.map(({ kind, state }) => `${kind} ${state}`)
    expect(tasks).toEqual(['deploy completed', 'deploy failed', 'replace completed'])
    expect(
      world
        .up()
        .map(({ instance }) => instance.version)
        .toSorted(),
    ).toEqual(['v1', 'v1', 'v2'])
  })
})

const manifest = (mark: string, extra = ''): string =>
  `compute_type: process\ncommand: [/bin/web, "${mark}"]\n${extra}`
const checked = 'healthchecks:\n  - {type: http, port: 80, path: /}\n'

function deployed(extra = '', scale = 1): World {
  const world = new World()
  world.machine('a')
  world.deploy(manifest('1', extra), { scale })
  world.settle()
  return world
}

function pass(world: World, ms: number, healthy = true): void {
  world.servicePass()
  world.enginePass()
  world.agentPass({ healthy: ({ ordinal }) => healthy || ordinal === 1 })
  world.now += ms
}

const lastTask = (world: World) => world.view.tasksOf(serviceKey(project, 'web')).at(-1)
const ordinals = (world: World): readonly number[] => world.live('web').map(({ ordinal }) => ordinal)

describe('a replacement', () => {
  test('that no machine may take for other reasons than room costs no old instance its place', () => {
    const world = deployed()
    world.deploy(manifest('2', 'affinity: ["disk==ssd"]\n'), { deadlineMs: 60_000 })
    for (let round = 0; round < 50; round++) pass(world, 1000)
    expect([ordinals(world), lastTask(world)?.state]).toEqual([[1, 2], 'active'])
    for (let round = 0; round < 20; round++) pass(world, 1000)
    expect(lastTask(world)).toMatchObject({
      state: 'failed',
      error: 'web-2: it was not up after 60 s: no machine can take it',
    })
    world.settle()
    expect(ordinals(world)).toEqual([1])
  })

  test('that nothing checks takes the place of an old one when it has run for a while, and not before', () => {
    const world = deployed()
    world.deploy(manifest('2'))
    for (let ms = 0; ms < settleMs; ms += 100) {
      pass(world, 100)
      expect(ordinals(world)).toEqual([1, 2])
    }
    for (let round = 0; round < 5; round++) pass(world, 100)
    expect(ordinals(world)).toEqual([2])
  })

  test('that does not become healthy has until the deadline of its rollout', () => {
    const world = deployed(checked, 2)
    world.deploy(manifest('2', checked), { deadlineMs: 60_000 })
    for (let round = 0; round < 59; round++) pass(world, 1000, false)
    expect([ordinals(world), lastTask(world)?.state]).toEqual([[1, 1, 2], 'active'])
    for (let round = 0; round < 5; round++) pass(world, 1000, false)
    expect(lastTask(world)).toMatchObject({
      state: 'failed',
      error: 'web-3: it was not up after 60 s: it runs but is not healthy',
    })
    expect(ordinals(world)).toEqual([1, 1])
  })
})

/** A service of another name, on the same machines. */
function beside(world: World, name: string, text: string): void {
  world.deploy('', { sources: [{ file: `${name}.yml`, text, name }], waitForRoom: true })
}

const huge = 'memory: 100G\n'
const port = 'ports: ["8080"]\n'

describe('what no machine can take', () => {
  test('is refused with what each machine says, and nothing is changed', () => {
    const world = deployed('memory: 1G\n')
    world.machine('b', { memoryMb: 2048 })
    const before = JSON.stringify([...world.view.services.values(), ...world.view.versions.values()])
    expect(world.tryDeploy(manifest('2', huge))).toMatchObject({
      status: 409,
      code: 'deploy/no-machine',
      message: 'no machine can take version 2 of web; nothing was changed',
      details: [
        { message: 'web: a has 4096 MiB of memory left, 102400 MiB are needed' },
        { message: 'web: b has 2048 MiB of memory left, 102400 MiB are needed' },
      ],
    })
    expect(JSON.stringify([...world.view.services.values(), ...world.view.versions.values()])).toBe(before)
  })

  test('is refused likewise where another service holds its port, and where the service is new', () => {
    const world = deployed()
    beside(world, 'other', manifest('1', port))
    world.settle()
    expect(world.tryDeploy(manifest('2', port))).toMatchObject({
      code: 'deploy/no-machine',
      details: [{ message: 'web: a has host port 8080/tcp in use by default.other.v1@1.service' }],
    })
    const sources = [{ file: 'new.yml', text: manifest('1', port), name: 'new' }]
    expect(world.tryDeploy('', { sources })).toMatchObject({ code: 'deploy/no-machine' })
  })

  test('is not refused for what its own instances hold, or for what is yet to come', () => {
    const world = deployed(`${port}memory: 3G\n`)
    expect(world.tryDeploy(manifest('2', `${port}memory: 3G\n`))).toBeNull()
    const sources = [{ file: 'new.yml', text: manifest('1', 'affinity: ["service==later"]\n'), name: 'new' }]
    expect(world.tryDeploy('', { sources })).toBeNull()
  })

  test.each([
    ['memory that none has', huge],
    ['a host port that another service holds', port],
  ])('waits where it is told to, for %s, and costs no old instance its place', (_, extra) => {
    const world = deployed(checked, 2)
    beside(world, 'other', manifest('1', port))
    world.settle()
    world.deploy(manifest('2', checked + extra), { waitForRoom: true, deadlineMs: 30_000, rolling: 2 })
    for (let round = 0; round < 60; round++) {
      pass(world, 1000)
      expect(world.serving('web').filter(({ ordinal }) => ordinal === 1)).toHaveLength(2)
    }
    expect(lastTask(world)).toMatchObject({ kind: 'deploy', state: 'failed' })
    world.settle()
    expect(ordinals(world)).toEqual([1, 1])
  })
})

describe('an old instance that goes first', () => {
  test('goes together with as many others of its machine as make the room, if the rollout is wide enough', () => {
    const wide = deployed('memory: 1G\n', 4)
    wide.deploy(manifest('2', 'memory: 2G\n'), { rolling: 2, scale: 2 })
    wide.settle()
    expect([ordinals(wide), lastTask(wide)?.state]).toEqual([[2, 2], 'completed'])
    const narrow = deployed('memory: 1G\n', 4)
    narrow.deploy(manifest('2', 'memory: 2G\n'), { rolling: 1, deadlineMs: 30_000 })
    for (let round = 0; round < 60; round++) {
      pass(narrow, 1000)
      expect(narrow.serving('web')).toHaveLength(4)
    }
    expect(lastTask(narrow)).toMatchObject({ state: 'failed' })
  })

  test('does not go where its place would be taken by what has waited for longer', () => {
    const world = deployed('memory: 4G\n')
    beside(world, 'other', manifest('1', 'memory: 3G\n'))
    world.settle()
    world.deploy(manifest('2', 'memory: 4G\n'), { deadlineMs: 30_000 })
    for (let round = 0; round < 60; round++) {
      pass(world, 1000)
      expect(world.serving('web')).toHaveLength(1)
    }
    expect([ordinals(world), lastTask(world)?.state]).toEqual([[1], 'failed'])
  })
})

describe('the way back', () => {
  test('takes those too that had come up before the rollout failed', () => {
    const world = deployed(checked, 3)
    world.deploy(manifest('2', checked), { autoRevert: true })
    while (ordinals(world).filter((ordinal) => ordinal === 2).length < 2) pass(world, 500)
    const last = world.live('web').at(-1)
    if (last === undefined) throw new Error('a new instance')
    pass(world, 500)
    world.observe(last, { health: 'unhealthy', healthReason: 'status 500' })
    world.settle()
    expect(ordinals(world)).toEqual([1, 1, 1])
    expect(lastTask(world)).toMatchObject({ kind: 'revert', state: 'completed' })
  })

  test('that fails is not gone again', () => {
    const world = deployed(checked, 2)
    world.deploy(manifest('2', checked), { autoRevert: true })
    while (lastTask(world)?.kind !== 'revert') {
      pass(world, 500)
      const fresh = world
        .live('web')
        .find(({ ordinal, unit }) => ordinal === 2 && world.view.reportOf(unit) !== null)
      const count = ordinals(world).filter((ordinal) => ordinal === 2).length
      if (fresh !== undefined && count === 2) world.observe(fresh, { health: 'unhealthy' })
    }
    for (let round = 0; round < 40 && lastTask(world)?.state === 'active'; round++) {
      pass(world, 500)
      const made = world.live('web').filter(({ n, unit }) => n > 3 && world.view.reportOf(unit) !== null)
      for (const one of made) world.observe(one, { health: 'unhealthy' })
    }
    expect(lastTask(world)).toMatchObject({ kind: 'revert', state: 'failed' })
    world.settle()
    const kinds = world.view.tasksOf(serviceKey(project, 'web')).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'revert')).toHaveLength(1)
  })
})
