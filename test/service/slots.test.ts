// Services whose instances have volumes of their own, held against random histories: what is promised of slots.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ServiceAction } from '../../src/service/actions.js'
import { randomRuns } from '../random-runs.js'
import { rollout, SmallService } from './small-service.js'

type Step =
  | { readonly do: 'deploy'; readonly rolling: number; readonly count: number | null; readonly back: boolean }
  | {
      readonly do: 'revert' | 'scale' | 'sicken' | 'lose' | 'return' | 'drain' | 'hold' | 'free'
      readonly which: number
    }
  | { readonly do: 'stop' | 'start' | 'terminate' | 'succeed' }
  | { readonly do: 'pass'; readonly count: number; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('deploy' as const),
    rolling: fc.integer({ min: 1, max: 3 }),
    count: fc.option(fc.integer({ min: 1, max: 2 }), { freq: 2 }),
    back: fc.boolean(),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...(['revert', 'scale', 'scale', 'sicken', 'lose', 'return', 'drain', 'hold', 'free'] as const),
      ),
      which: fc.nat(5),
    }),
  },
  fc.record({ do: fc.constantFrom(...(['stop', 'start', 'terminate', 'succeed'] as const)) }),
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      count: fc.integer({ min: 1, max: 8 }),
      ms: fc.constantFrom(50, 500, 2000),
    }),
  },
)

const history = fc.record({
  scale: fc.integer({ min: 1, max: 4 }),
  room: fc.integer({ min: 1, max: 6 }),
  bootMs: fc.constantFrom(0, 400, 4000),
  bad: fc.uniqueArray(fc.integer({ min: 2, max: 5 }), { maxLength: 2 }),
  fresh: fc.boolean(),
  steps: fc.array(step, { maxLength: 25 }),
})

class Site {
  readonly world: SmallService

  constructor(scale: number, surroundings: ConstructorParameters<typeof SmallService>[1], fresh = false) {
    this.world = new SmallService(scale, { ...surroundings, slotVolumes: [{ name: 'data', fresh }] })
  }

