// The clock of whoever leads is set: what is decided by time is decided as if nobody had touched it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heardAgainMs } from '../../src/lib/elapsed.js'
import { lostKeptMs } from '../../src/service/retire.js'
import { replacementsAtOnce } from '../../src/service/storm.js'
import { serviceKey } from '../../src/store/view.js'
import { randomCases } from '../random-runs.js'
import { idOf, project, World } from '../world/world.js'
import { SmallService, type Surroundings } from './small-service.js'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const deadlineMs = 60_000

function running(scale: number, surroundings: Partial<Surroundings> = {}): SmallService {
  const world = new SmallService(scale, { room: 20, bootMs: 1000, bad: new Set(), ...surroundings })
  rounds(world, 10, 1000)
  expect(world.up()).toHaveLength(scale)
  return world
}

function rounds(world: SmallService, count: number, ms: number): void {
  for (let round = 0; round < count; round++) {
    world.pass()
    world.machines(ms)
  }
}

const states = (world: SmallService) => world.tasks.map(({ kind, state }) => `${kind} ${state}`)

describe('a rollout whose deadline passes while the store is out of touch', () => {
  const cutOff = (huge: ReadonlySet<number>): SmallService => {
    const world = running(2, { huge })
    world.deploy({ deadlineMs })
    rounds(world, 10, 1000)
    // Nobody decides, and nothing is reported, for longer than the deadline.
    world.now += 2 * deadlineMs
    world.inTouchForMs = 0
    return world
  }

  test('goes on with what was up in time, as soon as that is heard', () => {
    const huge = new Set([2])
    const world = cutOff(huge)
    world.pass()
    expect(states(world).at(-1)).toBe('deploy active')
    world.inTouchForMs = heardAgainMs - 1
    world.pass()
    expect(states(world).at(-1)).toBe('deploy active')
    huge.clear()
    rounds(world, 20, 1000)
    expect(states(world).at(-1)).toBe('deploy completed')
  })

  test('fails when everybody has had the time to be heard', () => {
    const world = cutOff(new Set([2]))
    world.pass()
    world.inTouchForMs = heardAgainMs
    world.pass()
    expect(states(world).at(-1)).toBe('deploy failed')
  })
})

describe('a rollout that runs while the clock is set', () => {
  test('forward by an hour goes on', () => {
    const huge = new Set([2])
    const world = running(2, { huge })
    world.deploy({ deadlineMs, autoRevert: true })
    rounds(world, 10, 1000)
    world.setClock(hourMs)
    rounds(world, 10, 1000)
    huge.clear()
    rounds(world, 20, 1000)
    expect(states(world)).toEqual(['deploy completed', 'deploy completed'])
    expect(world.up().map(({ instance }) => instance.ordinal)).toEqual([2, 2])
  })

  test('forward, and fails then, fails at its deadline and not before', () => {
    const world = running(2, { huge: new Set([2]) })
    world.deploy({ deadlineMs })
    rounds(world, 10, 1000)
    world.setClock(hourMs)
    rounds(world, 50, 1000)
    expect(states(world).at(-1)).toBe('deploy active')
    rounds(world, 2, 1000)
    expect(states(world).at(-1)).toBe('deploy failed')
  })

  test('back by an hour has the time that it had, and not an hour more', () => {
    const world = running(2, { huge: new Set([2]) })
    world.deploy({ deadlineMs })
    rounds(world, 10, 1000)
    world.setClock(-hourMs)
    rounds(world, 50, 1000)
    expect(states(world).at(-1)).toBe('deploy active')
    rounds(world, 2, 1000)
    expect(states(world).at(-1)).toBe('deploy failed')
  })

  test('back by an hour fails with what is made after that', () => {
    const world = running(2, { bad: new Set([2]) })
    world.deploy({ deadlineMs })
    world.setClock(-hourMs)
    rounds(world, 10, 1000)
    expect(states(world).at(-1)).toBe('deploy failed')
  })
})

