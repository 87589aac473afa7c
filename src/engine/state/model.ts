// The nouns of the scheduler: machines, units, requirements and selectors as it holds them, each pointing at the others.
import type { Machine, MachineId } from '../../model/machine.js'
import type { RolloutScope } from '../../model/rollout-scope.js'
import type { DesiredUnit, InstanceRef, PlacementCause, PortBinding, UnitName } from '../../model/unit.js'
import type { AffinityRule } from '../../unit/affinity.js'
import type { Requirements } from '../../unit/requirements.js'
import type { PromisedDisk } from './promised-disk.js'

/** One machine with what is free on it. */
export interface MachineState {
  readonly id: MachineId
  /** Null when the machine is not there, but something is still placed on it. */
  record: Machine | null
  cordoned: boolean
  /** Its number among the machines that are there, by id; -1 while it is not there. */
  position: number
  /** How many units take up room on it. */
  load: number
  freeMb: number
  /** In hundredths of a core. */
  freeCpu: number
  readonly units: UnitSet
  readonly disk: PromisedDisk
  /** Who holds which host port. */
  readonly ports: Map<number, readonly PortHolder[]>
}

interface PortHolder {
  /** Null: every address. */
  readonly ip: string | null
  readonly unit: UnitState
}

/** A unit that is to run: pending, or placed on a machine. */
export interface UnitState {
  spec: DesiredUnit
  eqClass: EquivalenceClass
  /** Units that it goes with (`MachineOf=`). */
  targets: readonly string[]
  /** Null while it is pending. */
  machine: MachineState | null
  /** Where it waits to be placed by itself. */
  queue: ClassQueue | null
  ports: readonly PortBinding[]
  /** Whether it takes up room: an instance that has stopped for good stays on its machine, but holds nothing. */
  active: boolean
  /** Why it is to be placed. */
  cause: PlacementCause
  /** Units that go with it; null when there are none. */
  followers: ReadonlySet<UnitState> | null
  /** Its position in the set of its machine, and in that of its requirements. */
  positionOnMachine: number
  positionInRequirements: number
}

/** What units of one service or template ask for, with selectors in place of patterns; targets are left out. */
export interface CompiledRequirements {
  readonly needs: Requirements
  readonly identity: SharedIdentity
  readonly conflicts: readonly Selector[]
  readonly replaces: readonly Selector[]
  readonly affinityTerms: readonly UnitAffinityTerm[]
  readonly spread: { readonly key: string; readonly selector: Selector } | null
  readonly units: UnitSet
  /** The selectors that may pick its units, of the first `selectorsSeen` of the index. */
  candidateSelectors: Selector[]
  selectorsSeen: number
  /** By the ids of the selectors that pick them. */
  readonly classes: Map<string, EquivalenceClass>
}

/** Units with the same requirements that the same selectors pick. */
export interface EquivalenceClass {
  readonly requirements: CompiledRequirements
  readonly pickedBy: readonly Selector[]
  /** The same for classes that every machine treats alike, whatever their units are called. */
  readonly requirementsKey: string
  /** Pending units that are placed by themselves, and not as one of a group. */
  readonly pending: ClassQueue
  /** The mark of the queue that holds its oldest unit; null for none. */
  queued: object | null
}

/** An affinity rule about other units, with what it picks. */
export interface UnitAffinityTerm {
  readonly rule: AffinityRule
  readonly hard: boolean
  readonly near: boolean
  readonly selector: Selector
  /** Of a soft rule that keeps instances of one service apart: picks of those the ones that are not about to go. */
  readonly staying: Selector | null
}

/** What of a unit a selector looks at. */
export interface UnitIdentity {
  readonly name: UnitName
  /** The instance that it is. */
  readonly instance: InstanceRef | null
  /** It is to run on. */
  readonly launched: boolean
}

/** What units with the same requirements have in common, as far as selectors look at it. */
export interface SharedIdentity {
  readonly project: string | null
  readonly service: string | null
  readonly labels: Readonly<Record<string, string>>
  /** What their names begin with: `web@` of a template's instances, nothing for other units. */
  readonly stem: string
  /** Where soft rules keep them apart from each other: the rollout that they were made in, and their version. */
  readonly madeIn: MadeIn | null
}

/** A rollout to a version of a service. */
export interface MadeIn {
  readonly rollout: RolloutScope
  readonly version: string
}

