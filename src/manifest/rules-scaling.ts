// Rules of autoscaling, triggers and webhooks.
import { nearest } from '../lib/nearest.js'
import { isInside } from '../model/arriving-file.js'
import { bodyFile, bodyVariablePrefix } from '../model/call-body.js'
import {
  containerMonitorMetrics,
  describeMetricSource,
  entryMetricOf,
  entryMetrics,
  isEntryMetric,
  isOfContainerMonitor,
  type MetricLimit,
  type MetricSource,
  metricAliases,
  parseMetricSource,
} from '../model/metric.js'
import { isGiven, itemOf, lineOf, type Rule, type RuleInput } from './rule.js'
import type { MetricTrigger, UrlTrigger } from './schema-scaling.js'
import { childOf, type Tree } from './tree.js'

export const scalingRules: readonly Rule[] = [
  mostIsGivenAndAboveLeast,
  scalingFitsServiceType,
  triggerNamesAreUnique,
  metricsExist,
  limitsAreKnown,
  scaleTriggersSayHowMuch,
  bodiesReachRuns,
  bodiesHaveTheirNames,
]

function mostIsGivenAndAboveLeast({ manifest, tree, notes }: RuleInput): void {
  const { autoscale } = manifest
  const node = childOf(tree, 'autoscale')
  if (!autoscale || node?.kind !== 'map') return
  if (autoscale.enable === true && autoscale.max === undefined && !isGiven(node, 'max')) {
    const hint = 'set max to the highest number of instances'
    notes.report(
      'manifest/missing',
      childOf(node, 'enable') ?? node,
      'max is missing where enable is true',
      hint,
    )
  }
  if (autoscale.max === undefined || !(autoscale.max < autoscale.min)) return
  const message = `max is ${autoscale.max}, below min, which is ${autoscale.min}`
  notes.report('manifest/conflict', childOf(node, 'max') ?? node, message, 'make max at least min')
}

/** Only continuous services have a scale (contract §2). */
function scalingFitsServiceType({ manifest, tree, notes }: RuleInput): void {
  if (manifest.service_type === 'continuous' || tree.dropped?.includes('service_type')) return
  const message = `only continuous services have a scale, and this one is ${manifest.service_type}`
  const autoscale = childOf(tree, 'autoscale')
  if (autoscale) notes.report('manifest/conflict', autoscale, message, 'leave autoscale out')
  manifest.triggers.forEach((trigger, index) => {
    if ('url' in trigger && trigger.action !== 'scale') return
    const node = itemOf(tree, 'triggers', index)
    notes.report(
      'manifest/conflict',
      childOf(node, 'action') ?? node,
      message,
      'use a trigger URL with action: start',
    )
  })
}

function triggerNamesAreUnique({ manifest, tree, source, notes }: RuleInput): void {
  const seen = new Map<string, Tree>()
  manifest.triggers.forEach(({ name }, index) => {
    const node = itemOf(tree, 'triggers', index)
    const place = childOf(node, 'name') ?? node
    const first = seen.get(name)
    if (first && name !== undefined) {
      const message = `there is already a trigger ${JSON.stringify(name)}, on ${lineOf(source, first)}`
      notes.report('manifest/duplicate-trigger', place, message, 'give each trigger its own name')
    } else seen.set(name, place)
  })
}

/**
 * Container Monitor's metrics are known, and the entry's; all others are the program's own. Those are not mistaken for one of
 * Container Monitor's, and their service has to publish them, as far as that is known here.
 */
function metricsExist({ manifest, tree, notes }: RuleInput): void {
  forEachSource(manifest.triggers, ({ service, providers, metric }, index) => {
    const node = itemOf(tree, 'triggers', index)
    const place = childOf(node, 'source') ?? node
    if (service === manifest.name) {
      const hint = `write ${describeMetricSource({ service: null, providers, metric })}`
      notes.report('manifest/bad-value', place, `${service} is this service itself`, hint)
    }
    const ofEntry = entryMetricOf({ metric })
    if (ofEntry !== null) {
      entryMetricExists({ manifest, tree, notes }, place, { service, metric: ofEntry })
      return
    }
    if (isOfContainerMonitor(metric) || providers.includes('containerpilot')) return
    const near = nearest(metric, [...Object.keys(metricAliases), ...Object.keys(containerMonitorMetrics)])
    if (near === undefined && (service !== null || manifest.containerpilot !== undefined)) return
    const hint =
      near === undefined
        ? 'docs/manifest.md lists its metrics; for one that the program publishes, add containerpilot'
        : `did you mean ${near}? If the program publishes ${metric}, write containerpilot.${metric}`
    notes.report(
      'manifest/unknown-metric',
      place,
      `Container Monitor has no metric ${JSON.stringify(metric)}`,
      hint,
    )
  })
}

/** What other services have is not known here. */
function entryMetricExists(
  { manifest, tree, notes }: Pick<RuleInput, 'manifest' | 'tree' | 'notes'>,
  place: Tree,
  { service, metric }: Pick<MetricSource, 'service' | 'metric'>,
): void {
  if (!isEntryMetric(metric)) {
    const near = nearest(metric, entryMetrics)
    const hint = near === undefined ? `it counts ${entryMetrics.join(', ')}` : `did you mean ${near}?`
    notes.report('manifest/unknown-metric', place, `the entry has no metric ${JSON.stringify(metric)}`, hint)
  }
  if (service !== null || (manifest.entry ?? []).length > 0 || tree.dropped?.includes('entry')) return
  const message = 'the service has no entry, so it gets no requests that could be counted'
  notes.report('manifest/conflict', place, message, 'add entry with its hosts and paths')
}

