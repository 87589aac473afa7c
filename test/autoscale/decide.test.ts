import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideScale, type ScalingSituation, type Watched } from '../../src/autoscale/decide.js'
import { describeScaling } from '../../src/autoscale/describe.js'
import type { Reading } from '../../src/autoscale/readings.js'
import type { MetricTrigger, Operator, ScalingPolicy } from '../../src/model/scaling.js'
import { randomCases } from '../random-runs.js'

const now = 1_000_000
const windowMs = 10_000

const busy: MetricTrigger = {
  name: 'busy',
  source: { service: null, providers: ['containermonitor'], metric: 'cpu_used' },
  operator: '>',
  value: 80,
  percent: true,
  windowMs,
  aggregate: 'avg',
  action: 'increment',
  instances: 1,
}
const idle: MetricTrigger = { ...busy, name: 'idle', operator: '<', value: 30, action: 'decrement' }
const policy: ScalingPolicy = {
  enable: true,
  min: 1,
  max: 10,
  retriggerDelayMs: 60_000,
  triggers: [busy, idle],
}

/** A reading every two seconds since before the window began, of these values in turn; the last is of now. */
function readings(values: readonly (number | null)[], rest: Partial<Reading> = {}): readonly Reading[] {
  return values.map((value, index) => ({
    at: now - (values.length - 1 - index) * 2000,
    value,
    known: value === null ? 0 : 3,
    missing: value === null ? 3 : 0,
    ...rest,
  }))
}
const always = (value: number | null, rest: Partial<Reading> = {}) => readings(Array(7).fill(value), rest)
const watch = (trigger: MetricTrigger, seen: readonly Reading[]): Watched => ({ trigger, readings: seen })

function decide(watched: readonly Watched[], rest: Partial<ScalingSituation> = {}) {
  return decideScale({ policy, scale: 3, watched, triggeredAt: null, changedAt: null, ...rest }, now)
}

describe('a trigger', () => {
  it('adds instances when its condition held for its whole window', () => {
    expect(decide([watch(busy, always(90))])).toMatchObject({ kind: 'scale', to: 4 })
  })

  it('of the entry neither adds nor takes away for what an entry that is not heard may have', () => {
    const source = { service: null, providers: [], metric: 'entry.rps' }
    const [above, below] = [
      { ...busy, source },
      { ...idle, source },
    ]
    const part = { known: 3, missing: 1 }
    expect(decide([watch(below, always(10, part))])).toEqual({ kind: 'hold', why: 'quiet' })
    expect(decide([watch({ ...below, action: 'increment' }, always(10, part))])).toEqual({
      kind: 'hold',
      why: 'quiet',
    })
    expect(decide([watch(above, always(80, part))])).toEqual({ kind: 'hold', why: 'quiet' })
    // What is known is above the limit already, and the whole is no less.
    expect(decide([watch(above, always(81, part))])).toMatchObject({ kind: 'scale', to: 4 })
    expect(decide([watch(below, always(10, { known: 3, missing: 0 }))])).toMatchObject({
      kind: 'scale',
      to: 2,
    })
  })

  it.each<[Operator, readonly number[]]>([
    ['<', [79]],
    ['<=', [79, 80]],
    ['==', [80]],
    ['!=', [79, 81]],
    ['>=', [80, 81]],
    ['>', [81]],
  ])('with %s holds against 80 for %j of 79, 80 and 81', (operator, wanted) => {
    const holds = (value: number): boolean =>
      decide([watch({ ...busy, operator }, always(value))]).kind === 'scale'
    expect([79, 80, 81].filter(holds)).toEqual(wanted)
  })

  it('does nothing while its condition has held for less than that', () => {
    expect(decide([watch(busy, readings([90, 90, 90]))])).toEqual({ kind: 'hold', why: 'quiet' })
    expect(decide([watch(busy, readings([90, 90, 79, 90, 90, 90, 90]))])).toEqual({
      kind: 'hold',
      why: 'quiet',
    })
  })

  it('takes instances away when its condition held for its whole window', () => {
    expect(decide([watch(idle, always(10))])).toMatchObject({ kind: 'scale', to: 2 })
  })

  it('takes none away while the value of one instance is missing', () => {
    expect(decide([watch(idle, always(10, { known: 2, missing: 1 }))])).toEqual({
      kind: 'hold',
      why: 'quiet',
    })
  })

  it('takes none away before its window is over since the scale last changed', () => {
    expect(decide([watch(idle, always(10))], { changedAt: now - windowMs + 1 })).toMatchObject({
      kind: 'hold',
    })
    expect(decide([watch(idle, always(10))], { changedAt: now - windowMs })).toMatchObject({ kind: 'scale' })
    // To add them takes no such patience.
    expect(decide([watch(busy, always(90))], { changedAt: now - 1 })).toMatchObject({ kind: 'scale', to: 4 })
  })

  it('counts an instance that is not measured yet as idle when it adds more', () => {
    expect(decide([watch(busy, always(90, { known: 1, missing: 1 }))])).toEqual({
      kind: 'hold',
      why: 'quiet',
    })
    expect(decide([watch(busy, always(170, { known: 1, missing: 1 }))])).toMatchObject({ to: 4 })
  })

  it('only tells what it would do where the manifest says notify', () => {
    const told = decide([watch(busy, always(90))], { policy: { ...policy, enable: 'notify', max: null } })
    expect(told).toMatchObject({ kind: 'tell', to: 4 })
  })

  it('brings no service within its bounds where the manifest says notify', () => {
    for (const bounds of [
      { min: 5, max: null },
      { min: 1, max: 2 },
    ])
      expect(decide([], { policy: { ...policy, enable: 'notify', ...bounds } })).toEqual({
        kind: 'hold',
        why: 'quiet',
      })
  })

  it('waits for the delay since the last one', () => {
    const again = (at: number) => decide([watch(busy, always(90))], { triggeredAt: at })
    expect(again(now - 59_999)).toEqual({ kind: 'hold', why: 'retrigger-delay' })
    expect(again(now - 60_000)).toMatchObject({ kind: 'scale' })
  })
})

