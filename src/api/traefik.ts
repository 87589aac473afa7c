// What runs, as Traefik asks for it: its HTTP provider fetches servers, and rules from labels, every few seconds.
import type { TraefikBody } from '../contract/contract.js'
import type { NameIndex } from '../dns/name-index.js'
import type { NamedInstance } from '../dns/named-instance.js'
import { answeringAt, portOfService } from '../dns/reach.js'
import { byKeys } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import type { Service } from '../model/service.js'
import type { DesiredUnit } from '../model/unit.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/** What servers and rules are told from. */
interface TraefikAsked {
  readonly view: ClusterView
  readonly names: NameIndex
  readonly units: { needs(unit: DesiredUnit): { readonly labels: Readonly<Record<string, string>> } }
  readonly now: Instant
}

type Http = NonNullable<TraefikBody['http']>
type Router = NonNullable<Http['routers']>[string]
type Labels = Readonly<Record<string, string>>

/**
 * The services of all projects, or of one, that have a port and a name, with the instances that answers list, and the
 * routers that their labels tell of. Traefik takes no empty maps, so those are left out.
 */
export function traefikConfiguration(asked: TraefikAsked, project: string | undefined): TraefikBody {
  asked.names.refresh(asked.now)
  const found = [...asked.view.services.values()]
    .filter((one) => project === undefined || one.project === project)
    .sort(
      byKeys(
        (one) => one.project,
        (one) => one.name,
      ),
    )
    .flatMap((service) => partOf(asked, service) ?? [])
  const routers = Object.fromEntries(found.flatMap((one) => one.routers))
  const services = Object.fromEntries(found.map(({ name, service }) => [name, service]))
  if (found.length === 0) return {}
  return { http: { ...(Object.keys(routers).length > 0 && { routers }), services } }
}

function partOf({ view, names, units, now }: TraefikAsked, { project, name }: Service) {
  const newest = view.instancesOf(serviceKey(project, name)).findLast(({ retired }) => retired === null)
  const unit = newest === undefined ? undefined : view.units.get(newest.unit)
  const group = names.groupOf(project, name)
  if (unit === undefined || group === null) return null
  const labels = lowered(units.needs(unit).labels)
  if (labels['traefik.enable'] === 'false') return null
  const { port, scheme } = serverOf(labels)
  const hasPort = [...group.members()].some(({ of }) => of.where.ports.length > 0)
  if (port === null && !hasPort) return null
  const servers = group
    .listed(now)
    .all.filter(({ of }) => of.instance.service === name)
    .flatMap(({ of }) => urlOf(of, scheme, port) ?? [])
    .sort(byKeys(({ url }) => url))
  const own = `${project}-${name}`
  const loadBalancer = { ...(servers.length > 0 && { servers }), passHostHeader: true }
  return { name: own, service: { loadBalancer }, routers: routersOf(labels, project, own) }
}

function urlOf({ where }: NamedInstance, scheme: string, port: number | null): { url: string } | null {
  const service = { label: '', port, priority: 0, weight: 0 }
  const at = answeringAt(where, (reach) => portOfService(where, reach, service))
  return at === null ? null : { url: `${scheme}://${at.host}` }
}

/** Traefik does not mind the case of the keys of labels. */
function lowered(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key.toLowerCase(), value]))
}

function serverOf(labels: Labels): { readonly port: number | null; readonly scheme: 'http' | 'https' } {
  const said = (option: string): string | undefined => {
    const pattern = new RegExp(`^traefik\\.http\\.services\\.[^.]+\\.loadbalancer\\.server\\.${option}$`)
    return Object.entries(labels).find(([key]) => pattern.test(key))?.[1]
  }
  const port = said('port') ?? ''
  return {
    port: /^[1-9]\d{0,4}$/.test(port) ? Number(port) : null,
    scheme: said('scheme') === 'https' ? 'https' : 'http',
  }
}

/** The routers that labels tell of. One without a rule is none. */
function routersOf(labels: Labels, project: string, own: string): readonly (readonly [string, Router])[] {
  const options = new Map<string, Record<string, string>>()
  for (const [key, value] of Object.entries(labels)) {
    const [, name, option] = /^traefik\.http\.routers\.([^.]+)\.(.+)$/.exec(key) ?? []
    if (name !== undefined && option !== undefined)
      options.set(name, { ...options.get(name), [option]: value })
  }
  return [...options].flatMap(([name, said]) => {
    const { rule } = said
    if (rule === undefined) return []
    // A name of the labels' own means the service that they stand at.
    const isOwn = Object.keys(labels).some((key) =>
      key.startsWith(`traefik.http.services.${said['service']}.`),
    )
    const service = said['service'] === undefined || isOwn ? own : said['service']
    return [[`${project}-${name}`, routerOf(rule, service, said)] as const]
  })
}

function routerOf(rule: string, service: string, said: Labels): Router {
  const { entrypoints, middlewares, priority, tls, 'tls.certresolver': certResolver } = said
  return {
    rule,
    service,
    ...(entrypoints !== undefined && { entryPoints: wordsOf(entrypoints) }),
    ...(middlewares !== undefined && { middlewares: wordsOf(middlewares) }),
    ...(/^\d{1,9}$/.test(priority ?? '') && { priority: Number(priority) }),
    ...(certResolver === undefined ? tls === 'true' && { tls: {} } : { tls: { certResolver } }),
  }
}

function wordsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
