// Who serves a route now: the instances that names list, at the addresses and ports at which this machine reaches them.
import { describeListing } from '../dns/listing.js'
import type { NameIndex } from '../dns/name-index.js'
import type { NamedInstance } from '../dns/named-instance.js'
import { portAt, reachOf, whereaboutsOf } from '../dns/reach.js'
import { byKeys } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import { type AnyRoute, claimOf, isOnlyAsked, isTcp, leadsNowhere, routesOfVersion } from '../model/entry.js'
import type { UnitName } from '../model/unit.js'
import { isReplacingAll } from '../service/asked-only.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { AnyServed } from './routes.js'
import { targetOf } from './target.js'

/** Where an instance is reached; `copies`: how often it stands in the list that one is drawn from. */
export interface Upstream {
  readonly address: string
  readonly port: number
  readonly copies: number
}

/** The upstreams of each route, by the name of its group. */
export type UpstreamTable = Readonly<Record<string, readonly Upstream[]>>

/** What upstreams are told from. */
export interface UpstreamsAsked {
  readonly view: ClusterView
  readonly names: NameIndex
  readonly now: Instant
}

/** The upstreams of all routes that are served. */
export function upstreamTable(asked: UpstreamsAsked, routes: readonly AnyServed[]): UpstreamTable {
  asked.names.refresh(asked.now)
  const led = routes.filter(({ route, takenBy }) => !leadsNowhere(route) && takenBy === null)
  return Object.fromEntries(led.flatMap((served) => groupsOf(asked, served)))
}

function groupsOf(
  asked: UpstreamsAsked,
  served: AnyServed,
): readonly (readonly [string, readonly Upstream[]])[] {
  const { group, canaryGroup } = served
  const reachable = (named: readonly NamedInstance[]): readonly NamedInstance[] =>
    named.filter((one) => placeOf(asked.view, served.route, one) !== null)
  const upstreamsOf = (named: readonly NamedInstance[]): readonly Upstream[] =>
    drawnFrom(named.flatMap((one) => placeOf(asked.view, served.route, one) ?? []))
  const listed = reachable(listedOf(asked, served))
  const all = listed.length > 0 ? listed : reachable(lastSeenOf(asked, served))
  const askedOnly = askedOnlyAmong(asked.view, served, all)
  const ordinary = all.filter((one) => !askedOnly.includes(one))
  if (canaryGroup === null) return [[group, upstreamsOf(ordinary)]]
  const canaries = canariesAmong(asked.view, served, all)
  return [
    [group, upstreamsOf(ordinary)],
    [canaryGroup, upstreamsOf(canaries.length > 0 ? canaries : ordinary)],
  ]
}

/** Those of the current version. */
function canariesAmong(
  view: ClusterView,
  { project, service }: AnyServed,
  all: readonly NamedInstance[],
): readonly NamedInstance[] {
  const current = view.services.get(serviceKey(project, service))?.current
  return all.filter(({ instance }) => instance.version === current)
}

/** Those that get no requests but those that ask for them; none where no others serve. */
function askedOnlyAmong(
  view: ClusterView,
  served: AnyServed,
  all: readonly NamedInstance[],
): readonly NamedInstance[] {
  const askedOnly = all.filter(({ instance }) => isAskedOnly(view, served, instance.version))
  return askedOnly.length === all.length ? [] : askedOnly
}

/** Each version by its own word: the current one until it is rolled out to all, earlier ones as they were when they were left. */
function isAskedOnly(view: ClusterView, { project, service, route }: AnyServed, version: string): boolean {
  const key = serviceKey(project, service)
  const record = view.services.get(key)
  if (record === undefined || isTcp(route)) return false
  const own = ownRoute(view, route, version)
  // An earlier one that had not this route has never been led to by it.
  if (version !== record.current)
    return record.askedOnly?.includes(version) === true && (own === undefined || isOnlyAsked(own))
  return isOnlyAsked(own ?? route) && !isReplacingAll(record, view.instancesOf(key))
}

function listedOf({ names, now }: UpstreamsAsked, { project, service }: AnyServed): readonly NamedInstance[] {
  const members = names.groupOf(project, service)?.listed(now).all ?? []
  return members.flatMap(({ of }) => (of.instance.service === service ? [of] : []))
}

/** Those on machines that are out of sight, as they were seen last: where nobody else serves they may well do so. */
function lastSeenOf(
  { view, names }: UpstreamsAsked,
  { project, service }: AnyServed,
): readonly NamedInstance[] {
  return view.instancesOf(serviceKey(project, service)).flatMap(({ unit }) => {
    const named = names.instanceOfUnit(unit)
    const isLost = named?.listing.rank === 'out' && named.listing.because.kind === 'machine-lost'
    const placement = view.placements.get(unit)
    const report = view.reportOf(unit)
    if (!isLost || placement === undefined || report?.active !== 'active') return []
    if (report.health === 'unhealthy') return []
    const machine = view.knownMachines.get(placement.machine)
    return [{ ...named, where: whereaboutsOf(machine, false, report, placement.ports) }]
  })
}

interface Place {
  readonly address: string
  readonly port: number
  readonly weight: number
}

