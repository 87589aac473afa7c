// What an operator was promised (docs/rollouts.md), held against random histories of what operators and machines do. It
// is judged by what can be seen from outside: which instances serve, what was asked for, and what tasks say of it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noFilter } from '../../src/model/order.js'
import type { Task } from '../../src/model/task.js'
import { randomRuns } from '../random-runs.js'
import { rollout, SmallService } from './small-service.js'

type Step =
  | {
      readonly do: 'deploy'
      readonly rolling: number
      readonly count: number | null
      readonly autoRevert: boolean
      readonly scale: number | null
    }
  | {
      readonly do: 'reprovision'
      readonly rolling: number
      readonly count: number | null
      readonly which: number | null
    }
  | { readonly do: 'revert'; readonly ordinal: number }
  | { readonly do: 'scale'; readonly to: number }
  | { readonly do: 'stop' | 'start' | 'freeze' | 'unfreeze' | 'succeed' | 'return' }
  | { readonly do: 'terminate' | 'sicken' | 'die' | 'lose'; readonly which: number }
  | { readonly do: 'pass'; readonly count: number; readonly ms: number }

const width = fc.integer({ min: 1, max: 3 })
const some = fc.option(width, { freq: 2 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('deploy' as const),
      rolling: width,
      count: some,
      autoRevert: fc.boolean(),
      scale: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reprovision' as const),
      rolling: width,
      count: some,
      which: fc.option(fc.nat(4)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('revert' as const), ordinal: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('scale' as const), to: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...(['stop', 'start', 'start', 'freeze', 'unfreeze', 'unfreeze', 'succeed', 'return'] as const),
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(...(['terminate', 'sicken', 'die', 'lose'] as const)),
      which: fc.nat(5),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      count: fc.integer({ min: 1, max: 6 }),
      ms: fc.constantFrom(50, 500, 2000),
    }),
  },
)

const history = fc.record({
  scale: fc.integer({ min: 1, max: 4 }),
  spare: fc.integer({ min: 0, max: 6 }),
  bootMs: fc.constantFrom(0, 400, 4000),
  bad: fc.uniqueArray(fc.integer({ min: 2, max: 5 }), { maxLength: 2 }),
  huge: fc.uniqueArray(fc.integer({ min: 2, max: 5 }), { maxLength: 2 }),
  steps: fc.array(step, { maxLength: 20 }),
})

/** What operators have asked for, as the one who asked would remember it. */
class Asked {
  scale: number
  stoppedFrom: number | null = null
  version = 'v1'
  /** Of the last change that replaces instances. */
  rolling = 1
  /** By task: the version that it has to bring, and how many of it; null: all. */
  readonly brings = new Map<string, { readonly version: string; readonly count: number | null }>()
  /** By which version a deploy that may go back has been given; null: what there is may not. */
  mayGoBackFrom: string | null = null
  /** Versions of which something was up, and so may come back by themselves. */
  readonly wereUp = new Set(['v1'])

  constructor(scale: number) {
    this.scale = scale
  }
}

class Judge {
  readonly world: SmallService
  readonly asked: Asked
  #highest = 0

  constructor(world: SmallService, scale: number) {
    this.world = world
    this.asked = new Asked(scale)
  }

