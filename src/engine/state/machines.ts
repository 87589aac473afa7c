// Machines as the scheduler holds them: what is on each, and what is left of it.
import { byText } from '../../lib/sort.js'
import type { Machine, MachineId } from '../../model/machine.js'
import type { PortBinding } from '../../model/unit.js'
import { ChangeLog, Levels, type Seen } from './machine-sets.js'
import { KnownPlaces, type Seat, type Tenant } from './model.js'
import { count } from './selectors.js'

/** All machines and who sits where; the only place that changes seats. */
export class Seating {
  readonly #seats = new Map<MachineId, Seat>()
  /** The machines that are there, by slot. */
  #present: readonly Seat[] = []
  #stale = false
  /** Loads by slot. */
  #loads = new Int32Array(0)
  #levels = new Levels(this.#loads)
  /** Machines on which something came or went. */
  readonly changes = new ChangeLog()
  /** Those from which something went. */
  readonly departures = new ChangeLog()
  /** Goes up when machines come, go or change. */
  generation = 0

  get(id: MachineId): Seat | undefined {
    return this.#seats.get(id)
  }

  /** The machines that are there, by id. */
  get present(): readonly Seat[] {
    if (this.#stale) this.#arrange()
    return this.#present
  }

  get loads(): Int32Array {
    if (this.#stale) this.#arrange()
    return this.#loads
  }

  get levels(): Levels {
    if (this.#stale) this.#arrange()
    return this.#levels
  }

  /** What one who looks at everything now has seen. */
  get seen(): Seen {
    return { changes: this.changes.end, departures: this.departures.end }
  }

  /** Takes a machine as it is now; null when it is gone. Those on it keep their seats. */
  setMachine(id: MachineId, machine: Machine | null, cordoned: boolean): Seat {
    const seat = this.at(id)
    this.#seats.set(id, seat)
    const tenants = [...seat.tenants]
    for (const tenant of tenants) this.#count(tenant, seat, -1)
    if ((seat.machine === null) !== (machine === null)) this.#stale = true
    seat.freeMb += (machine?.capacity.memoryMb ?? 0) - (seat.machine?.capacity.memoryMb ?? 0)
    seat.freeCpu += 100 * ((machine?.capacity.cpus ?? 0) - (seat.machine?.capacity.cpus ?? 0))
    seat.machine = machine
    seat.cordoned = cordoned
    for (const tenant of tenants) this.#count(tenant, seat, 1)
    this.generation++
    this.#dropEmpty(seat)
    return seat
  }

  /** The seats of a machine, whether it is there or not. */
  at(id: MachineId): Seat {
    return this.#seats.get(id) ?? emptySeat(id)
  }

  /** Gives a tenant a seat on a machine, whether it is there or not. */
  enter(tenant: Tenant, seat: Seat, ports: readonly PortBinding[]): void {
    if (seat.machine === null) this.#seats.set(seat.id, seat)
    tenant.seat = seat
    tenant.ports = ports
    seat.tenants.add(tenant)
    this.#count(tenant, seat, 1)
  }

  /** Takes a tenant from its seat. */
  leave(tenant: Tenant): void {
    const { seat } = tenant
    if (seat === null) return
    this.#count(tenant, seat, -1)
    seat.tenants.delete(tenant)
    tenant.seat = null
    tenant.ports = noPorts
    this.#dropEmpty(seat)
  }

  /** What a tenant takes up on a machine that is there; on one that is gone it takes up nothing. */
  #count(tenant: Tenant, seat: Seat, change: 1 | -1): void {
    if (!tenant.active || seat.machine === null) return
    const { kind } = tenant
    const { needs, conflicts, replaces } = kind.profile
    seat.load += change
    seat.freeMb -= change * needs.memoryMb
    seat.freeCpu -= change * needs.cpu
    if (tenant.ports.length > 0) this.#holdPorts(tenant, seat, change)
    for (const selector of kind.pickedBy) {
      if (change === 1) selector.add(seat)
      else selector.remove(seat)
    }
    for (const selector of conflicts) count(selector.conflicting, seat, change)
    for (const selector of replaces) count(selector.replacing, seat, change)
    this.#tell(seat, change)
  }

  #holdPorts(tenant: Tenant, seat: Seat, change: 1 | -1): void {
    for (const { ip, host, protocol } of tenant.ports) {
      const key = portKey(host, protocol)
      const holders = seat.ports.get(key) ?? []
      const left =
        change === 1 ? [...holders, { ip, tenant }] : holders.filter((holder) => holder.tenant !== tenant)
      if (left.length === 0) seat.ports.delete(key)
      else seat.ports.set(key, left)
    }
  }

  #tell({ slot, load }: Seat, change: 1 | -1): void {
    if (this.#stale || slot < 0) return
    this.#loads[slot] = load
    this.#levels.move(slot, load - change, load)
    const atMost = 4096 + 4 * this.#present.length
    this.changes.add(slot, atMost)
    if (change === -1) this.departures.add(slot, atMost)
  }

  #dropEmpty(seat: Seat): void {
    if (seat.machine === null && seat.tenants.size === 0) this.#seats.delete(seat.id)
  }

  /** Numbers the machines anew after some came or went. */
  #arrange(): void {
    this.#stale = false
    for (const seat of this.#present) seat.slot = -1
    this.#present = [...this.#seats.values()]
      .filter((seat) => seat.machine !== null)
      .sort((a, b) => byText(a.id, b.id))
    this.#loads = Int32Array.from(this.#present, (seat) => seat.load)
    this.#levels = new Levels(this.#loads)
    for (const [slot, seat] of this.#present.entries()) seat.slot = slot
    this.changes.forget()
    this.departures.forget()
    this.generation++
  }
}

const noPorts: readonly PortBinding[] = []

function emptySeat(id: MachineId): Seat {
  return {
    id,
    machine: null,
    cordoned: false,
    slot: -1,
    load: 0,
    freeMb: 0,
    freeCpu: 0,
    tenants: new KnownPlaces('placeOnSeat'),
    ports: new Map(),
  }
}

/** The tenant that holds a host port, as far as the addresses overlap; null when it is free. */
export function holderOf(
  seat: Seat,
  host: number,
  protocol: 'tcp' | 'udp',
  ip: string | null,
): Tenant | null {
  const holders = seat.ports.get(portKey(host, protocol))
  const held = holders?.find((holder) => holder.ip === null || ip === null || holder.ip === ip)
  return held?.tenant ?? null
}

function portKey(host: number, protocol: 'tcp' | 'udp'): number {
  return 2 * host + (protocol === 'udp' ? 1 : 0)
}