/** An older version may have listened on another port, and have another share: each goes by its own. */
function placeOf(view: ClusterView, current: AnyRoute, { instance, where }: NamedInstance): Place | null {
  const { port: asked, weight } = ownRoute(view, current, instance.version) ?? current
  const reach = reachOf(where, 'private')
  if (reach === null) return null
  const program = asked ?? where.ports.find(({ protocol }) => protocol === 'tcp')?.container ?? null
  const port = program === null ? null : portAt(where, reach, program, 'tcp')
  return port === null ? null : { address: reach.address, port, weight }
}

/** What a version has of its own for what the current one claims. */
function ownRoute(view: ClusterView, current: AnyRoute, version: string): AnyRoute | undefined {
  return routesOfVersion(view.versions.get(version) ?? {}).find((one) => claimOf(one) === claimOf(current))
}

/** An answer has room for so many. */
const copiesAtMost = 500

/** Weights as numbers of copies, as few as say the same. */
function drawnFrom(places: readonly Place[]): readonly Upstream[] {
  const some = places.slice(0, copiesAtMost)
  const unit = some.reduce((divisor, { weight }) => greatestDivisor(divisor, weight), 0)
  const sum = some.reduce((all, { weight }) => all + weight / unit, 0)
  const scale = sum > copiesAtMost ? (copiesAtMost - some.length) / sum : 1
  return some
    .map(({ address, port, weight }) => ({
      ...{ address, port },
      copies: scale === 1 ? weight / unit : Math.max(1, Math.round((weight / unit) * scale)),
    }))
    .sort(
      byKeys(
        ({ address }) => address,
        ({ port }) => port,
      ),
    )
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other)
}

/** An instance that is to stop and still runs, and where the proxy may have requests under way for it. */
export interface LeavingUpstream {
  readonly unit: UnitName
  /** As the proxy names them; null where some of them are not known any more. */
  readonly targets: readonly string[] | null
}

/** Those that are to stop, of all services that have a route. */
export function leavingUpstreams(
  { view, names }: Pick<UpstreamsAsked, 'view' | 'names'>,
  routes: readonly AnyServed[],
): readonly LeavingUpstream[] {
  const byUnit = new Map<UnitName, string[] | null>()
  for (const { project, service, route } of routes) {
    if (leadsNowhere(route)) continue
    for (const { unit, retired } of view.instancesOf(serviceKey(project, service))) {
      if (retired === null || retired.kept || view.units.get(unit)?.stopWhenIdleAfterMs === undefined)
        continue
      const named = names.instanceOfUnit(unit)
      const place = named === null ? null : placeOf(view, route, named)
      const target = place === null ? null : targetOf(place.address)
      const known = byUnit.get(unit) ?? []
      const isKnown = place !== null && target !== null && byUnit.get(unit) !== null
      byUnit.set(unit, isKnown ? [...known, `${target}:${place.port}`] : null)
    }
  }
  return [...byUnit].map(([unit, targets]) => ({ unit, targets }))
}

/** An instance of a route, and why it gets no requests, or only those that ask for it; empty where it gets its share. */
export interface UpstreamStanding {
  readonly instance: string
  /** `ADDRESS:PORT`; null where it has none. */
  readonly address: string | null
  readonly state: 'serving' | 'canary' | 'out'
  readonly reason: string
}

/** All instances of a route's service that are not gone. */
export function standingsOf(asked: UpstreamsAsked, served: AnyServed): readonly UpstreamStanding[] {
  const { view, names, now } = asked
  const { project, service, route, takenBy } = served
  const all = takenBy === null ? listedOf(asked, served) : []
  const listed = new Set(all.filter((one) => placeOf(view, route, one) !== null))
  const askedOnly = askedOnlyAmong(view, served, [...listed])
  const current = view.services.get(serviceKey(project, service))?.current
  return view.instancesOf(serviceKey(project, service)).flatMap((instance) => {
    const named = names.instanceOfUnit(instance.unit)
    if (named === null || instance.retired?.kept === true) return []
    const place = placeOf(view, route, named)
    const address = place === null ? null : hostPort(place)
    const share = !listed.has(named)
      ? ({ state: 'out', reason: reasonOf(served, named, place === null, now) } as const)
      : askedOnly.includes(named)
        ? shareOf(instance.version === current)
        : fullShare
    return [{ instance: instance.name, address, ...share }]
  })
}

const fullShare = { state: 'serving', reason: '' } as const

function shareOf(isCurrent: boolean): Pick<UpstreamStanding, 'state' | 'reason'> {
  return isCurrent
    ? { state: 'canary', reason: 'only for requests that ask for it' }
    : { state: 'out', reason: 'it was only for requests that ask for it, and another version is current' }
}

function reasonOf({ takenBy }: AnyServed, named: NamedInstance, isAway: boolean, now: Instant): string {
  if (takenBy !== null) return `${takenBy} has the route`
  const why = describeListing(named.listing, now)
  return why === '' && isAway ? 'its port cannot be reached from this machine' : why
}

/** As in a URL. */
export function hostPort({ address, port }: Pick<Upstream, 'address' | 'port'>): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}
