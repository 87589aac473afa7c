// Every unit that is to run, by name, as the scheduler holds it.
import { invariant } from '../../lib/invariant.js'
import type { MachineId } from '../../model/machine.js'
import type { DesiredUnit, PlacementCause, PortBinding, UnitName } from '../../model/unit.js'
import type { Requirements } from '../../unit/requirements.js'
import { EquivalenceClasses, SelectorIndex } from './equivalence-classes.js'
import type { MachineIndex } from './machines.js'
import type { CompiledRequirements, EquivalenceClass, MachineState, UnitState } from './model.js'
import { type FollowGraph, hasSlotVolume, type Pin } from './placement-group.js'

/** What a unit asks for: one and the same value for units that ask for the same as far as possible. */
export type NeedsOf = (spec: DesiredUnit) => Requirements

/** A unit before it is set: its requirements and targets. One and the same value for new units that ask for the same. */
export interface PreparedUnit {
  readonly requirements: CompiledRequirements
  readonly targets: readonly string[]
  /** Its state before; undefined for a unit that is new to the index. */
  readonly unit: UnitState | undefined
}

/** A global unit, with its placed copies by machine. */
export interface GlobalUnit {
  spec: DesiredUnit
  eqClass: EquivalenceClass
  readonly units: Map<MachineId, UnitState>
  /** How far the cluster had come when all machines had been tried for it; null before that. */
  tried: Progress | null
}

/** How far the cluster has come: by generations of machines, changes on them, and changes that reach further. */
export interface Progress {
  readonly generation: number
  readonly changed: number
  readonly farReaching: number
}

export class UnitIndex implements FollowGraph {
  readonly globals = new Map<UnitName, GlobalUnit>()
  /** Classes with pending units that are placed by themselves. */
  readonly pendingClasses = new Set<EquivalenceClass>()
  /** Pending units that are placed together with others, or where those are. */
  readonly pendingGrouped = new Set<UnitState>()
  readonly #classes = new EquivalenceClasses(new SelectorIndex())
  readonly #units = new Map<string, UnitState>()
  readonly #followers = new Map<UnitName, Set<UnitState>>()
  readonly #machines: MachineIndex
  readonly #needsOf: NeedsOf
  readonly #volumePinsOf: FollowGraph['volumePinsOf']
  #latest: PreparedUnit | null = null

  /** `volumePinsOf` names the machines of the volumes of a unit. */
  constructor(
    machines: MachineIndex,
    needsOf: NeedsOf,
    volumePinsOf: FollowGraph['volumePinsOf'] = () => none,
  ) {
    this.#machines = machines
    this.#needsOf = needsOf
    this.#volumePinsOf = volumePinsOf
  }

  volumePinsOf(unit: UnitState): readonly Pin[] {
    return this.#volumePinsOf(unit)
  }

  /** A unit that is to run and is not global. */
  get(name: string): UnitState | undefined {
    return this.#units.get(name)
  }

  followers(name: UnitName): ReadonlySet<UnitState> | undefined {
    return this.#followers.get(name)
  }

  /** Whether a unit is placed with others, or where they or its volumes are: no other of its class stands for it. */
  isGrouped(unit: UnitState): boolean {
    return unit.targets.length > 0 || unit.followers !== null || hasSlotVolume(unit)
  }

