// What a trigger that watches a metric is told of as.
import type { Sighting } from '../autoscale/sighting.js'
import type { MetricTriggerBody } from '../contract/contract.js'
import { toIso } from '../lib/time.js'
import { describeMetricSource } from '../model/metric.js'

export function metricTriggerBodyOf({ trigger, reading, met, since }: Sighting): MetricTriggerBody {
  const { name, source, aggregate, operator, value, percent, windowMs, action, instances } = trigger
  return {
    name,
    metric: describeMetricSource(source),
    aggregate,
    value: reading.value,
    operator,
    threshold: value,
    percent,
    windowMs,
    action,
    instances,
    met,
    since: toIso(since),
    known: reading.known,
    missing: reading.missing,
  }
}
