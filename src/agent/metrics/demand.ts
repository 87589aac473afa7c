// Which metrics of which services some trigger asks for: agents read those and no others.
import { entryMetricOf } from '../../model/metric.js'
import { demandKey, type MetricDemand } from '../../model/scaling.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../../store/view.js'

/** What is asked for of instances, by the service that has them and the key of the demand; and services of whose requests something is. */
export interface Demands {
  readonly ofInstances: ReadonlyMap<ServiceKey, ReadonlyMap<string, MetricDemand>>
  readonly ofEntry: ReadonlySet<ServiceKey>
}

export function demandsOf(view: Pick<ClusterView, 'services' | 'versions'>): Demands {
  const ofInstances = new Map<ServiceKey, Map<string, MetricDemand>>()
  const ofEntry = new Set<ServiceKey>()
  for (const { project, name, current } of view.services.values()) {
    for (const { source, percent } of view.versions.get(current)?.scaling?.triggers ?? []) {
      const key = serviceKey(project, source.service ?? name)
      if (entryMetricOf(source) !== null) {
        ofEntry.add(key)
        continue
      }
      const known = ofInstances.get(key) ?? new Map<string, MetricDemand>()
      known.set(demandKey({ source, percent }), { source, percent })
      ofInstances.set(key, known)
    }
  }
  return { ofInstances, ofEntry }
}
