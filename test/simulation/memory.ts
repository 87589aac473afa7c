// What placed units take of their machines' memory, as the manifests of the simulation ask for it.
import type { MachineId } from '../../src/model/machine.js'
import type { UnitName } from '../../src/model/unit.js'
import type { ClusterView } from '../../src/store/view.js'
import { asksOf } from './units.js'

/** In MB, by machine. What has ended for good takes nothing, though it is kept. */
export function usedMb(
  view: ClusterView,
  runs: (unit: UnitName, machine: string) => boolean,
): ReadonlyMap<MachineId, number> {
  const used = new Map<MachineId, number>()
  for (const { unit, machine } of view.placements.values())
    if ((view.instances.get(unit)?.retired ?? null) === null || runs(unit, machine))
      used.set(machine, (used.get(machine) ?? 0) + neededMb(view, unit))
  for (const unit of view.globallyPlaced())
    for (const machine of view.globalPlacementsOf(unit).keys())
      used.set(machine, (used.get(machine) ?? 0) + neededMb(view, unit))
  return used
}

/** What an instance, or a unit of its own, takes. */
export function neededMb(view: ClusterView, unit: UnitName): number {
  const asks = asksOf(view, unit)
  if (asks !== null) return asks.memoryMb
  const version = view.versions.get(view.instances.get(unit)?.version ?? '')
  return Number(/^memory: (\d+)M$/m.exec(version?.text ?? '')?.[1] ?? 0)
}
