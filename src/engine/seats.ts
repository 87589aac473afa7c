// What is free on each machine: the working copy that one plan fills up as it places units.
import { byKeys } from '../lib/sort.js'
import type { Machine } from '../model/machine.js'
import type { DesiredUnit, PortBinding, UnitName } from '../model/unit.js'
import type { ClusterView } from '../store/view.js'
import type { Requirements } from '../unit/requirements.js'

/** One machine with what is left of it. Belongs to one call of `plan`, which changes it. */
export interface Seat {
  readonly machine: Machine
  readonly cordoned: boolean
  units: number
  freeMb: number
  /** Who holds which host port: `port/protocol` to its holders by address. */
  readonly ports: Map<string, { readonly ip: string | null; readonly unit: UnitName }[]>
}

/** A seat per machine, sorted by id, with every unit that holds something there counted in, but for `without`. */
export function openSeats(
  view: ClusterView,
  needsOf: (unit: DesiredUnit) => Requirements,
  without: ReadonlySet<UnitName>,
): readonly Seat[] {
  return [...view.machines.values()].sort(byKeys((machine) => machine.id)).map((machine) => {
    const seat: Seat = {
      machine,
      cordoned: view.orders.get(machine.id)?.cordoned ?? false,
      units: 0,
      freeMb: machine.capacity.memoryMb,
      ports: new Map(),
    }
    for (const placement of view.placedOn(machine.id).values()) {
      const unit = view.units.get(placement.unit)
      if (without.has(placement.unit) || unit === undefined || !holds(view, unit)) continue
      take(seat, unit.name, needsOf(unit), placement.ports)
    }
    return seat
  })
}

/** Counts a unit in. */
export function take(seat: Seat, unit: UnitName, needs: Requirements, ports: readonly PortBinding[]): void {
  seat.units += 1
  seat.freeMb -= needs.memoryMb
  for (const port of ports) {
    const key = `${port.host}/${port.protocol}`
    const holders = seat.ports.get(key) ?? []
    holders.push({ ip: port.ip, unit })
    seat.ports.set(key, holders)
  }
}

/** The unit that holds a host port, as far as the addresses overlap; null when it is free. */
export function seatOf(seat: Seat, host: number, protocol: string, ip: string | null): UnitName | null {
  const holders = seat.ports.get(`${host}/${protocol}`) ?? []
  return holders.find((holder) => holder.ip === null || ip === null || holder.ip === ip)?.unit ?? null
}

/** A stopped unit that is kept, or only loaded, holds a place but neither memory nor ports. */
function holds(view: ClusterView, unit: DesiredUnit): boolean {
  if (unit.desired === 'launched') return true
  const active = view.reportOf(unit.name)?.active
  return active !== undefined && active !== 'inactive' && active !== 'failed'
}
