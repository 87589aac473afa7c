// The scheduler's index of the cluster: machines and units as they are in the view, brought up to date change by change.
import { type Steps, toEnd } from '../lib/steps.js'
import type { MachineId } from '../model/machine.js'
import type { DesiredUnit, Placement, PortBinding, UnitName } from '../model/unit.js'
import { kindOfKey, prefixes } from '../store/records.js'
import type { Change } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { type EvictionCause, Round } from './decisions.js'
import { causeAfter, evictionCause, isActive, isStopping } from './evictions.js'
import { homesOf, type Land, waitingOf } from './slot-volumes.js'
import { Seating } from './state/machines.js'
import type { Seat, Tenant } from './state/model.js'
import { type NeedsOf, Roster, type Wanted } from './state/unit-index.js'

/** Whether a machine that is gone is taken for one that is only out of our sight, so that its units stay with it. */
export type IsHeld = (machine: MachineId) => boolean

const never: IsHeld = () => false

/** Units that are taken in before anything else may have its turn. */
const takenInAtATime = 200

export class ClusterIndex {
  readonly view: ClusterView
  readonly seating = new Seating()
  readonly roster: Roster
  readonly #isHeld: IsHeld
  /** Where volumes of slots are looked for. */
  readonly #land: Land
  readonly #units = new Set<UnitName>()
  readonly #machines = new Set<MachineId>()
  /** Those of them of which it may have changed where their volumes are. */
  readonly #homeless = new Set<UnitName>()
  /** Units of which something cannot be read: they are left as they are, until it can be again. */
  readonly #held = new Set<UnitName>()
  /** Until it has followed all that there was at first. */
  #isNew = true
  /** How far it is with taking that in. */
  #takenIn: 'nothing' | 'some' | 'all' = 'nothing'
  /** Machines that were taken in with what is on them, and have to be looked at. */
  #unchecked: readonly Seat[] = []

