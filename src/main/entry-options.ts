// Whether a daemon runs the entry, and where: `--entry`, `--entry-http` and `--entry-https`.

import type { EntryListen } from '../entry/caddy.js'
import { type EntryRole, parseRole } from '../entry/role.js'
import { isAddress } from '../lib/address.js'
import { greatestPort } from '../lib/port.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { type Setting, type Settings, settingProblem } from './settings.js'

/** As commander hands them over. */
export interface EntryFlags {
  readonly entry?: true | string
  readonly entryHttp?: string
  readonly entryHttps?: string
}

/** The flags by the names of their settings. */
export function entrySettings(flags: EntryFlags) {
  return [
    ['entry', flags.entry === true ? 'true' : flags.entry],
    ['entry-http', flags.entryHttp],
    ['entry-https', flags.entryHttps],
  ] as const
}

/** Where the entry listens, and on which machines there is one; null: on all. */
export interface EntryOption extends EntryListen {
  readonly role: EntryRole | null
}

/** What `--entry` says: whether there is one, or on which machines. */
function readSwitch(setting: Setting | undefined, isOn: (values: readonly string[]) => unknown) {
  if (setting === undefined) return false
  const found = isOn(setting.values)
  return typeof found === 'boolean' ? found : parseRole(setting.values.join(','))
}

/**
 * The entry of this daemon, as far as its options say; null where it never has one. `isOn` reads a switch: what it does not know is
 * metadata.
 */
export function readEntryOptions(
  settings: Settings,
  isOn: (values: readonly string[]) => unknown,
): {
  readonly entry: EntryOption | null
  readonly problems: readonly Diagnostic[]
} {
  const problems: Diagnostic[] = []
  const asked = readSwitch(settings.entry, isOn)
  if (asked === null && settings.entry !== undefined)
    problems.push(
      settingProblem(
        settings.entry,
        `'${settings.entry.values.join(',')}' is neither true, false nor metadata`,
        'example: --entry, or --entry role=edge',
      ),
    )
  const read = (setting: Setting | undefined, port: number): EntryListen['http'] => {
    const otherwise = { host: '', port }
    if (setting === undefined) return otherwise
    const [text = ''] = setting.values
    const address = parseAddress(text)
    if (address === null)
      problems.push(
        settingProblem(
          setting,
          `'${text}' is not of the form [ADDRESS]:PORT`,
          'example: :80, or 10.0.0.5:80',
        ),
      )
    else if (asked === false)
      problems.push(settingProblem(setting, 'the daemon has no entry', 'give --entry as well'))
    return address ?? otherwise
  }
  const http = read(settings['entry-http'], 80)
  const https = read(settings['entry-https'], 443)
  const isSame =
    http.port === https.port && (http.host === https.host || http.host === '' || https.host === '')
  const given = settings['entry-https'] ?? settings['entry-http']
  if (isSame && given !== undefined && problems.length === 0)
    problems.push(settingProblem(given, `port ${https.port} cannot serve both HTTP and HTTPS`))
  const role = typeof asked === 'object' ? asked : null
  return { entry: asked !== false ? { http, https, role } : null, problems }
}

/** `:80`, `10.0.0.5:80`, `[::1]:80`. */
function parseAddress(text: string): EntryListen['http'] | null {
  const [, six, four = '', digits = ''] = /^(?:\[([^\]]+)\]|([^:[\]]*)):([1-9]\d{0,4})$/.exec(text) ?? []
  const host = six ?? four
  const port = Number(digits)
  const isHost =
    host === '' ? six === undefined : isAddress(host) && host.includes(':') === (six !== undefined)
  return digits !== '' && port <= greatestPort && isHost ? { host, port } : null
}
