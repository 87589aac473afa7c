// Autoscaling, triggers and webhooks, from the seed's forms to the canonical one.
import { describeMetricSource, parseMetricSource } from '../model/metric.js'
import { mergedMaps, named, regrouped } from './loose.js'
import {
  choice,
  entryOf,
  fields,
  flag,
  listOf,
  number,
  pairs,
  parsed,
  type Scope,
  seconds,
  text,
} from './shapes.js'
import { childOf, type MapNode, type ScalarNode, type Tree } from './tree.js'
import { deferredPlaceholder } from './variables.js'

const autoscaleFields = fields(
  {
    enable: choice('notify, true or false', {
      notify: 'notify',
      'notify-only': 'notify',
      true: true,
      '1': true,
      false: false,
      '0': false,
    }),
    min: number('a whole number'),
    max: number('a whole number'),
    retrigger_delay: seconds(),
    notify_email: listOf(text('an e-mail address', 'deploy', 'stand-in@mail.invalid')),
  },
  'a map with enable, min, max, retrigger_delay and notify_email',
)

/** A map, or a list of single-key maps. */
export function normaliseAutoscale(node: Tree, scope: Scope): Tree | undefined {
  return autoscaleFields(mergedMaps(node), scope)
}

const metricTable = {
  name: text('a name', 'deploy'),
  source: parsed('a metric such as containermonitor.ram_used', canonicalSource),
  metric: { aliasOf: 'source' },
  operator: normaliseOperator,
  value: parsed('a number, or a percentage such as 80%', (written) =>
    /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*%?$/i.test(written) ? written : undefined,
  ),
  percent: flag(),
  time: seconds(),
  sustain: { aliasOf: 'time' },
  aggregate: text('avg, min, max, sum or p90', 'deploy'),
  action: choice('increment or decrement', { incr: 'increment', decr: 'decrement' }),
  instances: number('a whole number'),
} as const

const urlTable = {
  name: text('a name', 'deploy'),
  url: choice('true', { true: true }),
  secret: text('a secret', 'environment', deferredPlaceholder('meta.secret')),
  action: text('start, stop or scale', 'deploy'),
  scale: number('a whole number'),
  instances: number('a whole number'),
  body: text('none, file or variables', 'deploy'),
} as const

const [metricFields, urlFields] = [
  fields(metricTable, 'a trigger with source, operator, value, time and action'),
  fields(urlTable, 'a trigger with secret (or url: true) and action'),
]
const triggerKeys = [...Object.keys(metricTable), ...Object.keys(urlTable)]
const triggerList = listOf(normaliseTrigger)

/** Triggers of both kinds, in every form in which things with names may stand. */
export function normaliseTriggers(node: Tree, scope: Scope): Tree | undefined {
  return triggerList(named(node, triggerKeys), scope)
}

/** What is no source stays as it is, for the schema to refuse. */
function canonicalSource(written: string): string {
  const source = parseMetricSource(written)
  return source ? describeMetricSource(source) : written
}

function normaliseTrigger(node: Tree, scope: Scope): Tree | undefined {
  const metric = childOf(node, 'source') ?? childOf(node, 'metric')
  const url = childOf(node, 'secret') ?? childOf(node, 'url')
  if (metric && url) {
    const hint = 'a metric trigger has no secret, and a trigger URL has no source: write two triggers'
    scope.notes.report('manifest/conflict', url, 'a trigger is either a metric or a URL', hint)
    return undefined
  }
  if (node.kind === 'map' && !metric && !url) return reportNoKind(node, scope)
  const trigger = (url ? urlFields : metricFields)(node, scope)
  if (trigger?.kind !== 'map') return undefined
  return url ? withUrl(trigger) : withPercent(trigger, scope)
}

function reportNoKind(node: MapNode, { notes }: Scope): undefined {
  const hint = 'give source (a metric to watch), or secret or url: true (a URL to call)'
  notes.report('manifest/missing', node, 'this trigger has neither a source nor a secret', hint)
  return undefined
}

function withUrl(trigger: MapNode): MapNode {
  if (childOf(trigger, 'url') || trigger.dropped?.includes('url')) return trigger
  return { ...trigger, entries: [...trigger.entries, entryOf('url', true, trigger)] }
}

/** `80%` to 80 and `percent: true`. */
function withPercent(trigger: MapNode, scope: Scope): MapNode {
  const value = childOf(trigger, 'value')
  if (value?.kind !== 'scalar') return trigger
  const written = String(value.value)
  const entries = trigger.entries.map((entry) =>
    entry.value === value
      ? { ...entry, value: { ...value, value: Number(written.replace('%', '')) } }
      : entry,
  )
  if (!written.endsWith('%')) return { ...trigger, entries }
  const said = childOf(trigger, 'percent')
  if (said?.kind === 'scalar' && said.value === false)
    scope.notes.report('manifest/conflict', said, 'the value has a % sign', 'leave percent out')
  return { ...trigger, entries: said ? entries : [...entries, entryOf('percent', true, value)] }
}

/** `>` without quotes begins a text of several lines in YAML. Where none follows, the sign itself was meant. */
function normaliseOperator(node: Tree, scope: Scope): Tree | undefined {
  if (node.kind === 'scalar' && node.style === 'folded') {
    if (String(node.value).trim() === '')
      return { ...node, value: '>', end: node.start + 1 } satisfies ScalarNode
    const message = 'a > without quotes turns the lines below into one text'
    scope.notes.report('manifest/bad-value', { start: node.start, end: node.start + 1 }, message, 'write ">"')
    return undefined
  }
  return choice('one of < <= > >= == !=', { '=': '==' })(node, scope)
}

const webhookFields = fields(
  {
    url: text('a URL', 'deploy', 'https://stand-in.invalid/'),
    events: listOf(text('an event', 'deploy')),
    secret: text('a secret such as whsec_…', 'environment', deferredPlaceholder('meta.secret')),
    headers: pairs('a map, or a list of key=value', 'environment'),
    allow_private: flag(),
  },
  'a map with url',
)
const webhookList = listOf(webhookFields)

/** Webhooks: a list of maps, one map, or single-key maps in a row. */
export function normaliseWebhooks(node: Tree, scope: Scope): Tree | undefined {
  return webhookList(regrouped(node), scope)
}
