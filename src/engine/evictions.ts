// Whether those that are on a machine can stay, after it, one of them or what it asks for has changed.
import type { Refusal } from '../model/unit.js'
import type { EvictionCause } from './actions.js'
import { cannotStay, meetsFleet, takesPlaceOf } from './constraints.js'
import { isStopping } from './evict.js'
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
