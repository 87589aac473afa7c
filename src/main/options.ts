// What the daemon is told to be. Flags win over the environment, that over the configuration file.

import { join, resolve } from 'node:path'
import { defaultLogRetention, type LogRetention } from '../agent/kept-logs.js'
import { CommandError, exitCodes } from '../cli/command-error.js'
import type { Account } from '../client/endpoint.js'
import { defaultDataDir, defaultSocketPath } from '../client/endpoint.js'
import type { DnsOptions } from '../dns/io/server.js'
import { isAddress, isMisspeltAddress } from '../lib/address.js'
import { parseDurationMs } from '../lib/duration.js'
import { type LogFormat, logFormats } from '../lib/io/log.js'
import { defaultLogLevels, type LogLevels, parseLogLevels } from '../lib/log-levels.js'
import { greatestPort } from '../lib/port.js'
import { type CnsSuffixes, defaultCnsSuffixes } from '../manifest/cns.js'
import type { SettingName } from '../model/daemon-config.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { hasErrors } from '../model/diagnostic.js'
import type { DriverKind } from '../model/driver-kind.js'
import { driverKinds } from '../model/driver-kind.js'
import { machineMetadataProblem } from '../model/machine-metadata.js'
import type { Package } from '../model/package.js'
import type { Policy } from '../model/policy.js'
import type { SmtpSettings } from '../notify/io/smtp.js'
import { keyFileProblem } from '../store/io/secret-box.js'
import { parseSize } from '../unit/values.js'
import {
  type AccessFlags,
  type AccessOptions,
  accessSettings,
  openTriggerProblems,
  readAccessOptions,
} from './access-options.js'
import { type DnsFlags, dnsSettings, readDnsOptions } from './dns-options.js'
import { type DockerFlags, type DockerSettings, dockerSettings, readDockerOptions } from './docker-options.js'
import { type EntryFlags, type EntryOption, entrySettings, readEntryOptions } from './entry-options.js'
import { settingsFromFleetEnv } from './fleet-conf.js'
import type { ListenAddress } from './listen-address.js'
import { type OnStop, onStopModes } from './on-stop.js'
import { readPackageOption } from './packages.js'
import { readPolicyOption } from './policy-option.js'
import { readConfigFile } from './read-config.js'
import type { Setting, Settings } from './settings.js'
import { settingProblem, settingsFromEnv, split } from './settings.js'
import { readSmtpOptions, type SmtpFlags, smtpSettings } from './smtp-options.js'
import { readStoreOptions, type StoreFlags, type StoreOptions, storeSettings } from './store-options.js'

export interface DaemonOptions {
  /** Absolute. */
  readonly dataDir: string
  readonly store: StoreOptions
  readonly listen: readonly ListenAddress[]
  readonly access: AccessOptions
  /** Where trigger URLs are served; empty for nowhere. */
  readonly triggerListen: readonly ListenAddress[]
  readonly metadata: Readonly<Record<string, string>>
  /** Address to announce; null: find out. */
  readonly publicIp: string | null
  /** After how long without a sign the machine counts as lost. */
  readonly agentTtlMs: number
  /** After a stop on purpose, how long what runs here is not started elsewhere; 0: until the machine counts as lost. */
  readonly awayGraceMs: number
  /** What becomes of what runs here after a stop on purpose. */
  readonly onStop: OnStop
  /** How long draining or purging may take. */
  readonly onStopTimeoutMs: number
  readonly engine: boolean
  readonly agent: boolean
  /** The drivers to use; null: whatever the host offers. */
  readonly drivers: readonly DriverKind[] | null
  /** Absolute. Holds the key of the secrets; made with the first of them. */
  readonly secretKeyFile: string
  /** How long the history is kept, where this daemon leads. */
  readonly keepEventsMs: number
  /** How long the logs of instances that have left this machine are kept, and how much of them. */
  readonly keepLogs: LogRetention
  /** How many versions of a service are kept, where this daemon leads. */
  readonly keepVersions: number
  /** After how long a machine that is down is forgotten, where this daemon leads. */
  readonly forgetAfterMs: number
  /** Whether what an embedded store of the data directory holds is left behind where another store is joined. */
  readonly discard: boolean
  /** How containers and images are kept. */
  readonly docker: DockerSettings
  /** What the names of `cns` variables end in. */
  readonly cns: CnsSuffixes
  /** Where names are answered. */
  readonly dns: DnsOptions
  /** Where the world is served; null: it is not. */
  readonly entry: EntryOption | null
  /** Who takes e-mails on; null: nobody. */
  readonly smtp: SmtpSettings | null
  /** What `package` in a manifest may name. */
  readonly packages: readonly Package[]
  /** What units may do; null: anything. */
  readonly policy: Policy | null
  /** How the log is written, and what of it. */
  readonly logFormat: LogFormat
  readonly logLevels: LogLevels
}

