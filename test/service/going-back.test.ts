// Where a deploy with `--auto-revert` goes back to when it fails, whenever that is and whatever was under way before it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RolloutOrder } from '../../src/model/order.js'
import { isRollout, type Task } from '../../src/model/task.js'
import { randomRuns } from '../random-runs.js'
import { rollout, SmallService } from './small-service.js'

const slow = 60_000

function steady(scale: number, bad: readonly number[], bootMs = 0): SmallService {
  const world = new SmallService(scale, { room: 20, bootMs, bad: new Set(bad) })
  settle(world)
  return world
}

function pass(world: SmallService, ms = 300): void {
  world.pass()
  world.machines(ms)
}

function settle(world: SmallService): void {
  let quiet = 0
  for (let round = 0; round < 1000 && quiet < 12; round++) {
    const said = JSON.stringify([world.instances(), world.tasks, world.service])
    pass(world, round % 10 === 9 ? 90_000 : 500)
    quiet = said === JSON.stringify([world.instances(), world.tasks, world.service]) ? quiet + 1 : 0
  }
}

/** Until all of the current version is up, and the last old instance has been told to stop and has not stopped yet. */
function untilTheLastStops(world: SmallService): void {
  for (let round = 0; round < 200; round++) {
    const isNew = world.live().every(({ instance }) => instance.version === world.service.current)
    if (isNew && world.held.size > world.live().length) return
    pass(world, 50)
  }
  throw new Error('the old ones never stopped alone')
}

const lastRollout = (world: SmallService): Task | undefined =>
  world.tasks.filter((task) => task.kind === 'deploy').at(-1)

const deploy = (world: SmallService, options: Partial<RolloutOrder> = {}): void => {
  expect(world.deploy(options)).toBe(true)
}

describe('a deploy that may go back', () => {
  test.each([1, 2, 3])(
    'goes back when a new one fails while the last of %i old ones is stopping',
    (scale) => {
      const world = steady(scale, [])
      world.stopMs = slow
      deploy(world, { autoRevert: true, rolling: scale })
      untilTheLastStops(world)
      pass(world)
      pass(world)
      expect(lastRollout(world)?.state).toBe('active')
      world.sicken(Math.max(...world.live().map(({ instance }) => instance.n)))
      pass(world)
      expect(lastRollout(world)).toMatchObject({ state: 'failed' })
      expect(lastRollout(world)?.error).toContain('web goes back to version 1')
      expect(world.service.current).toBe('v1')
      settle(world)
      expect(world.up().map(({ instance }) => instance.version)).toEqual(Array(scale).fill('v1'))
      expect(world.tasks.at(-1)).toMatchObject({ kind: 'revert', state: 'completed' })
    },
  )

  test('is not undone for an instance that its canary left as it was', () => {
    const world = steady(2, [])
    world.stopMs = slow
    deploy(world, { autoRevert: true, count: 1 })
    for (let round = 0; world.held.size < 3 || world.live().length > 2; round++) {
      expect(round).toBeLessThan(100)
      pass(world, 50)
    }
    for (let more = 0; more < 5; more++) pass(world, 50)
    expect(world.service.rollout).toBeNull()
    const left = world.live().find(({ instance }) => instance.version === 'v1')
    if (left?.report == null) throw new Error('the canary has left none')
    left.report = { ...left.report, active: 'activating', restarts: 100 }
    pass(world)
    expect(lastRollout(world)?.state).toBe('active')
    expect(world.service.current).toBe('v2')
  })

  test.each([
    ['another that may', { autoRevert: true }],
    ['another that may not', {}],
    ['a canary that may', { autoRevert: true, count: 1 }],
    ['a canary that may not', { count: 1 }],
  ])('goes back past %s and is under way', (_, first) => {
    const world = steady(2, [2, 3], 1000)
    deploy(world, first)
    pass(world)
    deploy(world, { autoRevert: true })
    settle(world)
    expect(world.service.current).toBe('v1')
    expect(world.up().map(({ instance }) => instance.version)).toEqual(['v1', 'v1'])
  })

  test('goes back past one that has failed', () => {
    const world = steady(2, [2, 3])
    deploy(world)
    settle(world)
    deploy(world, { autoRevert: true })
    settle(world)
    expect(world.service.current).toBe('v1')
  })

  test('goes back past one that was up, and failed while the last old one was stopping', () => {
    const world = steady(1, [3])
    world.stopMs = slow
    deploy(world)
    untilTheLastStops(world)
    pass(world)
    world.sicken(2)
    pass(world)
    expect(lastRollout(world)?.state).toBe('failed')
    deploy(world, { autoRevert: true })
    settle(world)
    expect(world.service.current).toBe('v1')
  })

  test('goes back past one that somebody has ended', () => {
    const world = steady(2, [2, 3], 1000)
    deploy(world)
    pass(world)
    world.terminate()
    deploy(world, { autoRevert: true })
    settle(world)
    expect(world.service.current).toBe('v1')
  })

  test('goes back to one in between that was up, though it stops its last old one yet', () => {
    const world = steady(2, [3])
    world.stopMs = slow
    deploy(world, { autoRevert: true, rolling: 2 })
    untilTheLastStops(world)
    pass(world)
    deploy(world, { autoRevert: true })
    settle(world)
    expect(world.service.current).toBe('v2')
    expect(world.up().map(({ instance }) => instance.version)).toEqual(['v2', 'v2'])
  })

  test('goes back to a canary in between that was up', () => {
    const world = steady(2, [3])
    deploy(world, { count: 1 })
    settle(world)
    deploy(world, { autoRevert: true })
    settle(world)
    expect(world.service.current).toBe('v2')
  })

  test('goes back to what is gone back to by hand, which was up before', () => {
    const world = steady(2, [3])
    deploy(world)
    settle(world)
    expect(world.order({ ...rollout, version: 'v1' }, 'revert')).toBe(true)
    pass(world)
    deploy(world, { autoRevert: true })
    settle(world)
    expect(world.service.current).toBe('v1')
  })

  test('goes back past what is gone back to by hand and has never been up', () => {
    const world = steady(2, [2, 4])
    deploy(world)
    settle(world)
    deploy(world)
    settle(world)
    expect(world.order({ ...rollout, version: 'v2' }, 'revert')).toBe(true)
    pass(world)
    deploy(world, { autoRevert: true })
    settle(world)
    expect(world.service.current).toBe('v3')
  })

  test('of what has failed already goes back to what was up before', () => {
    const world = steady(2, [2])
    deploy(world)
    settle(world)
    expect(world.order({ ...rollout, version: 'v2', autoRevert: true }, 'deploy')).toBe(true)
    settle(world)
    expect(world.service.current).toBe('v1')
  })

  test('goes back to what was started after a deploy at scale 0', () => {
    const world = steady(1, [3])
    expect(world.order({ kind: 'stop', version: null }, 'stop')).toBe(true)
    settle(world)
    deploy(world)
    settle(world)
    expect(world.order({ kind: 'start', version: null }, 'start')).toBe(true)
    settle(world)
    deploy(world, { autoRevert: true })
    settle(world)
    expect(world.service.current).toBe('v2')
  })
})

