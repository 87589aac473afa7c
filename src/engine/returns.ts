// What a pass has evicted and placed again as it was. It has not left: nothing is written of it, and what left with it is told
// what speaks against it there.
import type { UnitName } from '../model/unit.js'
import type { ClusterIndex } from './cluster-index.js'
import { everyRefusal } from './constraints.js'
import type { SchedulerState } from './moves.js'
import type { EngineAction, EvictionCause, PassDecisions } from './pass-decisions.js'
import { groupOf } from './state/placement-group.js'

/** Takes back the evictions of a pass that led nowhere, once all is placed that can be. */
export function takeBackReturns(state: SchedulerState, pass: PassDecisions): void {
  const returned = pass.takeBackReturns()
  if (returned.size > 0) pass.causeAnew((action) => causeBeside(state, returned, action))
}

/** Why a unit has left in truth that left with what has come back. */
function causeBeside(
  { index, groupRequirements }: SchedulerState,
  returned: ReadonlySet<UnitName>,
  { placement, cause }: EngineAction & { readonly kind: 'evict' },
): EvictionCause {
  if (cause.kind !== 'target-moved' || !returned.has(cause.target as UnitName)) return cause
  const unit = index.units.get(placement.unit)
  const machine = index.machines.get(placement.machine)
  if (unit === undefined || machine === undefined || unit.machine !== null) return cause
  const elsewhere = unit.targets.find((target) => isElsewhere(index, target, placement.machine))
  if (elsewhere !== undefined) return { kind: 'target-moved', target: elsewhere }
  const [refusal] = everyRefusal(groupOf(unit, index.units, groupRequirements), machine)
  return refusal === undefined ? cause : { kind: 'no-longer-fits', refusal }
}

function isElsewhere({ units }: ClusterIndex, target: string, machine: string): boolean {
  return units.get(target)?.machine?.id !== machine
}
