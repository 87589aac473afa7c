import { expect, test } from 'vitest'
import { describeMetricTrigger } from '../../src/cli/metric-trigger.js'
import type { MetricTriggerBody } from '../../src/contract/contract.js'

const busy: MetricTriggerBody = {
  name: 'busy',
  metric: 'containermonitor.cpu_used',
  aggregate: 'avg',
  value: 84.123,
  operator: '>',
  threshold: 80,
  percent: true,
  windowMs: 120_000,
  action: 'increment',
  instances: 2,
  met: true,
  since: '2026-01-01T00:00:00.000Z',
  known: 3,
  missing: 0,
}
const told = (changes: Partial<MetricTriggerBody>): string =>
  describeMetricTrigger({ ...busy, ...changes }, Date.parse(busy.since) + 40_000)

test('a trigger is told in one line: what it sees, its threshold, since when, and what comes of it', () => {
  expect(told({})).toBe(
    'busy: avg of containermonitor.cpu_used is 84.1% (3 instances), > 80% since 2026-01-01T00:00:00.000Z (40s ago); after 2m of > 80% it adds 2',
  )
  expect(told({ met: false, value: 3, percent: false, known: 1, action: 'decrement' })).toContain(
    'is 3 (1 instance), not > 80 since 2026-01-01T00:00:00.000Z (40s ago); after 2m of > 80 it takes away 2',
  )
})

test('what is not known is said not to be', () => {
  expect(told({ met: null, value: null, known: 0, missing: 2 })).toContain(
    'is not known (2 of 2 instances without), not known whether > 80% since',
  )
  expect(told({ met: null, value: null, known: 0 })).toContain('is not known (no instances), not known')
  expect(told({ known: 2, missing: 1 })).toContain('is 84.1% (1 of 3 instances without), > 80%')
})
