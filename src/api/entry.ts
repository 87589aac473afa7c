// The entry as JSON: its routes, who serves them, and what stands in the way.
import type { EntryBody } from '../contract/contract.js'
import { routesOf, type ServedRoute } from '../entry/routes.js'
import { standingsOf, type UpstreamsAsked } from '../entry/upstreams.js'
import { byKeys } from '../lib/sort.js'

/** What only the machine that is asked knows; null where it runs no entry. */
export interface EntryHere {
  problem(): string | null
  problemOf(served: ServedRoute): string | null
  /** By the name of a host. */
  certificateOf(served: ServedRoute): EntryBody['certificate']
}

/** The routes of a project, by host and path. */
export function entryRoutesOf(
  { view }: Pick<UpstreamsAsked, 'view'>,
  project: string,
): readonly ServedRoute[] {
  return routesOf(view).filter((one) => one.project === project)
}

/** Routes with who serves them. */
export function entryBodiesOf(
  asked: UpstreamsAsked,
  here: EntryHere | null,
  routes: readonly ServedRoute[],
): readonly EntryBody[] {
  asked.names.refresh(asked.now)
  const machines = [...asked.view.machines.values()]
    .flatMap(({ id, hostname, entry }) => (entry === undefined ? [] : [{ machine: id, hostname, ...entry }]))
    .sort(
      byKeys(
        ({ hostname }) => hostname,
        ({ machine }) => machine,
      ),
    )
  return routes.map((served) => {
    const { route, project, service } = served
    return {
      host: route.host,
      path: route.path,
      service,
      project,
      port: route.port,
      redirect: route.redirect,
      tls: route.tls.mode,
      certificate: here?.certificateOf(served) ?? null,
      problem: problemOf(served, here, machines.length),
      upstreams: route.redirect === null ? standingsOf(asked, served) : [],
      machines,
    }
  })
}

function problemOf(served: ServedRoute, here: EntryHere | null, machines: number): string | null {
  if (served.takenBy !== null) return `${served.takenBy} has the same host and path`
  if (machines === 0) return 'no machine runs the entry: start a daemon with --entry'
  return here?.problemOf(served) ?? here?.problem() ?? null
}
