// The scheduler's index of the cluster: machines and units as they are in the view, brought up to date change by change.
import { type Steps, toEnd } from '../lib/sliced-work.js'
import type { MachineId } from '../model/machine.js'
import type { DesiredUnit, Placement, PortBinding, UnitName } from '../model/unit.js'
import { type VolumeRecord, volumeKey } from '../model/volume.js'
import { kindOfKey, prefixes } from '../store/records.js'
import type { Change } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { causeAfter, evictionCause, isActive, isStopping } from './evictions.js'
import { type EvictionCause, PassDecisions } from './pass-decisions.js'
import { pendingUnitsOf, type VolumeLookup, volumePinsOf } from './slot-volumes.js'
import { MachineIndex } from './state/machines.js'
import type { MachineState, UnitState } from './state/model.js'
import { type NeedsOf, type PreparedUnit, UnitIndex } from './state/unit-index.js'

/** Whether the units of a machine that is gone stay with it, as it may only be unreachable. */
export type IsHeld = (machine: MachineId) => boolean

const never: IsHeld = () => false

/** Units that are taken in before anything else may have its turn. */
const takenInAtATime = 200

export class ClusterIndex {
  readonly view: ClusterView
  readonly machines = new MachineIndex()
  readonly units: UnitIndex
  readonly #isHeld: IsHeld
  readonly #volumeLookup: VolumeLookup
  readonly #units = new Set<UnitName>()
  readonly #machines = new Set<MachineId>()
  /** Units of which the machine of their volumes may have changed. */
  readonly #volumesChanged = new Set<UnitName>()
  /** Whether volumes have left, or taken, some of a disk since units were placed last. */
  #hasNewRoom = false
  /** Units of which something cannot be read: they are left as they are, until it can be again. */
  readonly #held = new Set<UnitName>()
  /** Until it has followed all that there was at first. */
  #isNew = true
  /** How far it is with taking that in. */
  #takenIn: 'nothing' | 'some' | 'all' = 'nothing'
  /** Machines that were taken in with the units on them, and have to be checked. */
  #unchecked: readonly MachineState[] = []