  play(one: Step): void {
    const { world, asked } = this
    switch (one.do) {
      case 'deploy': {
        const before = asked.version
        if (!world.deploy({ ...one, kind: 'rollout' })) return
        const [latest] = world.versions
        this.#replaces(latest?.uuid ?? '', one.rolling, one.count)
        asked.mayGoBackFrom = one.autoRevert ? before : null
        if (one.scale !== null && !this.#waits()) this.#scales(one.scale)
        return
      }
      case 'reprovision': {
        const live = world.live()
        const named = one.which === null ? undefined : live[one.which % Math.max(1, live.length)]
        const filter = { ...noFilter, instance: named?.instance.name ?? null }
        const count = named === undefined ? one.count : null
        if (!world.order({ ...rollout, rolling: one.rolling, count, filter }, 'reprovision')) return
        this.#replaces(asked.version, one.rolling, named === undefined ? count : 1)
        return
      }
      case 'revert':
        if (!world.order({ ...rollout, version: `v${one.ordinal}` }, 'revert')) return
        this.#replaces(`v${one.ordinal}`, 1, null)
        return
      case 'scale':
        if (world.order({ kind: 'scale', target: one.to }, 'scale') && !this.#waits()) this.#scales(one.to)
        return
      case 'stop':
        if (!world.order({ kind: 'stop', version: null }, 'stop')) return
        asked.stoppedFrom ??= asked.scale
        asked.scale = 0
        return
      case 'start':
        if (!world.order({ kind: 'start', version: null }, 'start') || this.#waits()) return
        this.#scales(Math.max(1, asked.stoppedFrom ?? asked.scale))
        return
      case 'terminate':
        world.terminate(one.which)
        return
      case 'freeze':
        while (!world.frozen && world.tasks.some(({ finishedAt }) => finishedAt === null)) world.terminate()
        world.frozen = true
        return
      case 'unfreeze':
        world.frozen = false
        return
      case 'succeed':
        world.reread()
        return
      case 'lose':
        world.lose(this.#pick(one.which))
        return
      case 'return':
        world.giveBack([...world.held.keys()])
        return
      case 'sicken':
      case 'die':
        this.#hurt(one.do, one.which)
        return
      case 'pass':
        for (let pass = 0; pass < one.count; pass++) this.pass(one.ms)
    }
  }

  /** One pass of the planner, judged. */
  pass(ms: number): void {
    const { world, asked } = this
    const before = new Set(world.up().map(({ instance }) => instance.n))
    for (const { instance } of world.up()) asked.wereUp.add(instance.version)
    const wasFull = world.isFull
    const wanting = world.live().some(({ placement, instance }) => {
      return placement === null && !world.isHuge(instance.ordinal)
    })
    const open = world.tasks.filter(({ finishedAt }) => finishedAt === null)
    const actions = world.pass()
    for (const action of actions) {
      if (action.kind !== 'create') continue
      expect(action.n, 'a number of its own').toBeGreaterThan(this.#highest)
      this.#highest = action.n
    }
    this.#followBegun(open)
    const left = world.up().filter(({ instance }) => before.has(instance.n)).length
    if (left < before.size) {
      const spare = wasFull && wanting ? asked.rolling : 0
      expect(left, 'instances that serve').toBeGreaterThanOrEqual(Math.min(before.size, asked.scale - spare))
    }
    expect(world.service.scale, 'the scale that was asked for').toBe(asked.scale)
    expect(world.service.current, 'the version that was asked for').toBe(asked.version)
    for (const task of open) {
      const now = world.tasks.find(({ uuid }) => uuid === task.uuid)
      if (now?.state === 'completed') this.#isComplete(now)
    }
    world.machines(ms)
  }

  /** What waited and begins, and what the planner does by itself. */
  #followBegun(open: readonly Task[]): void {
    const { world, asked } = this
    for (const task of world.tasks) {
      const before = open.find(({ uuid }) => uuid === task.uuid)
      const begins = before?.state === 'queued' && task.state === 'active'
      if (begins && task.target !== null) {
        const { order } = before
        if (order?.kind === 'scale') this.#scales(Number(order.target))
        if (order?.kind === 'start') this.#scales(Math.max(1, asked.stoppedFrom ?? asked.scale))
        if (order?.kind === 'rollout') {
          asked.version = order.version ?? asked.version
          asked.rolling = order.rolling ?? 1
          if (order.scale !== null) this.#scales(order.scale)
        }
      }
      if (before === undefined && task.kind === 'revert' && task.uuid.startsWith('task-') === false) {
        if (asked.mayGoBackFrom === null || asked.brings.has(task.uuid)) continue
        const to = task.target?.version ?? ''
        expect([...asked.wereUp, asked.mayGoBackFrom], 'what it may go back to').toContain(to)
        expect(to, 'what it goes back to').not.toBe(asked.version)
        asked.version = to
        asked.mayGoBackFrom = null
        asked.brings.set(task.uuid, { version: asked.version, count: null })
      }
    }
  }

  /** A task that says that it is done has brought what it was for. */
  #isComplete(task: Task): void {
    const { world, asked } = this
    const live = world.live().filter(({ instance }) => !world.isAway(instance.n))
    const up = world.up()
    const brought = asked.brings.get(task.uuid)
    if (task.kind === 'stop') expect(live, 'a stop').toEqual([])
    if (task.kind === 'scale' || task.kind === 'start') {
      expect([live.length, up.length], `a ${task.kind}`).toEqual([asked.scale, asked.scale])
    }
    if (brought === undefined || task.state !== 'completed') return
    const fresh = up.filter(({ instance }) => instance.version === brought.version)
    const count = brought.count === null ? asked.scale : Math.min(brought.count, asked.scale)
    expect(live.length, `instances after a ${task.kind}`).toBe(asked.scale)
    // An old instance that comes back in this very moment, after its rollout was over, counts for a scale that has grown.
    if (live.some(({ instance }) => instance.lost !== null)) return
    expect(fresh.length, `instances of a ${task.kind} that serve`).toBeGreaterThanOrEqual(count)
  }

  #replaces(version: string, rolling: number, count: number | null): void {
    const task = this.world.tasks.at(-1)
    if (task !== undefined) this.asked.brings.set(task.uuid, { version, count })
    this.asked.mayGoBackFrom = null
    if (this.#waits()) return
    this.asked.rolling = rolling
    this.asked.version = version
  }

  #scales(scale: number): void {
    this.asked.scale = scale
    this.asked.stoppedFrom = null
  }

  #waits(): boolean {
    return this.world.tasks.at(-1)?.state === 'queued'
  }

  #pick(which: number): readonly number[] {
    const live = this.world.live()
    const held = live[which % Math.max(1, live.length)]
    return held?.placement == null ? [] : [held.instance.n]
  }

