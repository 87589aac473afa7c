// From whatever form the author chose to the canonical form, key by key. A new key is one entry of the table below
// and one of the schema.
import { isAddress } from '../lib/address.js'
import { parseDurationMs } from '../lib/duration.js'
import { longestTtl } from '../model/cns-labels.js'
import { computeTypes } from './compute-types.js'
import { mergedMaps } from './loose.js'
import { normaliseAffinity } from './normalise-affinity.js'
import { normaliseAfter } from './normalise-after.js'
import { normaliseChecks } from './normalise-checks.js'
import { normaliseEntry } from './normalise-entry.js'
import { normaliseFiles, normaliseSecrets } from './normalise-files.js'
import { normaliseInitSteps, withStepsOfInit } from './normalise-init.js'
import { limitFieldsOfManifest } from './normalise-limits.js'
import { normalisePorts } from './normalise-ports.js'
import { normaliseAutoscale, normaliseTriggers, normaliseWebhooks } from './normalise-scaling.js'
import { normaliseSchedule } from './normalise-schedule.js'
import { normaliseTmpfs, normaliseVolumes } from './normalise-volumes.js'
import { adviceOn } from './others-keys.js'
import { readMemory, readPackageName } from './package-of.js'
import {
  choice,
  fields,
  flag,
  listOf,
  type Normaliser,
  number,
  pairs,
  parsed,
  refuse,
  render,
  type Scope,
  seconds,
  text,
  words,
} from './shapes.js'
import type { MapNode, ScalarNode, Tree } from './tree.js'
import { serviceSchema } from './validators.js'

const says = (key: keyof typeof serviceSchema.properties): string => {
  const schema: { readonly expected?: string } = serviceSchema.properties[key]
  return schema.expected ?? 'another value'
}

const manifestFields = {
  name: text(says('name'), 'none'),
  description: text(says('description'), 'deploy'),
  service_type: text(says('service_type'), 'none'),
  after: ofService(normaliseAfter),
  compute_type: choice(says('compute_type'), computeTypes, 'none'),
  image: text(says('image'), 'deploy'),
  pull: choice(says('pull'), { if_not_present: 'missing' }, 'deploy'),
  package: readPackageName,
  memory: readMemory,
  command: words(says('command'), 'command'),
  entrypoint: words(says('entrypoint'), 'command'),
  init_steps: normaliseInitSteps,
  init_timeout: seconds(),
  environment: pairs(says('environment'), 'environment'),
  user: text(says('user'), 'deploy'),
  working_dir: text(says('working_dir'), 'deploy'),
  ...limitFieldsOfManifest,
  volumes: normaliseVolumes,
  tmpfs: normaliseTmpfs,
  files: normaliseFiles,
  secrets: normaliseSecrets,
  ports: normalisePorts,
  dns: listOf(parsed('an IPv4 or IPv6 address', (ip) => (isAddress(ip) ? ip : undefined))),
  'dns-search': listOf(text('a domain such as example.com', 'deploy')),
  dns_search: { aliasOf: 'dns-search' },
  cns: normaliseCns,
  entry: ofService(normaliseEntry),
  labels: pairs(says('labels'), 'placement'),
  tags: { aliasOf: 'labels' },
  affinity: normaliseAffinity,
  spread: text(says('spread'), 'deploy'),
  concurrency: number(says('concurrency')),
  timeout: seconds(),
  retries: number(says('retries')),
  restart: normaliseRestart,
  stop: normaliseStop,
  healthchecks: normaliseChecks,
  containerpilot: normaliseContainerpilot,
  autoscale: ofService(normaliseAutoscale),
  triggers: ofService(normaliseTriggers),
  webhooks: ofService(normaliseWebhooks),
  schedule: ofService(normaliseSchedule),
} as const

const readFields = fields(manifestFields, 'a map of manifest keys', adviceOn)

/** One service's map in canonical form, as far as it could be read; undefined when it is no map. */
export function normaliseManifest(node: Tree, scope: Scope): MapNode | undefined {
  const tree = readFields(node, scope)
  return tree?.kind === 'map'
    ? withStepsOfInit(joinedLists(joinedLists(tree, 'tmpfs', 'volumes'), 'secrets', 'files'))
    : undefined
}