const step = fc.oneof(
  fc.record({
    do: fc.constant('deploy' as const),
    autoRevert: fc.boolean(),
    rolling: fc.integer({ min: 1, max: 3 }),
    count: fc.option(fc.integer({ min: 1, max: 2 }), { freq: 4 }),
  }),
  fc.record({ do: fc.constant('again' as const), autoRevert: fc.boolean() }),
  fc.record({ do: fc.constant('revert' as const), to: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constantFrom('scale' as const), to: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constantFrom('terminate' as const, 'settle' as const) }),
  fc.record({ do: fc.constant('sicken' as const), which: fc.nat(4) }),
  fc.record({ do: fc.constant('pass' as const), count: fc.integer({ min: 1, max: 8 }) }),
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function play(world: SmallService, one: Step, each: () => void): void {
  switch (one.do) {
    case 'deploy':
      world.deploy({ autoRevert: one.autoRevert, rolling: one.rolling, count: one.count })
      return
    case 'again':
      world.order({ ...rollout, version: world.service.current, autoRevert: one.autoRevert }, 'deploy')
      return
    case 'revert':
      world.order({ ...rollout, version: `v${one.to}` }, 'revert')
      return
    case 'scale':
      world.order({ kind: 'scale', target: one.to }, 'scale')
      return
    case 'terminate':
      world.terminate()
      return
    case 'settle':
      for (let round = 0; round < 40; round++) each()
      return
    case 'sicken': {
      const up = world.up()
      const held = up[one.which % Math.max(1, up.length)]
      if (held !== undefined) world.sicken(held.instance.n)
      return
    }
    case 'pass':
      for (let round = 0; round < one.count; round++) each()
  }
}

/** More with RUNS=100000. */
const runs = randomRuns('RUNS', 2000)

test('a deploy that may go back and fails leaves a version current that has been up, whatever was before it', () => {
  fc.assert(
    fc.property(
      fc.record({
        scale: fc.integer({ min: 1, max: 3 }),
        bootMs: fc.constantFrom(0, 400),
        stopMs: fc.constantFrom(0, 1500),
        bad: fc.uniqueArray(fc.integer({ min: 2, max: 6 }), { maxLength: 4 }),
        steps: fc.array(step, { maxLength: 15 }),
      }),
      ({ scale, bootMs, stopMs, bad, steps }) => {
        const world = steady(scale, bad, bootMs)
        world.stopMs = stopMs
        const each = (): void => {
          const open = world.tasks.filter((task) => task.finishedAt === null && isRollout(task))
          const { current, rollout: running } = world.service
          const back = running === null ? open[0]?.replacing?.back?.to : running.revertTo
          pass(world)
          const failed = open.some(
            ({ uuid }) => world.tasks.find((one) => one.uuid === uuid)?.state === 'failed',
          )
          if (!failed || back == null) return
          expect(world.service.current).toBe(back)
          expect(back).not.toBe(current)
          // Those that never come up are known by their number.
          expect(bad).not.toContain(Number(back.slice(1)))
        }
        for (const one of steps) play(world, one, each)
      },
    ),
    { numRuns: runs },
  )
}, 600_000)
