// Machines as the scheduler holds them: what is on each, what is left of it and which host ports it has to give, and sets
// of machines by position.

import { spread } from '../../lib/hash.js'
import { byText } from '../../lib/sort.js'
import type { Machine, MachineId } from '../../model/machine.js'
import type { PortBinding } from '../../model/unit.js'
import type { PortNeed } from '../../unit/requirements.js'
import { count } from './equivalence-classes.js'
import { type MachineState, UnitSet, type UnitState } from './model.js'
import { PromisedDisk, sizedVolumeKey } from './promised-disk.js'

/** All machines and the units on them; the only place that changes which unit is where. */
export class MachineIndex {
  readonly #machines = new Map<MachineId, MachineState>()
  /** The machines of volumes that say their size, as the store tells. */
  readonly #volumes = new Map<string, MachineId>()
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

  /** Takes where the store says that a volume is, and its size; null where that is nowhere. Returns whether space came or went. */
  setVolume(volume: string, at: { readonly machine: MachineId; readonly sizeMb: number } | null): boolean {
    const before = this.#volumes.get(volume)
    if (before === undefined && at === null) return false
    const isLeft = before !== undefined && before !== at?.machine && this.#promise(volume, before, 0)
    if (at === null) this.#volumes.delete(volume)
    else this.#volumes.set(volume, at.machine)
    return (at !== null && this.#promise(volume, at.machine, at.sizeMb)) || isLeft
  }

  #promise(volume: string, id: MachineId, sizeMb: number): boolean {
    const machine = this.at(id)
    if (!machine.disk.set(volume, 'store', sizeMb)) return false
    if (!machine.disk.isEmpty) this.#machines.set(id, machine)
    this.#dropEmpty(machine)
    if (this.#isStale || machine.position < 0) return true
    const atMost = 4096 + 4 * this.#present.length
    this.changes.add(machine.position, atMost)
    this.departures.add(machine.position, atMost)
    return true
  }

  /** Counts what a unit takes up on a machine that is there; on one that is gone it takes up nothing. */
  #count(unit: UnitState, machine: MachineState, change: 1 | -1): void {
    if (!unit.active || machine.record === null) return
    const { eqClass } = unit
    const { needs, conflicts, replaces } = eqClass.requirements
    machine.load += change
    machine.freeMb -= change * needs.memoryMb
    machine.freeCpu -= change * needs.cpu
    for (const volume of needs.sizedVolumes)
      machine.disk.set(sizedVolumeKey(unit.spec, volume), unit, change === 1 ? volume.sizeMb : 0)
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
    if (machine.record === null && machine.units.size === 0 && machine.disk.isEmpty)
      this.#machines.delete(machine.id)
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
    disk: new PromisedDisk(),
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

// Sets and logs of machines by position. A set has a bit for each: many questions of the scheduler come down to the first
// machine that two such sets share.

/** A set of positions below a size that is given when it is made. */
export class MachineSet {
  readonly #words: Uint32Array
  size = 0

  constructor(words: number | MachineSet) {
    if (typeof words === 'number') this.#words = new Uint32Array((words + 31) >>> 5)
    else {
      this.#words = words.#words.slice()
      this.size = words.size
    }
  }

  has(position: number): boolean {
    return ((this.#words[position >>> 5] ?? 0) & (1 << (position & 31))) !== 0
  }

  add(position: number): void {
    const word = this.#words[position >>> 5] ?? 0
    const bit = 1 << (position & 31)
    if ((word & bit) !== 0) return
    this.#words[position >>> 5] = word | bit
    this.size++
  }

  delete(position: number): void {
    const word = this.#words[position >>> 5] ?? 0
    const bit = 1 << (position & 31)
    if ((word & bit) === 0) return
    this.#words[position >>> 5] = word & ~bit
    this.size--
  }

  /** The first position from one on that is in this set and in another one as well; -1 for none. */
  firstShared(other: MachineSet, from: number): number {
    const ours = this.#words
    const theirs = other.#words
    let offset = from >>> 5
    let both = (ours[offset] ?? 0) & (theirs[offset] ?? 0) & (-1 << (from & 31))
    while (both === 0) {
      if (++offset >= ours.length) return -1
      both = (ours[offset] ?? 0) & (theirs[offset] ?? 0)
    }
    return 32 * offset + 31 - Math.clz32(both & -both)
  }
}

/** Machines by load. One such order serves all rankings: each of them says only which machines are out of the question. */
export class LoadBuckets {
  readonly #machines: number
  /** The machines with that many units on them, by that number. */
  readonly #buckets: MachineSet[] = []

  /** From the load of each machine, by position. */
  constructor(loads: Int32Array) {
    this.#machines = loads.length
    for (const [position, load] of loads.entries()) this.#of(load).add(position)
  }

  move(position: number, from: number, to: number): void {
    this.#buckets[from]?.delete(position)
    this.#of(to).add(position)
  }

  /** The machines with a load; null for a load above that of all machines. */
  at(load: number): MachineSet | null {
    return this.#buckets[load] ?? null
  }

  #of(load: number): MachineSet {
    for (let next = this.#buckets.length; next <= load; next++)
      this.#buckets.push(new MachineSet(this.#machines))
    return this.#buckets[load] ?? new MachineSet(this.#machines)
  }
}

/** How far the changes of machines have been taken in. */
export interface SeenChanges {
  readonly changes: number
  readonly departures: number
}

/**
 * Machines in the order in which they changed, for those that have to catch up with it. The log forgets: whoever asks for
 * what is forgotten starts over.
 */
class ChangeLog {
  /** The first of them has the number `#forgotten`. */
  #positions: number[] = []
  #forgotten = 0

  /** The number after that of the last change. */
  get end(): number {
    return this.#forgotten + this.#positions.length
  }

  /** Notes a change; of more than `atMost` all are forgotten. */
  add(position: number, atMost: number): void {
    this.#positions.push(position)
    if (this.#positions.length > atMost) this.forget()
  }

  forget(): void {
    this.#forgotten = this.end
    this.#positions = []
  }

  /** What changed from change number `from` on; null when it is forgotten already. */
  since(from: number): readonly number[] | null {
    if (from < this.#forgotten) return null
    return from === this.end ? noChanges : this.#positions.slice(from - this.#forgotten)
  }
}

const noChanges: readonly number[] = []

/** The ports that the engine gives out where a unit leaves the choice to it: below Linux's ephemeral range. */
export const assignedPorts = { from: 20_000, to: 29_999 } as const

/**
 * Host ports for all members of a group on a machine where their fixed ports are free; null when there are not enough
 * to choose from. A chosen port derives from the instance's uuid, so that the same view gives the same port, and
 * clusters that share a host seldom choose alike.
 */
export function bindPorts(
  machine: MachineState,
  members: readonly UnitState[],
): readonly (readonly PortBinding[])[] | null {
  const all: PortBinding[] = []
  const perMember: PortBinding[][] = []
  for (const member of members) {
    const bindings: PortBinding[] = []
    for (const need of member.eqClass.requirements.needs.ports) {
      const host = need.host ?? choosePort(machine, member, need, all)
      if (host === null) return null
      const binding = { ip: need.ip, host, container: need.container, protocol: need.protocol }
      bindings.push(binding)
      all.push(binding)
    }
    perMember.push(bindings)
  }
  return perMember
}

function choosePort(
  machine: MachineState,
  { spec, cause }: UnitState,
  need: PortNeed,
  given: readonly PortBinding[],
): number | null {
  const { from, to } = assignedPorts
  const size = to - from + 1
  const seed = spec.instance?.uuid ?? spec.name
  // After the port that was taken, not from the start again: two that are taken must not be tried in turn for ever.
  const start =
    cause.kind === 'port-taken'
      ? cause.port + 1 - from
      : spread(`${seed}:${need.container}/${need.protocol}`, size)
  for (let step = 0; step < size; step++) {
    const host = from + ((start + step) % size)
    const isFree =
      holderOf(machine, host, need.protocol, need.ip) === null &&
      !given.some((binding) => binding.host === host && binding.protocol === need.protocol)
    if (isFree) return host
  }
  return null
}