  /** Units that follow others or are followed. */
  *grouped(): Iterable<UnitState> {
    if (this.#followers.size === 0) return
    for (const unit of this.#units.values()) if (this.isGrouped(unit)) yield unit
  }

  /** All pending units that are connected by `MachineOf=` with some units, whether these are to run or not. */
  *connectedPending(names: Iterable<string>): Iterable<UnitState> {
    const seen = new Set<string>(names)
    for (const name of seen) {
      const unit = this.#units.get(name)
      if (unit?.machine === null) {
        yield unit
        for (const target of unit.targets) seen.add(target)
      }
      for (const follower of this.#followers.get(name as UnitName) ?? [])
        if (follower.machine === null) seen.add(follower.spec.name)
    }
  }

  /** Compiles the requirements of a unit; for all units of a pass before the first of them is set. */
  prepare(spec: DesiredUnit): PreparedUnit {
    const unit = this.#units.get(spec.name)
    if (unit !== undefined && isSameText(unit.spec, spec))
      return { requirements: unit.eqClass.requirements, targets: unit.targets, unit }
    const global = this.globals.size === 0 ? undefined : this.globals.get(spec.name)
    if (global !== undefined && isSameText(global.spec, spec))
      return { requirements: global.eqClass.requirements, targets: none, unit }
    const needs = this.#needsOf(spec)
    const requirements = this.#classes.requirementsOf(spec, needs)
    const { machineOf: targets } = needs.fleet
    const latest = this.#latest
    if (unit === undefined && latest?.requirements === requirements && latest.targets === targets)
      return latest
    const wanted: PreparedUnit = { requirements, targets, unit }
    this.#latest = unit === undefined ? wanted : null
    return wanted
  }

  /** Gives a new class to units that new selectors pick. Returns those that changed. */
  reclassify(): readonly UnitState[] {
    const changed: UnitState[] = []
    for (const unit of this.#classes.newlyPicked()) {
      const eqClass = this.#classes.classOf(unit.spec, unit.eqClass.requirements)
      if (eqClass === unit.eqClass) continue
      this.#change(unit, () => {
        unit.eqClass = eqClass
      })
      changed.push(unit)
    }
    // Copies of global units that are not placed are in no set yet.
    for (const global of this.globals.values())
      global.eqClass = this.#classes.classOf(global.spec, global.eqClass.requirements)
    return changed
  }

  /**
   * Takes a unit in as it is now. It stays on its machine, if it has one. Returns whether it asks for something else, or
   * counts for something else, than before.
   */
  set(
    spec: DesiredUnit,
    wanted: PreparedUnit,
    active: boolean,
  ): { readonly unit: UnitState; readonly changed: boolean } {
    const { targets, unit: known } = wanted
    const eqClass = this.#classes.classOf(spec, wanted.requirements)
    if (known === undefined) {
      const unit = this.#newUnit(spec, eqClass, targets, active)
      this.#units.set(spec.name, unit)
      this.#register(unit)
      return { unit, changed: true }
    }
    const changed = known.eqClass !== eqClass || known.active !== active || !sameTexts(known.targets, targets)
    if (changed || known.spec.createdAt !== spec.createdAt) {
      this.#change(known, () => {
        known.spec = spec
        known.eqClass = eqClass
        known.targets = targets
        known.active = active
      })
    } else known.spec = spec
    return { unit: known, changed }
  }

  /** How many different requirements there are. */
  get requirementsCount(): number {
    return this.#classes.size
  }

  /** Drops requirements that no unit has any more; not between `prepare` and `set`. */
  forgetUnused(): void {
    this.#latest = null
    this.#classes.forgetUnused()
  }

  /** Removes a unit that is not to run any more. */
  remove(name: UnitName): void {
    const unit = this.#units.get(name)
    if (unit === undefined) return
    this.#machines.remove(unit)
    this.#unregister(unit)
    this.#units.delete(name)
  }

  /** Takes a global unit in as it is now. Returns whether it asks for something else than before. */
  setGlobal(
    spec: DesiredUnit,
    { requirements }: PreparedUnit,
  ): { readonly global: GlobalUnit; readonly changed: boolean } {
    const known = this.globals.get(spec.name)
    const eqClass = this.#classes.classOf(spec, requirements)
    if (known === undefined) {
      const global: GlobalUnit = { spec, eqClass, units: new Map(), tried: null }
      this.globals.set(spec.name, global)
      return { global, changed: true }
    }
    const changed = known.eqClass !== eqClass
    known.spec = spec
    known.eqClass = eqClass
    if (changed) known.tried = null
    for (const unit of [...known.units.values()]) {
      unit.spec = spec
      if (!changed) continue
      this.#change(unit, () => {
        unit.eqClass = eqClass
      })
    }
    return { global: known, changed }
  }

  removeGlobal(name: UnitName): void {
    const global = this.globals.get(name)
    if (global === undefined) return
    for (const unit of [...global.units.values()]) this.unassign(unit)
    this.globals.delete(name)
  }

  /** A unit as it would be in the index, without adding it. Its needs can be given, if no unit file has them yet. */
  hypothetical(spec: DesiredUnit, needs: Requirements | null = null): UnitState {
    const { requirements, targets } =
      needs === null
        ? this.prepare(spec)
        : { requirements: this.#classes.requirementsOf(spec, needs), targets: needs.fleet.machineOf }
    return this.#newUnit(spec, this.#classes.classOf(spec, requirements), targets, true)
  }

  /** A copy of a global unit, for one machine. It is in the index from the time that it is placed. */
  globalCopy({ spec, eqClass }: GlobalUnit): UnitState {
    return this.#newUnit(spec, eqClass, none, true)
  }

  assign(unit: UnitState, machine: MachineState, ports: readonly PortBinding[]): void {
    const { eqClass, spec } = unit
    this.#machines.add(unit, machine, ports)
    if (eqClass.requirements.needs.fleet.global) {
      this.globals.get(spec.name)?.units.set(machine.id, unit)
      eqClass.requirements.units.add(unit)
    } else this.#dequeue(unit)
  }

  /** Takes a unit off its machine; it is pending then, unless it is a copy of a global unit. */
  unassign(unit: UnitState, cause: PlacementCause = unit.cause): void {
    if (unit.eqClass.requirements.needs.fleet.global) this.#unregister(unit)
    else this.#enqueue(unit)
    this.#machines.remove(unit)
    unit.cause = cause
  }

  #change(unit: UnitState, change: () => void): void {
    const { machine, ports } = unit
    this.#unregister(unit)
    this.#machines.remove(unit)
    change()
    if (machine !== null) this.#machines.add(unit, machine, ports)
    this.#register(unit)
  }

  #register(unit: UnitState): void {
    const { requirements } = unit.eqClass
    requirements.units.add(unit)
    if (requirements.needs.fleet.global) {
      const global = this.globals.get(unit.spec.name)
      invariant(
        global !== undefined && unit.machine !== null,
        `${unit.spec.name} is global and has no machine`,
      )
      global.units.set(unit.machine.id, unit)
      return
    }
    for (const target of unit.targets) this.#follow(unit, target as UnitName)
    if (unit.machine === null) this.#enqueue(unit)
  }

  #unregister(unit: UnitState): void {
    const { eqClass } = unit
    eqClass.requirements.units.delete(unit)
    if (eqClass.requirements.needs.fleet.global) {
      if (unit.machine !== null) this.globals.get(unit.spec.name)?.units.delete(unit.machine.id)
      return
    }
    for (const target of unit.targets) this.#unfollow(unit, target as UnitName)
    this.#dequeue(unit)
  }

  #follow(unit: UnitState, target: UnitName): void {
    const known = this.#followers.get(target)
    known?.add(unit)
    if (known === undefined) this.#setFollowers(target, new Set([unit]))
  }

  #unfollow(unit: UnitState, target: UnitName): void {
    const known = this.#followers.get(target)
    known?.delete(unit)
    if (known?.size === 0) this.#setFollowers(target, null)
  }

  /** A pending unit that gets its first follower is placed as one of a group from then on, and the other way round. */
  #setFollowers(target: UnitName, followers: Set<UnitState> | null): void {
    if (followers === null) this.#followers.delete(target)
    else this.#followers.set(target, followers)
    const unit = this.#units.get(target)
    if (unit?.machine === null) this.#dequeue(unit)
    if (unit !== undefined) unit.followers = followers
    if (unit?.machine === null) this.#enqueue(unit)
  }

  #enqueue(unit: UnitState): void {
    if (this.isGrouped(unit)) {
      this.pendingGrouped.add(unit)
      return
    }
    unit.eqClass.pending.add(unit)
    this.pendingClasses.add(unit.eqClass)
  }

  #dequeue(unit: UnitState): void {
    if (this.isGrouped(unit)) {
      this.pendingGrouped.delete(unit)
      return
    }
    const { eqClass } = unit
    eqClass.pending.delete(unit)
    if (eqClass.pending.size === 0) this.pendingClasses.delete(eqClass)
  }

  #newUnit(
    spec: DesiredUnit,
    eqClass: EquivalenceClass,
    targets: readonly string[],
    active: boolean,
  ): UnitState {
    return {
      spec,
      eqClass,
      targets,
      machine: null,
      queue: null,
      ports: none,
      active,
      cause: forNew,
      followers: (this.#followers.size > 0 ? this.#followers.get(spec.name) : null) ?? null,
      positionOnMachine: -1,
      positionInRequirements: -1,
    }
  }
}

const none: readonly never[] = []
const forNew = { kind: 'new' } as const

/** Whether a unit asks for what it asked for before. */
function isSameText(before: DesiredUnit, now: DesiredUnit): boolean {
  if (before.hash !== now.hash) return false
  return (
    before.instance?.project === now.instance?.project && before.instance?.service === now.instance?.service
  )
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index])
}
