// Where a daemon listens and a client calls: one rule for both.
import { rootSocketPath, userSocketName } from '../contract/contract.js'
import { isMisspeltAddress } from '../lib/address.js'

/** Where a daemon is reached. */
export type Endpoint =
  | { readonly kind: 'unix'; readonly path: string }
  | {
      readonly kind: 'tcp'
      readonly secure: boolean
      readonly host: string
      readonly port: number
      readonly prefix: string
    }

/** Who runs the program, as far as default paths depend on it. */
export interface Account {
  readonly root: boolean
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** `unix:///path`, `unix:/path`, `http://host[:port]`, `https://host[:port]`; null for anything else. */
export function parseEndpoint(text: string): Endpoint | null {
  const socket = /^unix:(?:\/\/)?(\/.+)$/.exec(text)
  if (socket?.[1] !== undefined) return { kind: 'unix', path: socket[1] }
  const [, written = null] = /^https?:\/\/(?:[^/?#]*@)?([^/?#@]*?)(?::\d*)?(?:[/?#]|$)/.exec(text) ?? []
  if (written === null || isMisspeltAddress(written) || !URL.canParse(text)) return null
  const url = new URL(text)
  const secure = url.protocol === 'https:'
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  return {
    kind: 'tcp',
    secure,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    prefix: url.pathname.replace(/\/+$/, ''),
  }
}

/** The endpoint as one would type it. */
export function describeEndpoint(endpoint: Endpoint): string {
  if (endpoint.kind === 'unix') return `unix://${endpoint.path}`
  const host = endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host
  return `${endpoint.secure ? 'https' : 'http'}://${host}:${endpoint.port}${endpoint.prefix}`
}

/** The daemon's socket unless told otherwise: root's below /run, a user's in the runtime directory of the login, else beside the data. */
export function defaultSocketPath(account: Account): string {
  if (account.root) return rootSocketPath
  const runtimeDir = account.env['XDG_RUNTIME_DIR']
  if (runtimeDir?.startsWith('/')) return `${runtimeDir}/mariposa/${userSocketName}`
  return `${defaultDataDir(account)}/${userSocketName}`
}

/** Where the daemon keeps its data unless told otherwise (a user's: the XDG base directory rule). */
export function defaultDataDir(account: Account): string {
  if (account.root) return '/var/lib/mariposa'
  const dataHome = account.env['XDG_DATA_HOME']
  return dataHome?.startsWith('/') ? `${dataHome}/mariposa` : `${account.home}/.local/share/mariposa`
}
