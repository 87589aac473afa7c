// The selection policy (contract §3), and which instances a rollout picks by it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RolloutOrder } from '../../src/model/order.js'
import type { Service } from '../../src/model/service.js'
import { applyOrder } from '../../src/service/orders.js'
import { rollout, SmallService } from './small-service.js'

/** Instances in any order: each with the version that it is of, running or on its way. */
const instances = fc.array(fc.record({ ordinal: fc.integer({ min: 1, max: 4 }), running: fc.boolean() }), {
  minLength: 1,
  maxLength: 8,
})

function serviceWith(
  made: readonly { readonly ordinal: number; readonly running: boolean }[],
  current: string,
): SmallService {
  const world = new SmallService(made.length, { room: 99, bootMs: 0, bad: new Set() })
  for (let n = 0; n < 3; n++) world.addVersion()
  for (let pass = 0; pass < 10; pass++) {
    world.pass()
    world.machines(1000)
  }
  for (const [at, held] of [...world.held.values()].entries()) {
    const { ordinal = 1, running = true } = made[at] ?? {}
    held.instance = { ...held.instance, ordinal, version: `v${ordinal}` }
    if (held.report !== null && !running) held.report = { ...held.report, active: 'activating' }
  }
  world.service = { ...world.service, current }
  return world
}

function pickedBy(world: SmallService, order: Partial<RolloutOrder>): readonly number[] | string {
  const situation = { service: world.service, versions: world.versions, instances: world.instances() }
  const outcome = applyOrder({ ...rollout, ...order }, situation, world.now)
  if (outcome.kind === 'refused') return outcome.code
  const replaces = outcome.service.rollout?.replaces
  return Array.isArray(replaces) ? (replaces as readonly number[]) : 'by rule'
}

describe('the instances that a reprovision picks', () => {
  test('run, are as many as were asked for, and are of the oldest versions, the current one last', () => {
    fc.assert(
      fc.property(
        instances,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 9 }),
        (made, now, count) => {
          const current = `v${now}`
          const world = serviceWith(made, current)
          const rank = (n: number): readonly number[] => {
            const instance = world.held.get(n)?.instance
            return [instance?.version === current ? 1 : 0, instance?.ordinal ?? 0, n]
          }
          const before = (a: number, b: number): number => compare(rank(a), rank(b))
          const running = made.flatMap(({ running: runs }, at) => (runs ? [at + 1] : [])).toSorted(before)
          const expected =
            running.length === 0
              ? 'service/nothing-selected'
              : count > running.length
                ? 'service/bad-count'
                : running.slice(0, count)
          expect(pickedBy(world, { count })).toEqual(expected)
        },
      ),
    )
  })

  test('are told by a rule where it is about all', () => {
    expect(pickedBy(serviceWith([{ ordinal: 1, running: true }], 'v1'), {})).toBe('by rule')
  })
})

describe('a canary', () => {
  test('replaces so many and no more, and a further reprovision goes on from there', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 1, max: 6 }), (scale, count) => {
        const world = new SmallService(scale, { room: 99, bootMs: 400, bad: new Set() })
        settle(world)
        const old = namesOf(world)
        const done = world.deploy({ count, rolling: Math.min(2, scale) })
        expect(done).toBe(count <= scale)
        if (!done) return
        settle(world)
        expect(namesOf(world).slice(0, scale - count)).toEqual(old.slice(count))
        expect(versionsOf(world)).toEqual([...Array(scale - count).fill('v1'), ...Array(count).fill('v2')])
        world.order({ ...rollout, filter: { ...rollout.filter, version: 'v1' } }, 'reprovision')
        settle(world)
        expect(versionsOf(world)).toEqual(Array(scale).fill('v2'))
      }),
    )
  })
})

describe('a plain reprovision after a canary', () => {
  const serving = (scale: number): SmallService => {
    const world = new SmallService(scale, { room: 99, bootMs: 400, bad: new Set() })
    settle(world)
    return world
  }
  const reprovision = (world: SmallService, more = {}): void => {
    world.order({ ...rollout, ...more }, 'reprovision')
    settle(world)
  }

  test('goes on with those that are left of another version, and the next one replaces all', () => {
    const world = serving(4)
    world.deploy({ count: 1 })
    settle(world)
    const [canary] = namesOf(world).slice(-1)
    reprovision(world)
    expect(versionsOf(world)).toEqual(Array(4).fill('v2'))
    expect(namesOf(world)).toContain(canary)
    reprovision(world)
    expect(namesOf(world)).not.toContain(canary)
    expect(namesOf(world)).toHaveLength(4)
  })

  test('goes on with those that are left of the same version, after several canaries as well', () => {
    const world = serving(4)
    const old = namesOf(world)
    reprovision(world, { count: 1 })
    reprovision(world, { count: 2 })
    expect(namesOf(world).slice(0, 1)).toEqual(old.slice(3))
    const renewed = namesOf(world).slice(1)
    reprovision(world)
    expect(namesOf(world)).toEqual([...renewed, expect.anything()])
    expect(namesOf(world)).not.toContain(old[3])
  })

  test('leaves nothing of an earlier canary of another version', () => {
    const world = serving(3)
    for (let n = 0; n < 2; n++) {
      world.deploy({ count: 1 })
      settle(world)
    }
    reprovision(world)
    expect(versionsOf(world)).toEqual(Array(3).fill('v3'))
  })

  test('replaces all where another version was deployed to all since', () => {
    const world = serving(3)
    world.deploy({ count: 1 })
    settle(world)
    world.deploy({})
    settle(world)
    const all = namesOf(world)
    reprovision(world)
    expect(namesOf(world).filter((name) => all.includes(name))).toEqual([])
  })
})

describe('a rollout that is wider than there are instances', () => {
  test('is refused, and one that is as wide is not', () => {
    const world = serviceWith(Array(3).fill({ ordinal: 1, running: true }), 'v1')
    const service: Service = world.service
    expect(pickedBy(world, { rolling: 4 })).toBe('service/bad-rolling')
    expect(pickedBy(world, { rolling: 3 })).toBe('by rule')
    expect(world.service).toBe(service)
  })
})

test('a deploy keeps the scale, unless it is given one', () => {
  const world = new SmallService(3, { room: 99, bootMs: 0, bad: new Set() })
  settle(world)
  world.deploy({})
  settle(world)
  expect(world.up()).toHaveLength(3)
  world.deploy({ scale: 5 })
  settle(world)
  expect(versionsOf(world)).toEqual(Array(5).fill('v3'))
})

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((one, index) => one !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

function settle(world: SmallService): void {
  for (let pass = 0; pass < 40; pass++) {
    world.pass()
    world.machines(1000)
  }
}

const namesOf = (world: SmallService): readonly string[] => world.live().map(({ instance }) => instance.name)
const versionsOf = (world: SmallService): readonly string[] =>
  world.live().map(({ instance }) => instance.version)
