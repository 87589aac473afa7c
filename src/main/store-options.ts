// Where the cluster is kept, as told by `--store` and the options of etcd.

import { resolve } from 'node:path'
import { isMisspeltAddress } from '../lib/address.js'
import { parseDurationMs } from '../lib/duration.js'
import { isPort } from '../lib/port.js'
import type { SettingName } from '../model/daemon-config.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { type Settings, settingProblem } from './settings.js'

export type StoreOptions = { readonly kind: 'embedded' } | EtcdSettings

export interface EtcdSettings {
  readonly kind: 'etcd'
  /** `host:port`. */
  readonly endpoints: readonly string[]
  /** Begins and ends with a slash. */
  readonly prefix: string
  /** Null: without TLS. */
  readonly tls: EtcdTlsFiles | null
  readonly user: string | null
  readonly password: { readonly text: string } | { readonly file: string } | null
  readonly requestTimeoutMs: number
}

/** PEM files, absolute. */
interface EtcdTlsFiles {
  readonly caFile: string | null
  readonly certFile: string | null
  readonly keyFile: string | null
}

const defaultPrefix = '/mariposa/'
/** An election of etcd takes about so long; leases of 10 s outlive an answer that never comes. */
const defaultRequestTimeoutMs = 3000
const form = 'etcd://HOST:PORT[,HOST:PORT…][/PREFIX], or etcds:// for TLS'

/** As commander hands them over. */
export interface StoreFlags {
  readonly store?: string
  readonly etcdPrefix?: string
  readonly etcdCaFile?: string
  readonly etcdCertFile?: string
  readonly etcdKeyFile?: string
  readonly etcdUser?: string
  readonly etcdPasswordFile?: string
  readonly etcdRequestTimeout?: string
}

/** The flags of the store by the names of their settings. */
export function storeSettings(flags: StoreFlags): readonly (readonly [SettingName, string | undefined])[] {
  return [
    ['store', flags.store],
    ['etcd-prefix', flags.etcdPrefix],
    ['etcd-ca-file', flags.etcdCaFile],
    ['etcd-cert-file', flags.etcdCertFile],
    ['etcd-key-file', flags.etcdKeyFile],
    ['etcd-user', flags.etcdUser],
    ['etcd-password-file', flags.etcdPasswordFile],
    ['etcd-request-timeout', flags.etcdRequestTimeout],
  ]
}

/** Reads the settings of the store; all that is wrong with them at once. */
export function readStoreOptions(settings: Settings): {
  readonly store: StoreOptions
  readonly problems: readonly Diagnostic[]
} {
  const problems: Diagnostic[] = []
  const report = (name: SettingName, message: string, hint?: string): void => {
    const setting = settings[name]
    if (setting !== undefined) problems.push(settingProblem(setting, message, hint))
  }
  const embedded = { kind: 'embedded' } as const
  const address = settings.store?.values[0] ?? 'embedded'
  if (address === 'embedded') {
    for (const name of etcdSettings) report(name, 'has no effect without --store etcd://…')
    return { store: embedded, problems }
  }
  const parsed = parseAddress(address)
  if (parsed === null) {
    report('store', `'${withoutPassword(address)}' is not a store`, `give embedded, ${form}`)
    return { store: embedded, problems }
  }
  checkSecrets(settings, parsed, report)
  checkTls(settings, parsed.secure, report)
  const text = (name: SettingName): string | null => settings[name]?.values[0] ?? null
  const file = (name: SettingName): string | null => withPath(text(name))
  const prefix = readPrefix(text('etcd-prefix') ?? parsed.prefix)
  if (prefix === null) report(text('etcd-prefix') === null ? 'store' : 'etcd-prefix', 'the prefix is empty')
  const requestTimeoutMs = readTimeout(text('etcd-request-timeout'))
  if (requestTimeoutMs === null)
    report('etcd-request-timeout', 'give a duration from 100ms to 1m', 'example: 3s')
  const passwordFile = file('etcd-password-file')
  const password = text('etcd-password') ?? parsed.password
  const store: EtcdSettings = {
    kind: 'etcd',
    endpoints: parsed.endpoints,
    prefix: prefix ?? defaultPrefix,
    tls: parsed.secure
      ? { caFile: file('etcd-ca-file'), certFile: file('etcd-cert-file'), keyFile: file('etcd-key-file') }
      : null,
    user: text('etcd-user') ?? parsed.user,
    password: passwordFile !== null ? { file: passwordFile } : password === null ? null : { text: password },
    requestTimeoutMs: requestTimeoutMs ?? defaultRequestTimeoutMs,
  }
  return { store, problems }
}

