// Limits and rights of an instance, from every form to the canonical one.
import { bareCapability } from '../model/capability.js'
import { parseResourceLimit } from '../model/resource-limit.js'
import { isRealTimeSignal, signalName } from '../model/signal.js'
import { flagOrSteps } from './normalise-init.js'
import { pairMap } from './pair-map.js'
import { parseSizeMb } from './quantities.js'
import {
  entryOf,
  fields,
  flag,
  listOf,
  type Normaliser,
  number,
  pairs,
  parsed,
  refuse,
  type Scope,
  text,
} from './shapes.js'
import type { Entry, Tree } from './tree.js'
import { serviceSchema } from './validators.js'

const { properties } = serviceSchema
const says = (key: keyof typeof properties): string => {
  const schema: { readonly expected?: string } = properties[key]
  return schema.expected ?? 'another value'
}

const capability = parsed('a capability such as NET_ADMIN, or ALL', bareCapability)

/** `soft:hard`, or one number for both, as a map of both. */
const resourceLimit: Normaliser = (node, scope) => {
  if (node.kind === 'map') return limitFields(node, scope)
  const expected = 'a number, soft:hard with soft not above hard, or -1 for no limit'
  const rendered = text(expected, 'deploy', '1')(node, scope)
  if (rendered?.kind !== 'scalar') return undefined
  const limit = parseResourceLimit(String(rendered.value))
  if (limit === null) return refuse(rendered, expected, scope)
  const entries = [entryOf('soft', limit.soft, rendered), entryOf('hard', limit.hard, rendered)]
  return { kind: 'map', start: node.start, end: node.end, entries }
}

const limitFields = fields(
  { soft: number('a whole number, or -1 for no limit'), hard: number('a whole number, or -1 for no limit') },
  'a number, soft:hard, or a map with soft and hard',
)

const readUlimits = fields(
  Object.fromEntries(Object.keys(properties.ulimits.properties).map((name) => [name, resourceLimit])),
  says('ulimits'),
)

/** A map, or a list of `name=soft:hard`. */
const ulimits: Normaliser = (node, scope) => readUlimits(pairMap(node, scope.source) ?? node, scope)

/** `NAME:ADDRESS`, also with `=`, and a map of addresses by name. */
const extraHosts: Normaliser = (node, scope) => {
  const items = node.kind === 'list' ? node.items : [node]
  const read = items.flatMap((item) =>
    item.kind === 'map'
      ? item.entries.flatMap((entry) => hostOf(entry, scope) ?? [])
      : (hostLine(item, scope) ?? []),
  )
  return { kind: 'list', start: node.start, end: node.end, items: read }
}

function hostOf({ key, value }: Entry, scope: Scope): Tree | undefined {
  const address = text('an address', 'deploy', '192.0.2.1')(value, scope)
  if (address?.kind !== 'scalar') return undefined
  return { ...address, start: key.start, value: `${String(key.value)}:${bareAddress(String(address.value))}` }
}

function hostLine(node: Tree, scope: Scope): Tree | undefined {
  const given = text('NAME:ADDRESS', 'deploy', 'name:192.0.2.1')(node, scope)
  if (given?.kind !== 'scalar') return undefined
  const [, name, address] = /^([^=:\s]+)\s*[=:]\s*(\S+)$/.exec(String(given.value)) ?? []
  if (name === undefined || address === undefined) return refuse(given, 'NAME:ADDRESS', scope)
  return { ...given, value: `${name}:${bareAddress(address)}` }
}

/** Compose writes IPv6 in brackets, too. */
function bareAddress(address: string): string {
  return address.replace(/^\[(.*)\]$/, '$1')
}

function signalOf(written: string): string | undefined {
  if (isRealTimeSignal(written)) return `SIG${written.replace(/^SIG/, '')}`
  return signalName(written) ?? undefined
}

function coresOf(written: string): number | undefined {
  return /^(0|[1-9]\d{0,3})?(\.\d{1,2})?0*$/.test(written) && /\d/.test(written) ? Number(written) : undefined
}

const device = text('a device such as /dev/fuse', 'deploy', '/dev/null')

const logFields = fields(
  {
    driver: text('the name of a log driver', 'deploy', 'json-file'),
    max_size: parsed(properties.log.properties.max_size.expected, parseSizeMb),
    max_files: number(properties.log.properties.max_files.expected),
    options: pairs('a map, or a list of key=value', 'deploy'),
  },
  says('log'),
)

/** How each of these keys is read. */
export const limitFieldsOfManifest = {
  memory_swap: parsed(says('memory_swap'), (written) =>
    written.trim() === '-1' ? -1 : parseSizeMb(written),
  ),
  cpu: parsed(says('cpu'), coresOf),
  pids: number(says('pids')),
  ulimits,
  shm_size: parsed(says('shm_size'), parseSizeMb),
  group_add: listOf(text('the name or the number of a group', 'deploy', 'group')),
  hostname: text(says('hostname'), 'placement', 'host'),
  extra_hosts: extraHosts,
  init: flagOrSteps(flag()),
  read_only: flag(),
  cap_add: listOf(capability),
  cap_drop: listOf(capability),
  no_new_privileges: flag(),
  privileged: flag(),
  devices: listOf(device),
  gpus: text(says('gpus'), 'deploy', 'all'),
  sysctls: pairs(says('sysctls'), 'deploy'),
  stop_signal: parsed(says('stop_signal'), signalOf),
  log: logFields,
} as const
