// A trigger that watches a metric in one line: what it sees, what it waits for, and since when.
import type { MetricTriggerBody } from '../contract/contract.js'
import type { Instant } from '../lib/time.js'
import { describeAge, describeDuration } from './duration.js'

/** `busy: avg of containermonitor.cpu_used is 84% (3 instances), > 80% since … (40s ago); after 2m of that it adds 2`. */
export function describeMetricTrigger(trigger: MetricTriggerBody, now: Instant): string {
  const { name, metric, aggregate, operator, threshold, percent, since, windowMs, action } = trigger
  const limit = `${operator} ${threshold}${percent ? '%' : ''}`
  const ago = describeAge(Date.parse(since), now)
  const change = `${action === 'increment' ? 'adds' : 'takes away'} ${trigger.instances}`
  const after = `after ${describeDuration(windowMs)} of ${limit} it ${change}`
  return `${name}: ${aggregate} of ${metric} is ${describeValue(trigger)}, ${describeMet(trigger.met)}${limit} since ${since} (${ago} ago); ${after}`
}

function describeValue({ value, percent, known, missing }: MetricTriggerBody): string {
  const one = value === null ? 'not known' : `${Number(value.toPrecision(3))}${percent ? '%' : ''}`
  if (known + missing === 0) return `${one} (no instances)`
  return missing === 0
    ? `${one} (${counted(known)})`
    : `${one} (${missing} of ${counted(known + missing)} without)`
}

function counted(instances: number): string {
  return `${instances} instance${instances === 1 ? '' : 's'}`
}

/** What is not known is neither. */
function describeMet(met: boolean | null): string {
  if (met === null) return 'not known whether '
  return met ? '' : 'not '
}
