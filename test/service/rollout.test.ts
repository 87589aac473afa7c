// Rollouts under chance: whatever is asked for in whatever order, what the planner promises of instances that serve
// holds at every step, and it comes to rest with what was asked for.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Task } from '../../src/model/task.js'
import type { ServiceAction } from '../../src/service/actions.js'
import { randomRuns } from '../random-runs.js'
import { rollout, SmallService } from './small-service.js'

type Step =
  | { readonly do: 'scale'; readonly to: number }
  | {
      readonly do: 'deploy'
      readonly rolling: number
      readonly count: number | null
      readonly autoRevert: boolean
    }
  | { readonly do: 'reprovision'; readonly rolling: number; readonly count: number | null }
  | { readonly do: 'revert'; readonly ordinal: number }
  | { readonly do: 'stop' | 'start' | 'terminate' | 'freeze' | 'unfreeze' | 'succeed' }
  | { readonly do: 'sicken' | 'die'; readonly which: number }
  | { readonly do: 'set'; readonly value: string }
  | { readonly do: 'pass'; readonly count: number; readonly ms: number }

const width = fc.integer({ min: 1, max: 4 })
const some = fc.option(width, { freq: 2 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('scale' as const), to: fc.nat(6) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('deploy' as const),
      rolling: width,
      count: some,
      autoRevert: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('reprovision' as const), rolling: width, count: some }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('revert' as const), ordinal: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(...(['stop', 'start', 'terminate', 'freeze', 'unfreeze', 'succeed'] as const)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('sicken' as const, 'die' as const), which: fc.nat(5) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('set' as const), value: fc.constantFrom('a', 'b', 'c') }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      count: fc.integer({ min: 1, max: 6 }),
      ms: fc.constantFrom(50, 300, 2000),
    }),
  },
)

const story = fc.record({
  scale: fc.integer({ min: 1, max: 5 }),
  /** Room for no more than the scale, or for more: stop-first, or start-first. */
  spare: fc.integer({ min: 0, max: 6 }),
  bootMs: fc.constantFrom(0, 400),
  /** How long names are remembered; 0: it has none. */
  rememberedMs: fc.constantFrom(0, 2500),
  /** Versions that never become healthy; the first always does. */
  bad: fc.uniqueArray(fc.integer({ min: 2, max: 5 }), { maxLength: 3 }),
  /** How many instances a change of the metadata restarts at a time. */
  restart: width,
  steps: fc.array(step, { maxLength: 20 }),
})

function play(world: SmallService, one: Step): void {
  switch (one.do) {
    case 'scale':
      world.order({ kind: 'scale', target: one.to }, 'scale')
      return
    case 'deploy':
      world.deploy({ rolling: one.rolling, count: one.count, autoRevert: one.autoRevert })
      return
    case 'reprovision':
      world.order({ ...rollout, rolling: one.rolling, count: one.count }, 'reprovision')
      return
    case 'revert':
      world.order({ ...rollout, version: `v${one.ordinal}` }, 'revert')
      return
    case 'stop':
    case 'start':
      world.order({ kind: one.do, version: null }, one.do)
      return
    case 'terminate':
      world.terminate()
      return
    case 'succeed':
      world.reread()
      return
    case 'freeze':
    case 'unfreeze':
      world.frozen = one.do === 'freeze'
      return
    case 'sicken':
    case 'die': {
      const up = world.up()
      const held = up[one.which % Math.max(1, up.length)]
      if (held?.report == null) return
      const exit = { code: 1, signal: null, oom: false, at: world.now }
      held.report =
        one.do === 'die'
          ? { ...held.report, active: 'failed', exit }
          : { ...held.report, health: 'unhealthy' }
      return
    }
    case 'set':
      world.set('key', one.value)
      return
    case 'pass':
      for (let pass = 0; pass < one.count; pass++) watched(world, one.ms)
  }
}

/** One pass, held to what is promised of every pass. */
function watched(world: SmallService, ms: number): readonly ServiceAction[] {
  const { scale, rollout: running } = world.service
  const up = world.up().map(({ instance }) => instance.n)
  const before = up.length
  const open = world.tasks.filter(({ finishedAt }) => finishedAt === null)
  const actions = world.pass()
  const replaced = actions.flatMap((one) => (one.kind === 'retire' && one.cause === 'replaced' ? [one] : []))
  // What a freeze has found is ended; nothing else happens under it.
  if (world.frozen) expect(actions.filter(({ kind }) => kind !== 'end')).toEqual([])
  // A rollout is a task: what is over, or was ended, is not gone on with.
  if (replaced.length > 0) expect(open.filter(isRollout)).not.toEqual([])
  if (replaced.length > 0) {
    const forRoom = replaced.some(({ reason }) => reason.startsWith('no machine has room'))
    const spare = forRoom ? (running?.parallel ?? 0) : 0
    expect(world.up().length).toBeGreaterThanOrEqual(Math.min(before, scale - spare))
  }
  expectLeave(world, actions, up)
  const { rollout: now, scale: wanted } = world.service
  const width = now?.parallel ?? running?.parallel ?? 0
  const made = actions.filter(({ kind }) => kind === 'create').length
  if (made > 0) expect(world.live().length).toBeLessThanOrEqual(Math.max(wanted, scale) + width)
  world.machines(ms)
  return actions
}

