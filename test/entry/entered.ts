// A cluster in memory, and its entry as the machine `a` sees it.
import { type AnyServed, routesOf, type ServedRoute } from '../../src/entry/routes.js'
import {
  standingsOf,
  type UpstreamStanding,
  type UpstreamTable,
  upstreamTable,
} from '../../src/entry/upstreams.js'
import type { EntryRoute } from '../../src/model/entry.js'
import { NamedWorld } from '../dns/asked.js'

export class EnteredWorld extends NamedWorld {
  routes(): readonly AnyServed[] {
    return routesOf(this.view)
  }

  table(): UpstreamTable {
    return upstreamTable(this.#asked(), this.routes())
  }

  /** The upstreams of the first route, as `ADDRESS:PORT xCOPIES`. */
  upstreams(): readonly string[] {
    const [first] = this.routes()
    return (this.table()[first?.group ?? ''] ?? []).map(
      ({ address, port, copies }) => `${address}:${port} x${copies}`,
    )
  }

  /** Those of requests that ask for the current version, as `ADDRESS:PORT xCOPIES`. */
  askedUpstreams(): readonly string[] {
    const [first] = this.routes()
    return (this.table()[first?.canaryGroup ?? ''] ?? []).map(
      ({ address, port, copies }) => `${address}:${port} x${copies}`,
    )
  }

  standings(): readonly UpstreamStanding[] {
    this.names.refresh(this.now)
    const [first] = this.routes()
    return first === undefined ? [] : standingsOf(this.#asked(), first)
  }

  #asked() {
    return { view: this.view, names: this.names, now: this.now }
  }
}

export const plainRoute: EntryRoute = {
  host: 'shop.example',
  path: '/',
  port: null,
  tls: { mode: 'off' },
  redirect: null,
  stripPrefix: null,
  timeoutMs: null,
  retries: 3,
  maxBodyBytes: null,
  sticky: null,
  headers: { request: {}, response: {} },
  weight: 100,
  drainMs: 30_000,
}

export function servedRoute(route: Partial<EntryRoute> = {}, more: Partial<ServedRoute> = {}): ServedRoute {
  return {
    ...{ project: 'default', service: 'web', group: 'g.entry', canaryGroup: null, takenBy: null },
    ...{ route: { ...plainRoute, ...route } },
    ...more,
  }
}
