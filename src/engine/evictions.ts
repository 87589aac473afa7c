// Whether those that are on a machine can stay, after it, one of them or what it asks for has changed.
import type { MachineId } from '../model/machine.js'
import type { DesiredUnit, Placement, PlacementCause, Refusal } from '../model/unit.js'
import type { ClusterView } from '../store/view.js'
import type { Requirements } from '../unit/requirements.js'
import { cannotStay, meetsFleet, takesPlaceOf } from './constraints.js'
import type { EvictionCause } from './decisions.js'
import { refusalOf } from './refusals.js'
import type { Seating } from './state/machines.js'
import type { Seat, Tenant } from './state/model.js'
import type { Shapes } from './state/placement-group.js'

export interface Removal {
  readonly tenant: Tenant
  readonly cause: EvictionCause
}

/**
 * Those who cannot stay. Where two cannot both stay the one that came later goes; `order` tells who came first. What
 * the answer is does not depend on which of them has changed. What is stopping leaves by itself, and nobody goes for it.
 */
export function recheck(
  seat: Seat,
  seating: Seating,
  shapes: Shapes,
  order: (a: Tenant, b: Tenant) => number,
): readonly Removal[] {
  if (seat.machine === null || isSound(seat)) return []
  const there = [...seat.tenants].filter(({ active }) => active)
  const stopping = there.filter(({ unit }) => isStopping(unit))
  const tenants = there.filter(({ unit }) => !isStopping(unit)).sort(order)
  const removals = tenants.flatMap((tenant) => replacedOn(seat, tenant) ?? [])
  const gone = new Set(removals.map(({ tenant }) => tenant))
  const left = tenants.filter((tenant) => !gone.has(tenant))
  return [...removals, ...admitAgain(left, [...gone, ...stopping], seat, seating, shapes)]
}

function isSound(seat: Seat): boolean {
  if (seat.freeMb < 0 || seat.freeCpu < 0) return false
  for (const holders of seat.ports.values()) if (holders.length > 1) return false
  for (const tenant of seat.tenants) if (tenant.active && !isAtPeace(tenant, seat)) return false
  return true
}

/** Whether nothing on the machine speaks against a tenant; the other direction is the other one's. */
function isAtPeace({ kind }: Tenant, seat: Seat): boolean {
  const { needs, conflicts, replaces: replaced } = kind.profile
  if (!meetsFleet(needs.fleet, seat)) return false
  for (const selectors of [conflicts, replaced]) {
    for (const selector of selectors) {
      const itself = kind.pickedBy.includes(selector) ? 1 : 0
      if ((selector.on.get(seat) ?? 0) > itself) return false
    }
  }
  return true
}

function replacedOn(seat: Seat, tenant: Tenant): Removal | null {
  for (const other of seat.tenants) {
    if (other.active && !isStopping(other.unit) && takesPlaceOf(other, tenant))
      return { tenant, cause: { kind: 'replaced', by: other.unit.name } }
  }
  return null
}

/** Empties the machine and lets them in again one by one, in order; leaves everyone where they were. */
function admitAgain(
  tenants: readonly Tenant[],
  others: readonly Tenant[],
  seat: Seat,
  seating: Seating,
  shapes: Shapes,
): readonly Removal[] {
  const ports = new Map([...tenants, ...others].map((tenant) => [tenant, tenant.ports]))
  const enter = (tenant: Tenant): void => seating.enter(tenant, seat, ports.get(tenant) ?? [])
  for (const tenant of ports.keys()) seating.leave(tenant)
  const refused: { tenant: Tenant; refusal: Refusal }[] = []
  for (const tenant of tenants) {
    const party = { members: [tenant], shape: shapes.of([tenant]), pins: [], missing: null }
    const kind = cannotStay(party, seat)
    if (kind === null) enter(tenant)
    else refused.push({ tenant, refusal: refusalOf(kind, party, seat) })
  }
  for (const { tenant } of refused) enter(tenant)
  for (const tenant of others) enter(tenant)
  return refused.map(({ tenant, refusal }) => ({ tenant, cause: { kind: 'no-longer-fits', refusal } }))
}