/** As commander hands them over. */
export interface DaemonFlags extends StoreFlags, AccessFlags, DockerFlags, DnsFlags, EntryFlags, SmtpFlags {
  readonly dataDir?: string
  readonly listen?: readonly string[]
  readonly triggerListen?: readonly string[]
  readonly metadata?: string
  readonly publicIp?: string
  readonly agentTtl?: string
  readonly awayGrace?: string
  readonly onStop?: string
  readonly onStopTimeout?: string
  readonly engine?: boolean
  readonly agent?: boolean
  readonly driver?: readonly string[]
  readonly secretKeyFile?: string
  readonly keepEvents?: string
  readonly keepLogs?: string
  readonly keepVersions?: string
  readonly forgetAfter?: string
  readonly discard?: boolean
  readonly cnsSuffixPublic?: string
  readonly cnsSuffixPrivate?: string
  readonly packages?: string
  readonly policy?: string
  readonly logFormat?: string
  readonly logLevel?: string
  readonly config?: string
}

export interface ReadOptions {
  readonly options: DaemonOptions
  /** Keys of a fleet.conf that mean nothing here. */
  readonly warnings: readonly Diagnostic[]
}

/**
 * Reads every place that options may stand in; sockets that were handed over take the place of the default one. Throws CommandError (exit 2) with all that is wrong at once.
 */
export function readDaemonOptions(
  flags: DaemonFlags,
  account: Account,
  inherited: readonly number[] = [],
): ReadOptions {
  const file = flags.config ?? account.env['MARIPOSA_CONFIG']
  const config = file === undefined ? { settings: {}, problems: [] } : readConfigFile(file)
  const fleet = settingsFromFleetEnv(account.env)
  const settings = {
    ...config.settings,
    ...fleet.settings,
    ...settingsFromEnv(account.env),
    ...settingsFromFlags(flags),
  }
  const { options, problems } = interpret(settings, account, inherited)
  const all = [...config.problems, ...fleet.problems, ...problems]
  if (!hasErrors(all)) return { options, warnings: all }
  throw new CommandError(
    exitCodes.invalid,
    'daemon/bad-option',
    'the daemon cannot start with these options',
    { details: all },
  )
}