/** Picks units, and counts those that are placed. */
export interface Selector {
  readonly id: number
  /** As the rule that it comes from says it. */
  readonly text: string
  /** Whether some unit has to be near to what it picks. */
  isRequiredNear: boolean
  /** Whether some unit takes the place of what it picks. */
  isReplaced: boolean
  /** Whether it may pick units with this identity at all. */
  mayPick(identity: SharedIdentity): boolean
  /** Whether it picks a unit, of those that it may pick. */
  picks(who: UnitIdentity): boolean
  /** Machines with the number of picked units there. */
  readonly machines: Map<MachineState, number>
  /** Machines with the number of units there that keep picked units away (`Conflicts=`). */
  readonly conflicting: Map<MachineState, number>
  /** Machines with the number of units there that take the place of picked units (`Replaces=`). */
  readonly replacing: Map<MachineState, number>
  readonly total: number
  /** Goes up when a change on one machine can make another one acceptable. */
  readonly version: number
  add(machine: MachineState): void
  remove(machine: MachineState): void
  /** How many picked units are on machines with the same value of a metadata key; with null, on the machine itself. */
  near(machine: MachineState, by: string | null): number
  /** Picked units by the value of a metadata key; null is for machines without it. */
  domain(key: string): ReadonlyMap<string | null, number>
}

/**
 * Units that know their place in the set: over a million units a `Set` costs several times the memory and time.
 * A unit may be in one set of each of the two kinds.
 */
export class UnitSet {
  readonly #members: UnitState[] = []
  readonly #isOfMachine: boolean

  constructor(of: 'machine' | 'requirements') {
    this.#isOfMachine = of === 'machine'
  }

  get size(): number {
    return this.#members.length
  }

  [Symbol.iterator](): Iterator<UnitState> {
    return this.#members.values()
  }

  add(unit: UnitState): void {
    const offset = this.#positionOf(unit)
    if (offset >= 0 && this.#members[offset] === unit) return
    this.#setPosition(unit, this.#members.length)
    this.#members.push(unit)
  }

  /** The last one takes its place. */
  delete(unit: UnitState): void {
    const offset = this.#positionOf(unit)
    if (offset < 0 || this.#members[offset] !== unit) return
    const last = this.#members.pop()
    if (last === undefined || last === unit) return
    this.#members[offset] = last
    this.#setPosition(last, offset)
  }

  // Asked for by a name that is only known at run time, a field costs several times as much.
  #positionOf(unit: UnitState): number {
    return this.#isOfMachine ? unit.positionOnMachine : unit.positionInRequirements
  }

  #setPosition(unit: UnitState, offset: number): void {
    if (this.#isOfMachine) unit.positionOnMachine = offset
    else unit.positionInRequirements = offset
  }
}

/** Older units first, then by instance number and name: the order in which units are placed. */
export function byAge({ spec: a }: UnitState, { spec: b }: UnitState): number {
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt
  const n = (a.instance?.n ?? 0) - (b.instance?.n ?? 0)
  if (n !== 0) return n
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

/** The pending units of a class. Adding in order and removing the head cost next to nothing, whatever the length. */
export class ClassQueue {
  size = 0
  /** By age from `#head` on, as long as it is sorted. Units that left it have another `queue`, or none. */
  #order: UnitState[] = []
  #head = 0
  #isSorted = true

  add(unit: UnitState): void {
    if (unit.queue === this) return
    unit.queue = this
    this.size++
    const last = this.#order.at(-1)
    if (last !== undefined && this.#isSorted && byAge(last, unit) > 0) this.#isSorted = false
    this.#order.push(unit)
  }

  [Symbol.iterator](): Iterator<UnitState> {
    if (!this.#isSorted) this.#sort()
    return this.#order.slice(this.#head).values()
  }

  delete(unit: UnitState): void {
    if (unit.queue !== this) return
    unit.queue = null
    this.size--
    // A unit that leaves from the middle may come back with another age, so its position there is worth nothing.
    if (this.#order[this.#head] === unit) this.#head++
    else this.#isSorted = false
    if (this.size > 0) return
    this.#order = []
    this.#head = 0
    this.#isSorted = true
  }

  /** Null when it is empty. */
  oldest(): UnitState | null {
    if (!this.#isSorted) this.#sort()
    return this.#order[this.#head] ?? null
  }

  #sort(): void {
    this.#order = [...new Set(this.#order)].filter(({ queue }) => queue === this).sort(byAge)
    this.#head = 0
    this.#isSorted = true
  }
}