/** What serves leaves the names first where somebody else serves from then on; nothing is waited for otherwise. */
function expectLeave(world: SmallService, actions: readonly ServiceAction[], up: readonly number[]): void {
  const retires = actions.flatMap((one) => (one.kind === 'retire' ? [one] : []))
  const going = new Set(retires.map(({ instance }) => instance.n))
  const others = world.service.scale > 0 && up.some((n) => !going.has(n))
  for (const { instance, cause, stopAfterMs } of retires) {
    const isPlanned = ['scale-down', 'replaced', 'drained', 'stopped'].includes(cause)
    const waits = others && isPlanned && up.includes(instance.n) && world.rememberedMs > 0
    expect(stopAfterMs).toBe(waits ? world.rememberedMs : undefined)
  }
}

const isRollout = ({ kind }: Task): boolean =>
  kind === 'deploy' || kind === 'revert' || kind === 'reprovision'

/** A way back that the planner began, not an operator. */
const isAutomatic = ({ uuid, kind }: Task): boolean => kind === 'revert' && !uuid.startsWith('task-')

/** Passes until nothing changes any more; time runs fast, so that every wait ends. */
function settle(world: SmallService): void {
  let quiet = 0
  for (let round = 0; round < 2000 && quiet < 12; round++) {
    const said = JSON.stringify([world.instances(), world.tasks, world.service])
    watched(world, round % 10 === 9 ? 90_000 : 500)
    quiet = said === JSON.stringify([world.instances(), world.tasks, world.service]) ? quiet + 1 : 0
  }
}

/** CI runs all of them, elsewhere a twentieth; RUNS=N says another number. */
const runs = randomRuns('RUNS', 10_000)

describe('a rollout under chance', () => {
  test('never takes away what serves before its replacement does, nor makes more than its width', () => {
    fc.assert(
      fc.property(story, ({ scale, spare, bootMs, rememberedMs, bad, restart, steps }) => {
        const [room, restartOn] = [scale + spare, { key: restart }]
        const world = new SmallService(scale, { room, bootMs, rememberedMs, bad: new Set(bad), restartOn })
        for (const one of steps) play(world, one)
        const mayGoBack = steps.filter((one) => one.do === 'deploy' && one.autoRevert).length
        expect(world.tasks.filter(isAutomatic).length).toBeLessThanOrEqual(mayGoBack)
      }),
      { numRuns: runs / 2 },
    )
  }, 300_000)

  test('comes to rest: what is asked for serves, old versions are gone, and no task is left open', () => {
    fc.assert(
      fc.property(story, ({ scale, bootMs, rememberedMs, restart, steps }) => {
        const restartOn = { key: restart }
        const world = new SmallService(scale, { room: 20, bootMs, rememberedMs, bad: new Set(), restartOn })
        for (const one of steps) play(world, one)
        world.frozen = false
        settle(world)
        world.order(rollout, 'reprovision')
        settle(world)
        expect(world.tasks.filter(({ finishedAt }) => finishedAt === null)).toEqual([])
        expect(world.live()).toHaveLength(world.service.scale)
        expect(world.up()).toHaveLength(world.service.scale)
        expect(world.live().filter(({ instance }) => instance.version !== world.service.current)).toEqual([])
        expect(world.service.rollout).toBeNull()
        expect(world.restartDue()).toBeNull()
        expect(world.service.heldRestart).toBeUndefined()
      }),
      { numRuns: runs / 4 },
    )
  }, 300_000)

  test('that cannot come up ends and leaves the old ones serving, or goes back where it is told to', () => {
    fc.assert(
      fc.property(
        fc.record({
          scale: fc.integer({ min: 1, max: 6 }),
          rolling: width,
          room: fc.nat(6),
          revert: fc.boolean(),
        }),
        ({ scale, rolling, room, revert }) => {
          const world = new SmallService(scale, { room: scale + room, bootMs: 0, bad: new Set([2]) })
          settle(world)
          const wide = Math.min(rolling, scale)
          expect(world.deploy({ rolling: wide, autoRevert: revert })).toBe(true)
          for (let pass = 0; pass < 40; pass++) {
            watched(world, 300)
            expect(world.up().length).toBeGreaterThanOrEqual(scale - (room >= wide ? 0 : wide))
          }
          const task = world.tasks.find(({ kind, target }) => kind === 'deploy' && target?.version === 'v2')
          expect(task?.state).toBe('failed')
          expect(world.service.current).toBe(revert ? 'v1' : 'v2')
          if (!revert) return
          settle(world)
          expect(world.up()).toHaveLength(scale)
          expect(world.live().map(({ instance }) => instance.version)).toEqual(Array(scale).fill('v1'))
        },
      ),
      { numRuns: runs / 4 },
    )
  }, 300_000)
})