function settingsFromFlags(flags: DaemonFlags): Settings {
  const given: readonly (readonly [SettingName, readonly string[] | string | undefined])[] = [
    ['data-dir', flags.dataDir],
    ...storeSettings(flags),
    ['listen', flags.listen],
    ['trigger-listen', flags.triggerListen],
    ...accessSettings(flags),
    ['metadata', flags.metadata],
    ['public-ip', flags.publicIp],
    ['agent-ttl', flags.agentTtl],
    ['away-grace', flags.awayGrace],
    ['on-stop', flags.onStop],
    ['on-stop-timeout', flags.onStopTimeout],
    ['no-engine', flags.engine === false ? 'true' : undefined],
    ['no-agent', flags.agent === false ? 'true' : undefined],
    ['driver', flags.driver],
    ['secret-key-file', flags.secretKeyFile],
    ['keep-events', flags.keepEvents],
    ['keep-logs', flags.keepLogs],
    ['keep-versions', flags.keepVersions],
    ['forget-after', flags.forgetAfter],
    ['discard', flags.discard === true ? 'true' : undefined],
    ...dockerSettings(flags),
    ['cns-suffix-public', flags.cnsSuffixPublic],
    ['cns-suffix-private', flags.cnsSuffixPrivate],
    ...dnsSettings(flags),
    ...entrySettings(flags),
    ...smtpSettings(flags),
    ['packages', flags.packages],
    ['policy', flags.policy],
    ['log-format', flags.logFormat],
    ['log-level', flags.logLevel === undefined ? undefined : split('log-level', flags.logLevel)],
  ]
  const settings = given.flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name, { values: typeof value === 'string' ? [value] : value, called: `--${name}` }] as const],
  )
  return Object.fromEntries(settings)
}

interface Interpreted {
  readonly options: DaemonOptions
  readonly problems: readonly Diagnostic[]
}

/** Reads settings, and takes down what is wrong with them in the order in which it is found. */
class SettingsReader {
  readonly settings: Settings
  readonly problems: Diagnostic[] = []

  constructor(settings: Settings) {
    this.settings = settings
  }

  /** What a setting says, or the default where there is none, or where something is wrong with it. */
  read<T>(name: SettingName, otherwise: T, parse: (values: readonly string[]) => T | Problem): T {
    const setting = this.settings[name]
    if (setting === undefined) return otherwise
    const parsed = parse(setting.values)
    if (!isProblem(parsed)) return parsed
    this.problems.push(problemAt(setting, parsed))
    return otherwise
  }

  /** What another reader has made of its settings, without what it found wrong. */
  take<Read extends object>({
    problems,
    ...read
  }: Read & { readonly problems: readonly Diagnostic[] }): Omit<Read, 'problems'> {
    this.problems.push(...problems)
    return read
  }
}

function interpret(settings: Settings, account: Account, inherited: readonly number[]): Interpreted {
  const from = new SettingsReader(settings)
  const dataDir = from.read('data-dir', resolve(defaultDataDir(account)), parsePath('give a directory'))
  const options: DaemonOptions = {
    dataDir,
    ...from.take(readStoreOptions(settings)),
    ...from.take(readPackageOption(settings.packages)),
    ...from.take(readPolicyOption(settings.policy)),
    ...from.take(readSmtpOptions(settings)),
    ...from.take(readDnsOptions(settings)),
    ...from.take(readEntryOptions(settings, parseSwitch)),
    ...from.take(readDockerOptions(settings)),
    ...doorsOf(from, account, inherited),
    ...keyOf(from, dataDir),
    metadata: from.read('metadata', {}, parseMetadata),
    agentTtlMs: from.read('agent-ttl', 30_000, parseSeconds),
    awayGraceMs: from.read('away-grace', 300_000, parseGrace),
    onStop: from.read('on-stop', 'keep', parseOnStop),
    onStopTimeoutMs: from.read('on-stop-timeout', 60_000, parseSeconds),
    engine: !from.read('no-engine', false, parseSwitch),
    agent: !from.read('no-agent', false, parseSwitch),
    drivers: from.read('driver', null, parseDrivers),
    keepEventsMs: from.read('keep-events', 30 * 86_400_000, parseSeconds),
    keepLogs: from.read('keep-logs', defaultLogRetention, parseKeptLogs),
    keepVersions: from.read('keep-versions', 50, parseCount),
    forgetAfterMs: from.read('forget-after', 30 * 86_400_000, parseSeconds),
    discard: from.read('discard', false, parseSwitch),
    logFormat: from.read('log-format', 'text', parseLogFormat),
    logLevels: from.read<LogLevels>('log-level', defaultLogLevels, parseLogLevels),
    cns: {
      public: from.read('cns-suffix-public', defaultCnsSuffixes.public, parseDomain),
      private: from.read('cns-suffix-private', defaultCnsSuffixes.private, parseDomain),
    },
  }
  return { options, problems: from.problems }
}

