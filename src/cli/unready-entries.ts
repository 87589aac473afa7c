// Which entries do not serve yet what was deployed.
import type { EntryBody } from '../contract/contract.js'
import { printable } from './table.js'

/**
 * In words, by route. A route without an instance that serves, as of a service that is stopped, is waited for by nobody, and
 * neither is a machine whose daemon does not say what it serves.
 */
export function unreadyEntries(routes: readonly EntryBody[], services: readonly string[]): readonly string[] {
  return routes
    .filter(({ service }) => services.includes(service))
    .filter(({ redirect, upstreams }) => redirect !== null || upstreams.some(({ state }) => state !== 'out'))
    .flatMap(({ host, path, tcp, machines }) => {
      const unready = machines.filter(({ ready }) => ready === false).map(({ hostname }) => hostname)
      const route = tcp === null ? `${host ?? '*'}${path ?? ''}` : `tcp:${tcp}`
      return unready.length === 0
        ? []
        : [printable(`${route} is not served yet by the entry of ${unready.join(', ')}`)]
    })
}