const limitHints: Readonly<Record<MetricLimit, string>> = {
  memory: 'give memory or package',
  swap: 'give package',
  cpu: 'give cpu or package',
  disk: 'give package',
}

/** A percentage needs a limit to be a percentage of. What other services have is not known here. */
function limitsAreKnown(input: RuleInput): void {
  const { manifest, tree, notes } = input
  forEachSource(manifest.triggers, (source, index, trigger) => {
    if (!trigger.percent || isPartOfRequests(source)) return
    if (source.service !== null && limitOf(source) !== undefined) return
    const limit = limitOf(source)
    if (limit !== undefined && hasLimit(limit, input)) return
    const node = itemOf(tree, 'triggers', index)
    const message =
      limit === undefined
        ? `${source.metric} has no limit, so ${trigger.value}% has no meaning`
        : `${trigger.value}% has no meaning: no ${limit} limit of an instance is known`
    const hint = limit === undefined ? 'compare with a number instead' : limitHints[limit]
    notes.report('manifest/unknown-limit', childOf(node, 'value') ?? node, message, hint)
  })
}

/** A part of the requests, whatever their number. */
function isPartOfRequests(source: MetricSource): boolean {
  return entryMetricOf(source) === 'errors'
}

function limitOf({ providers, metric }: MetricSource): MetricLimit | undefined {
  if (!providers.includes('containermonitor') || !Object.hasOwn(containerMonitorMetrics, metric))
    return undefined
  return containerMonitorMetrics[metric]?.limit
}

function hasLimit(limit: MetricLimit, { tree, package: chosen }: RuleInput): boolean {
  if (limit === 'cpu' && isGiven(tree, 'cpu')) return true
  return chosen !== null || isGiven(tree, 'package') || (limit === 'memory' && isGiven(tree, 'memory'))
}

function scaleTriggersSayHowMuch({ manifest, tree, notes }: RuleInput): void {
  manifest.triggers.forEach((trigger, index) => {
    if (!('url' in trigger)) return
    const node = itemOf(tree, 'triggers', index)
    const [scale, instances] = [childOf(node, 'scale'), childOf(node, 'instances')]
    const place = childOf(node, 'action') ?? node
    const dropped =
      node.kind === 'map' && (node.dropped?.includes('scale') || node.dropped?.includes('instances'))
    if (trigger.action === 'scale' && !scale && !instances && !dropped) {
      const hint = 'scale: 3 for a number, instances: 1 or -1 for more or fewer'
      notes.report('manifest/missing', place, 'this trigger has no scale', hint)
    }
    if (trigger.action === 'scale' && scale && instances)
      notes.report('manifest/conflict', instances, 'scale is already given', 'keep one of them')
    const extra = scale ?? instances
    if (trigger.action !== 'scale' && extra && ['start', 'stop'].includes(trigger.action))
      notes.report(
        'manifest/conflict',
        extra,
        `${trigger.action} takes no number`,
        'leave it out, or use action: scale',
      )
  })
}

/** Only a run has a beginning that a call could be part of. */
function bodiesReachRuns({ manifest, tree, notes }: RuleInput): void {
  manifest.triggers.forEach((trigger, index) => {
    const node = childOf(itemOf(tree, 'triggers', index), 'body')
    if (!isHandedOn(trigger) || node === undefined) return
    if (trigger.action === 'start' && manifest.service_type !== 'continuous') return
    if (tree.dropped?.includes('service_type')) return
    const message = 'the body of a call is only passed to a run that the trigger starts'
    notes.report(
      'manifest/conflict',
      node,
      message,
      'use action: start and service_type: event, or leave body out',
    )
  })
}

/** What comes from outside stands over nothing that the manifest says. */
function bodiesHaveTheirNames({ manifest, tree, notes }: RuleInput): void {
  if (!manifest.triggers.some(isHandedOn)) return
  const environment = childOf(tree, 'environment') ?? tree
  for (const name of Object.keys(manifest.environment)) {
    if (!name.startsWith(bodyVariablePrefix)) continue
    const message = `${name} is reserved for the body of a call`
    notes.report(
      'manifest/conflict',
      childOf(environment, name) ?? environment,
      message,
      'give it another name',
    )
  }
  manifest.files.forEach(({ path }, index) => {
    if (!isInside(path, bodyFile)) return
    const message = `${bodyFile} is reserved for the body of a call`
    notes.report('manifest/conflict', itemOf(tree, 'files', index), message, 'give it another path')
  })
}

function isHandedOn(trigger: Triggers[number]): trigger is UrlTrigger {
  return 'url' in trigger && (trigger.body ?? 'none') !== 'none'
}

type Triggers = RuleInput['manifest']['triggers']

function forEachSource(
  triggers: Triggers,
  visit: (source: MetricSource, index: number, trigger: MetricTrigger) => void,
): void {
  triggers.forEach((trigger, index) => {
    const source = 'url' in trigger ? undefined : parseMetricSource(trigger.source ?? '')
    if (source && !('url' in trigger)) visit(source, index, trigger)
  })
}
