// From whatever form the author chose to the canonical form, key by key. A new key is one entry of the table below
// and one of the schema.
import { parseDurationMs } from '../lib/duration.js'
import { normaliseChecks } from './normalise-checks.js'
import { normalisePorts } from './normalise-ports.js'
import { parseSizeMb } from './quantities.js'
import { serviceManifestSchema } from './schema.js'
import {
  fields,
  mergedMaps,
  type Normaliser,
  pairs,
  parsed,
  refuse,
  render,
  type Scope,
  text,
  words,
} from './shapes.js'
import type { MapNode, ScalarNode, Tree } from './tree.js'

/** Synonyms stand together, as in the manifest seed. */
const computeTypesToCome = ['infrastructure', 'lx', 'smartmachine', 'kvm', 'vm', 'hvm', 'manta']

const says = (key: keyof typeof serviceManifestSchema.properties) =>
  expectedOf(serviceManifestSchema.properties[key])

const manifestFields = {
  name: text(says('name'), 'none'),
  service_type: choice(says('service_type'), ['scheduled'], 'continuous and event'),
  compute_type: choice(says('compute_type'), computeTypesToCome, 'docker and process'),
  image: text(says('image'), 'deploy'),
  command: words(says('command')),
  entrypoint: words(says('entrypoint')),
  environment: pairs(says('environment')),
  ports: normalisePorts,
  memory: parsed(says('memory'), parseSizeMb),
  labels: pairs(says('labels')),
  tags: { aliasOf: 'labels' },
  restart: normaliseRestart,
  stop: normaliseStop,
  healthchecks: normaliseChecks,
  user: text(says('user'), 'deploy'),
  working_dir: text(says('working_dir'), 'deploy'),
  package: 'later',
  affinity: 'later',
  dns: 'later',
  'dns-search': 'later',
  containerpilot: 'later',
  autoscale: 'later',
  triggers: 'later',
  webhooks: 'later',
  schedule: 'later',
} as const

/** One service's map in canonical form, as far as it could be read; undefined when it is no map. */
export const normaliseManifest = fields(manifestFields, 'a map of manifest keys') as (
  node: Tree,
  scope: Scope,
) => MapNode | undefined

function expectedOf(schema: object): string {
  return 'expected' in schema ? String(schema.expected) : 'another value'
}

/** One of a few words. Those that are not supported yet are told apart from those that nobody knows. */
function choice(expected: string, toCome: readonly string[], supported: string): Normaliser {
  return (node, scope) => {
    const given = text(expected, 'none')(node, scope)
    if (given?.kind !== 'scalar' || !toCome.includes(String(given.value))) return given
    scope.notes.report(
      'manifest/not-supported-yet',
      given,
      `${given.value} is not supported yet`,
      `supported are ${supported}`,
    )
    return undefined
  }
}

const restartFields = fields(
  { policy: text('a policy', 'deploy'), max: parsed('a whole number', wholeNumber) },
  says('restart'),
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
    timeout: parsed(expectedOf(serviceManifestSchema.properties.stop.properties.timeout), wholeSeconds),
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

function wholeSeconds(written: string): number | undefined {
  const ms = parseDurationMs(written)
  return ms !== undefined && ms % 1_000 === 0 ? ms / 1_000 : undefined
}