  /** An index that has everything of the view yet to take in. */
  constructor(view: ClusterView, needsOf: NeedsOf, isHeld: IsHeld = never) {
    this.view = view
    this.#isHeld = isHeld
    this.#land = { view, seating: this.seating, isHeld }
    this.roster = new Roster(this.seating, needsOf, (tenant) => homesOf(this.#land, tenant))
    for (const id of [...view.machines.keys(), ...view.orders.keys()]) this.#machines.add(id)
  }

  /** Notes a change that the view has taken in. What it means is found out by `follow`. */
  note({ key }: Change): void {
    const kind = kindOfKey(key)
    if (kind === null || (this.#takenIn === 'nothing' && kind !== 'machine' && kind !== 'order')) return
    const [first = '', second = ''] = key.slice(prefixes[kind].length).split('/')
    if (kind === 'machine' || kind === 'order') {
      this.#machines.add(first as MachineId)
      // One that comes and goes meanwhile was there for some of the units on it.
      if (this.#takenIn === 'some') this.reconsider(first as MachineId)
    } else if (kind === 'unit' || kind === 'waiting' || kind === 'placement')
      this.#units.add(first as UnitName)
    else if (kind === 'report') this.#units.add(second as UnitName)
    else if (kind === 'volume') this.#seekHome(waitingOf(this.view, serviceKey(first, second)))
  }

  /** Units that wait for where volumes are may find another answer. */
  #seekHome(units: Iterable<UnitName>): void {
    for (const unit of units) {
      this.#units.add(unit)
      this.#homeless.add(unit)
    }
  }

  /** Looks again at what is on a machine, which is or is no longer held, and at what waits for volumes there. */
  reconsider(machine: MachineId): void {
    for (const unit of this.view.placedOn(machine).keys()) this.#units.add(unit)
    for (const service of this.view.servicesWithVolumes()) this.#seekHome(waitingOf(this.view, service))
  }

  get isUpToDate(): boolean {
    this.#releaseHeld()
    return !this.#isNew && this.#units.size === 0 && this.#machines.size === 0
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
    const round = new Round(0)
    for (const id of this.#machines) this.#followMachine(id, round)
    this.#machines.clear()
    // What is on these machines is among all that is looked at from here on: once is enough.
    this.#units.clear()
    const { names, units } = this.#readable(everyUnit(this.view), round)
    const wanted: (Wanted | null)[] = []
    for (const unit of units) {
      if (wanted.length > 0 && wanted.length % atATime === 0) yield
      wanted.push(this.#wanted(unit))
    }
    this.roster.sortAgain()
    for (const [index, name] of names.entries()) {
      if (index > 0 && index % atATime === 0) yield
      const { decisions } = round
      this.#followUnit(name, units[index], wanted[index] ?? null, round)
      if (round.decisions === decisions) continue
      // What is to be done about it is decided when all is known, as of a unit that was never seen.
      this.roster.dismiss(name)
      this.roster.dismissGlobal(name)
      this.#units.add(name)
    }
    this.#unchecked = [...round.suspects]
    this.#takenIn = 'all'
  }

  /** Takes in what was noted. Ends placements whose unit or machine is gone, and says what else has to be looked at. */
  follow(round: Round): void {
    if (this.#takenIn !== 'all') toEnd(this.takeIn())
    for (const seat of this.#unchecked) round.suspects.add(seat)
    this.#unchecked = []
    for (const id of this.#machines) this.#followMachine(id, round)
    this.#machines.clear()
    this.#releaseHeld()
    const { names, units } = this.#readable(lookUp(this.view, this.#units), round)
    this.#units.clear()
    const wanted = units.map((unit) => this.#wanted(unit))
    for (const { seat, unit } of this.roster.sortAgain()) {
      if (seat === null) round.touched.add(unit.name)
      else round.suspects.add(seat)
    }
    for (const [index, name] of names.entries())
      this.#followUnit(name, units[index], wanted[index] ?? null, round)
    this.roster.forgetUnused()
    if (this.#isNew) for (const { unit } of this.roster.tied()) round.moved.add(unit.name)
    this.#isNew = false
  }

  /** Sets those aside of which something cannot be read: one that sits keeps its seat, one that waits gets none. */
  #readable(noted: Noted, round: Round): Noted {
    const isHeld = noted.names.map((name) => this.view.isUnitHeld(name))
    if (!isHeld.includes(true)) return noted
    for (const [index, name] of noted.names.entries()) if (isHeld[index]) this.#hold(name, round)
    const rest = (_: unknown, index: number): boolean => !isHeld[index]
    return { names: noted.names.filter(rest), units: noted.units.filter(rest) }
  }

  #hold(name: UnitName, round: Round): void {
    this.#held.add(name)
    const tenant = this.roster.tenant(name)
    if (tenant === undefined || tenant.seat !== null) return
    this.roster.dismiss(name)
    this.#touch(name, tenant.targets, round)
  }

  /** Whether something of a unit, or of one that it follows, cannot be read: then it is where it is. */
  staysPut(name: UnitName): boolean {
    if (this.#held.size === 0) return false
    return (
      this.#held.has(name) ||
      (this.roster.tenant(name)?.targets ?? none).some((target) => this.#held.has(target as UnitName))
    )
  }

  #wanted(unit: DesiredUnit | undefined): Wanted | null {
    return unit === undefined || unit.desired === 'inactive' ? null : this.roster.announce(unit)
  }

  #followMachine(id: MachineId, round: Round): void {
    const machine = this.view.machines.get(id) ?? null
    // Nothing more is placed where it is not known what may be, nor where nothing could be started: on a machine that is
    // away on purpose.
    const cordoned =
      this.view.isMachineHeld(id) ||
      machine?.away !== undefined ||
      (this.view.orders.get(id)?.cordoned ?? false)
    const known = this.seating.get(id)
    if ((known?.machine ?? null) === machine && (known?.cordoned ?? false) === cordoned) return
    const seat = this.seating.setMachine(id, machine, cordoned)
    round.suspects.add(seat)
    for (const name of this.view.placedOn(id).keys()) this.#units.add(name)
  }

  #followUnit(name: UnitName, unit: DesiredUnit | undefined, wanted: Wanted | null, round: Round): void {
    const isGlobal = wanted?.profile.needs.fleet.global ?? false
    if (isGlobal || this.roster.globals.has(name) || this.view.globalPlacementsOf(name).size > 0)
      this.#followGlobal(name, unit, wanted, isGlobal, round)
    this.#followLocal(name, unit, wanted, !isGlobal, round)
    if (!this.view.waiting.has(name)) return
    const tenant = this.roster.tenant(name)
    if (tenant === undefined || tenant.seat !== null) round.stopWaiting(name)
  }

  #followLocal(
    name: UnitName,
    unit: DesiredUnit | undefined,
    wanted: Wanted | null,
    isLocal: boolean,
    round: Round,
  ): void {
    const placement = this.view.placements.get(name) ?? null
    const end = placement && this.#endOf(placement, wanted, round)
    const known = wanted === null ? this.roster.tenant(name) : wanted.tenant
    const before = known?.seat ?? null
    const targets = known?.targets ?? noTargets
    const goesNowhere = unit !== undefined && isStopping(unit) && (placement === null || end !== null)
    if (unit === undefined || wanted === null || !isLocal || goesNowhere) {
      this.roster.dismiss(name)
      this.#touch(name, targets, round)
      return
    }
    const kept = end === null ? placement : null
    const { tenant, changed } = this.roster.admit(unit, wanted, isActive(this.view, unit, kept))
    if (kept !== null) this.#reseat(tenant, kept, changed, round)
    else if (before !== null || end !== null)
      this.roster.unseat(tenant, placement && end ? causeAfter(placement, end) : forNew)
    if (this.#homeless.delete(name) || changed || tenant.seat !== before) this.#touch(name, targets, round)
  }

  /** Notes that a unit, and those that it followed, may find another answer now. */
  #touch(name: UnitName, targets: readonly string[], round: Round): void {
    // At first everything is looked at anyway.
    if (this.#isNew) return
    round.moved.add(name)
    round.touched.add(name)
    for (const target of targets) round.touched.add(target)
  }

  #followGlobal(
    name: UnitName,
    unit: DesiredUnit | undefined,
    wanted: Wanted | null,
    isGlobal: boolean,
    round: Round,
  ): void {
    const kept = [...this.view.globalPlacementsOf(name).values()].filter(
      (placement) => this.#endOf(placement, wanted, round) === null,
    )
    if (unit === undefined || wanted === null || !isGlobal) {
      this.roster.dismissGlobal(name)
      return
    }
    const { global, changed } = this.roster.admitGlobal(unit, wanted)
    const machines = new Set(kept.map(({ machine }) => machine))
    for (const [machine, tenant] of [...global.tenants])
      if (!machines.has(machine)) this.roster.unseat(tenant)
    for (const placement of kept) {
      const tenant = global.tenants.get(placement.machine) ?? this.roster.globalTenant(global)
      this.#reseat(tenant, placement, changed, round)
    }
  }

  /** Why a placement ends here, told to the round; null for one that goes on. */
  #endOf(placement: Placement, wanted: Wanted | null, round: Round): EvictionCause | null {
    const unit = this.view.units.get(placement.unit)
    const cause = evictionCause(this.view, placement, unit, wanted?.profile.needs ?? null, this.#isHeld)
    if (cause !== null) round.evict(placement, cause)
    return cause
  }

  /** Gives a tenant the seat that the view says. What is there already by our own decision is no news. */
  #reseat(tenant: Tenant, { machine, ports }: Placement, changed: boolean, round: Round): void {
    const isKnown = tenant.seat?.id === machine && samePorts(tenant.ports, ports)
    if (!isKnown) {
      if (tenant.seat !== null) this.roster.unseat(tenant)
      this.roster.seat(tenant, this.seating.at(machine), ports)
    }
    if ((changed || !isKnown) && tenant.seat !== null) round.suspects.add(tenant.seat)
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