describe('an instance that is lost while the clock is set', () => {
  test('forward by an hour is waited for as long as ever', () => {
    const world = running(2)
    world.lose([1])
    rounds(world, 10, 1000)
    world.setClock(lostKeptMs)
    rounds(world, 10, 1000)
    expect(world.live().map(({ instance }) => instance.n)).toContain(1)
    rounds(world, 2, lostKeptMs)
    expect(world.live().map(({ instance }) => instance.n)).not.toContain(1)
  })

  test('back by two hours is given up when its time is over, and one that is back is taken for back', () => {
    const world = running(3)
    world.lose([1, 2])
    rounds(world, 10, 1000)
    world.giveBack([2])
    world.pass()
    world.setClock(-2 * hourMs)
    rounds(world, 7, 1000)
    // It is seen to serve, so that one more than is asked for does, and the oldest goes.
    expect(world.live().map(({ instance }) => instance.n)).toEqual([1, 3, 4, 5])
    rounds(world, 2, lostKeptMs - 10_000)
    expect(world.live().map(({ instance }) => instance.n)).toEqual([3, 4, 5])
  })
})

describe('an instance whose loss or return was told by a clock that is ahead', () => {
  test('is given up an hour after that is heard, and not when that clock is caught up with', () => {
    const world = running(2)
    world.lose([1])
    rounds(world, 10, 1000)
    world.now -= 2 * hourMs
    rounds(world, 2, 1000)
    rounds(world, 2, lostKeptMs)
    expect(world.live().map(({ instance }) => instance.n)).not.toContain(1)
  })

  test('counts as up once it has been there for a moment', () => {
    const world = running(2)
    world.lose([1])
    rounds(world, 10, 1000)
    world.giveBack([1])
    world.pass()
    world.now -= 2 * hourMs
    rounds(world, 8, 1000)
    // One more than is asked for serves, so that the oldest goes.
    expect(world.live().map(({ instance }) => instance.n)).toEqual([2, 3])
  })
})

describe('what fails again and again while the clock is set', () => {
  /** Instances that fail as soon as they run, with a back-off that has grown to a minute. */
  function failing(): SmallService {
    const world = running(1)
    for (let round = 0; round < 400; round++) {
      for (const { instance } of world.up()) world.sicken(instance.n)
      world.pass()
      world.machines(1000)
    }
    expect(world.service.failures?.count).toBeGreaterThan(6)
    while (world.live().length > 0) {
      for (const { instance } of world.up()) world.sicken(instance.n)
      world.pass()
      world.machines(1000)
    }
    return world
  }

  test('back by an hour is replaced after its back-off, and not an hour later', () => {
    const world = failing()
    world.setClock(-hourMs)
    rounds(world, 40, 1000)
    expect(world.live()).toHaveLength(0)
    rounds(world, 25, 1000)
    expect(world.live()).toHaveLength(1)
  })

  test('forward by an hour is not replaced before', () => {
    const world = failing()
    world.setClock(hourMs)
    rounds(world, 40, 1000)
    expect(world.live()).toHaveLength(0)
  })

  test('back by an hour before anybody led who leads now is held up by nothing', () => {
    const world = failing()
    world.now -= hourMs
    rounds(world, 2, 1000)
    expect(world.live()).toHaveLength(1)
  })
})

describe('a large loss, and the clock is set back', () => {
  test('is replaced at its rate, and not an hour later', () => {
    const world = new World()
    for (const name of ['a', 'b', 'c']) world.machine(name, { memoryMb: 100_000 })
    world.deploy('compute_type: process\ncommand: [/bin/web]\n', { scale: 100 })
    world.settle()
    const on = world
      .live('web')
      .filter(({ unit }) => world.view.placements.get(unit)?.machine === idOf('a')).length
    expect(on).toBeGreaterThan(replacementsAtOnce)
    world.loseMachine(idOf('a'))
    world.servicePass()
    world.setClock(-hourMs)
    for (let second = 0; second < 60; second++) {
      world.servicePass()
      world.enginePass()
      world.agentPass({ healthy: () => true })
      world.now += 1000
    }
    expect(world.serving('web')).toHaveLength(100)
    expect(world.view.tasksOf(serviceKey(project, 'web')).at(-1)).toMatchObject({ state: 'completed' })
  })
})

