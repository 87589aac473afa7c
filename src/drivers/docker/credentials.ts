// Docker's configuration, `~/.docker/config.json`, as far as it says who a registry is asked as.

import type { PlainLogin, RegistryLogins } from '../../agent/driver.js'
import { dockerHub } from '../../model/registry-login.js'

/** What Docker is told of who asks. */
export type Credentials =
  | { readonly username: string; readonly password: string; readonly serveraddress: string }
  | { readonly identitytoken: string; readonly serveraddress: string }

/** The same of a login that the cluster keeps. */
export function credentialsOf({ host, username, password }: PlainLogin): Credentials {
  const serveraddress = host === dockerHub ? hubAddress : host
  // By the protocol of helpers, the name of one that has a token in place of a password.
  return username === '<token>'
    ? { identitytoken: password, serveraddress }
    : { username, password, serveraddress }
}

/** What Docker's configuration calls Docker Hub. */
const hubAddress = 'https://index.docker.io/v1/'

/** Without a login of the cluster's for any registry. */
export const nobody: RegistryLogins = () => null

/** The registry that an image comes from, as the configuration names it. */
export function registryOf(image: string): string {
  const [host = '', ...path] = image.split('/')
  const isHost = path.length > 0 && (/[.:]/.test(host) || host === 'localhost')
  return isHost && host !== dockerHub ? host : hubAddress
}

/** The program that keeps the credentials of a registry: its own, or the one for all; null where there is neither. */
export function helperFor(
  registry: string,
  config: string,
): { readonly program: string } | { readonly problem: string } | null {
  const { credHelpers, credsStore } = parsed(config)
  const name = credHelpers?.[registry] ?? credHelpers?.[`https://${registry}`] ?? credsStore
  if (typeof name !== 'string' || name === '') return null
  // It becomes part of a program's name, and is to be no path.
  if (!/^[A-Za-z0-9._-]+$/.test(name))
    return { problem: `${JSON.stringify(name)} is not a credential helper` }
  return { program: `docker-credential-${name}` }
}

/** What a helper printed; without credentials where it has none. `problem` is the end of a sentence. */
export function helperAnswer(
  registry: string,
  output: string,
): { readonly credentials: Credentials | null; readonly problem: string | null } {
  if (!output.trim().startsWith('{')) return { credentials: null, problem: null }
  try {
    const { Username, Secret } = JSON.parse(output) as { Username?: unknown; Secret?: unknown }
    if (typeof Username !== 'string' || typeof Secret !== 'string') return unread
    return {
      credentials: credentialsOf({ host: registry, username: Username, password: Secret }),
      problem: null,
    }
  } catch {
    return unread
  }
}

const unread = { credentials: null, problem: 'did not answer with credentials' }

/** The credentials of a registry that stand in the configuration itself; null where it has none. */
export function credentialsFor(registry: string, config: string): Credentials | null {
  const { auths } = parsed(config)
  const entry = auths?.[registry] ?? auths?.[`https://${registry}`]
  const serveraddress = registry
  if (typeof entry?.identitytoken === 'string' && entry.identitytoken !== '')
    return { identitytoken: entry.identitytoken, serveraddress }
  const auth = typeof entry?.auth === 'string' ? decoded(entry.auth) : null
  const colon = auth?.indexOf(':') ?? -1
  if (auth === null || colon <= 0) return null
  return { username: auth.slice(0, colon), password: auth.slice(colon + 1), serveraddress }
}

interface DockerConfig {
  readonly auths?: Readonly<
    Record<string, { readonly auth?: unknown; readonly identitytoken?: unknown } | undefined>
  >
  readonly credHelpers?: Readonly<Record<string, unknown>>
  readonly credsStore?: unknown
}

function parsed(config: string): DockerConfig {
  try {
    return (JSON.parse(config) as DockerConfig | null) ?? {}
  } catch {
    return {}
  }
}

function decoded(base64: string): string | null {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  } catch {
    return null
  }
}