/** Where the daemon listens, and whom it lets in there. */
function doorsOf(from: SettingsReader, account: Account, inherited: readonly number[]) {
  const { settings } = from
  const given = inherited.map((fd): ListenAddress => ({ kind: 'inherited', fd }))
  const own: readonly ListenAddress[] = [{ kind: 'unix', path: defaultSocketPath(account) }]
  const asked = from.read('listen', given.length > 0 ? [] : own, parseListen)
  const publicIp = from.read('public-ip', null, ([ip = '']) =>
    isAddress(ip) ? ip : problem(`'${ip}' is not an IP address`),
  )
  const insecure = from.read('insecure-listen', false, parseInsecure)
  const open = typeof insecure === 'boolean' ? [] : insecure
  const guarded = asked.find(({ kind }) => kind === 'tcp')
  if (open.length > 0 && guarded !== undefined && settings.listen !== undefined)
    from.problems.push(settingProblem(settings.listen, ...mixedListen))
  const listened = [...asked, ...open]
  const { access } = from.take(readAccessOptions(settings, listened, publicIp, insecure !== false))
  const triggerListen = from.read('trigger-listen', [], parseListen)
  from.problems.push(...openTriggerProblems(settings, triggerListen, access.tls !== null))
  return { listen: [...given, ...listened], access, triggerListen, publicIp }
}

/** The key that secrets are sealed with. */
function keyOf(from: SettingsReader, dataDir: string): Pick<DaemonOptions, 'secretKeyFile'> {
  const secretKeyFile = from.read('secret-key-file', join(dataDir, 'secret.key'), parsePath('give a file'))
  from.problems.push(...keyProblems(from.settings['secret-key-file'], secretKeyFile))
  return { secretKeyFile }
}

/** A key that is there and cannot be used, as a file of the data directory too; where it is missing, it is made when it is needed. */
function keyProblems(setting: Setting | undefined, file: string): readonly Diagnostic[] {
  const found = keyFileProblem(file)
  if (found === null || (setting === undefined && found.code === 'secret/key-unusable')) return []
  const at = setting ?? { values: [file], called: 'secret-key-file' }
  return [settingProblem(at, found.message, found.hint)]
}

/** What is wrong with a value. */
interface Problem {
  readonly problem: string
  readonly hint: string | undefined
}

function problem(text: string, hint?: string): Problem {
  return { problem: text, hint }
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'problem' in value && 'hint' in value
}

function problemAt(setting: Setting, { problem: text, hint }: Problem): Diagnostic {
  return settingProblem(setting, text, hint)
}

function parsePath(otherwise: string): (values: readonly string[]) => string | Problem {
  return ([path = '']) => (path === '' ? problem(otherwise) : resolve(path))
}

function parseDomain([text = '']: readonly string[]): string | Problem {
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
  return new RegExp(`^${label}(\\.${label})*$`).test(text)
    ? text
    : problem(`'${text}' is not a domain in lower case`, 'example: mariposa.internal')
}

function parseListen(values: readonly string[]): readonly ListenAddress[] | Problem {
  const addresses = values.map(parseAddress)
  return addresses.find(isProblem) ?? (addresses as readonly ListenAddress[])
}

const mixedListen = [
  'a daemon admits everybody on all of its TCP addresses, or on none',
  'give them all with --insecure-listen, or all with --listen',
] as const

/** Whether everybody is let in on the TCP addresses of `listen`; or on which others. */
function parseInsecure(values: readonly string[]): boolean | readonly ListenAddress[] | Problem {
  if (!values.some((value) => value.includes(':'))) return parseSwitch(values)
  const addresses = parseListen(values)
  if (isProblem(addresses) || addresses.every(({ kind }) => kind === 'tcp')) return addresses
  return problem('access to a unix socket is decided by the permissions of its file', 'give tcp://HOST:PORT')
}

