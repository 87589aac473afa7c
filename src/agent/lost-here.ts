// Units that lost their place with the lease of this machine while they ran on: nobody asked for them to be stopped. Until
// the engine has looked at the machine again they have no place, and those that it leaves here are not begun anew.
import type { MachineId } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import type { ClusterView } from '../store/view.js'

/** Whether a unit that is wanted waits for a place since the machine was lost, which it had one on. */
export function isLostOn(
  view: Pick<ClusterView, 'units' | 'waiting' | 'placements'>,
  machine: MachineId,
  name: UnitName,
): boolean {
  if (view.waiting.get(name)?.lostOn !== machine || view.placements.has(name)) return false
  return view.units.get(name)?.desired === 'launched'
}
