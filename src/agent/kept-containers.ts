// Stopped containers that are kept to be looked at, where the disk of Docker is nearly full.
import { byKeys } from '../lib/sort.js'
import type { MachineId } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import type { ClusterView } from '../store/view.js'

/** Whether nothing of a service is to be changed. */
export type IsFrozen = (view: ClusterView, project: string, service: string) => boolean

/**
 * The unit whose container has been kept the longest on a machine; null for none. What becomes of it is the service's to
 * decide: its machine says no more than that. What is frozen is passed over: nothing would come of it, and the next one
 * would wait behind it.
 */
export function oldestKept(view: ClusterView, machine: MachineId, isFrozen: IsFrozen): UnitName | null {
  const kept = [...view.reportsOf(machine).values()].flatMap(({ name, containerId }) => {
    const instance = view.instances.get(name)
    const retired = instance?.retired ?? null
    if (instance === undefined || retired?.kept !== true || containerId === null) return []
    return isFrozen(view, instance.project, instance.service) ? [] : [{ name, at: retired.at }]
  })
  return (
    kept.sort(
      byKeys(
        (one) => one.at,
        (one) => one.name,
      ),
    )[0]?.name ?? null
  )
}