/** The store as people and logs may see it. */
export function describeStore(store: StoreOptions): string {
  if (store.kind === 'embedded') return 'embedded'
  return `${store.tls === null ? 'etcd' : 'etcds'}://${store.endpoints.join(',')}${store.prefix}`
}

/** Whether an address names the etcd of these settings: the same prefix, and one of its members at least. */
export function isAt(address: string, { endpoints, prefix }: EtcdSettings): boolean {
  const named = parseAddress(address)
  if (named === null || readPrefix(named.prefix) !== prefix) return false
  return named.endpoints.some((endpoint) => endpoints.includes(endpoint))
}

const etcdSettings = [
  'etcd-prefix',
  'etcd-ca-file',
  'etcd-cert-file',
  'etcd-key-file',
  'etcd-user',
  'etcd-password',
  'etcd-password-file',
  'etcd-request-timeout',
] as const

interface EtcdAddress {
  readonly secure: boolean
  readonly user: string | null
  readonly password: string | null
  readonly endpoints: readonly string[]
  readonly prefix: string
}

function parseAddress(text: string): EtcdAddress | null {
  const [, scheme, login, hosts = '', path] = /^(etcds?):\/\/(?:([^@/]*)@)?([^@/]+)(\/.*)?$/.exec(text) ?? []
  if (scheme === undefined) return null
  const endpoints = hosts.split(',').map(parseEndpoint)
  if (!endpoints.every((endpoint) => endpoint !== null)) return null
  const [user = '', password] = login?.split(/:(.*)/s) ?? []
  return {
    secure: scheme === 'etcds',
    user: user === '' ? null : decoded(user),
    password: password === undefined ? null : decoded(password),
    endpoints,
    prefix: path ?? defaultPrefix,
  }
}

/** The password in an address of etcd; null for none. */
export function passwordInAddress(text: string): string | null {
  return parseAddress(text)?.password ?? null
}

function parseEndpoint(text: string): string | null {
  const [, host, port = '2379'] = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  return host === undefined || isMisspeltAddress(host) || !isPort(Number(port)) ? null : `${host}:${port}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type Report = (name: SettingName, message: string, hint?: string) => void

/** A command line is seen by every user of the host. */
function checkSecrets(settings: Settings, { user, password }: EtcdAddress, report: Report): void {
  if (password !== null && settings.store?.called.startsWith('--') === true) {
    report(
      'store',
      'everybody on this host can read a password on the command line',
      'give MARIPOSA_ETCD_PASSWORD, or --etcd-password-file FILE',
    )
  }
  const named = user !== null || settings['etcd-user'] !== undefined
  if (!named) {
    report('etcd-password', 'the user of the password is missing', 'give --etcd-user')
    report('etcd-password-file', 'the user of the password is missing', 'give --etcd-user')
  } else if (
    password === null &&
    settings['etcd-password'] === undefined &&
    settings['etcd-password-file'] === undefined
  ) {
    report(
      settings['etcd-user'] === undefined ? 'store' : 'etcd-user',
      'the user has no password',
      'give MARIPOSA_ETCD_PASSWORD, or --etcd-password-file FILE',
    )
  }
}

function checkTls(settings: Settings, secure: boolean, report: Report): void {
  const names = ['etcd-ca-file', 'etcd-cert-file', 'etcd-key-file'] as const
  if (!secure)
    for (const name of names) report(name, 'has no effect without TLS', 'begin --store with etcds://')
  const [, certificate, key] = names.map((name) => settings[name] !== undefined)
  if (certificate === key) return
  report('etcd-cert-file', 'the certificate has no key', 'give --etcd-key-file too')
  report('etcd-key-file', 'the key has no certificate', 'give --etcd-cert-file too')
}

function readPrefix(text: string): string | null {
  const bare = text.replace(/^\/+|\/+$/g, '')
  return bare === '' ? null : `/${bare}/`
}

function readTimeout(text: string | null): number | null {
  if (text === null) return defaultRequestTimeoutMs
  const ms = parseDurationMs(text)
  return ms === undefined || ms < 100 || ms > 60_000 ? null : ms
}

function withPath(file: string | null): string | null {
  return file === null ? null : resolve(file)
}

function withoutPassword(address: string): string {
  return address.replace(/:[^:@/]*@/, ':…@')
}
