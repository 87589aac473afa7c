// A machine that is drained: its instances are replaced elsewhere, each before it goes, and no more at a time than asked.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SmallService } from './small-service.js'

function running(scale: number, room: number): SmallService {
  const world = new SmallService(scale, { room, bootMs: 400, bad: new Set() })
  for (let pass = 0; pass < 10; pass++) step(world)
  expect(world.up()).toHaveLength(scale)
  return world
}

function step(world: SmallService): ReturnType<SmallService['pass']> {
  const actions = world.pass()
  world.machines(300)
  return actions
}

function drain(world: SmallService, numbers: readonly number[], parallel = 1): void {
  world.drained = new Set(numbers)
  world.drainParallel = parallel
}

function numbersOf(world: SmallService): readonly number[] {
  return world.live().map(({ instance }) => instance.n)
}

describe('a drained machine', () => {
  test('loses its instances one by one, each once another one is healthy elsewhere', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 4 }),
        (scale, there, parallel) => {
          const world = running(scale, scale + parallel)
          const leaving = numbersOf(world).slice(0, there)
          drain(world, leaving, parallel)
          for (let pass = 0; pass < 60; pass++) {
            step(world)
            expect(world.up().length).toBeGreaterThanOrEqual(scale)
            expect(world.live().length).toBeLessThanOrEqual(scale + parallel)
          }
          expect(numbersOf(world).filter((n) => leaving.includes(n))).toEqual([])
          expect(world.up()).toHaveLength(scale)
          expect(world.tasks.every(({ state }) => state === 'completed')).toBe(true)
        },
      ),
    )
  })

  test('keeps an instance whose replacement finds no room, and gives it up once there is some', () => {
    const world = running(2, 2)
    drain(world, [1])
    for (let pass = 0; pass < 20; pass++) step(world)
    expect(numbersOf(world)).toEqual([1, 2, 3])
    expect(world.up().map(({ instance }) => instance.n)).toEqual([1, 2])
    drain(world, [])
    for (let pass = 0; pass < 20; pass++) step(world)
    expect(numbersOf(world)).toEqual([1, 2])
  })

  test('loses nothing while another instance of the service is in trouble', () => {
    const world = running(3, 6)
    drain(world, [1, 2])
    const trouble = world.held.get(3)
    if (trouble?.report != null) trouble.report = { ...trouble.report, active: 'activating' }
    for (let pass = 0; pass < 10; pass++) step(world)
    expect(numbersOf(world)).toEqual([1, 2, 3])
  })

  test('holds up no task of its service: a new scale is reached beside it', () => {
    const world = running(2, 2)
    drain(world, [1])
    step(world)
    expect(world.order({ kind: 'scale', target: 1 }, 'scale')).toBe(true)
    for (let pass = 0; pass < 20; pass++) step(world)
    expect(world.tasks.filter(({ kind }) => kind === 'scale').map(({ state }) => state)).toEqual([
      'completed',
    ])
    expect(numbersOf(world)).not.toContain(1)
  })

  test('waits for a rollout that runs, which replaces its instances anyway', () => {
    const world = running(3, 5)
    drain(world, [1, 2, 3])
    expect(world.deploy({ rolling: 1 })).toBe(true)
    const causes = new Set<string>()
    for (let pass = 0; pass < 60; pass++)
      for (const action of step(world)) if (action.kind === 'retire') causes.add(action.cause)
    expect([...causes]).toEqual(['replaced'])
    expect(numbersOf(world)).toEqual([4, 5, 6])
  })
})
