// What a manifest says of the entry, as the daemons that serve it read it.
import type { ManifestEntry, ServiceManifest } from '../manifest/schema.js'
import type { EntryRoute, EntryTls } from '../model/entry.js'

const bytesOfMb = 1024 ** 2

/** The part of a version that is about the entry; nothing where the world does not reach the service. */
export function entryOfManifest({ entry = [] }: ServiceManifest): { readonly entry?: readonly EntryRoute[] } {
  return entry.length === 0 ? {} : { entry: entry.map(routeOf) }
}

function routeOf(route: ManifestEntry): EntryRoute {
  const { host, path, port, redirect, strip_prefix, timeout, retries, max_body, sticky, headers } = route
  return {
    host: host ?? null,
    path,
    port: port ?? null,
    tls: tlsOf(route.tls),
    redirect: redirect ?? null,
    stripPrefix: strip_prefix ?? null,
    timeoutMs: timeout === undefined ? null : timeout * 1000,
    retries,
    maxBodyBytes: max_body === undefined ? null : max_body * bytesOfMb,
    sticky: sticky ?? null,
    headers: { request: headers?.request ?? {}, response: headers?.response ?? {} },
    weight: route.weight,
    drainMs: route.drain * 1000,
  }
}

function tlsOf({ mode, cert = '', key = '' }: ManifestEntry['tls']): EntryTls {
  return mode === 'meta' ? { mode, cert, key } : { mode }
}
