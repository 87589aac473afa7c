// The state of an instance, from all that the view has of it.

import { instanceStateOf } from '../model/instance-state.js'
import type { Instance, InstanceState } from '../model/service.js'
import type { ClusterView } from '../store/view.js'

/** Where an instance is in its life. */
export function stateIn(view: ClusterView, instance: Instance): InstanceState {
  const placement = view.placements.get(instance.unit) ?? null
  const machinePresent = placement !== null && view.machines.has(placement.machine)
  return instanceStateOf({ instance, placement, report: view.reportOf(instance.unit), machinePresent })
}
