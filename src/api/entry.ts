// The entry as JSON: its routes, who serves them, and what stands in the way.
import type { EntryBody } from '../contract/contract.js'
import { type AnyServed, isServedBy, isServedTcp, routesHash, routesOf } from '../entry/routes.js'
import { standingsOf, type UpstreamsAsked } from '../entry/upstreams.js'
import { byKeys } from '../lib/sort.js'
import { type AnyRoute, type CanaryMatch, isTcp, leadsNowhere, routesOfVersion } from '../model/entry.js'
import type { Task } from '../model/task.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/** What only the machine that is asked knows; null where it runs no entry. */
export interface EntryHere {
  problem(): string | null
  problemOf(served: AnyServed): string | null
  /** By the name of a host. */
  certificateOf(served: AnyServed): EntryBody['certificate']
}

/** The routes of a project, by host and path. */
export function entryRoutesOf({ view }: Pick<UpstreamsAsked, 'view'>, project: string): readonly AnyServed[] {
  return routesOf(view).filter((one) => one.project === project)
}

/** Whether requests of the entry are led to what a task makes: whoever waits for it waits for the entry, too. */
export function leadsRequests(
  view: Pick<ClusterView, 'services' | 'versions'>,
  { kind, project, service }: Pick<Task, 'kind' | 'project' | 'service'>,
): boolean {
  const current = view.services.get(serviceKey(project, service))?.current
  if (current === undefined || kind === 'stop' || kind === 'delete') return false
  return routesOfVersion(view.versions.get(current) ?? {}).length > 0
}

/** Routes with who serves them. */
export function entryBodiesOf(
  asked: UpstreamsAsked,
  here: EntryHere | null,
  routes: readonly AnyServed[],
): readonly EntryBody[] {
  asked.names.refresh(asked.now)
  const machines = [...asked.view.machines.values()]
    .flatMap(({ id, hostname, entry }) => {
      if (entry === undefined) return []
      const { ownPorts: _, ...at } = entry
      const problem = asked.view.entryIdle.get(id)?.problem
      return [{ machine: id, hostname, ...at, ...(problem !== undefined && { problem }) }]
    })
    .sort(
      byKeys(
        ({ hostname }) => hostname,
        ({ machine }) => machine,
      ),
    )
  const hash = routesHash(routesOf(asked.view))
  return routes.map((served) => {
    const { route, project, service } = served
    return {
      ...wayIn(route),
      service,
      project,
      port: route.port,
      certificate: here?.certificateOf(served) ?? null,
      problem: problemOf(served, here, machines),
      upstreams: leadsNowhere(route) ? [] : standingsOf(asked, served),
      machines: machines.map((one) => {
        const ready = isServedBy(served, hash, asked.view.entryIdle.get(one.machine)?.serves)
        return { ...one, ...(ready !== null && { ready }) }
      }),
    }
  })
}

function wayIn(route: AnyRoute): Pick<EntryBody, 'host' | 'path' | 'tcp' | 'redirect' | 'canary' | 'tls'> {
  if (isTcp(route))
    return { host: null, path: null, tcp: route.tcp, redirect: null, canary: null, tls: 'off' }
  const { host, path, redirect, canary, tls } = route
  return {
    host,
    path,
    tcp: null,
    redirect,
    canary: canary === undefined ? null : askedBy(canary),
    tls: tls.mode,
  }
}

function askedBy({ header, cookie }: CanaryMatch): EntryBody['canary'] {
  return {
    header: header === null ? null : `${header.name}: ${header.value}`,
    cookie: cookie === null ? null : `${cookie.name}=${cookie.value}`,
  }
}

function problemOf(
  served: AnyServed,
  here: EntryHere | null,
  machines: readonly Pick<EntryBody['machines'][number], 'hostname' | 'tcp' | 'problem'>[],
): string | null {
  const tcp = isServedTcp(served)
  if (served.takenBy !== null) return `${served.takenBy} has the same ${tcp ? 'port' : 'host and path'}`
  if (machines.length === 0)
    return 'no machine runs the entry: start a daemon with --entry, or give a machine the metadata that its --entry requires'
  if (tcp && !machines.some((one) => one.tcp === true))
    return 'no machine with an entry has haproxy: apt-get install haproxy there'
  const own = here?.problemOf(served) ?? null
  // What a machine says of its proxy as a whole may be about HTTP alone.
  if (own !== null || tcp) return own
  return here?.problem() ?? problemElsewhere(machines)
}

function problemElsewhere(
  machines: readonly Pick<EntryBody['machines'][number], 'hostname' | 'problem'>[],
): string | null {
  const told = machines.flatMap(({ hostname, problem }) =>
    problem === undefined ? [] : [`${hostname}: ${problem}`],
  )
  return told.length === 0 ? null : told.join('; ')
}