describe('triggers together', () => {
  it('add instances rather than take them away', () => {
    const other = { ...idle, source: { ...idle.source, metric: 'mem_agg_usage' } }
    expect(decide([watch(other, always(10)), watch(busy, always(90))])).toMatchObject({ to: 4 })
  })

  it('add as many as the one that adds most, and take away as few as the one that takes fewest', () => {
    const most = { ...busy, name: 'flood', instances: 4 }
    expect(decide([watch(busy, always(90)), watch(most, always(90))])).toMatchObject({ to: 7 })
    const fast = { ...idle, name: 'asleep', instances: 2 }
    expect(decide([watch(fast, always(10)), watch(idle, always(10))])).toMatchObject({ to: 2 })
  })

  it('do not take away what they would add again at once', () => {
    const near = { ...idle, value: 70 }
    expect(decide([watch(near, always(60)), watch(busy, always(60))])).toEqual({
      kind: 'hold',
      why: 'would-return',
    })
    expect(decide([watch(near, always(50)), watch(busy, always(50))])).toMatchObject({ to: 2 })
  })

  it('take away what shares no load: that of another service, a sum, and the last one of all', () => {
    const near = { ...idle, value: 70 }
    const ofDb = { ...busy.source, service: 'db' }
    const both = (rest: Partial<MetricTrigger>) =>
      [near, busy].map((one) => watch({ ...one, ...rest }, always(60)))
    expect(decide(both({ source: ofDb }))).toMatchObject({ to: 2 })
    expect(decide(both({ aggregate: 'sum' }))).toMatchObject({ to: 2 })
    const absolute = { ...busy, percent: false }
    expect(decide([watch(near, always(60)), watch(absolute, always(60))])).toMatchObject({ to: 2 })
    const toNothing = { policy: { ...policy, min: 0 }, scale: 1 }
    expect(decide(both({}), toNothing)).toMatchObject({ kind: 'scale', to: 0 })
  })
})

describe('the scale', () => {
  it('is brought within its bounds without any trigger', () => {
    expect(decide([], { scale: 1, policy: { ...policy, min: 2 } })).toMatchObject({
      to: 2,
      cause: { kind: 'below-min' },
    })
    expect(decide([], { scale: 12 })).toMatchObject({ to: 10, cause: { kind: 'above-max' } })
  })

  it('is left alone when an operator made it 0', () => {
    expect(decide([watch(busy, always(90))], { scale: 0 })).toEqual({ kind: 'hold', why: 'stopped' })
  })

  it('comes back from 0 where the manifest allows 0, by what another service measures', () => {
    const queue = { ...busy, source: { ...busy.source, service: 'queue' } }
    const woken = decide([watch(queue, always(90))], { scale: 0, policy: { ...policy, min: 0 } })
    expect(woken).toMatchObject({ to: 1 })
  })
})