  /** An index that has everything of the view yet to take in. */
  constructor(view: ClusterView, needsOf: NeedsOf, isHeld: IsHeld = never) {
    this.view = view
    this.#isHeld = isHeld
    this.#volumeLookup = { view, machines: this.machines, isHeld }
    this.units = new UnitIndex(this.machines, needsOf, (unit) => volumePinsOf(this.#volumeLookup, unit))
    for (const id of [...view.machines.keys(), ...view.orders.keys()]) this.#machines.add(id)
  }

  /** Notes a change that the view has taken in. What it means is found out by `follow`. */
  note({ type, key }: Change): void {
    const kind = kindOfKey(key)
    if (kind === null || (this.#takenIn === 'nothing' && kind !== 'machine' && kind !== 'order')) return
    const [first = '', second = ''] = key.slice(prefixes[kind].length).split('/')
    if (kind === 'machine' || kind === 'order') {
      this.#machines.add(first as MachineId)
      // One that comes and goes meanwhile was there for some of the units on it.
      if (this.#takenIn === 'some') this.reconsider(first as MachineId)
    } else if (kind === 'knownMachine') {
      // Its global units waited for it.
      if (type === 'delete') this.reconsider(first as MachineId)
    } else if (kind === 'unit' || kind === 'waiting' || kind === 'placement')
      this.#noteUnit(first as UnitName)
    else if (kind === 'report') this.#noteUnit(second as UnitName)
    else if (kind === 'volume') {
      const service = serviceKey(first, second)
      this.#retryForVolumes(pendingUnitsOf(this.view, service))
      if (this.#takeInVolume(key, this.view.volumesOf(service).get(key))) this.#hasNewRoom = true
    }
  }

  /** Returns whether there is another amount of space on some disk now. */
  #takeInVolume(key: string, volume: VolumeRecord | undefined): boolean {
    const [project = '', service = '', name = '', slot = ''] = key.slice(prefixes.volume.length).split('/')
    const { machine = null, sizeMb = 0 } = volume ?? {}
    const at = machine === null || sizeMb === 0 ? null : { machine, sizeMb }
    return this.machines.setVolume(volumeKey({ project, service, name, slot: Number(slot) }), at)
  }

  /** A million decisions of ours that were written are a million changes, and no news. */
  #noteUnit(name: UnitName): void {
    if (!this.#isSettled(name)) this.#units.add(name)
  }

  /** Whether the view says of a unit just what is held here, so that nothing follows from it. */
  #isSettled(name: UnitName): boolean {
    const { view } = this
    const unit = this.#isNew || this.#held.has(name) ? undefined : this.units.get(name)
    if (unit === undefined || unit.spec !== view.units.get(name) || view.isUnitHeld(name)) return false
    if (this.units.globals.has(name) || view.globalPlacementsOf(name).size > 0) return false
    const placement = view.placements.get(name) ?? null
    if (unit.active !== isActive(view, unit.spec, placement)) return false
    return placement === null
      ? unit.machine === null && !isStopping(unit.spec)
      : !view.waiting.has(name) && this.#isWhereItIs(unit, placement)
  }

  #isWhereItIs(unit: UnitState, placement: Placement): boolean {
    if (unit.machine?.id !== placement.machine || !samePorts(unit.ports, placement.ports)) return false
    const { needs } = unit.eqClass.requirements
    return evictionCause(this.view, placement, unit.spec, needs, this.#isHeld) === null
  }

  /** Units that wait for where volumes are may find another answer. */
  #retryForVolumes(units: Iterable<UnitName>): void {
    for (const unit of units) {
      this.#units.add(unit)
      this.#volumesChanged.add(unit)
    }
  }

  /** Looks again at what is on a machine, which is or is no longer held, and at what waits for volumes there. */
  reconsider(machine: MachineId): void {
    for (const unit of this.view.placedOn(machine).keys()) this.#units.add(unit)
    for (const service of this.view.servicesWithVolumes())
      this.#retryForVolumes(pendingUnitsOf(this.view, service))
  }

  get isUpToDate(): boolean {
    this.#releaseHeld()
    return !this.#isNew && !this.#hasNewRoom && this.#units.size === 0 && this.#machines.size === 0
  }

  /** Units that can be read again are looked at again. */
  #releaseHeld(): void {
    for (const name of this.#held) {
      if (this.view.isUnitHeld(name)) continue
      this.#held.delete(name)
      this.#units.add(name)
    }
  }

  /**
   * Takes in all that there is at first, and decides nothing: that can be left in between, for whatever is noted meanwhile
   * is looked at again.
   */
  *takeIn(atATime = takenInAtATime): Steps<void> {
    if (this.#takenIn !== 'nothing') return
    this.#takenIn = 'some'
    const pass = new PassDecisions(0)
    for (const id of this.#machines) this.#followMachine(id, pass)
    this.#machines.clear()
    for (const service of this.view.servicesWithVolumes())
      for (const [key, volume] of this.view.volumesOf(service)) this.#takeInVolume(key, volume)
    // What is on these machines is among all that is looked at from here on: once is enough.
    this.#units.clear()
    const { names, units } = this.#readable(everyUnit(this.view), pass)
    const wanted: (PreparedUnit | null)[] = []
    for (const spec of units) {
      if (wanted.length > 0 && wanted.length % atATime === 0) yield
      wanted.push(this.#prepare(spec))
    }
    this.units.reclassify()
    for (const [index, name] of names.entries()) {
      if (index > 0 && index % atATime === 0) yield
      const { decisions } = pass
      this.#followUnit(name, units[index], wanted[index] ?? null, pass)
      if (pass.decisions === decisions) continue
      // What is to be done about it is decided when all is known, as of a unit that was never seen.
      this.units.remove(name)
      this.units.removeGlobal(name)
      this.#units.add(name)
    }
    this.#unchecked = [...pass.machinesToRecheck]
    this.#takenIn = 'all'
  }

  /** Takes in what was noted. Ends placements whose unit or machine is gone, and says what else has to be looked at. */
  follow(pass: PassDecisions): void {
    if (this.#takenIn !== 'all') toEnd(this.takeIn())
    for (const machine of this.#unchecked) pass.machinesToRecheck.add(machine)
    this.#unchecked = []
    this.#hasNewRoom = false
    for (const id of this.#machines) this.#followMachine(id, pass)
    this.#machines.clear()
    this.#releaseHeld()
    const { names, units } = this.#readable(lookUp(this.view, this.#units), pass)
    this.#units.clear()
    const wanted = units.map((spec) => this.#prepare(spec))
    for (const { machine, spec } of this.units.reclassify()) {
      if (machine === null) pass.unitsToRetry.add(spec.name)
      else pass.machinesToRecheck.add(machine)
    }
    for (const [index, name] of names.entries())
      this.#followUnit(name, units[index], wanted[index] ?? null, pass)
    this.units.forgetUnused()
    if (this.#isNew) for (const { spec } of this.units.grouped()) pass.moved.add(spec.name)
    this.#isNew = false
  }

  /** Leaves out units of which a record cannot be read: a placed one stays, a pending one is not placed. */
  #readable(noted: Noted, pass: PassDecisions): Noted {
    const isHeld = noted.names.map((name) => this.view.isUnitHeld(name))
    if (!isHeld.includes(true)) return noted
    for (const [index, name] of noted.names.entries()) if (isHeld[index]) this.#hold(name, pass)
    const rest = (_: unknown, index: number): boolean => !isHeld[index]
    return { names: noted.names.filter(rest), units: noted.units.filter(rest) }
  }

  #hold(name: UnitName, pass: PassDecisions): void {
    this.#held.add(name)
    const unit = this.units.get(name)
    if (unit === undefined || unit.machine !== null) return
    this.units.remove(name)
    this.#markForRetry(name, unit.targets, pass)
  }

  /** Whether something of a unit, or of one that it follows, cannot be read: then it is where it is. */
  staysPut(name: UnitName): boolean {
    if (this.#held.size === 0) return false
    return (
      this.#held.has(name) ||
      (this.units.get(name)?.targets ?? none).some((target) => this.#held.has(target as UnitName))
    )
  }

  #prepare(spec: DesiredUnit | undefined): PreparedUnit | null {
    return spec === undefined || spec.desired === 'inactive' ? null : this.units.prepare(spec)
  }

  #followMachine(id: MachineId, pass: PassDecisions): void {
    const record = this.view.machines.get(id) ?? null
    // Nothing more is placed where it is not known what may be, nor where nothing could be started: on a machine that is
    // away on purpose.
    const cordoned =
      this.view.isMachineHeld(id) ||
      record?.away !== undefined ||
      (this.view.orders.get(id)?.cordoned ?? false)
    const known = this.machines.get(id)
    if ((known?.record ?? null) === record && (known?.cordoned ?? false) === cordoned) return
    const machine = this.machines.setMachine(id, record, cordoned)
    pass.machinesToRecheck.add(machine)
    for (const name of this.view.placedOn(id).keys()) this.#units.add(name)
  }

  #followUnit(
    name: UnitName,
    spec: DesiredUnit | undefined,
    wanted: PreparedUnit | null,
    pass: PassDecisions,
  ): void {
    const isGlobal = wanted?.requirements.needs.fleet.global ?? false
    if (isGlobal || this.units.globals.has(name) || this.view.globalPlacementsOf(name).size > 0)
      this.#followGlobal(name, spec, wanted, isGlobal, pass)
    this.#followLocal(name, spec, wanted, !isGlobal, pass)
    if (!this.view.waiting.has(name)) return
    const unit = this.units.get(name)
    if (unit === undefined || unit.machine !== null) pass.stopWaiting(name)
  }

  #followLocal(
    name: UnitName,
    spec: DesiredUnit | undefined,
    wanted: PreparedUnit | null,
    isLocal: boolean,
    pass: PassDecisions,
  ): void {
    const placement = this.view.placements.get(name) ?? null
    const end = placement && this.#endOf(placement, wanted, pass)
    const known = wanted === null ? this.units.get(name) : wanted.unit
    const before = known?.machine ?? null
    const targets = known?.targets ?? noTargets
    const isFinished = spec !== undefined && isStopping(spec) && (placement === null || end !== null)
    if (spec === undefined || wanted === null || !isLocal || isFinished) {
      this.units.remove(name)
      this.#markForRetry(name, targets, pass)
      return
    }
    const kept = end === null ? placement : null
    const { unit, changed } = this.units.set(spec, wanted, isActive(this.view, spec, kept))
    if (kept !== null) this.#reassign(unit, kept, changed, pass)
    else if (before !== null || end !== null)
      this.units.unassign(unit, placement && end ? causeAfter(placement, end) : forNew)
    if (this.#volumesChanged.delete(name) || changed || unit.machine !== before)
      this.#markForRetry(name, targets, pass)
  }

  /** A unit and its targets may fit somewhere now, or be refused for other reasons. */
  #markForRetry(name: UnitName, targets: readonly string[], pass: PassDecisions): void {
    // At first everything is looked at anyway.
    if (this.#isNew) return
    pass.moved.add(name)
    pass.unitsToRetry.add(name)
    for (const target of targets) pass.unitsToRetry.add(target)
  }

  #followGlobal(
    name: UnitName,
    spec: DesiredUnit | undefined,
    wanted: PreparedUnit | null,
    isGlobal: boolean,
    pass: PassDecisions,
  ): void {
    const kept = [...this.view.globalPlacementsOf(name).values()].filter(
      (placement) => this.#endOf(placement, wanted, pass) === null,
    )
    if (spec === undefined || wanted === null || !isGlobal) {
      this.units.removeGlobal(name)
      return
    }
    const { global, changed } = this.units.setGlobal(spec, wanted)
    const machines = new Set(kept.map(({ machine }) => machine))
    for (const [machine, unit] of [...global.units]) if (!machines.has(machine)) this.units.unassign(unit)
    for (const placement of kept) {
      const unit = global.units.get(placement.machine) ?? this.units.globalCopy(global)
      this.#reassign(unit, placement, changed, pass)
    }
  }

  /** Why a placement ends, which the pass is told; null for one that goes on. */
  #endOf(placement: Placement, wanted: PreparedUnit | null, pass: PassDecisions): EvictionCause | null {
    const spec = this.view.units.get(placement.unit)
    const cause = evictionCause(this.view, placement, spec, wanted?.requirements.needs ?? null, this.#isHeld)
    if (cause !== null) pass.evict(placement, cause)
    return cause
  }

  /** Assigns a unit to the machine that the view says. What was decided here before is no change. */
  #reassign(unit: UnitState, { machine, ports }: Placement, changed: boolean, pass: PassDecisions): void {
    const isKnown = unit.machine?.id === machine && samePorts(unit.ports, ports)
    if (!isKnown) {
      if (unit.machine !== null) this.units.unassign(unit)
      this.units.assign(unit, this.machines.at(machine), ports)
    }
    if ((changed || !isKnown) && unit.machine !== null) pass.machinesToRecheck.add(unit.machine)
  }
}

/** Units to look at: their names, and for each what it is to be, if it is to be at all. */
interface Noted {
  readonly names: readonly UnitName[]
  readonly units: readonly (DesiredUnit | undefined)[]
}

/** All that a new index has to look at: units, and what is left of units that are gone. */
function everyUnit(view: ClusterView): Noted {
  const left = new Set<UnitName>()
  for (const known of [view.placements.keys(), view.waiting.keys(), view.globallyPlaced()])
    for (const name of known) if (!view.units.has(name)) left.add(name)
  return {
    names: [...view.units.keys(), ...left],
    units: [...view.units.values(), ...Array.from(left, () => undefined)],
  }
}

function lookUp(view: ClusterView, names: Iterable<UnitName>): Noted {
  const list = [...names]
  return { names: list, units: list.map((name) => view.units.get(name)) }
}

const none: readonly never[] = []
const noTargets: readonly string[] = []
const forNew = { kind: 'new' } as const

function samePorts(a: readonly PortBinding[], b: readonly PortBinding[]): boolean {
  if (a.length !== b.length) return false
  return a.every(({ host, protocol, ip }, index) => {
    const other = b[index]
    return host === other?.host && protocol === other.protocol && ip === other.ip
  })
}
