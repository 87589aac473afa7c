// How the daemon is reached from other machines: TLS, tokens, and the address that it announces.
import { resolve } from 'node:path'
import { readTokens, type Token } from '../api/access.js'
import type { ServerTls } from '../api/io/make-server.js'
import { isMisspeltAddress } from '../lib/address.js'
import { ExposedFileError, readPrivateFile, readTrustFile } from '../lib/io/private-file.js'
import { isLoopback } from '../lib/loopback.js'
import type { SettingName } from '../model/daemon-config.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { ListenAddress } from './listen-address.js'
import { type Setting, type Settings, settingProblem } from './settings.js'

export interface AccessOptions {
  /** Null: TCP without TLS, on the loopback alone. */
  readonly tls: (ServerTls & { readonly files: TlsFiles }) | null
  readonly tokens: readonly Token[]
  /** Whether everybody who reaches a TCP address is let in. */
  readonly insecure: boolean
  /** `https://host:port` for other daemons; null: say none. */
  readonly advertise: string | null
}

/** Where certificate, key and authorities were read: a renewal comes in the same place. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
  readonly ca: string | null
}

/** As commander hands them over. */
export interface AccessFlags {
  /** True where it was given without an address. */
  readonly insecureListen?: true | readonly string[]
  readonly tlsCertFile?: string
  readonly tlsKeyFile?: string
  readonly tlsCaFile?: string
  readonly tokenFile?: string
  readonly advertise?: string
}

/** The flags by the names of their settings. */
export function accessSettings(flags: AccessFlags) {
  return [
    ['insecure-listen', flags.insecureListen === true ? 'true' : flags.insecureListen],
    ['tls-cert-file', flags.tlsCertFile],
    ['tls-key-file', flags.tlsKeyFile],
    ['tls-ca-file', flags.tlsCaFile],
    ['token-file', flags.tokenFile],
    ['advertise', flags.advertise],
  ] as const
}

/**
 * Reads them all; `insecure` is what `insecure-listen` says. `publicIp` and the addresses to listen on say what is
 * announced unless `advertise` does.
 */
export function readAccessOptions(
  settings: Settings,
  listen: readonly ListenAddress[],
  publicIp: string | null,
  insecure: boolean,
): { readonly access: AccessOptions; readonly problems: readonly Diagnostic[] } {
  const problems: Diagnostic[] = []
  const read = (name: 'tls-cert-file' | 'tls-key-file' | 'tls-ca-file' | 'token-file'): string | null => {
    const setting = settings[name]
    return setting === undefined ? null : readText(name, setting, problems)
  }
  const [cert, key, ca] = [read('tls-cert-file'), read('tls-key-file'), read('tls-ca-file')]
  const files = {
    cert: pathOf(settings['tls-cert-file']),
    key: pathOf(settings['tls-key-file']),
    ca: ca === null ? null : pathOf(settings['tls-ca-file']),
  }
  const tls = cert === null || key === null ? null : { cert, key, ca, files }
  const tokens = tokensOf(settings['token-file'], read('token-file'), problems)
  if ((settings['tls-cert-file'] === undefined) !== (settings['tls-key-file'] === undefined)) {
    const given = settings['tls-cert-file'] ?? settings['tls-key-file']
    if (given !== undefined)
      problems.push(settingProblem(given, 'a certificate needs its key, and a key its certificate'))
  }
  const guarded = tls !== null && (ca !== null || tokens.length > 0)
  if (insecure) problems.push(...contradictions(settings))
  // What cannot be read was given all the same: that an address lacks it is no mistake of its own.
  else if (guarded || problems.length === 0 || !isGuardGiven(settings))
    problems.push(...openProblems(settings, listen, guarded))
  const advertise = advertised(settings.advertise, listen, tls !== null, publicIp, problems)
  return { access: { tls, tokens, insecure, advertise }, problems }
}

function isGuardGiven(settings: Settings): boolean {
  const has = (name: SettingName): boolean => settings[name] !== undefined
  return has('tls-cert-file') && has('tls-key-file') && (has('tls-ca-file') || has('token-file'))
}

function pathOf(setting: Setting | undefined): string {
  return resolve(setting?.values[0] ?? '')
}

/** Those with what nobody else may know. */
const privateFiles: readonly SettingName[] = ['tls-key-file', 'token-file', 'smtp-password-file']

/** The text of a file that an option names; null where it cannot be read, is empty, or is exposed, and the problems say why. */
export function readText(name: SettingName, setting: Setting, problems: Diagnostic[]): string | null {
  const file = pathOf(setting)
  try {
    const text = privateFiles.includes(name) ? readPrivateFile(file) : readTrustFile(file)
    if (text.trim() === '') throw new Error('it is empty')
    return text
  } catch (error) {
    if (error instanceof ExposedFileError) {
      problems.push(settingProblem(setting, error.message, error.hint))
      return null
    }
    problems.push(settingProblem(setting, `${file} cannot be read: ${(error as Error).message}`))
    return null
  }
}

