// Machines as the scheduler holds them: what is on each, and what is left of it.
import { byText } from '../../lib/sort.js'
import type { Machine, MachineId } from '../../model/machine.js'
import type { PortBinding } from '../../model/unit.js'
import { ChangeLog, LoadBuckets, type SeenChanges } from './machine-sets.js'
import { type MachineState, UnitSet, type UnitState } from './model.js'
import { count } from './selectors.js'

/** All machines and the units on them; the only place that changes which unit is where. */
export class MachineIndex {
  readonly #machines = new Map<MachineId, MachineState>()
  /** The machines that are there, by position. */
  #present: readonly MachineState[] = []
  #isStale = false
  /** Loads by position. */
  #loads = new Int32Array(0)
  #loadBuckets = new LoadBuckets(this.#loads)
  /** Machines on which something came or went. */
  readonly changes = new ChangeLog()
  /** Machines that freed capacity. */
  readonly departures = new ChangeLog()
  /** Goes up when machines come, go or change. */
  generation = 0

  get(id: MachineId): MachineState | undefined {
    return this.#machines.get(id)
  }

  /** The machines that are there, by id. */
  get present(): readonly MachineState[] {
    if (this.#isStale) this.#renumber()
    return this.#present
  }

  get loads(): Int32Array {
    if (this.#isStale) this.#renumber()
    return this.#loads
  }

  get loadBuckets(): LoadBuckets {
    if (this.#isStale) this.#renumber()
    return this.#loadBuckets
  }

  /** How far the logs are now. */
  get seen(): SeenChanges {
    return { changes: this.changes.end, departures: this.departures.end }
  }

  /** Takes a machine as it is now; null when it is gone. The units on it stay. */
  setMachine(id: MachineId, record: Machine | null, cordoned: boolean): MachineState {
    const machine = this.at(id)
    this.#machines.set(id, machine)
    const units = [...machine.units]
    for (const unit of units) this.#count(unit, machine, -1)
    if ((machine.record === null) !== (record === null)) this.#isStale = true
    machine.freeMb += (record?.capacity.memoryMb ?? 0) - (machine.record?.capacity.memoryMb ?? 0)
    machine.freeCpu += 100 * ((record?.capacity.cpus ?? 0) - (machine.record?.capacity.cpus ?? 0))
    machine.record = record
    machine.cordoned = cordoned
    for (const unit of units) this.#count(unit, machine, 1)
    this.generation++
    this.#dropEmpty(machine)
    return machine
  }

  /** The state of a machine, whether it is there or not. */
  at(id: MachineId): MachineState {
    return this.#machines.get(id) ?? emptyMachine(id)
  }

  /** Puts a unit on a machine, whether that is there or not. */
  add(unit: UnitState, machine: MachineState, ports: readonly PortBinding[]): void {
    if (machine.record === null) this.#machines.set(machine.id, machine)
    unit.machine = machine
    unit.ports = ports
    machine.units.add(unit)
    this.#count(unit, machine, 1)
  }

  /** Takes a unit off its machine. */
  remove(unit: UnitState): void {
    const { machine } = unit
    if (machine === null) return
    this.#count(unit, machine, -1)
    machine.units.delete(unit)
    unit.machine = null
    unit.ports = noPorts
    this.#dropEmpty(machine)
  }

  /** Counts what a unit takes up on a machine that is there; on one that is gone it takes up nothing. */
  #count(unit: UnitState, machine: MachineState, change: 1 | -1): void {
    if (!unit.active || machine.record === null) return
    const { eqClass } = unit
    const { needs, conflicts, replaces } = eqClass.requirements
    machine.load += change
    machine.freeMb -= change * needs.memoryMb
    machine.freeCpu -= change * needs.cpu
    if (unit.ports.length > 0) this.#holdPorts(unit, machine, change)
    for (const selector of eqClass.pickedBy) {
      if (change === 1) selector.add(machine)
      else selector.remove(machine)
    }
    for (const selector of conflicts) count(selector.conflicting, machine, change)
    for (const selector of replaces) count(selector.replacing, machine, change)
    this.#noteChange(machine, change)
  }

  #holdPorts(unit: UnitState, machine: MachineState, change: 1 | -1): void {
    for (const { ip, host, protocol } of unit.ports) {
      const key = portKey(host, protocol)
      const holders = machine.ports.get(key) ?? []
      const left =
        change === 1 ? [...holders, { ip, unit }] : holders.filter((holder) => holder.unit !== unit)
      if (left.length === 0) machine.ports.delete(key)
      else machine.ports.set(key, left)
    }
  }

  #noteChange({ position, load }: MachineState, change: 1 | -1): void {
    if (this.#isStale || position < 0) return
    this.#loads[position] = load
    this.#loadBuckets.move(position, load - change, load)
    const atMost = 4096 + 4 * this.#present.length
    this.changes.add(position, atMost)
    if (change === -1) this.departures.add(position, atMost)
  }

  #dropEmpty(machine: MachineState): void {
    if (machine.record === null && machine.units.size === 0) this.#machines.delete(machine.id)
  }

  /** Numbers the machines anew after some came or went. */
  #renumber(): void {
    this.#isStale = false
    for (const machine of this.#present) machine.position = -1
    this.#present = [...this.#machines.values()]
      .filter((machine) => machine.record !== null)
      .sort((a, b) => byText(a.id, b.id))
    this.#loads = Int32Array.from(this.#present, (machine) => machine.load)
    this.#loadBuckets = new LoadBuckets(this.#loads)
    for (const [position, machine] of this.#present.entries()) machine.position = position
    this.changes.forget()
    this.departures.forget()
    this.generation++
  }
}

const noPorts: readonly PortBinding[] = []

function emptyMachine(id: MachineId): MachineState {
  return {
    id,
    record: null,
    cordoned: false,
    position: -1,
    load: 0,
    freeMb: 0,
    freeCpu: 0,
    units: new UnitSet('machine'),
    ports: new Map(),
  }
}

/** The unit that holds a host port, as far as the addresses overlap; null when it is free. */
export function holderOf(
  machine: MachineState,
  host: number,
  protocol: 'tcp' | 'udp',
  ip: string | null,
): UnitState | null {
  const holders = machine.ports.get(portKey(host, protocol))
  const held = holders?.find((holder) => holder.ip === null || ip === null || holder.ip === ip)
  return held?.unit ?? null
}

function portKey(host: number, protocol: 'tcp' | 'udp'): number {
  return 2 * host + (protocol === 'udp' ? 1 : 0)
}