describe('any situation', () => {
  const operators: readonly Operator[] = ['<', '<=', '>', '>=', '==', '!=']
  const trigger: fc.Arbitrary<MetricTrigger> = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    source: fc.constantFrom(busy.source, { ...busy.source, service: 'other' }),
    operator: fc.constantFrom(...operators),
    value: fc.integer({ min: 0, max: 4 }),
    percent: fc.boolean(),
    windowMs: fc.integer({ min: 1000, max: 12_000 }),
    aggregate: fc.constantFrom('avg', 'min', 'max', 'sum', 'p90'),
    action: fc.constantFrom('increment', 'decrement'),
    instances: fc.integer({ min: 1, max: 5 }),
  })
  const value = fc.option(fc.integer({ min: 0, max: 4 }), { freq: 8 })
  const situation: fc.Arbitrary<ScalingSituation> = fc
    .record({
      enable: fc.constantFrom<true | 'notify'>(true, 'notify'),
      min: fc.integer({ min: 0, max: 5 }),
      more: fc.integer({ min: 1, max: 5 }),
      scale: fc.integer({ min: 0, max: 12 }),
      watched: fc.array(
        fc.record({ trigger, readings: fc.array(value, { maxLength: 9 }).map((values) => readings(values)) }),
        { maxLength: 4 },
      ),
      triggeredAt: fc.option(fc.integer({ min: now - 100_000, max: now })),
      changedAt: fc.option(fc.integer({ min: now - 20_000, max: now })),
    })
    .map(({ enable, min, more, ...rest }) => ({
      ...rest,
      policy: { ...policy, enable, min, max: min + more, triggers: rest.watched.map((one) => one.trigger) },
    }))
  const runs = { numRuns: randomCases(2000) }

  it('leads within the bounds, and changes something if it leads anywhere', () => {
    fc.assert(
      fc.property(situation, (given) => {
        const decision = decideScale(given, now)
        if (decision.kind === 'hold') return
        expect(decision.to).not.toBe(given.scale)
        expect(decision.to).toBeGreaterThanOrEqual(Math.min(given.policy.min, given.scale))
        expect(decision.to).toBeLessThanOrEqual(Math.max(given.policy.max ?? 0, given.scale))
      }),
      runs,
    )
  })

  it('never takes an instance away on a window with a gap in it', () => {
    fc.assert(
      fc.property(situation, (given) => {
        const withGap = given.watched.map(({ trigger, readings: seen }) => ({
          trigger,
          readings: seen.map((one, index) => (index === seen.length - 1 ? { ...one, missing: 1 } : one)),
        }))
        const decision = decideScale({ ...given, watched: withGap }, now)
        const fewer = decision.kind !== 'hold' && decision.to < given.scale
        if (fewer) expect(decision.cause.kind).toBe('above-max')
      }),
      runs,
    )
  })

  it('is decided upwards when a trigger that adds fires, whatever else does', () => {
    fc.assert(
      fc.property(situation, (given) => {
        const upOnly = given.watched.filter((one) => one.trigger.action === 'increment')
        const alone = decideScale({ ...given, watched: upOnly }, now)
        if (alone.kind === 'hold') return
        expect(decideScale(given, now)).toEqual(alone)
      }),
      runs,
    )
  })

  it('moves nothing by a trigger within the delay', () => {
    fc.assert(
      fc.property(situation, fc.integer({ min: 0, max: 59_999 }), (given, ago) => {
        const decision = decideScale({ ...given, triggeredAt: now - ago }, now)
        if (decision.kind !== 'hold') expect(decision.cause.kind).not.toBe('trigger')
      }),
      runs,
    )
  })

  it('can be told in a sentence', () => {
    fc.assert(
      fc.property(situation, (given) => {
        const decision = decideScale(given, now)
        if (decision.kind === 'hold') return
        expect(describeScaling(given.policy, given.scale, decision)).not.toMatch(/undefined|NaN|Infinity/)
      }),
      runs,
    )
  })
})

describe('the words', () => {
  it('tell the values, the window and the change', () => {
    const decision = decide([watch(busy, readings([90, 90, 91.26, 95, 90, 90, 90]))])
    expect(decision.kind === 'scale' && describeScaling(policy, 3, decision)).toBe(
      'busy: the avg of containermonitor.cpu_used over 3 instances was 90% to 95% for 10 s, > 80%; scale 3 → 4',
    )
  })
})
