// Which of several services that claim the same route of the entry has it.
import { byKeys } from '../lib/sort.js'
import { claimOf, routesOfVersion } from '../model/entry.js'
import type { Service } from '../model/service.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'

/**
 * Who has each route, by what is claimed. One that hands it over has it until it is being deleted, and then the other; one whose
 * deletion was ended does not get it back. Otherwise, as where one went back to an earlier version by itself, the older one has it.
 */
export function ownersOf(view: Pick<ClusterView, 'services' | 'versions'>): ReadonlyMap<string, ServiceKey> {
  const claimants = new Map<string, Service[]>()
  for (const service of view.services.values())
    for (const route of routesOfVersion(view.versions.get(service.current) ?? {})) {
      const claim = claimOf(route)
      const known = claimants.get(claim)
      if (known === undefined) claimants.set(claim, [service])
      else known.push(service)
    }
  return new Map([...claimants].map(([claim, services]) => [claim, firstOf(claim, services)]))
}

function firstOf(claim: string, services: readonly Service[]): ServiceKey {
  const [first] = services.length === 1 ? services : [...services].sort(byPrecedence(claim))
  return serviceKey(first?.project ?? '', first?.name ?? '')
}

function byPrecedence(claim: string): (a: Service, b: Service) => number {
  return byKeys(
    ({ deleting, handsOver, yields }) =>
      deleting ? 3 : yields === true ? 2 : handsOver?.includes(claim) === true ? 0 : 1,
    ({ createdAt }) => createdAt,
    ({ project }) => project,
    ({ name }) => name,
  )
}
