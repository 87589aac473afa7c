// How Caddy leads requests to the instances of a route, and how often it tries.
import type { EntryRoute } from '../model/entry.js'
import type { JsonMap } from './json.js'

/** Stands for where groups are asked for, which only the process beside the proxy knows. */
export const resolverMark = '@resolver@'

/** The instances that requests are led to, all of a route's or those that ask for a version. */
export interface Lead {
  readonly route: EntryRoute
  readonly group: string
  readonly isCanary: boolean
}

/** What to do with each request: one that a cookie binds to an instance is tried there alone, and remembers that it was. */
export function proxyHandlers(lead: Lead, cookieSecret: string): readonly JsonMap[] {
  const { sticky } = lead.route
  if (sticky === null) return [proxyTo(lead, roundRobin, triesOf(lead))]
  const policy = { policy: 'cookie', name: sticky, secret: cookieSecret }
  return [{ handler: 'vars', [boundVariable]: lead.group }, proxyTo(lead, policy, {})]
}

/** What remains for requests that did not reach the instance they are bound to; null where none are bound, or tried again. */
export function unboundProxy(lead: Lead): { readonly match: JsonMap; readonly proxy: JsonMap } | null {
  const { sticky, retries, timeoutMs } = lead.route
  if (sticky === null || retries === 0) return null
  // Half of the time may be over by then: a connection is waited for so long.
  const tries = triesOf(lead, timeoutMs === null ? null : Math.ceil(timeoutMs / 2))
  return {
    match: { vars: { [boundVariable]: [lead.group] }, expression: mayBeRepeated },
    proxy: proxyTo(lead, roundRobin, tries),
  }
}

const boundVariable = 'mariposa_bound'
/** As the proxy itself has it for tries of its own: each if there was no connection, a GET always. */
const mayBeRepeated =
  "{http.error.status_code} == 502 && ({http.error.message}.startsWith('dial ') || {http.request.method} == 'GET')"
const roundRobin = { policy: 'round_robin' }

/** How long a list of instances is good for: whoever leaves names serves for longer than that. */
const refresh = '200ms'

/** How long the kernel of an instance's machine may take to accept a connection. */
const dialMs = 2000
/**
 * A canary often is a single instance: another try has another to go to only when the view knows that it is gone, and the others
 * stand in for it.
 */
const canaryTriesForMs = 2000

/** How often and for how long a request is tried: Caddy itself counts `timeout` from the beginning of each try. */
function triesOf({ route, isCanary }: Lead, withinMs = route.timeoutMs): JsonMap {
  if (route.retries === 0) return {}
  const forMs = Math.min(isCanary ? canaryTriesForMs : Infinity, withinMs ?? Infinity)
  return {
    ...(!isCanary && { retries: route.retries }),
    ...(forMs < Infinity && { try_duration: `${forMs}ms` }),
    try_interval: '50ms',
  }
}

function proxyTo({ route: { timeoutMs }, group }: Lead, policy: JsonMap, tries: JsonMap): JsonMap {
  const resolver = { addresses: [resolverMark] }
  // Where there is a limit, another instance is to have some of it after one that cannot be reached.
  const dialTimeout = `${timeoutMs === null ? dialMs : Math.min(dialMs, Math.ceil(timeoutMs / 2))}ms`
  return {
    handler: 'reverse_proxy',
    dynamic_upstreams: { source: 'srv', name: `${group}.`, refresh, resolver, dial_timeout: `${dialMs}ms` },
    load_balancing: { selection_policy: policy, ...tries },
    transport: {
      protocol: 'http',
      resolver,
      dial_timeout: dialTimeout,
      compression: false,
      // Shorter than programs keep idle connections: a request that meets the end of one is lost where it cannot be repeated.
      keep_alive: { idle_timeout: '1s', max_idle_conns_per_host: 256 },
      ...(timeoutMs !== null && { response_header_timeout: `${timeoutMs}ms` }),
    },
  }
}
