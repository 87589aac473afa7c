// Which metrics of which services some trigger asks for: agents read those and no others.
import { entryMetricOf } from '../../model/metric.js'
import { demandKey, type MetricDemand } from '../../model/scaling.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../../store/view.js'

export type Demands = ReadonlyMap<ServiceKey, ReadonlyMap<string, MetricDemand>>

/** The services of whose requests some trigger wants to know. */
export function entryDemands(demands: Demands): readonly ServiceKey[] {
  return [...demands].flatMap(([service, wanted]) =>
    [...wanted.values()].some(({ source }) => entryMetricOf(source) !== null) ? [service] : [],
  )
}

/** By the service whose instances are to be measured, and the key of the demand. */
export function demandsOf(view: Pick<ClusterView, 'services' | 'versions'>): Demands {
  const demands = new Map<ServiceKey, Map<string, MetricDemand>>()
  for (const { project, name, current } of view.services.values()) {
    for (const { source, percent } of view.versions.get(current)?.scaling?.triggers ?? []) {
      const key = serviceKey(project, source.service ?? name)
      const known = demands.get(key) ?? new Map<string, MetricDemand>()
      known.set(demandKey({ source, percent }), { source, percent })
      demands.set(key, known)
    }
  }
  return demands
}
