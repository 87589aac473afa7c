// The options that every command takes (contract §2), as commander hands them over and as commands read them.

import type { Account, Endpoint } from '../client/endpoint.js'
import { defaultSocketPath, parseEndpoint } from '../client/endpoint.js'
import { defaultProject } from '../contract/contract.js'
import type { CommandError } from './command-error.js'
import { usageError } from './command-error.js'

/** Names as commander makes them of the flags. */
export interface RawGlobals {
  readonly project?: string
  readonly endpoint?: string
  readonly token?: string
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
  readonly json?: boolean
  readonly output?: string
  readonly header?: boolean
  readonly long?: boolean
  readonly quiet?: boolean
  readonly color?: boolean
}

export interface Globals {
  readonly project: string
  /** The same, undefined where nobody has named one. */
  readonly projectGiven: string | undefined
  readonly endpoint: Endpoint
  readonly token: string | undefined
  readonly files: {
    readonly ca: string | undefined
    readonly cert: string | undefined
    readonly key: string | undefined
  }
  readonly json: boolean
  readonly columns: readonly string[] | null
  readonly header: boolean
  readonly long: boolean
  readonly quiet: boolean
  readonly color: boolean
}

/** Flags first, then the environment, then defaults. Returns what is wrong with them, if something is. */
export function readGlobals(raw: RawGlobals, account: Account): Globals | CommandError {
  const { env } = account
  const json = raw.json ?? false
  const header = raw.header ?? true
  if (json && raw.output !== undefined) return usageError('--json prints whole objects: leave out --output')
  if (json && !header) return usageError('--json prints no header: leave out --no-header')
  const asked = raw.endpoint ?? env['MARIPOSA_ENDPOINT']
  const endpoint = parseEndpoint(asked ?? `unix://${defaultSocketPath(account)}`)
  if (endpoint === null)
    return usageError(
      `'${asked}' is not an endpoint`,
      'give unix:///path, http://host:port or https://host:port',
    )
  if ((raw.certFile === undefined) !== (raw.keyFile === undefined))
    return usageError('--cert-file and --key-file have to be given together')
  // Of a file's line its end may have come with it.
  const token = (raw.token ?? env['MARIPOSA_TOKEN'])?.trimEnd()
  if (token !== undefined && /[^\0-\x7f]/.test(token))
    return usageError(
      'the token has a character outside ASCII: no daemon accepts such a token',
      'give a token of ASCII letters, digits and signs, as in --token-file of the daemon',
    )
  if (token !== undefined && !/^[\x21-\x7e]*$/.test(token))
    return usageError(
      'the token has a blank or more than one line, which no token may have',
      'give the token alone',
    )
  const projectGiven = raw.project ?? env['MARIPOSA_PROJECT']
  return {
    project: projectGiven ?? defaultProject,
    projectGiven,
    endpoint,
    token,
    files: { ca: raw.caFile, cert: raw.certFile, key: raw.keyFile },
    json,
    columns: raw.output === undefined ? null : raw.output.split(',').map((name) => name.trim()),
    header,
    long: raw.long ?? false,
    quiet: raw.quiet ?? false,
    color: raw.color ?? true,
  }
}
