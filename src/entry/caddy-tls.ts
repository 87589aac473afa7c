// What Caddy is told of certificates: where those of each host come from, and which one a host shows.
import { sha1 } from '../lib/hash.js'
import { byKeys } from '../lib/sort.js'
import { claimOf, type EntryRoute } from '../model/entry.js'
import type { Json, JsonMap } from './json.js'
import type { ServedRoute } from './routes.js'

/** Certificate and key in PEM, by the claims of the routes that have their own. */
export type OwnCertificates = ReadonlyMap<string, Pair>

interface Pair {
  readonly cert: string
  readonly key: string
}

/**
 * A host shows its own certificate, whichever others name it: each policy is for one host, in the order of `secure`, where exact
 * hosts come before patterns. The last is for all else.
 */
export function connectionPolicies(
  secure: readonly ServedRoute[],
  certificates: OwnCertificates,
): readonly Json[] {
  const own = new Map(ownPairs(secure, certificates))
  return [
    ...hostsIn(secure).map((host) => {
      const pair = own.get(host)
      return { match: { sni: [host] }, ...(pair && { certificate_selection: { any_tag: [tagOf(pair)] } }) }
    }),
    {},
  ]
}

/** By what is in it: the proxy keeps the same certificate once, with the tags that it had first. */
function tagOf({ cert }: Pair): string {
  return sha1(cert)
}

/** Of the hosts that have their own. */
function ownPairs(
  secure: readonly ServedRoute[],
  certificates: OwnCertificates,
): readonly (readonly [string, Pair])[] {
  return firstRoutes(secure).flatMap(({ route }) => {
    const pair = route.tls.mode === 'meta' ? certificates.get(claimOf(route)) : undefined
    return pair === undefined || route.host === null ? [] : [[route.host, pair] as const]
  })
}

/** Where the certificates of the hosts come from. */
export function tlsApps(secure: readonly ServedRoute[], certificates: OwnCertificates): JsonMap {
  const internal = [...hostsOf(secure, 'internal'), ...hostsOf(secure, 'auto').filter(isPrivateName)].sort()
  const own = new Map(ownPairs(secure, certificates).map(([, pair]) => [tagOf(pair), pair]))
  return {
    tls: {
      ...(internal.length > 0 && {
        automation: { policies: [{ subjects: internal, issuers: [{ module: 'internal' }] }] },
      }),
      ...(own.size > 0 && {
        certificates: {
          load_pem: [...own].map(([tag, { cert, key }]) => ({ certificate: cert, key, tags: [tag] })),
        },
      }),
    },
    // What the machine trusts is not for the entry to say.
    pki: { certificate_authorities: { local: { install_trust: false } } },
  }
}

/** Whether no authority of the world gives a certificate for a host: reserved names (RFC 2606, 6761, 6762) and addresses. */
function isPrivateName(host: string): boolean {
  const isReserved = /(^|\.)(localhost|local|internal|test|example|invalid|home\.arpa)$/.test(host)
  return isReserved || !host.includes('.') || /^[0-9.]+$/.test(host)
}

/** All that have a certificate, each once, in the order of the routes. */
export function hostsIn(secure: readonly ServedRoute[]): readonly string[] {
  return [...new Set(secure.flatMap(({ route: { host } }) => host ?? []))]
}

/** The hosts whose certificate comes from there. */
export function hostsOf(secure: readonly ServedRoute[], mode: EntryRoute['tls']['mode']): readonly string[] {
  const found = firstRoutes(secure).filter(({ route: { tls } }) => tls.mode === mode)
  return hostsIn(found)
}

/** Of each host the one that says which certificate it has, in the order of hosts. */
function firstRoutes(secure: readonly ServedRoute[]): readonly ServedRoute[] {
  const byHost = new Map<string, ServedRoute>()
  for (const one of secure.toSorted(byKeys(({ route }) => claimOf(route)))) {
    const { host } = one.route
    if (host !== null && !byHost.has(host)) byHost.set(host, one)
  }
  return [...byHost].sort(byKeys(([host]) => host)).map(([, one]) => one)
}