/**
 * Why a placement ends, or null; `needs` are those of its unit, null when it is not to be anywhere. `isHeld` tells of a
 * machine that is gone whether it may only be out of our sight.
 */
export function evictionCause(
  view: ClusterView,
  placement: Placement,
  unit: DesiredUnit | undefined,
  needs: Requirements | null,
  isHeld: (machine: MachineId) => boolean,
): EvictionCause | null {
  if (unit === undefined) return { kind: 'unit-gone' }
  if (unit.desired === 'inactive' || needs === null) return { kind: 'unloaded' }
  if (needs.fleet.global !== (placement.global ?? false)) return { kind: 'scope-changed' }
  if (isStopping(unit)) return null
  // An instance of a lost machine is replaced by a new instance (contract §3); a plain unit moves (seed: fleet).
  const { machine } = placement
  if (!view.machines.has(machine) && unit.instance === null && !isHeld(machine))
    return { kind: 'machine-lost' }
  if (!havePorts(placement, needs)) return { kind: 'ports-changed' }
  const port = takenPort(view, placement, needs)
  return port === null ? null : { kind: 'port-taken', port }
}

/**
 * Whether a unit is an instance that is not to run any more, and is there only until it has stopped, or for as long as it
 * is kept. It stays where it is: nothing would be gained by moving it, and it is never placed anew.
 */
export function isStopping({ instance, desired }: DesiredUnit): boolean {
  return instance !== null && desired === 'loaded'
}

/** Whether a placement has just the ports that its unit asks for. */
function havePorts({ ports }: Placement, needs: Requirements): boolean {
  if (ports.length !== needs.ports.length) return false
  return needs.ports.every(({ ip, host, container, protocol }, index) => {
    const binding = ports[index]
    if (binding?.container !== container || binding.protocol !== protocol || binding.ip !== ip) return false
    return host === null || host === binding.host
  })
}

/** The chosen port of a placement that its machine found taken; a port that the unit fixes itself cannot be changed. */
function takenPort(
  view: ClusterView,
  { unit, machine, ports }: Placement,
  needs: Requirements,
): number | null {
  const port = view.reportsOf(machine).get(unit)?.failure?.port ?? null
  if (port === null || !ports.some((binding) => binding.host === port)) return null
  return needs.ports.some((need) => need.host === port) ? null : port
}

/** Why a unit that has lost its place is placed anew. */
export function causeAfter({ machine }: Placement, cause: EvictionCause): PlacementCause {
  switch (cause.kind) {
    case 'machine-lost':
      return { kind: 'machine-lost', from: machine }
    case 'port-taken':
      return { kind: 'port-taken', port: cause.port }
    case 'target-moved':
    case 'replaced':
    case 'no-longer-fits':
    case 'drained':
      return { kind: 'moved', from: machine, because: cause.kind }
    case 'unit-gone':
    case 'unloaded':
    case 'scope-changed':
    case 'ports-changed':
      return { kind: 'new' }
  }
}

/**
 * Whether a unit takes up room and counts for rules. An instance that is not to run does so only until it has
 * stopped, for it never starts again; a unit of its own keeps what it needs while it is loaded. What no machine has told
 * of yet may have been started a moment ago, and so may what its machine last told of before it knew of the stop.
 */
export function isActive(view: ClusterView, unit: DesiredUnit, placement: Placement | null): boolean {
  if (unit.desired === 'launched' || unit.instance === null) return true
  if (placement === null) return false
  const report = view.reportsOf(placement.machine).get(unit.name)
  if (report === undefined || report.mayStart === true) return true
  return report.active !== 'inactive' && report.active !== 'failed'
}