/** What one list says in short, as items of another that may say it as well. */
function joinedLists(tree: MapNode, short: 'tmpfs' | 'secrets', whole: 'volumes' | 'files'): MapNode {
  const said = tree.entries.find(({ key }) => key.value === short)
  if (said?.value.kind !== 'list') return tree
  const { items } = said.value
  const others = tree.entries.filter((entry) => entry !== said)
  const list = others.find(({ key }) => key.value === whole)
  if (list?.value.kind !== 'list')
    return { ...tree, entries: [...others, { ...said, key: { ...said.key, value: whole } }] }
  const joined = { ...list, value: { ...list.value, items: [...list.value.items, ...items] } }
  return { ...tree, entries: others.map((entry) => (entry === list ? joined : entry)) }
}

/** What no instance has to be made anew for: its templates are the service's own. */
function ofService(normalise: Normaliser): Normaliser {
  return (node, scope) => normalise(node, { ...scope, askedMeta: scope.askedByService })
}

const restartFields = fields(
  {
    policy: choice('a policy', { none: 'no', any: 'always', false: 'no' }),
    condition: { aliasOf: 'policy' },
    max: parsed('a whole number', wholeNumber),
    max_attempts: { aliasOf: 'max' },
  },
  says('restart'),
)

function normaliseCns(node: Tree, scope: Scope): Tree | undefined {
  return cnsFields(mergedMaps(node), scope)
}

const cnsFields = fields(
  {
    services: listOf(text('a name such as web:8080', 'placement')),
    ttl: parsed(`whole seconds from 0 to ${longestTtl}`, wholeSeconds),
    hysteresis: flag(),
    disable: flag(),
  },
  'a map with services, ttl, hysteresis and disable',
)

/** `on-failure:3` and the like, to `{policy, max}`. As in Docker, a maximum of 0 is none. */
function normaliseRestart(node: Tree, scope: Scope): Tree | undefined {
  if (node.kind === 'map') return restartFields(node, scope)
  const rendered =
    node.kind === 'scalar' ? render(node, 'deploy', scope) : refuse(node, says('restart'), scope)
  if (!rendered) return undefined
  const [policy = '', max, ...rest] = String(rendered.value).split(':')
  const count = max === undefined ? 0 : wholeNumber(max)
  if (rest.length > 0 || count === undefined || (max !== undefined && policy !== 'on-failure')) {
    return refuse(rendered, says('restart'), scope)
  }
  const part = (value: string | number): ScalarNode => ({ ...rendered, value })
  const entries = [{ key: part('policy'), value: part(plainNo(policy, rendered)) }]
  return {
    kind: 'map',
    start: node.start,
    end: node.end,
    entries: count > 0 ? [...entries, { key: part('max'), value: part(count) }] : entries,
  }
}

/** YAML 1.1 reads `no` as false, and what it writes as JSON says `false`: both mean `no`. */
function plainNo(word: string, { style }: ScalarNode): string {
  return style === 'plain' && word === 'false' ? 'no' : word
}

function wholeNumber(digits: string): number | undefined {
  return /^(0|[1-9]\d{0,8})$/.test(digits) ? Number(digits) : undefined
}

const stopFields = fields(
  {
    timeout: parsed(serviceSchema.properties.stop.properties.timeout.expected, wholeSeconds),
    preservestopped: (node, scope) => {
      const given = text('on-failure, no or always', 'deploy')(node, scope)
      return given?.kind === 'scalar' ? { ...given, value: plainNo(String(given.value), given) } : undefined
    },
  },
  says('stop'),
)

function normaliseStop(node: Tree, scope: Scope): Tree | undefined {
  return stopFields(mergedMaps(node), scope)
}

const containerpilotTable = {
  network: text('the name or uuid of a network', 'deploy'),
  port: number('a port number from 1 to 65535'),
}
const containerpilotFields = fields(containerpilotTable, says('containerpilot'))

/** `true` is a ContainerPilot with its defaults, `false` is none. */
function normaliseContainerpilot(node: Tree, scope: Scope): Tree | undefined {
  if (node.kind === 'scalar') {
    const said = flag()(node, scope)
    if (said?.kind !== 'scalar' || said.value === false) return undefined
    if (said.value !== true) return refuse(said, says('containerpilot'), scope)
    return { kind: 'map', entries: [], start: node.start, end: node.end }
  }
  return containerpilotFields(mergedMaps(node, Object.keys(containerpilotTable)), scope)
}

function wholeSeconds(written: string): number | undefined {
  const ms = parseDurationMs(written)
  return ms !== undefined && ms % 1_000 === 0 ? ms / 1_000 : undefined
}
