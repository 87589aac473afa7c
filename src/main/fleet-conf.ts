// fleet's own configuration file: what of it says the same as an option of ours, and what does not (fleet config/).
import { nearest } from '../lib/nearest.js'
import type { SettingName } from '../model/daemon-config.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { Setting, Settings } from './settings.js'

/** In a file; empty for the environment. */
type Place = { readonly file: string; readonly line: number } | Record<string, never>

/** Reads a fleet.conf: keys with a counterpart become settings, the others are told of. */
export function parseFleetConf(
  file: string,
  text: string,
): { readonly settings: Settings; readonly problems: readonly Diagnostic[] } {
  const settings: Partial<Record<SettingName, Setting>> = {}
  const problems: Diagnostic[] = []
  for (const [at, raw] of text.split('\n').entries()) {
    const place = { file, line: at + 1 }
    const line = raw.trim()
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    const [, key = '', value = ''] = /^([\w-]+)\s*=\s*(.*)$/.exec(line) ?? []
    const bare = value.replace(/^(["'])(.*)\1$/, '$2')
    if (key === '')
      problems.push(problemAt(place, 'error', `'${line}' is not of the form 'key=value'`, yamlHint(line)))
    else take({ key, called: key, value: bare, place }, settings, problems)
  }
  return { settings, problems }
}

/**
 * Reads fleet's variables of the environment: `FLEET_ETCD_SERVERS` for `etcd_servers`. Others that begin like that are
 * somebody else's, and let be.
 */
export function settingsFromFleetEnv(env: Readonly<Record<string, string | undefined>>): {
  readonly settings: Settings
  readonly problems: readonly Diagnostic[]
} {
  const settings: Partial<Record<SettingName, Setting>> = {}
  const problems: Diagnostic[] = []
  for (const [called, value = ''] of Object.entries(env)) {
    const key = called.startsWith(variablePrefix) ? called.slice(variablePrefix.length).toLowerCase() : ''
    if (value !== '' && isKey(key)) take({ key, called, value, place: {} }, settings, problems)
  }
  return { settings, problems }
}

const variablePrefix = 'FLEET_'

/** A key of fleet's with its value. */
interface Given {
  readonly key: string
  /** As it was written. */
  readonly called: string
  readonly value: string
  readonly place: Place
}

/** Takes one key in: as a setting, or as a problem. */
function take(given: Given, settings: Partial<Record<SettingName, Setting>>, problems: Diagnostic[]): void {
  const { key, called, value, place } = given
  const counterpart = Object.hasOwn(counterparts, key) ? counterparts[key] : undefined
  if (counterpart === undefined) {
    problems.push(withoutCounterpart(given))
    return
  }
  // An empty value is fleet's way of leaving a key out.
  if (value === '') return
  const read = counterpart.read(value)
  if ('problem' in read) problems.push(problemAt(place, 'error', `${called}: ${read.problem}`, read.hint))
  else settings[counterpart.name] = { values: [read.value], called, ...place }
}

type Read = { readonly value: string } | { readonly problem: string; readonly hint?: string }

interface Counterpart {
  readonly name: SettingName
  readonly read: (value: string) => Read
}

function same(name: SettingName): Counterpart {
  return { name, read: (value) => ({ value }) }
}

const counterparts: Readonly<Record<string, Counterpart>> = {
  public_ip: same('public-ip'),
  metadata: same('metadata'),
  agent_ttl: same('agent-ttl'),
  disable_engine: same('no-engine'),
  etcd_servers: { name: 'store', read: readServers },
  etcd_key_prefix: same('etcd-prefix'),
  etcd_username: same('etcd-user'),
  etcd_password: same('etcd-password'),
  etcd_cafile: same('etcd-ca-file'),
  etcd_certfile: same('etcd-cert-file'),
  etcd_keyfile: same('etcd-key-file'),
  verbosity: { name: 'log-level', read: readVerbosity },
  etcd_request_timeout: { name: 'etcd-request-timeout', read: readSeconds },
}

/** `["http://a:2379","http://b:2379"]`, or the same without the list's marks. */
function readServers(value: string): Read {
  const servers = value
    .replace(/^\[(.*)\]$/, '$1')
    .split(',')
    .map((one) => one.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((one) => one !== '')
  const parts = servers.map((one) => /^(https?):\/\/([^/?#]+)\/?$/.exec(one))
  const wrong = parts.indexOf(null)
  if (servers.length === 0) return { problem: 'has no server', hint: example }
  if (wrong !== -1) return { problem: `'${servers[wrong]}' is not an etcd server`, hint: example }
  const schemes = new Set(parts.map((part) => part?.[1]))
  if (schemes.size > 1) return { problem: 'either all servers or none need TLS' }
  const hosts = parts.map((part) => part?.[2] ?? '').join(',')
  return { value: `${schemes.has('https') ? 'etcds' : 'etcd'}://${hosts}` }
}

const example = 'example: ["http://127.0.0.1:2379"]'

/** fleet writes seconds, with a fraction. */
function readSeconds(value: string): Read {
  const seconds = Number(value)
  return Number.isFinite(seconds) && seconds > 0
    ? { value: `${Math.round(seconds * 1000)}ms` }
    : { problem: `'${value}' is not a number of seconds` }
}

/** fleet's log has two levels: whatever is above 0 is the second. */
function readVerbosity(value: string): Read {
  return /^\d+$/.test(value)
    ? { value: Number(value) > 0 ? 'debug' : 'info' }
    : { problem: `'${value}' is not a whole number`, hint: '0, or 1 for debug' }
}

/** Why fleet's other keys say nothing here. */
const meaningless: Readonly<Record<string, string>> = {
  engine_reconcile_interval: 'the engine decides when something changes',
  units_directory: 'each driver keeps its units where its system looks for them',
  token_limit: 'pages of the API have 100 entries',
  enable_grpc: 'daemons meet in the store',
  disable_watches: 'the store is always watched',
  verify_units: 'fleet has abandoned it',
  authorized_keys_file: 'fleet has abandoned it',
}

/** Whether fleet knows a key. */
function isKey(key: string): boolean {
  return [counterparts, meaningless].some((known) => Object.hasOwn(known, key)) || key === systemdUserKey
}

const systemdUserKey = 'systemd_user'

/** For a line that is YAML: the name of a file decides how it is read. */
function yamlHint(line: string): string | undefined {
  return /^[\w-]+:(\s|$)/.test(line)
    ? 'a file of YAML needs a name that ends in .yml, .yaml or .json'
    : undefined
}

function withoutCounterpart({ key, called, value, place }: Given): Diagnostic {
  if (key === systemdUserKey) return systemdUser(value, place)
  const why = Object.hasOwn(meaningless, key) ? meaningless[key] : undefined
  return why === undefined
    ? problemAt(place, 'error', `'${key}' is not a key of fleet.conf`, nearKey(key))
    : problemAt(place, 'warning', `fleet's ${called} has no effect here and is ignored: ${why}`)
}

function nearKey(key: string): string | undefined {
  const near = nearest(key, [...Object.keys(counterparts), systemdUserKey])
  return near === undefined ? undefined : `did you mean ${near}?`
}

/** Units of the user's own systemd would run as somebody else: that is no key to leave out in passing. */
function systemdUser(value: string, place: Place): Diagnostic {
  return value === 'true'
    ? problemAt(
        place,
        'error',
        'systemd_user: units run under the systemd of the system alone',
        'leave it out; a daemon that is not root runs units with --driver process',
      )
    : problemAt(place, 'warning', "fleet's systemd_user has no effect here and is ignored: it is off")
}

function problemAt(
  place: Place,
  severity: Diagnostic['severity'],
  message: string,
  hint?: string,
): Diagnostic {
  return {
    code: 'daemon/bad-option',
    severity,
    message,
    ...(hint !== undefined && { hint }),
    ...('file' in place && { ...place, column: 1 }),
  }
}