type Step =
  | { readonly do: 'deploy'; readonly rolling: number; readonly autoRevert: boolean }
  | { readonly do: 'scale'; readonly to: number }
  | { readonly do: 'lose' | 'sicken'; readonly which: number }
  | { readonly do: 'return' | 'stop' | 'start' }
  | { readonly do: 'pass'; readonly count: number; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('deploy' as const),
    rolling: fc.integer({ min: 1, max: 3 }),
    autoRevert: fc.boolean(),
  }),
  fc.record({ do: fc.constant('scale' as const), to: fc.nat(4) }),
  fc.record({ do: fc.constantFrom('lose' as const, 'sicken' as const), which: fc.nat(5) }),
  fc.record({ do: fc.constantFrom('return' as const, 'stop' as const, 'start' as const) }),
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      count: fc.integer({ min: 1, max: 6 }),
      ms: fc.constantFrom(50, 700, 5000, 40_000, 1_900_000),
    }),
  },
)

/** Everything that is decided, with the time that has really gone by; before each step the clock is set. */
function decisions(
  steps: readonly Step[],
  setBy: readonly number[],
  surroundings: Surroundings,
): readonly string[] {
  const world = new SmallService(3, surroundings)
  const told: string[] = []
  const pass = (ms: number): void => {
    for (const action of world.pass()) {
      const { kind } = action
      const about =
        'instance' in action ? action.instance.name : 'task' in action ? action.task.kind : action.n
      const more =
        'cause' in action ? `${action.cause}: ${action.reason}` : 'state' in action ? action.error : ''
      told.push(`${kind} ${about} ${more}`)
    }
    told.push(`${world.service.failures?.count} ${world.service.rollout === null}`)
    world.machines(ms)
  }
  for (const [index, one] of steps.entries()) {
    const byMs = setBy[index] ?? 0
    if (byMs !== 0) world.setClock(byMs)
    switch (one.do) {
      case 'deploy':
        world.deploy({ ...one, kind: 'rollout', deadlineMs })
        break
      case 'scale':
        world.order({ kind: 'scale', target: one.to }, 'scale')
        break
      case 'stop':
      case 'start':
        world.order({ kind: one.do, version: null }, one.do)
        break
      case 'return':
        world.giveBack([...world.held.keys()])
        break
      case 'lose':
      case 'sicken': {
        const live = world.live().filter(({ placement }) => placement !== null)
        const held = live[one.which % Math.max(1, live.length)]
        if (held === undefined) break
        if (one.do === 'lose') world.lose([held.instance.n])
        else world.sicken(held.instance.n)
        break
      }
      case 'pass':
        for (let count = 0; count < one.count; count++) pass(one.ms)
    }
    told.push(one.do)
  }
  return told
}

describe('decisions are those that would have been made', () => {
  const surroundings: fc.Arbitrary<Surroundings> = fc.record({
    room: fc.integer({ min: 3, max: 8 }),
    bootMs: fc.constantFrom(0, 3000, 50_000),
    bad: fc.uniqueArray(fc.integer({ min: 2, max: 4 }), { maxLength: 2 }).map((all) => new Set(all)),
  })
  type Example = [Step[], number[], Surroundings]
  const holds = (byMs: fc.Arbitrary<number>, examples: Example[] = []): void => {
    const setBy = fc.array(fc.oneof(fc.constant(0), byMs), { maxLength: 20 })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), setBy, surroundings, (steps, jumps, around) => {
        expect(decisions(steps, jumps, around)).toEqual(decisions(steps, [], around))
      }),
      { numRuns: randomCases(1000), examples },
    )
  }
  // A scale that waits for its turn when the clock is set: why instances stop is told as if it had not been.
  const lowered: Example = [
    [
      { do: 'pass', count: 1, ms: 50 },
      { do: 'start' },
      { do: 'scale', to: 0 },
      { do: 'pass', count: 6, ms: 50 },
    ],
    [0, -10 * dayMs],
    { room: 3, bootMs: 0, bad: new Set() },
  ]

  test('however far the clock is set forward', () => {
    holds(fc.integer({ min: 500, max: 3 * hourMs }))
  })

  test('also where it is set back, as long as it does not come to say the same again', () => {
    // All steps together take less than ten days, so that no two stretches have an instant in common.
    holds(
      fc.integer({ min: -5, max: 5 }).map((times) => times * 10 * dayMs),
      [lowered],
    )
  })
})
