// Who takes e-mails on, as told by `--smtp` and its sisters.

import { isMisspeltAddress } from '../lib/address.js'
import { isLoopback } from '../lib/loopback.js'
import { isPort } from '../lib/port.js'
import type { SettingName } from '../model/daemon-config.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { SmtpSettings } from '../notify/io/smtp.js'
import { readText } from './access-options.js'
import { type Settings, settingProblem } from './settings.js'

/** As commander hands them over. */
export interface SmtpFlags {
  readonly smtp?: string
  readonly smtpFrom?: string
  readonly smtpUser?: string
  readonly smtpPasswordFile?: string
  readonly smtpCaFile?: string
}

/** The flags by the names of their settings. */
export function smtpSettings(flags: SmtpFlags): readonly (readonly [SettingName, string | undefined])[] {
  return [
    ['smtp', flags.smtp],
    ['smtp-from', flags.smtpFrom],
    ['smtp-user', flags.smtpUser],
    ['smtp-password-file', flags.smtpPasswordFile],
    ['smtp-ca-file', flags.smtpCaFile],
  ]
}

/** Reads them all. A password is never in what is said of it. */
export function readSmtpOptions(settings: Settings): {
  readonly smtp: SmtpSettings | null
  readonly problems: readonly Diagnostic[]
} {
  const { server, problems } = serverOf(settings)
  if (server === null) return { smtp: null, problems: [...problems, ...withoutServer(settings)] }
  const { login, problems: ofLogin } = loginOf(settings)
  const { from, problems: ofFrom } = senderOf(settings)
  const ca = fileOf(settings, 'smtp-ca-file')
  const all = [...ofLogin, ...ofFrom, ...ca.problems]
  if (all.length > 0) return { smtp: null, problems: all }
  const requireTls = login !== null && !server.secure && !isLoopback(server.host)
  return { smtp: { ...server, requireTls, from, login, ca: ca.text }, problems: [] }
}

type Server = Pick<SmtpSettings, 'host' | 'port' | 'secure'>

function serverOf({ smtp: setting }: Settings): { server: Server | null; problems: readonly Diagnostic[] } {
  if (setting === undefined) return { server: null, problems: [] }
  const text = setting.values[0] ?? ''
  const bad = (message: string, hint: string) => ({
    server: null,
    problems: [settingProblem(setting, message, hint)],
  })
  const [, scheme, host = '', port] =
    /^(smtps?):\/\/(\[[0-9a-fA-F:.]+\]|[^\s:/?#@[\]]+)(?::(\d{1,5}))?\/?$/.exec(text) ?? []
  if (text.includes('@'))
    return bad(
      'the password in the address is visible to everybody',
      'give --smtp-user and --smtp-password-file',
    )
  if (scheme === undefined || isMisspeltAddress(host) || !isPort(Number(port ?? 1)))
    return bad(`'${text}' is not a mail server`, 'give smtp://HOST:PORT or smtps://HOST:PORT')
  const secure = scheme === 'smtps'
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return { server: { host: bare, port: Number(port ?? (secure ? 465 : 587)), secure }, problems: [] }
}

/** The others mean nothing without a server. */
function withoutServer(settings: Settings): readonly Diagnostic[] {
  if (settings.smtp !== undefined) return []
  const names = ['smtp-from', 'smtp-user', 'smtp-password-file', 'smtp-ca-file'] as const
  return names.flatMap((name) => {
    const setting = settings[name]
    return setting === undefined ? [] : [settingProblem(setting, 'it has no effect without --smtp')]
  })
}

function senderOf({ smtp, 'smtp-from': setting }: Settings): {
  from: string
  problems: readonly Diagnostic[]
} {
  const from = setting?.values[0] ?? ''
  if (/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(from)) return { from, problems: [] }
  const at = setting ?? smtp
  const message = setting === undefined ? '--smtp-from is missing' : `'${from}' is not an e-mail address`
  return {
    from,
    problems: at === undefined ? [] : [settingProblem(at, message, 'example: mariposa@shop.example')],
  }
}

function loginOf(settings: Settings): {
  login: SmtpSettings['login']
  problems: readonly Diagnostic[]
} {
  const { 'smtp-user': user, 'smtp-password-file': file } = settings
  const given = user ?? file
  if (given === undefined) return { login: null, problems: [] }
  if (user === undefined || file === undefined)
    return {
      login: null,
      problems: [settingProblem(given, '--smtp-user and --smtp-password-file have to be given together')],
    }
  const { text, problems } = fileOf(settings, 'smtp-password-file')
  const password = (text ?? '').replace(/\r?\n$/, '')
  return { login: { user: user.values[0] ?? '', password }, problems }
}

function fileOf(
  settings: Settings,
  name: 'smtp-password-file' | 'smtp-ca-file',
): { readonly text: string | null; readonly problems: readonly Diagnostic[] } {
  const setting = settings[name]
  if (setting === undefined) return { text: null, problems: [] }
  const problems: Diagnostic[] = []
  return { text: readText(name, setting, problems), problems }
}
