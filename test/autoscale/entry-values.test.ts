// What the entries of several machines count, as values of a service's instances.
import { expect, test } from 'vitest'
import { entryValues } from '../../src/autoscale/entry-values.js'
import type { EntryMetric } from '../../src/model/metric.js'
import type { EntryFigures } from '../../src/model/scaling.js'
import type { ClusterView } from '../../src/store/view.js'

const service = 'p/web'
const now = 1_000_000

/** `told`: what each machine with an entry says; null for one that says nothing. A machine without an entry is there as well. */
function values(
  told: readonly (EntryFigures | null | 'stale')[],
  metric: EntryMetric,
  { instances = 2, percent = false, away = [], lost = [] }: Options = {},
): readonly (number | null)[] {
  return heard(told, metric, { instances, percent, away, lost }).values
}

interface Options {
  readonly instances?: number
  readonly percent?: boolean
  /** Machines whose daemon was stopped, by their number. */
  readonly away?: readonly number[]
  /** Since when machines with an entry, beside the others, are lost; null: it has not been noted yet. */
  readonly lost?: readonly (number | null)[]
}

function heard(
  told: readonly (EntryFigures | null | 'stale')[],
  metric: EntryMetric,
  { instances = 2, percent = false, away = [], lost = [] }: Options = {},
) {
  const entry = { http: ':80', https: ':443' }
  const view = {
    knownMachines: new Map<string, object>([
      ['m0', { id: 'm0', entry }],
      ['y', { id: 'y', downSince: now }],
      ...lost.map((since, n): [string, object] => [
        `l${n}`,
        { id: `l${n}`, entry, ...(since !== null && { downSince: since }) },
      ]),
    ]),
    machines: new Map<string, object>([
      ['z', { id: 'z' }],
      ...told.map((_, n): [string, object] => [
        `m${n}`,
        { id: `m${n}`, entry, ...(away.includes(n) && { away: { since: 0, until: now } }) },
      ]),
    ]),
    metrics: new Map(
      told.flatMap((one, n) =>
        one === null
          ? []
          : [[`m${n}`, { values: {}, entry: { [service]: one === 'stale' ? figures(9, 9, 9) : one } }]],
      ),
    ),
  } as unknown as ClusterView
  const isFresh = (id: string): boolean => told[Number(id.slice(1))] !== 'stale'
  return entryValues(view, service, { metric, percent }, { instances, isFresh, now })
}

const figures = (rps: number, failed: number, p95: number): EntryFigures => ({ rps, failed, p95 })

test('the requests of all entries are shared out among the instances', () => {
  expect(values([figures(30, 3, 0.1), figures(10, 1, 0.3)], 'rps')).toEqual([20, 20])
  expect(values([figures(30, 3, 0.1), figures(10, 1, 0.3)], 'errors')).toEqual([2, 2])
})

test('errors are a part of all requests where they are compared with a percentage', () => {
  const percent = { percent: true }
  expect(values([figures(30, 3, 0.1), figures(10, 1, 0.3)], 'errors', percent)).toEqual([10, 10])
  expect(values([figures(0, 0, 0)], 'errors', percent)).toEqual([0, 0])
})

test('the time is that of the slowest entry', () => {
  expect(values([figures(30, 3, 0.1), figures(10, 1, 0.3)], 'p95')).toEqual([0.3, 0.3])
})

test('what comes for a service without instances is seen, so that it can be begun', () => {
  expect(values([figures(4, 4, 0)], 'rps', { instances: 0 })).toEqual([4])
})

test('an entry that says nothing, said it long ago or has no daemon is unheard, and takes nothing from what the others say', () => {
  const one = figures(30, 3, 0.1)
  expect(heard([one, one], 'rps')).toEqual({ values: [30, 30], unheard: 0 })
  expect(heard([one, null], 'rps')).toEqual({ values: [15, 15], unheard: 1 })
  expect(heard([one, 'stale'], 'rps')).toEqual({ values: [15, 15], unheard: 1 })
  expect(heard([one, one], 'rps', { away: [1] })).toEqual({ values: [15, 15], unheard: 1 })
})

test('that of a machine that was lost is unheard for five minutes', () => {
  const unheard = (lost: readonly (number | null)[]) => heard([figures(30, 3, 0.1)], 'rps', { lost }).unheard
  expect(unheard([null])).toBe(1)
  expect(unheard([now, now - 299_999])).toBe(2)
  expect(unheard([now - 300_000])).toBe(0)
})

test('one that is told to have been lost later than now holds nothing up, but for clocks that differ a little', () => {
  const unheard = (since: number) => heard([figures(30, 3, 0.1)], 'rps', { lost: [since] }).unheard
  expect(unheard(now + 1000)).toBe(1)
  expect(unheard(now + 300_000)).toBe(0)
})

test('without any entry nothing is known', () => {
  expect(values([], 'rps')).toEqual([null, null])
  expect(values([null], 'rps')).toEqual([null, null])
})
