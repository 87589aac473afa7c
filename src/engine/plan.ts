// The engine's decision as a pure function of what is known now: which unit goes to which machine, and why not.
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { DesiredUnit, Refusal } from '../model/unit.js'
import type { ClusterView } from '../store/view.js'
import type { EnginePlan } from './actions.js'
import type { Seat, Tenant } from './cast.js'
import { ClusterIndex } from './cluster-index.js'
import { refusalOf, whyNot } from './fit.js'
import { partyOf, Shapes } from './party.js'
import { bindPorts } from './ports.js'
import type { NeedsOf } from './roster.js'
import { Round } from './round.js'
import { Scheduler } from './scheduler.js'

/**
 * Decides what to change so that every desired unit sits on a machine that may run it. The machine with the fewest
 * units is preferred (seed: fleet-architecture, "least-loaded"), then the lowest id. A scheduler that follows the view
 * decides the same with less work.
 */
export function plan(view: ClusterView, needsOf: NeedsOf, now: Instant): EnginePlan {
  return new Scheduler(view, needsOf).step(now)
}

/** Why each machine would take a unit or not, for `explain`; the unit's own place is left out of the count. */
export function explainUnit(
  view: ClusterView,
  needsOf: NeedsOf,
  unit: DesiredUnit,
): ReadonlyMap<MachineId, Refusal | null> {
  const index = new ClusterIndex(view, needsOf)
  index.follow(new Round(0))
  return new Map(index.seating.present.map((seat) => [seat.id, explainSeat(index, unit, seat)]))
}

function explainSeat({ roster, seating }: ClusterIndex, unit: DesiredUnit, seat: Seat): Refusal | null {
  const tenant =
    roster.globals.get(unit.name)?.tenants.get(seat.id) ?? roster.tenant(unit.name) ?? roster.stranger(unit)
  const { seat: own, ports } = tenant
  seating.leave(tenant)
  const refusal = judge(tenant, seat, roster)
  if (own !== null) seating.enter(tenant, own, ports)
  return refusal
}

function judge(tenant: Tenant, seat: Seat, roster: ClusterIndex['roster']): Refusal | null {
  const party = partyOf(tenant, roster, new Shapes())
  const kind = whyNot(party, seat) ?? (bindPorts(seat, party.members) === null ? 'ports-used-up' : null)
  return kind === null ? null : refusalOf(kind, party, seat)
}
