// Who registries of images are asked as: requests as changes, and records as JSON. A password is in none of what is made here.
import type { RegistryBody, RegistryLoginRequest } from '../contract/contract.js'
import { nearest } from '../lib/nearest.js'
import { type Instant, toIso } from '../lib/time.js'
import type { EventDraft } from '../model/event.js'
import { loginPlace, type RegistryLogin, registryName } from '../model/registry-login.js'
import { keys, putOf } from '../store/records.js'
import type { ClusterView } from '../store/view.js'
import type { Seal } from './meta.js'
import type { Problem } from './problem.js'
import type { Change } from './services.js'

/** Docker Hub takes access tokens of some hundred characters, cloud registries some thousand. */
const longest = { username: 256, password: 16 * 1024 }

export function registryBodyOf({ host, username, updatedAt }: RegistryLogin): RegistryBody {
  return { host, username, updatedAt: toIso(updatedAt) }
}

/** What a registry is called in records; or why it is none. */
export function registryNamed(text: string): { readonly host: string } | Problem {
  const host = registryName(text)
  if (host !== null) return { host }
  const hint = 'give a host, with its port where it has one: registry.example:5000, docker.io'
  return { status: 400, code: 'registry/bad-name', message: `'${text}' is not a registry`, hint }
}

/** Why nobody can be asked as this; null where somebody can. */
export function loginProblem({ username, password }: RegistryLoginRequest): Problem | null {
  const bad = (message: string): Problem => ({ status: 400, code: 'registry/bad-login', message })
  if (username === '' || username.length > longest.username || /[:\0-\x1f\x7f]/.test(username))
    return bad(`a username has 1 to ${longest.username} characters, and no colon among them`)
  if (password === '' || password.length > longest.password || /[\0\r\n]/.test(password))
    return bad(`a password has 1 to ${longest.password} characters, on one line`)
  return null
}

/** Has every machine ask a registry as somebody, in place of whoever it was before. */
export function logIn(
  { host }: { readonly host: string },
  { username, password }: RegistryLoginRequest,
  seal: Seal,
  now: Instant,
): Change {
  const login: RegistryLogin = { host, username, sealed: seal(password, loginPlace(host)), updatedAt: now }
  return {
    decidedOn: [],
    ops: [putOf('registryLogin', login)],
    events: [eventOf(`the login of the registry ${host} is set to ${username}`)],
    tasks: [],
  }
}

/** Forgets the login of a registry. */
export function logOut(view: Pick<ClusterView, 'registryLogins'>, host: string): Change | Problem {
  if (!view.registryLogins.has(host)) {
    const near = nearest(host, [...view.registryLogins.keys()])
    return {
      status: 404,
      code: 'registry/unknown',
      message: `there is no login for ${host}`,
      hint: near === undefined ? 'mariposa registry list shows the logins' : `did you mean ${near}?`,
    }
  }
  return {
    decidedOn: [],
    ops: [{ op: 'delete', key: keys.registryLogin(host) }],
    events: [eventOf(`the login of the registry ${host} is removed`)],
    tasks: [],
  }
}

function eventOf(message: string): EventDraft {
  return { kind: 'record', project: null, service: null, instance: null, machine: null, message }
}
