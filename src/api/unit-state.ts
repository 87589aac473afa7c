// The state that a unit is in, in fleet's three words (seed: fleet-states).
import { runHash } from '../agent/unit-to-run.js'
import type { DesiredState, DesiredUnit } from '../model/unit.js'
import type { ClusterView } from '../store/view.js'

/**
 * `inactive` until the machine that a unit is placed on has loaded it, `loaded` until that has started it, `launched`
 * until it has stopped it. A machine that still holds another text of it has not loaded it. Of a global unit it is
 * `inactive`: it has a state on each machine and none in the cluster.
 */
export function currentStateOf(view: ClusterView, unit: DesiredUnit): DesiredState {
  const placement = view.placements.get(unit.name)
  if (placement === undefined || !view.machines.has(placement.machine)) return 'inactive'
  const report = view.reportOf(unit.name)
  // A report without a hash tells that the driver does not hold the unit.
  if (report === null || report.hash !== runHash(unit.hash, placement)) return 'inactive'
  return report.launched ? 'launched' : 'loaded'
}
