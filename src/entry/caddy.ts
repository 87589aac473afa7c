// The configuration of Caddy (2.6) for a set of routes. It says nothing of instances: who they are Caddy asks for while it
// serves, so that a rollout changes nothing here, and no connection is closed for one (docs/decisions/0065-entry.md).
import { byKeys } from '../lib/sort.js'
import { canaryCookieOf, claimOf, type EntryRoute } from '../model/entry.js'
import { type Lead, proxyHandlers, unboundProxy } from './caddy-proxy.js'
import { connectionPolicies, hostsIn, hostsOf, type OwnCertificates, tlsApps } from './caddy-tls.js'
import type { Json, JsonMap } from './json.js'
import type { ServedRoute } from './routes.js'

/** Where the proxy listens; `host` is empty for all addresses. */
export interface EntryAddress {
  readonly host: string
  readonly port: number
}

/** Where the proxy listens for HTTP and for HTTPS. */
export interface EntryListen {
  readonly http: EntryAddress
  readonly https: EntryAddress
}

/** The name by which the proxy's own interface is called: whoever calls it by another is refused. */
export const adminHost = 'entry'

/** Both files are rolled over: neither grows without end. */
const logging: JsonMap = {
  logs: {
    default: { level: 'WARN', writer: logFile('caddy.log', 10), exclude: ['http.log.access'] },
    access: { writer: logFile('access.log', 50), include: ['http.log.access'] },
  },
}

function logFile(filename: string, megabytes: number): JsonMap {
  return { output: 'file', filename, roll_size_mb: megabytes, roll_keep: 2, roll_gzip: false }
}

/** What is the same whatever is served. */
const common: JsonMap = {
  admin: { listen: 'unix/admin.sock', origins: [adminHost], config: { persist: false } },
  logging,
  storage: { module: 'file_system', root: 'storage' },
}

/** Deterministic: the same routes give the same text, in whatever order they come. Paths are relative to the proxy's folder. */
export function caddyConfig(
  routes: readonly ServedRoute[],
  listen: EntryListen,
  certificates: OwnCertificates,
  cookieSecret: string,
): string {
  const served = servedRoutes(routes, certificates)
  const secure = served.filter(({ route }) => route.tls.mode !== 'off')
  const open = served.filter(({ route }) => route.tls.mode === 'off')
  const toRoutes = (one: ServedRoute): readonly Json[] => caddyRoutes(one, cookieSecret)
  const afterErrors = (all: readonly ServedRoute[]): readonly Json[] => all.flatMap(unboundRoutes)
  const http = [...open, ...secure]
    .sort(bySpecificity)
    .flatMap((one) => (isSecure(one) ? [toHttps(one, listen)] : toRoutes(one)))
  const servers = {
    http: {
      ...serverAt(listen.http, afterErrors(open)),
      automatic_https: { disable: true },
      routes: [whileLeaving, ...http, nothingHere],
    },
    // A port that nothing needs is left to others.
    ...(secure.length > 0 && {
      https: {
        ...serverAt(listen.https, afterErrors(secure)),
        automatic_https: {
          disable_redirects: true,
          skip_certificates: [...hostsOf(secure, 'meta'), ...hostsIn(secure).map(absolute)],
          // One that somebody has for other hosts may name this one too, and may have ended.
          ignore_loaded_certificates: true,
        },
        tls_connection_policies: connectionPolicies(secure, certificates),
        routes: [whileLeaving, ...secure.flatMap(toRoutes), nothingHere],
      },
    }),
  }
  const config = {
    ...common,
    apps: {
      http: { http_port: listen.http.port, https_port: listen.https.port, servers },
      ...(secure.length > 0 && tlsApps(secure, certificates)),
    },
  }
  return JSON.stringify(config, null, 1)
}

/** Listens nowhere: what is under way is finished, connections on which nothing is are closed. */
export const closedConfig = JSON.stringify({ ...common, apps: { http: { servers: {} } } })

/** Those that are served at all, in the order in which the proxy tries them. */
export function servedRoutes(
  routes: readonly ServedRoute[],
  certificates: OwnCertificates,
): readonly ServedRoute[] {
  return routes.filter((one) => one.takenBy === null && hasCertificate(one, certificates)).sort(bySpecificity)
}

function isSecure({ route }: ServedRoute): boolean {
  return route.tls.mode !== 'off'
}

function hasCertificate({ route }: ServedRoute, certificates: OwnCertificates): boolean {
  return route.tls.mode !== 'meta' || certificates.has(claimOf(route))
}

/** Hosts before patterns of hosts before none, the longest path first. */
const bySpecificity = byKeys<ServedRoute>(
  ({ route: { host } }) => (host === null ? 2 : host.startsWith('*.') ? 1 : 0),
  ({ route: { host } }) => host ?? '',
  ({ route: { path } }) => -path.length,
  ({ route: { path } }) => path,
)

function serverAt({ host, port }: EntryAddress, afterErrors: readonly Json[]) {
  const at = host.includes(':') ? `[${host}]` : host
  const errors = { routes: [tooLarge, ...afterErrors] }
  return { listen: [`${at}:${port}`], protocols: ['h1', 'h2'], logs: {}, errors }
}

/** While this file is there each answer is the last one of its connection. */
export const leavingFile = 'leaving'

