// Which of several services that claim the same route of the entry has it.
import { byKeys } from '../lib/sort.js'
import { claimOf, routesOfVersion } from '../model/entry.js'
import type { Service } from '../model/service.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'

/**
 * In the order in which they have what they claim. One that hands over has it until it is being deleted, and then the other; one
 * whose deletion was ended does not get it back. Otherwise, as where one went back to an earlier version by itself, the older one
 * has it.
 */
export function byPrecedence(services: Iterable<Service>): readonly Service[] {
  return [...services].sort(
    byKeys(
      ({ deleting, handsOver, yields }) => (deleting ? 3 : yields === true ? 2 : handsOver === true ? 0 : 1),
      ({ createdAt }) => createdAt,
      ({ project }) => project,
      ({ name }) => name,
    ),
  )
}

/** Who has each route, by what is claimed. */
export function ownersOf(view: Pick<ClusterView, 'services' | 'versions'>): ReadonlyMap<string, ServiceKey> {
  const owners = new Map<string, ServiceKey>()
  for (const { project, name, current } of byPrecedence(view.services.values()))
    for (const route of routesOfVersion(view.versions.get(current) ?? {})) {
      const claim = claimOf(route)
      if (!owners.has(claim)) owners.set(claim, serviceKey(project, name))
    }
  return owners
}
