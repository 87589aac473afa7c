// What the entry serves: the routes of the current versions of all services, each claimed by one service alone.
import { sha1 } from '../lib/hash.js'
import { byKeys } from '../lib/sort.js'
import {
  type AnyRoute,
  claimOf,
  type EntryRoute,
  type EntryServes,
  isTcp,
  routesOfVersion,
  type TcpRoute,
} from '../model/entry.js'
import type { Service } from '../model/service.js'
import { ownersOf } from '../service/route-owners.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'

/** A route of a service. */
interface Served<Route extends AnyRoute> {
  readonly project: string
  readonly service: string
  readonly route: Route
  /** What the proxy asks for to be told of its instances; a name of its own for each route. */
  readonly group: string
  /** The same for requests that ask for the current version; null where none do. */
  readonly canaryGroup: string | null
  /** Who serves the same already, as `PROJECT/SERVICE`, so that this one is not served; null where nobody does. */
  readonly takenBy: string | null
}

/** One for HTTP. */
export type ServedRoute = Served<EntryRoute>
/** One for connections that are not HTTP. */
export type ServedTcp = Served<TcpRoute>
export type AnyServed = Served<AnyRoute>

export function isServedTcp(served: AnyServed): served is ServedTcp {
  return isTcp(served.route)
}

export function isServedHttp(served: AnyServed): served is ServedRoute {
  return !isServedTcp(served)
}

/** All routes, by what they claim. */
export function routesOf(view: Pick<ClusterView, 'services' | 'versions'>): readonly AnyServed[] {
  const owners = ownersOf(view)
  const routes = [...view.services.values()].flatMap((service) =>
    routesOfVersion(view.versions.get(service.current) ?? {}).map((route) => served(service, route, owners)),
  )
  return routes.sort(
    byKeys(
      ({ route }) => claimOf(route),
      ({ takenBy }) => (takenBy === null ? 0 : 1),
      ({ project }) => project,
      ({ service }) => service,
    ),
  )
}

/** The same on all machines that see the same routes. */
export function routesHash(routes: readonly AnyServed[]): string {
  return sha1(JSON.stringify(routes))
}

/** Whether the entry of a machine serves a route as it is now, `hash` being that of all routes; null where that is not known. */
export function isServedBy(
  { group }: AnyServed,
  hash: string,
  serves: EntryServes | undefined,
): boolean | null {
  return serves === undefined ? null : serves.routes === hash && !serves.without.includes(group)
}

function served(
  { project, name }: Service,
  route: AnyRoute,
  owners: ReadonlyMap<string, ServiceKey>,
): AnyServed {
  const claim = claimOf(route)
  const own = serviceKey(project, name)
  const owner = owners.get(claim) ?? own
  const holder = owner === own ? null : owner
  // That of a claim stays where another service gets it, so that the proxy need not load anything for that.
  const asked = holder === null ? claim : `${own} ${claim}`
  const group = groupOf(asked)
  const canaryGroup = isTcp(route) || route.canary === undefined ? null : groupOf(`${asked} canary`)
  return { project, service: name, route, group, canaryGroup, takenBy: holder }
}

function groupOf(text: string): string {
  return `${sha1(text).slice(0, 32)}.entry`
}