  #hurt(how: 'sicken' | 'die', which: number): void {
    const up = this.world.up()
    const held = up[which % Math.max(1, up.length)]
    if (held?.report == null) return
    const exit = { code: 1, signal: null, oom: false, at: this.world.now }
    held.report =
      how === 'die' ? { ...held.report, active: 'failed', exit } : { ...held.report, health: 'unhealthy' }
  }

  /** Passes until nothing changes any more; time runs fast, so that every wait ends. */
  settle(rounds: number): void {
    let quiet = 0
    let before = ''
    for (let round = 0; round < rounds && quiet < 12; round++) {
      this.pass(round % 4 === 3 ? 250_000 : 500)
      const { world } = this
      const said = JSON.stringify([[...world.held.values()], world.tasks, world.service])
      quiet = said === before ? quiet + 1 : 0
      before = said
    }
  }
}

/** More with PLANNER_RUNS=20000. */
const runs = randomRuns('PLANNER_RUNS', 3000)

describe('whatever operators and machines do', () => {
  test('what serves goes on serving, tasks are done when they say so, and at rest all is as asked', () => {
    fc.assert(
      fc.property(history, ({ scale, spare, bootMs, bad, huge, steps }) => {
        const surroundings = { room: scale + spare, bootMs, bad: new Set(bad), huge: new Set(huge) }
        const judge = new Judge(new SmallService(scale, surroundings), scale)
        judge.play({ do: 'pass', count: 6, ms: 2000 })
        for (const one of steps) judge.play(one)
        const { world, asked } = judge
        world.frozen = false
        judge.play({ do: 'return' })
        const isHopeless = (): boolean => {
          const ordinal = Number(asked.version.slice(1))
          return bad.includes(ordinal) || huge.includes(ordinal) || asked.scale > scale + spare
        }
        judge.settle(20)
        if (!isHopeless()) judge.settle(1000)
        // A canary, or picks, may leave instances of a version that cannot come up.
        const never = new Set([...bad, ...huge])
        // Also what waited its turn, or went back by itself, may ask for what cannot be.
        if (isHopeless()) return
        if (world.live().some(({ instance }) => never.has(instance.ordinal))) return
        expect(world.tasks.filter(({ finishedAt }) => finishedAt === null)).toEqual([])
        expect([world.live().length, world.up().length]).toEqual([asked.scale, asked.scale])
        expect(world.service.rollout).toBeNull()
      }),
      { numRuns: runs },
    )
  }, 600_000)
})