  play(one: Step): void {
    const { world } = this
    switch (one.do) {
      case 'deploy':
        world.deploy({ rolling: one.rolling, count: one.count, autoRevert: one.back })
        return
      case 'revert':
        world.order({ ...rollout, version: `v${(one.which % world.versions.length) + 1}` }, 'revert')
        return
      case 'scale':
        world.order({ kind: 'scale', target: one.which }, 'scale')
        return
      case 'stop':
        world.order({ kind: 'stop', version: null }, 'stop')
        return
      case 'start':
        world.order({ kind: 'start', version: null }, 'start')
        return
      case 'sicken':
        world.sicken(this.#pick(one.which))
        return
      case 'lose':
        world.lose([this.#pick(one.which)])
        return
      case 'drain':
        world.drained.add(this.#pick(one.which))
        return
      case 'return':
        world.giveBack([...world.held.keys()])
        world.drained.clear()
        return
      case 'hold':
        this.hold(one.which)
        return
      case 'free':
        this.free()
        return
      case 'terminate':
        world.terminate()
        return
      case 'succeed':
        world.reread()
        return
      case 'pass':
        for (let pass = 0; pass < one.count; pass++) this.pass(one.ms)
    }
  }

  /** Something is done with the volumes of a slot, for which nobody may have it. */
  hold(slot: number): void {
    for (const [key, record] of this.world.volumes)
      if (record.slot === slot)
        this.world.volumes.set(key, { ...record, hold: { id: '1', work: 'move', by: 'm' as never, at: 0 } })
  }

  free(): void {
    for (const [key, { hold: _hold, ...record }] of this.world.volumes) this.world.volumes.set(key, record)
  }

  /** The current version has no volumes of slots. */
  takeSlots(): void {
    const { versions, service } = this.world
    this.world.versions.splice(
      0,
      versions.length,
      ...versions.map((one) => {
        const { slotVolumes, ...rest } = one
        return one.uuid === service.current ? rest : one
      }),
    )
  }

  /** Passes that are judged by their actions alone. */
  plan(times: number): readonly ServiceAction[] {
    return Array.from({ length: times }, () => {
      const actions = this.world.pass()
      this.world.machines(1500)
      return actions
    }).flat()
  }

  /** One pass, judged. */
  pass(ms: number): readonly ServiceAction[] {
    const { world } = this
    const scale = world.service.scale
    const before = [...world.held.values()].map(({ instance, report }) => ({ instance, report }))
    const serving = world.up().map(({ instance }) => instance.n)
    const { rollout: rolling } = world.service
    const heldSlots = new Set([...world.volumes.values()].flatMap(({ slot, hold }) => (hold ? [slot] : [])))
    const actions = world.pass()
    const given = new Set(
      actions.flatMap((one) => (one.kind === 'retire' && one.cause === 'lost' ? [one.instance.n] : [])),
    )
    for (const action of actions) {
      if (action.kind !== 'create') continue
      expect(action.slot, 'a slot below the scale').toBeLessThan(scale)
      expect(heldSlots.has(action.slot ?? -1), 'nobody gets a slot that is held').toBe(false)
      const mayWrite = before.filter(
        ({ instance, report }) =>
          instance.slot === action.slot && report?.active !== 'inactive' && !given.has(instance.n),
      )
      expect(mayWrite, 'nobody else may write to the volume').toEqual([])
    }
    const slots = world.live().map(({ instance }) => instance.slot)
    expect(new Set(slots).size, 'each slot once').toBe(slots.length)
    const went = new Set(actions.flatMap((one) => (one.kind === 'retire' ? [one.instance.n] : [])))
    const replaced = actions.flatMap((one) =>
      one.kind === 'retire' && one.cause === 'replaced' && !heldSlots.has(one.instance.slot ?? -1)
        ? [one.instance.n]
        : [],
    )
    if (replaced.some((n) => serving.includes(n)))
      expect(
        serving.filter((n) => !went.has(n)).length,
        'no more than the rollout may is missing, beside what is held',
      ).toBeGreaterThanOrEqual(scale - (rolling?.parallel ?? 0) - heldSlots.size)
    world.machines(ms)
    return actions
  }

  /** All is well from now on: every slot comes up. */
  calm(): void {
    const { world } = this
    this.free()
    world.giveBack([...world.held.keys()])
    world.drained.clear()
    for (let pass = 0; pass < 200; pass++) this.pass(1500)
  }

  #pick(which: number): number {
    const live = this.world.live()
    return live[which % Math.max(1, live.length)]?.instance.n ?? 0
  }
}

function slotsUp({ world }: Site): readonly (number | undefined)[] {
  return world
    .up()
    .map(({ instance }) => instance.slot)
    .sort()
}

describe('a service with volumes of its slots', () => {
  test('never makes an instance of a slot while another one may write, and fills all slots in the end', () => {
    const runs = randomRuns('SLOT_RUNS', 150)
    fc.assert(
      fc.property(history, ({ scale, room, bootMs, bad, fresh, steps }) => {
        const site = new Site(scale, { room: room + 6, bootMs, bad: new Set(bad) }, fresh)
        for (const one of steps) site.play(one)
        site.calm()
        const { world } = site
        const current = world.versions.find(({ uuid }) => uuid === world.service.current)
        if (bad.length > 0 && world.live().some(({ instance }) => bad.includes(instance.ordinal))) return
        if (bad.includes(current?.ordinal ?? 0)) return
        expect(slotsUp(site)).toEqual(Array.from({ length: world.service.scale }, (_, slot) => slot))
      }),
      { numRuns: runs },
    )
  })

  const settled = (scale: number): Site => {
    const site = new Site(scale, { room: 10, bootMs: 0, bad: new Set([9]) })
    for (let pass = 0; pass < 20; pass++) site.pass(1500)
    expect(slotsUp(site)).toEqual(Array.from({ length: scale }, (_, slot) => slot))
    return site
  }

  test('is replaced slot by slot, the old instance first', () => {
    const site = settled(3)
    site.world.deploy({ rolling: 1 })
    let fewest = 3
    for (let pass = 0; pass < 40; pass++) {
      site.pass(500)
      fewest = Math.min(fewest, site.world.up().length)
    }
    expect(fewest).toBe(2)
    expect(slotsUp(site)).toEqual([0, 1, 2])
    expect(site.world.live().map(({ instance }) => instance.ordinal)).toEqual([2, 2, 2])
  })

  test('loses the highest slots when the scale is lowered, and finds them again', () => {
    const site = settled(3)
    site.world.order({ kind: 'scale', target: 1 }, 'scale')
    for (let pass = 0; pass < 10; pass++) site.pass(500)
    expect(site.world.live().map(({ instance }) => [instance.n, instance.slot])).toEqual([[1, 0]])
    site.world.order({ kind: 'scale', target: 2 }, 'scale')
    for (let pass = 0; pass < 10; pass++) site.pass(500)
    expect(site.world.live().map(({ instance }) => [instance.n, instance.slot])).toEqual([
      [1, 0],
      [4, 1],
    ])
  })

  test('waits for a machine that is away, however long, and begins anew where it may', () => {
    const waits = settled(2)
    waits.world.lose([1])
    for (let pass = 0; pass < 20; pass++) waits.pass(600_000)
    expect(waits.world.live().map(({ instance }) => instance.n)).toEqual([1, 2])

    const fresh = new Site(2, { room: 10, bootMs: 0, bad: new Set() }, true)
    for (let pass = 0; pass < 20; pass++) fresh.pass(1500)
    fresh.world.lose([1])
    for (let pass = 0; pass < 20; pass++) fresh.pass(1500)
    expect(fresh.world.live().map(({ instance }) => [instance.n, instance.slot])).toEqual([
      [2, 1],
      [3, 0],
    ])
  })

  test('a rollout is held up by an old instance that may still run', () => {
    const site = settled(2)
    site.world.lose([1])
    site.pass(1500)
    site.world.deploy({ rolling: 2 })
    for (let pass = 0; pass < 40; pass++) site.pass(1500)
    const { world } = site
    expect(
      world
        .live()
        .map(({ instance }) => [instance.slot, instance.ordinal])
        .sort(),
    ).toEqual([
      [0, 1],
      [1, 2],
    ])
    expect(world.service.rollout).not.toBeNull()
    world.giveBack([1])
    for (let pass = 0; pass < 40; pass++) site.pass(1500)
    expect(world.live().map(({ instance }) => instance.ordinal)).toEqual([2, 2])
    expect(world.service.rollout).toBeNull()
  })

  test('what cannot be placed again where its volume is, is not replaced', () => {
    const site = settled(2)
    site.world.drained.add(1)
    site.world.deploy({ rolling: 2 })
    for (let pass = 0; pass < 40; pass++) site.pass(1500)
    expect(
      site.world
        .up()
        .map(({ instance }) => [instance.slot, instance.ordinal])
        .sort(),
    ).toEqual([
      [0, 1],
      [1, 2],
    ])
  })

  test('that is held has its instance stopped, and another one once it is let go of; the others stay', () => {
    const site = new Site(2, { room: 4, bootMs: 0, bad: new Set() })
    site.calm()
    const slots = (): readonly (number | undefined)[] =>
      site.world.live().map(({ instance }) => instance.slot)
    const first = site.world.live().map(({ instance }) => instance.n)
    site.hold(0)
    for (let pass = 0; pass < 20; pass++) site.pass(1500)
    expect(slots()).toEqual([1])
    site.free()
    for (let pass = 0; pass < 20; pass++) site.pass(1500)
    expect([...slots()].sort()).toEqual([0, 1])
    expect(site.world.live().filter(({ instance }) => first.includes(instance.n))).toHaveLength(1)
  })

  test('is not told that its scale was lowered where those from before it had slots are too many', () => {
    const site = new Site(2, { room: 10, bootMs: 0, bad: new Set() })
    const { world } = site
    site.takeSlots()
    site.plan(10)
    world.lose([1])
    site.plan(10)
    world.giveBack([1])
    site.plan(1)
    expect(world.live().map(({ instance }) => instance.n)).toEqual([1, 2, 3])
    world.deploy({ rolling: 1 })
    const why = site.plan(40).flatMap((one) => (one.kind === 'retire' ? [`${one.cause}: ${one.reason}`] : []))
    expect(why[0]).toBe('scale-down: more instances run than the scale requires')
    expect(why).toHaveLength(3)
    expect(slotsUp(site)).toEqual([0, 1])
  })

  test('has what is too many in a rollout, and serves nobody, told as that', () => {
    const site = new Site(2, { room: 10, bootMs: 20_000, bad: new Set() })
    const { world } = site
    site.takeSlots()
    site.plan(2)
    world.lose([1])
    site.plan(2)
    world.giveBack([1])
    site.plan(1)
    expect(world.live().map(({ instance }) => instance.n)).toEqual([1, 2, 3])
    world.deploy({ rolling: 1 })
    const why = site.plan(60).flatMap((one) => (one.kind === 'retire' ? [`${one.cause}: ${one.reason}`] : []))
    expect(why).toContain('replaced: it serves nobody, and has no place in the scale')
    expect(why.filter((one) => one.startsWith('scale-down'))).toEqual([])
    expect(slotsUp(site)).toEqual([0, 1])
  })

  test('that is held has its instance stopped, also where a version without slots is the current one', () => {
    const site = settled(2)
    const { world } = site
    world.deploy({ rolling: 1, count: 1 })
    site.takeSlots()
    site.plan(40)
    const left = world.live().find(({ instance }) => instance.ordinal === 1)?.instance
    expect(
      world
        .live()
        .map(({ instance }) => instance.ordinal)
        .sort(),
    ).toEqual([1, 2])
    site.hold(left?.slot ?? -1)
    const steps = site.plan(40)
    expect(steps.filter(({ kind }) => kind === 'retire')).toEqual([
      expect.objectContaining({
        ...{ instance: left, cause: 'replaced', reason: 'its volume moves to another machine' },
      }),
    ])
    expect(world.up()).toHaveLength(2)
  })
})
