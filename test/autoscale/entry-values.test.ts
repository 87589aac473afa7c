// What the entries of several machines count, as values of a service's instances.
import { expect, test } from 'vitest'
import { entryValues } from '../../src/autoscale/entry-values.js'
import type { EntryMetric } from '../../src/model/metric.js'
import type { EntryFigures } from '../../src/model/scaling.js'
import type { ClusterView } from '../../src/store/view.js'

const service = 'p/web'

/** `told`: what each machine with an entry says; null for one that says nothing. A machine without an entry is there as well. */
function values(
  told: readonly (EntryFigures | null | 'stale')[],
  metric: EntryMetric,
  { instances = 2, percent = false } = {},
): readonly (number | null)[] {
  const view = {
    machines: new Map<string, object>([
      ['z', { id: 'z' }],
      ...told.map((_, n): [string, object] => [
        `m${n}`,
        { id: `m${n}`, entry: { http: ':80', https: ':443' } },
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
  return entryValues(view, service, { metric, percent }, { instances, isFresh })
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

test('an entry that says nothing, or said it long ago, is a value that is missing', () => {
  expect(values([figures(30, 3, 0.1), null], 'rps')).toEqual([15, 15, null])
  expect(values([figures(30, 3, 0.1), 'stale'], 'rps')).toEqual([15, 15, null])
})

test('without any entry nothing is known', () => {
  expect(values([], 'rps')).toEqual([null, null])
  expect(values([null], 'rps')).toEqual([null, null])
})