function tokensOf(
  setting: Setting | undefined,
  text: string | null,
  problems: Diagnostic[],
): readonly Token[] {
  if (setting === undefined || text === null) return []
  const found = readTokens(text)
  if ('tokens' in found) return found.tokens
  problems.push(settingProblem(setting, `${setting.values[0]}:${found.line}: ${found.problem}`))
  return []
}

/** An address that others reach has to ask them who they are, and nobody on the way may listen. */
function openProblems(
  settings: Settings,
  listen: readonly ListenAddress[],
  guarded: boolean,
): readonly Diagnostic[] {
  const setting = settings.listen
  const outside = outsideOf(listen)
  if (guarded || setting === undefined || outside === undefined) return []
  return [
    settingProblem(
      setting,
      `${outside.host} can be reached from outside`,
      'that needs --tls-cert-file and --tls-key-file, and --tls-ca-file or --token-file; without them TCP is for the loopback. --insecure-listen admits everybody',
    ),
  ]
}

/** Who says that everybody is let in, and who is let in, means one of the two. */
function contradictions(settings: Settings): readonly Diagnostic[] {
  const names = ['tls-cert-file', 'tls-key-file', 'tls-ca-file', 'token-file'] as const
  return names.flatMap((name) => {
    const setting = settings[name]
    const problem = '--insecure-listen admits everybody, without TLS and without a token'
    return setting === undefined ? [] : [settingProblem(setting, problem, 'leave out one of the two')]
  })
}

/** Callers of trigger URLs show the secret, so nobody on the way may read it. */
export function openTriggerProblems(
  settings: Settings,
  listen: readonly ListenAddress[],
  secure: boolean,
): readonly Diagnostic[] {
  const setting = settings['trigger-listen']
  const outside = outsideOf(listen)
  if (secure || setting === undefined || outside === undefined) return []
  const hint = 'that needs --tls-cert-file and --tls-key-file; without them TCP is for the loopback'
  return [settingProblem(setting, `${outside.host} can be reached from outside`, hint)]
}

/** Where trigger URLs are for callers; null where they are served on no port. `ip`: what this machine announces. */
export function triggerBaseOf(
  listen: readonly ListenAddress[],
  endpoints: readonly string[],
  ip: string,
): string | null {
  const at = listen.findIndex(({ kind }) => kind === 'tcp')
  const [address, url] = [listen[at], endpoints[at]]
  if (address?.kind !== 'tcp' || url === undefined) return null
  const { protocol, port } = new URL(url)
  const host = isUnspecified(address.host) ? ip : address.host
  return `${protocol}//${host.includes(':') ? `[${host}]` : host}:${port}`
}

function outsideOf(listen: readonly ListenAddress[]) {
  return listen.filter((one) => one.kind === 'tcp').find(({ host }) => !isLoopback(host))
}

function advertised(
  setting: Setting | undefined,
  listen: readonly ListenAddress[],
  secure: boolean,
  publicIp: string | null,
  problems: Diagnostic[],
): string | null {
  if (setting !== undefined) {
    const text = setting.values[0] ?? ''
    const [, host = ''] = /^https?:\/\/([^/?#@]+?)(?::\d*)?\/?$/.exec(text) ?? []
    const isFine = host !== '' && !isMisspeltAddress(host) && URL.canParse(text)
    const url = isFine ? new URL(text) : null
    if (url?.protocol === 'https:' || (url !== null && isLoopback(hostOf(url)))) return url.origin
    if (url !== null) {
      const hint = 'announce https://…; the traffic between daemons passes over the network'
      problems.push(settingProblem(setting, `${text} is without TLS, and beyond the loopback`, hint))
      return null
    }
    problems.push(settingProblem(setting, `'${text}' is not an address`, 'example: https://10.0.0.1:7443'))
    return null
  }
  return secure ? announcedAddress(listen, publicIp) : null
}

/** Where others reach the TCP address that is listened on; `ip` stands for all of this machine's. */
export function announcedAddress(listen: readonly ListenAddress[], ip: string | null): string | null {
  const outside = listen.find((one) => one.kind === 'tcp' && !isLoopback(one.host) && one.port !== 0)
  if (outside?.kind !== 'tcp') return null
  const host = isUnspecified(outside.host) ? ip : outside.host
  return host === null ? null : `https://${host.includes(':') ? `[${host}]` : host}:${outside.port}`
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function isUnspecified(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}
