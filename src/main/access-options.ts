// How the daemon is reached from other machines: TLS, tokens, and the address that it announces.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readTokens, type Token } from '../api/access.js'
import { isLoopback } from '../lib/loopback.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { ListenAddress } from './listen-address.js'
import { type Setting, type Settings, settingProblem } from './settings.js'

export interface AccessOptions {
  /** Null: TCP without TLS, on the loopback alone. Contents of PEM files. */
  readonly tls: { readonly cert: string; readonly key: string; readonly ca: string | null } | null
  readonly tokens: readonly Token[]
  /** `https://host:port` for other daemons; null: say none. */
  readonly advertise: string | null
}

/** As commander hands them over. */
export interface AccessFlags {
  readonly tlsCertFile?: string
  readonly tlsKeyFile?: string
  readonly tlsCaFile?: string
  readonly tokenFile?: string
  readonly advertise?: string
}

/** The flags by the names of their settings. */
export function accessSettings(flags: AccessFlags) {
  return [
    ['tls-cert-file', flags.tlsCertFile],
    ['tls-key-file', flags.tlsKeyFile],
    ['tls-ca-file', flags.tlsCaFile],
    ['token-file', flags.tokenFile],
    ['advertise', flags.advertise],
  ] as const
}

/** Reads them all; `publicIp` and the addresses to listen on say what is announced unless `advertise` does. */
export function readAccessOptions(
  settings: Settings,
  listen: readonly ListenAddress[],
  publicIp: string | null,
): { readonly access: AccessOptions; readonly problems: readonly Diagnostic[] } {
  const problems: Diagnostic[] = []
  const read = (name: 'tls-cert-file' | 'tls-key-file' | 'tls-ca-file' | 'token-file'): string | null => {
    const setting = settings[name]
    return setting === undefined ? null : readText(setting, problems)
  }
  const [cert, key, ca] = [read('tls-cert-file'), read('tls-key-file'), read('tls-ca-file')]
  const tls = cert === null || key === null ? null : { cert, key, ca }
  const tokens = tokensOf(settings['token-file'], read('token-file'), problems)
  if ((settings['tls-cert-file'] === undefined) !== (settings['tls-key-file'] === undefined)) {
    const given = settings['tls-cert-file'] ?? settings['tls-key-file']
    if (given !== undefined) problems.push(settingProblem(given, 'a certificate and its key go together'))
  }
  problems.push(...openProblems(settings, listen, tls !== null && (ca !== null || tokens.length > 0)))
  const advertise = advertised(settings.advertise, listen, tls !== null, publicIp, problems)
  return { access: { tls, tokens, advertise }, problems }
}

/** The text of a file that an option names; null where it cannot be read, and the problems say why. */
export function readText(setting: Setting, problems: Diagnostic[]): string | null {
  const file = resolve(setting.values[0] ?? '')
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
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
      'that needs --tls-cert-file and --tls-key-file, and --tls-ca-file or --token-file; without them TCP is for the loopback',
    ),
  ]
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
    if (/^https?:\/\/[^/?#]+\/?$/.test(text) && URL.canParse(text)) return new URL(text).origin
    problems.push(settingProblem(setting, `'${text}' is no address`, 'example: https://10.0.0.1:7443'))
    return null
  }
  const outside = listen.find((one) => one.kind === 'tcp' && !isLoopback(one.host) && one.port !== 0)
  if (!secure || outside?.kind !== 'tcp') return null
  const host = isUnspecified(outside.host) ? publicIp : outside.host
  return host === null ? null : `https://${host.includes(':') ? `[${host}]` : host}:${outside.port}`
}

function isUnspecified(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}
