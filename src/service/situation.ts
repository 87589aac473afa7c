// Gathers from the view what the planner needs of one service.
import type { UnitOfVersion } from '../compile/version-unit.js'
import { invariant } from '../lib/invariant.js'
import type { Service } from '../model/service.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { ServiceInstance, ServiceSituation } from './plan.js'

/** Everything known of a service. */
export function situationOf(view: ClusterView, service: Service, unitOf: UnitOfVersion): ServiceSituation {
  const key = serviceKey(service.project, service.name)
  const current = view.versions.get(service.current)
  invariant(current !== undefined, `service ${key} has no version ${service.current}`)
  return {
    service,
    current,
    unit: unitOf(current, service.uuid, view.metaOf(service.project)),
    instances: view.instancesOf(key).map((instance): ServiceInstance => {
      const placement = view.placements.get(instance.unit) ?? null
      return {
        instance,
        placement,
        report: view.reportOf(instance.unit),
        machinePresent: placement !== null && view.machines.has(placement.machine),
        version: view.versions.get(instance.version) ?? null,
        waiting: view.waiting.get(instance.unit) ?? null,
        unloading: view.units.get(instance.unit)?.desired === 'inactive',
        reported: view.isReported(instance.unit),
      }
    }),
    tasks: view.tasksOf(key).filter((task) => task.state === 'active' || task.state === 'queued'),
  }
}
