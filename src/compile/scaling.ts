// What a manifest says about scaling, as the autoscaler and the agents read it.
import { invariant } from '../lib/invariant.js'
import type { ServiceManifest } from '../manifest/schema.js'
import { parseMetricSource, readFrom } from '../model/metric.js'
import type { MetricTrigger, ScalingPolicy } from '../model/scaling.js'

/** The part of a version that is about scaling; nothing where autoscaling is off, or there is nothing to follow. */
export function scalingOf(manifest: ServiceManifest): { readonly scaling?: ScalingPolicy } {
  const { autoscale, triggers } = manifest
  const enable = autoscale?.enable ?? 'notify'
  const metricTriggers = triggers.flatMap((trigger) => ('url' in trigger ? [] : [triggerOf(trigger)]))
  if (enable === false || (enable === 'notify' && metricTriggers.length === 0)) return {}
  return {
    scaling: {
      enable,
      min: autoscale?.min ?? 1,
      max: autoscale?.max ?? null,
      retriggerDelayMs: (autoscale?.retrigger_delay ?? 60) * 1000,
      triggers: metricTriggers,
    },
  }
}

type ManifestTrigger = Exclude<ServiceManifest['triggers'][number], { url: true }>

function triggerOf({ source: text, time, ...trigger }: ManifestTrigger): MetricTrigger {
  const parsed = parseMetricSource(text)
  invariant(parsed !== undefined, `"${text}" was accepted as the source of a metric`)
  const source = readFrom(parsed)
  const { name, operator, value, percent, aggregate, action, instances } = trigger
  return { name, source, operator, value, percent, windowMs: time * 1000, aggregate, action, instances }
}
