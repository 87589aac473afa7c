// What a manifest says of the entry, as the daemons that serve it read it.
import { defaults } from '../manifest/defaults.js'
import type { ManifestEntry, ServiceManifest } from '../manifest/schema.js'
import type { CanaryMatch, EntryRoute, EntryTls, TcpRoute } from '../model/entry.js'

const bytesOfMb = 1024 ** 2

/** The part of a version that is about the entry; nothing where the world does not reach the service. */
export function entryOfManifest({ entry: given = [] }: ServiceManifest): {
  readonly entry?: readonly EntryRoute[]
  readonly tcpEntry?: readonly TcpRoute[]
} {
  const entry = given.flatMap((route) => (route.tcp === undefined ? [routeOf(route)] : []))
  const tcpEntry = given.flatMap((route) => (route.tcp === undefined ? [] : [tcpRouteOf(route, route.tcp)]))
  return { ...(entry.length > 0 && { entry }), ...(tcpEntry.length > 0 && { tcpEntry }) }
}

function tcpRouteOf({ port, weight, drain }: ManifestEntry, tcp: number): TcpRoute {
  return { tcp, port: port ?? null, weight, drainMs: drain * 1000 }
}

function routeOf(route: ManifestEntry): EntryRoute {
  const { host, path = '/', port, redirect, strip_prefix, timeout, max_body, sticky, canary, headers } = route
  return {
    host: host ?? null,
    path,
    port: port ?? null,
    tls: tlsOf(route.tls),
    redirect: redirect ?? null,
    stripPrefix: strip_prefix ?? null,
    timeoutMs: timeout === undefined ? null : timeout * 1000,
    retries: route.retries ?? defaults.entry.retries,
    maxBodyBytes: max_body === undefined ? null : max_body * bytesOfMb,
    sticky: sticky ?? null,
    ...(canary !== undefined && { canary: canaryOf(canary, route.weight) }),
    headers: { request: headers?.request ?? {}, response: headers?.response ?? {} },
    // Daemons of before, which know no canary, divide by the weights.
    weight: route.weight === 0 ? defaults.entry.weight : route.weight,
    drainMs: route.drain * 1000,
  }
}

function tlsOf({ mode, cert = '', key = '' }: NonNullable<ManifestEntry['tls']> = { mode: 'off' }): EntryTls {
  return mode === 'meta' ? { mode, cert, key } : { mode }
}

function canaryOf({ header, cookie }: NonNullable<ManifestEntry['canary']>, weight: number): CanaryMatch {
  return { header: pairAt(header, ': '), cookie: pairAt(cookie, '='), isOnly: weight === 0 }
}

function pairAt(pair: string | undefined, separator: string): CanaryMatch['header'] {
  if (pair === undefined) return null
  const at = pair.indexOf(separator)
  return { name: pair.slice(0, at), value: pair.slice(at + separator.length) }
}
