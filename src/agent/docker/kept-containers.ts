// Stopped containers that are kept to be looked at, where the disk of Docker is nearly full.
import { byKeys } from '../../lib/sort.js'
import type { MachineId } from '../../model/machine.js'
import type { UnitName } from '../../model/unit.js'
import type { ClusterView } from '../../store/view.js'

/**
 * The unit whose container has been kept the longest on a machine; null for none. What becomes of it is the service's to
 * decide: its machine says no more than that.
 */
export function oldestKept(
  view: Pick<ClusterView, 'instances' | 'reportsOf'>,
  machine: MachineId,
): UnitName | null {
  const kept = [...view.reportsOf(machine).values()].flatMap(({ name, containerId }) => {
    const retired = view.instances.get(name)?.retired ?? null
    return retired?.kept === true && containerId !== null ? [{ name, at: retired.at }] : []
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