/**
 * Before it ends, clients that keep connections are to leave them of their own accord: a request that meets the end of one is lost.
 * No change of the configuration can say so, as each closes them itself.
 */
const whileLeaving: JsonMap = {
  match: [{ file: { root: '.', try_files: [leavingFile] }, not: [{ header: { Upgrade: ['*'] } }] }],
  handle: [{ handler: 'headers', response: { set: { Connection: ['close'] } } }],
}

/** Caddy says 502 where a body is larger than it may be. */
const tooLarge: JsonMap = {
  match: [{ expression: "{http.error.message}.contains('request body too large')" }],
  handle: [{ handler: 'static_response', status_code: 413 }],
}

const nothingHere: JsonMap = {
  handle: [{ handler: 'static_response', status_code: 404, body: 'nothing is served here\n' }],
}

function matchOf({ host, path }: EntryRoute): JsonMap {
  const hosts = host === null ? [] : [host, absolute(host)]
  return {
    ...(hosts.length > 0 && { host: hosts }),
    ...(path !== '/' && { path: [asPattern(path), `${path}/*`] }),
  }
}

/** A path that is compared as a whole is a pattern of Caddy's, one for the beginning of a path is not. */
function asPattern(path: string): string {
  return path.replace(/\[/g, '\\[')
}

/** As clients send a host that is written down to its end, which is the same host (RFC 1034, 3.1). */
function absolute(host: string): string {
  return `${host}.`
}

/** One set of matchers for each way to ask for a version: any of them is enough. */
function askingMatches(route: EntryRoute): readonly JsonMap[] {
  const { header = null, cookie = null } = route.canary ?? {}
  const way = matchOf(route)
  return [
    ...(header === null ? [] : [{ ...way, header: { [header.name]: [header.value] } }]),
    ...(cookie === null
      ? []
      : [{ ...way, vars: { [`{http.request.cookie.${cookie.name}}`]: [cookie.value] } }]),
  ]
}

function toHttps({ route }: ServedRoute, { https }: EntryListen): Json {
  const port = https.port === 443 ? '' : `:${https.port}`
  return {
    match: [matchOf(route)],
    handle: [redirectTo(`https://{http.request.host}${port}{http.request.uri}`)],
    terminal: true,
  }
}

/** 308: a POST stays one. */
function redirectTo(url: string): JsonMap {
  return { handler: 'static_response', status_code: 308, headers: { Location: [url] } }
}

/** That of requests which ask for a version comes first. */
function caddyRoutes(served: ServedRoute, cookieSecret: string): readonly Json[] {
  return leadsOf(served).map((lead) => caddyRoute(lead, cookieSecret))
}

function caddyRoute(lead: Lead, cookieSecret: string): Json {
  const { route, isCanary } = lead
  const match = isCanary ? askingMatches(route) : [matchOf(route)]
  const { redirect } = route
  const last = redirect === null ? proxyHandlers(lead, cookieSecret) : [redirectTo(withPath(redirect))]
  return { match, handle: [...beforeProxy(route), ...last], terminal: true }
}

/** Where requests that are bound to an instance by a cookie go when they did not reach it. */
function unboundRoutes(served: ServedRoute): readonly Json[] {
  return leadsOf(served).flatMap((lead) => {
    const unbound = unboundProxy(lead)
    if (unbound === null) return []
    return [{ match: [unbound.match], handle: [...beforeProxy(lead.route), unbound.proxy], terminal: true }]
  })
}

function leadsOf({ route, group, canaryGroup }: ServedRoute): readonly Lead[] {
  const all: Lead = { route, group, isCanary: false }
  if (canaryGroup === null) return [all]
  const sticky = route.sticky === null ? null : canaryCookieOf(route.sticky)
  return [{ route: { ...route, sticky }, group: canaryGroup, isCanary: true }, all]
}

function beforeProxy(route: EntryRoute): readonly JsonMap[] {
  const { stripPrefix, maxBodyBytes } = route
  return [
    ...headerHandlers(route),
    ...(maxBodyBytes === null ? [] : [{ handler: 'request_body', max_size: maxBodyBytes }]),
    ...(stripPrefix === null ? [] : [{ handler: 'rewrite', strip_path_prefix: asSent(stripPrefix) }]),
  ]
}

/** A path as it is in requests: Caddy finds no other character beyond ASCII in front of one. */
function asSent(path: string): string {
  return path.replace(/[^\0-\x7F]+/gu, encodeURIComponent)
}

/** An address without a path gets that of the request. */
function withPath(url: string): string {
  return /^https?:\/\/[^/]+$/.test(url) ? `${url}{http.request.uri}` : url
}

function headerHandlers({ headers: { request, response } }: EntryRoute): readonly JsonMap[] {
  const isNone = Object.keys(request).length + Object.keys(response).length === 0
  if (isNone) return []
  return [
    { handler: 'headers', request: changeOf(request), response: { ...changeOf(response), deferred: true } },
  ]
}

function changeOf(headers: Readonly<Record<string, string>>): JsonMap {
  const given = Object.entries(headers)
  const set = given.filter(([, value]) => value !== '').map(([name, value]) => [name, [value]] as const)
  return {
    set: Object.fromEntries(set),
    delete: given.flatMap(([name, value]) => (value === '' ? [name] : [])),
  }
}
