// Which route a request was led to: the first that fits, in the order in which the proxy has them.
import type { Access } from './access-log.js'
import type { ServedRoute } from './routes.js'

/** Null: nothing is claimed for it. `sent-on`: it came over HTTP for what is served over HTTPS alone, and is told to come again. */
export type RouteOf = (access: Pick<Access, 'host' | 'path' | 'isSecure'>) => ServedRoute | 'sent-on' | null

/** `served`: in the order of the proxy (`servedRoutes`). */
export function routeMatcher(served: readonly ServedRoute[]): RouteOf {
  const byHost = new Map<string | null, ServedRoute[]>()
  for (const one of served) {
    const known = byHost.get(one.route.host)
    if (known === undefined) byHost.set(one.route.host, [one])
    else known.push(one)
  }
  return ({ host, path, isSecure }) => {
    const dot = host.indexOf('.')
    const hosts = [host, ...(dot === -1 ? [] : [`*${host.slice(dot)}`]), null]
    // Only routes with TLS are served where it is spoken.
    const fits = ({ route }: ServedRoute): boolean =>
      isWithin(path, route.path) && (!isSecure || route.tls.mode !== 'off')
    const found = hosts.flatMap((one) => byHost.get(one)?.find(fits) ?? [])[0] ?? null
    return found !== null && !isSecure && found.route.tls.mode !== 'off' ? 'sent-on' : found
  }
}

function isWithin(path: string, route: string): boolean {
  const prefix = route.toLowerCase()
  return prefix === '/' || path === prefix || path.startsWith(`${prefix}/`)
}
