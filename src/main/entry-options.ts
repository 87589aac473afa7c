// Whether a daemon runs the entry, and where: `--entry`, `--entry-http` and `--entry-https`.
import type { EntryListen } from '../entry/caddy.js'
import { isAddress } from '../lib/address.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { type Setting, type Settings, settingProblem } from './settings.js'

/** As commander hands them over. */
export interface EntryFlags {
  readonly entry?: boolean
  readonly entryHttp?: string
  readonly entryHttps?: string
}

/** The flags by the names of their settings. */
export function entrySettings(flags: EntryFlags) {
  return [
    ['entry', flags.entry === true ? 'true' : undefined],
    ['entry-http', flags.entryHttp],
    ['entry-https', flags.entryHttps],
  ] as const
}

/** Where the entry listens; null where the daemon has none. `isOn`: what `--entry` says. */
export function readEntryOptions(
  settings: Settings,
  isOn: boolean,
): { readonly entry: EntryListen | null; readonly problems: readonly Diagnostic[] } {
  const problems: Diagnostic[] = []
  const read = (setting: Setting | undefined, port: number): EntryListen['http'] => {
    const otherwise = { host: '', port }
    if (setting === undefined) return otherwise
    const [text = ''] = setting.values
    const address = parseAddress(text)
    if (address === null)
      problems.push(settingProblem(setting, `'${text}' is no [ADDRESS]:PORT`, 'example: :80, or 10.0.0.5:80'))
    else if (!isOn) problems.push(settingProblem(setting, 'the daemon has no entry', 'give --entry as well'))
    return address ?? otherwise
  }
  const http = read(settings['entry-http'], 80)
  const https = read(settings['entry-https'], 443)
  const isSame =
    http.port === https.port && (http.host === https.host || http.host === '' || https.host === '')
  const given = settings['entry-https'] ?? settings['entry-http']
  if (isSame && given !== undefined && problems.length === 0)
    problems.push(settingProblem(given, `port ${https.port} cannot be for HTTP and for HTTPS`))
  return { entry: isOn ? { http, https } : null, problems }
}

/** `:80`, `10.0.0.5:80`, `[::1]:80`. */
function parseAddress(text: string): EntryListen['http'] | null {
  const [, six, four = '', digits = ''] = /^(?:\[([^\]]+)\]|([^:[\]]*)):([1-9]\d{0,4})$/.exec(text) ?? []
  const host = six ?? four
  const port = Number(digits)
  const isHost =
    host === '' ? six === undefined : isAddress(host) && host.includes(':') === (six !== undefined)
  return digits !== '' && port <= 65_535 && isHost ? { host, port } : null
}
