// Machines as the scheduler holds them: what is on each, and what is left of it.
import { byText } from '../lib/sort.js'
import type { Machine, MachineId } from '../model/machine.js'
import type { PortBinding } from '../model/unit.js'
import type { Seat, Tenant } from './cast.js'
import { count } from './selectors.js'

/** All machines and who sits where; the only place that changes seats. */
export class Seating {
  readonly #seats = new Map<MachineId, Seat>()
  /** The machines that are there, by slot. */
  #present: readonly Seat[] = []
  #stale = false
  /** Loads by slot. */
  #loads = new Int32Array(0)
  /** Slots whose seats have changed, in order; the first has the number `#forgotten`. */
  #changes: number[] = []
  #forgotten = 0
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

  /** The number after that of the last change. */
  get changed(): number {
    return this.#forgotten + this.#changes.length
  }

  /** The slots that changed from change number `from` on; null when they are forgotten already. */
  changedSince(from: number): readonly number[] | null {
    if (from < this.#forgotten) return null
    return from === this.changed ? noChanges : this.#changes.slice(from - this.#forgotten)
  }

  /** Takes a machine as it is now; null when it is gone. Those on it keep their seats. */
  setMachine(id: MachineId, machine: Machine | null, cordoned: boolean): Seat {
    const seat = this.#seats.get(id) ?? emptySeat(id)
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

  /** Gives a tenant a seat on a machine, whether it is there or not. */
  enter(tenant: Tenant, id: MachineId, ports: readonly PortBinding[]): void {
    const seat = this.#seats.get(id) ?? emptySeat(id)
    this.#seats.set(id, seat)
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
    tenant.ports = []
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
    this.#tell(seat)
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

  #tell({ slot, load }: Seat): void {
    if (this.#stale || slot < 0) return
    this.#loads[slot] = load
    this.#changes.push(slot)
    if (this.#changes.length <= 4096 + 4 * this.#present.length) return
    this.#forgotten += this.#changes.length
    this.#changes = []
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
    for (const [slot, seat] of this.#present.entries()) seat.slot = slot
    this.#forgotten += this.#changes.length
    this.#changes = []
    this.generation++
  }
}

const noChanges: readonly number[] = []

function emptySeat(id: MachineId): Seat {
  return {
    id,
    machine: null,
    cordoned: false,
    slot: -1,
    load: 0,
    freeMb: 0,
    freeCpu: 0,
    tenants: new Set(),
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