function parseAddress(text: string): ListenAddress | Problem {
  const path = /^unix:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1]
  if (path !== undefined) return { kind: 'unix', path: resolve(path) }
  const [, host = '', port = ''] = /^tcp:\/\/(\[[^\]]+\]|[^:/]+):(\d{1,5})$/.exec(text) ?? []
  if (host === '' || isMisspeltAddress(host) || Number(port) > greatestPort)
    return problem(`'${text}' is not an address`, 'give unix:PATH or tcp://HOST:PORT')
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return { kind: 'tcp', host: bare, port: Number(port) }
}

function parseMetadata([text = '']: readonly string[]): Readonly<Record<string, string>> | Problem {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
  const wrong = pairs.find((pair) => !/^[^=\s]+=.*$/.test(pair))
  if (wrong !== undefined)
    return problem(`'${wrong}' is not of the form key=value`, 'example: region=north,disk=ssd')
  const metadata = pairs.map(
    (pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const,
  )
  const wrongPair = metadata.flatMap(([key, value]) => machineMetadataProblem(key, value) ?? [])[0]
  return wrongPair === undefined
    ? Object.fromEntries(metadata)
    : problem(wrongPair, 'example: network.backbone=10.0.0.5')
}

function parseSeconds([text = '']: readonly string[]): number | Problem {
  const ms = parseDurationMs(text)
  return ms === undefined || ms < 1000
    ? problem(`'${text}' is not a duration of at least a second`, 'example: 30s')
    : ms
}

/** `none`, or for how long, and how much in all. */
function parseKeptLogs([text = '']: readonly string[]): LogRetention | Problem {
  if (text === 'none') return { maxAgeMs: 0, maxBytes: 0 }
  const [age = '', size, ...more] = text.split(',').map((part) => part.trim())
  const maxAgeMs = parseDurationMs(age)
  const maxBytes = size === undefined ? defaultLogRetention.maxBytes : parseSize(size.toUpperCase())
  const isSize = maxBytes !== null && Number.isFinite(maxBytes)
  // A size alone would be taken for minutes.
  const isAge = maxAgeMs !== undefined && maxAgeMs >= 1000 && !/[A-Z]$/.test(age)
  return isAge && isSize && more.length === 0
    ? { maxAgeMs, maxBytes: Math.floor(maxBytes) }
    : problem(`'${text}' is not a valid value`, 'give none, or the age and total size to keep: 7d,1G')
}

function parseCount([text = '']: readonly string[]): number | Problem {
  return /^[1-9]\d{0,5}$/.test(text)
    ? Number(text)
    : problem(`'${text}' is not a whole number of at least one`, 'example: 50')
}

function parseGrace(values: readonly string[]): number | Problem {
  return parseDurationMs(values[0] ?? '') === 0 ? 0 : parseSeconds(values)
}

function parseOnStop([text = '']: readonly string[]): OnStop | Problem {
  const mode = onStopModes.find((one) => one === text)
  return mode ?? problem(`'${text}' is not one of ${onStopModes.join(', ')}`)
}

function parseLogFormat([text = '']: readonly string[]): LogFormat | Problem {
  const format = logFormats.find((one) => one === text)
  return format ?? problem(`'${text}' is not one of ${logFormats.join(', ')}`)
}

function parseSwitch([text = '']: readonly string[]): boolean | Problem {
  if (['true', '1', 'yes'].includes(text)) return true
  return ['false', '0', 'no'].includes(text) ? false : problem(`'${text}' is neither true nor false`)
}

function parseDrivers(values: readonly string[]): readonly DriverKind[] | Problem {
  const wrong = values.find((value) => !(driverKinds as readonly string[]).includes(value))
  return wrong === undefined
    ? (values as readonly DriverKind[])
    : problem(`'${wrong}' is not a driver`, `drivers: ${driverKinds.join(', ')}`)
}
