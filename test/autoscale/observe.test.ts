// What a trigger sees of the instances of a service, whatever became of their machines.
import { expect, test } from 'vitest'
import { observe } from '../../src/autoscale/observe.js'
import type { MetricTrigger } from '../../src/model/scaling.js'
import type { Service } from '../../src/model/service.js'
import type { ClusterView } from '../../src/store/view.js'

const machine = 'a'.repeat(32)
const trigger: MetricTrigger = {
  name: 'busy',
  source: { service: null, providers: ['containermonitor'], metric: 'cpu_used' },
  operator: '>',
  value: 1,
  percent: false,
  windowMs: 10_000,
  aggregate: 'avg',
  action: 'increment',
  instances: 1,
}

interface Those {
  /** Each runs, and uses so many cores. */
  readonly running: readonly number[]
  /** So many are kept that were on a machine which is gone. */
  readonly lost: number
  readonly scale: number
}

function seen({ running, lost, scale }: Those) {
  const there = running.map((_, n) => ({ unit: `web.${n}`, retired: null, lost: null }))
  const gone = Array.from({ length: lost }, (_, n) => ({
    ...{ unit: `gone.${n}`, retired: null, lost: { since: 0 } },
  }))
  const values = running.map((value, n) => [`web.${n}`, { 'containermonitor.cpu_used': value }])
  const service = { project: 'default', name: 'web', scale } as Service
  const view = {
    services: new Map([['default/web', service]]),
    instancesOf: () => [...gone, ...there],
    placements: new Map([
      ...there.map(({ unit }) => [unit, { machine }] as const),
      ...gone.map(({ unit }) => [unit, { machine: 'b'.repeat(32) }] as const),
    ]),
    machines: new Map([[machine, {}]]),
    metrics: new Map([[machine, { values: Object.fromEntries(values) as object }]]),
  } as unknown as ClusterView
  return observe(view, service, trigger, () => true, 5)
}

test('a lost instance whose place others have taken is no lack', () => {
  expect(seen({ running: [2, 2], lost: 1, scale: 2 })).toEqual({ at: 5, value: 2, known: 2, missing: 0 })
})

test('one that is not replaced yet is', () => {
  expect(seen({ running: [2], lost: 1, scale: 2 })).toEqual({ at: 5, value: 2, known: 1, missing: 1 })
})

test('of several lost ones as many are a lack as the scale is short of', () => {
  expect(seen({ running: [2], lost: 3, scale: 2 }).missing).toBe(1)
})
