// What the entry serves for one service it serves for no other: whoever is second is refused.
import type { Instant } from '../lib/time.js'
import { claimOf, isTcp, routesOfVersion, type TcpRoute } from '../model/entry.js'
import type { Service, ServiceVersion } from '../model/service.js'
import { takersOf } from '../model/task.js'
import { versionNamed } from '../service/orders.js'
import { ownersOf } from '../service/route-owners.js'
import { keys } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'
import { isProblem, type Problem } from './problem.js'

type Claiming = Pick<ServiceVersion, 'project' | 'service' | 'entry' | 'tcpEntry'>

/** The part of a change by which it claims what it serves. */
interface Claim {
  readonly decidedOn: readonly string[]
  readonly ops: readonly Op[]
}

/**
 * What has to be written with versions that become current, so that of two changes at the same moment that claim the same
 * only one takes effect; or why they cannot become current. `leaving`: services that the same change deletes, whose claims are
 * in nobody's way.
 */
export function claimEntry(
  view: ClusterView,
  versions: readonly Claiming[],
  now: Instant,
  leaving: ReadonlySet<ServiceKey> = new Set(),
): Claim | Problem {
  const claiming = versions.filter((version) => routesOfVersion(version).length > 0)
  if (claiming.length === 0) return { decidedOn: [], ops: [] }
  const changed = new Set(versions.map(({ project, service }) => serviceKey(project, service)))
  const others = [...view.services.values()].filter(
    ({ project, name }) => !changed.has(serviceKey(project, name)),
  )
  const holders = new Map(others.flatMap((service) => claimsOf(view, service)))
  const owners = ownersOf(view)
  const passedOver = new Set<ServiceKey>()
  for (const version of claiming) {
    const own = `${version.project}/${version.service}`
    for (const route of routesOfVersion(version)) {
      const claim = claimOf(route)
      const holder = holders.get(claim)
      if (holder !== undefined && (leaving.has(holder) || isHandedTo(view, holder, version)))
        passedOver.add(holder)
      else if (holder !== undefined && owners.get(claim) !== serviceKey(version.project, version.service))
        return taken(claim, version, holder)
      const problem = isTcp(route) ? whyNoTcp(view, route, own) : null
      if (problem !== null) return problem
      holders.set(claim, serviceKey(version.project, version.service))
    }
  }
  const op = { op: 'put' as const, key: keys.entries, value: JSON.stringify({ at: now }) }
  return { decidedOn: [keys.entries, ...[...passedOver].map(recordOf)], ops: [op] }
}

/** A route of a service that is deleted, and which service of the same change has it from then on. */
export interface HandedOver {
  readonly claim: string
  readonly to: string
}

/** What of the routes that a service has others take over, whose versions are current then. */
export function handedOver(
  view: ClusterView,
  { project, name, current }: Service,
  versions: readonly Claiming[],
): readonly HandedOver[] {
  const takers = new Map(
    versions.flatMap((version) => routesOfVersion(version).map((route) => [claimOf(route), version.service])),
  )
  const taken = routesOfVersion(view.versions.get(current) ?? {}).flatMap((route) => {
    const claim = claimOf(route)
    const to = takers.get(claim)
    return to === undefined ? [] : [{ claim, to }]
  })
  if (taken.length === 0) return []
  // Whoever takes over may have it already, as what it has handed over has come to nothing.
  const owners = ownersOf(view)
  return taken.filter(({ claim }) => owners.get(claim) === serviceKey(project, name))
}

/** Whether the deletion of who has a route waits for a service to serve it. */
function isHandedTo(view: ClusterView, holder: ServiceKey, { project, service }: Claiming): boolean {
  return (
    holder.startsWith(`${project}/`) &&
    view.tasksOf(holder).some((task) => takersOf(task)?.includes(service) === true)
  )
}

function recordOf(key: ServiceKey): string {
  const [project = '', name = ''] = key.split('/')
  return keys.service(project, name)
}

/** A change of one service that makes a version of it current, with the claim of that; or why either cannot be. */
export function withClaim<Change extends Claim>(
  view: ClusterView,
  change: Change | Problem,
  version: Claiming,
  now: Instant,
): Change | Problem {
  if (isProblem(change)) return change
  const claim = claimEntry(view, [version], now)
  if (isProblem(claim)) return claim
  return {
    ...change,
    decidedOn: [...change.decidedOn, ...claim.decidedOn],
    ops: [...change.ops, ...claim.ops],
  }
}

/** What a service serves now, and what it will once what waits for its turn has had it. */
function claimsOf(view: ClusterView, { project, name, current }: Service): readonly [string, ServiceKey][] {
  const key = serviceKey(project, name)
  const waiting = view.tasksOf(key).flatMap(({ finishedAt, order }) => {
    const word =
      finishedAt === null && (order?.kind === 'rollout' || order?.kind === 'start') ? order.version : null
    const version = word === null ? null : versionNamed({ name }, view.versionsOf(key), word)
    return version === null || 'kind' in version ? [] : [version]
  })
  return [view.versions.get(current) ?? {}, ...waiting].flatMap((version) =>
    routesOfVersion(version).map((route): [string, ServiceKey] => [claimOf(route), key]),
  )
}

function taken(claim: string, { project, service }: Claiming, holder: ServiceKey): Problem {
  const [other = '', name = ''] = holder.split('/')
  const instead =
    other === project
      ? `; if ${service} takes the place of ${name}, deploy the whole project without ${name} and with --prune`
      : ''
  return {
    status: 409,
    code: 'entry/taken',
    message: `${project}/${service} cannot have ${claim} of the entry: ${holder} has it`,
    hint: `choose another host, path or port, or take it away from the other service first${instead}`,
  }
}

/** Why no entry could listen there; null where one can, or where nothing is known of any. */
function whyNoTcp(
  { machines }: Pick<ClusterView, 'machines'>,
  { tcp }: TcpRoute,
  who: string,
): Problem | null {
  const entries = [...machines.values()].flatMap(({ hostname, entry }) =>
    entry === undefined ? [] : [{ hostname, ...entry }],
  )
  if (entries.length > 0 && !entries.some((one) => one.tcp === true))
    return {
      status: 409,
      code: 'entry/no-tcp',
      message: `${who} cannot have tcp:${tcp}: no machine with an entry has the program haproxy, which forwards TCP`,
      hint: 'apt-get install haproxy on a machine with an entry; its daemon sees that within a few seconds',
    }
  const refused = (why: string): Problem => ({
    status: 409,
    code: 'entry/taken',
    message: `${who} cannot have tcp:${tcp}: ${why}`,
    hint: 'choose another port',
  })
  const other = entries.find(({ http, https }) => [http, https].some((at) => at.endsWith(`:${tcp}`)))
  if (other !== undefined)
    return refused(`the entry of ${other.hostname} takes HTTP and HTTPS at ${other.http} and ${other.https}`)
  for (const { hostname, ownPorts = {} } of entries)
    if (Object.hasOwn(ownPorts, tcp)) return refused(`${hostname} needs that port for ${ownPorts[tcp]}`)
  return null
}
