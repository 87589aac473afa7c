// The nouns of the scheduler: machines, units and rules as it holds them, each pointing at the others.
import type { Machine, MachineId } from '../../model/machine.js'
import type { DesiredUnit, PlacementCause, PortBinding, UnitName } from '../../model/unit.js'
import type { AffinityRule } from '../../unit/affinity.js'
import type { Requirements } from '../../unit/requirements.js'

/** One machine with what is left of it. */
export interface Seat {
  readonly id: MachineId
  /** Null when the machine is not there, but something is still placed on it. */
  machine: Machine | null
  cordoned: boolean
  /** Its place among the machines that are there, by id; -1 while it is not there. */
  slot: number
  /** How many units take up room on it. */
  load: number
  freeMb: number
  /** In hundredths of a core. */
  freeCpu: number
  readonly tenants: KnownPlaces
  /** Who holds which host port. */
  readonly ports: Map<number, readonly PortHolder[]>
}

export interface PortHolder {
  /** Null: every address. */
  readonly ip: string | null
  readonly tenant: Tenant
}

/** A unit that is to be somewhere: one that waits for a seat, or has one. */
export interface Tenant {
  unit: DesiredUnit
  kind: Kind
  /** Units that it goes with (`MachineOf=`). */
  targets: readonly string[]
  seat: Seat | null
  /** Where it waits by itself for a seat. */
  line: WaitingLine | null
  ports: readonly PortBinding[]
  /** Whether it takes up room: an instance that has stopped for good holds its seat, but nothing else. */
  active: boolean
  /** Why it is to be placed. */
  cause: PlacementCause
  /** Those that go with it; null when there are none. */
  followers: ReadonlySet<Tenant> | null
  /** Its place among the tenants of its seat, and among those of its profile. */
  placeOnSeat: number
  placeInProfile: number
}

/** Units of one family that ask for the same, whomever they follow. */
export interface Profile {
  readonly needs: Requirements
  readonly family: Family
  readonly conflicts: readonly Selector[]
  readonly replaces: readonly Selector[]
  readonly rules: readonly Rule[]
  readonly spread: { readonly key: string; readonly selector: Selector } | null
  readonly tenants: KnownPlaces
  /** The selectors that may pick its units, of those that the book had when this was last looked at. */
  candidates: Selector[]
  lookedAt: number
  /** By the ids of the selectors that pick them. */
  readonly kinds: Map<string, Kind>
}

/** Units of one profile that the same selectors pick. */
export interface Kind {
  readonly profile: Profile
  readonly pickedBy: readonly Selector[]
  /** The same for kinds that any machine treats alike, whoever their units are. */
  readonly shapeKey: string
  /** Those that wait for a seat by themselves, and not as one of a group. */
  readonly waiting: WaitingLine
  /** The mark of the queue that its oldest is in; null for none. */
  queued: object | null
}

/** An affinity rule about other units, with what it picks. */
export interface Rule {
  readonly rule: AffinityRule
  readonly hard: boolean
  readonly near: boolean
  readonly selector: Selector
}

/** What of a unit a selector looks at. */
export interface Identity {
  readonly name: UnitName
  /** Name and uuid of the instance that it is. */
  readonly instance: string | null
  readonly uuid: string | null
}

/** What the units of one profile have in common, as far as selectors look at it. */
export interface Family {
  readonly project: string | null
  readonly service: string | null
  readonly labels: Readonly<Record<string, string>>
  /** What their names begin with: `web@` of a template's instances, nothing for other units. */
  readonly stem: string
}

/** Picks units, and counts those that have a seat. */
export interface Selector {
  readonly id: number
  /** As the rule that it comes from says it. */
  readonly text: string
  /** Whether some unit has to be near to what it picks. */
  draws: boolean
  /** Whether some unit takes the place of what it picks. */
  isReplaced: boolean
  /** Whether it may pick units of a family at all. */
  mayPick(family: Family): boolean
  /** Whether it picks a unit of a family that it may pick units of. */
  picks(who: Identity): boolean
  /** Seats with the number of picked units there. */
  readonly on: Map<Seat, number>
  /** Seats with the number of units there that keep picked units away (`Conflicts=`). */
  readonly conflicting: Map<Seat, number>
  /** Seats with the number of units there that take the place of picked units (`Replaces=`). */
  readonly replacing: Map<Seat, number>
  readonly total: number
  /** Goes up when a change on one machine can make another one acceptable. */
  readonly version: number
  add(seat: Seat): void
  remove(seat: Seat): void
  /** How many picked units are on machines with the same value of a metadata key; with null, on the machine itself. */
  near(seat: Seat, by: string | null): number
  /** Picked units by the value of a metadata key; null is for machines without it. */
  domain(key: string): ReadonlyMap<string | null, number>
}

/**
 * Units that know their place in the set: over a million units a `Set` costs several times the memory and time.
 * A tenant may be in one such set for each of the two places that it remembers.
 */
export class KnownPlaces {
  readonly #members: Tenant[] = []
  readonly #isSeat: boolean

  constructor(place: 'placeOnSeat' | 'placeInProfile') {
    this.#isSeat = place === 'placeOnSeat'
  }

  get size(): number {
    return this.#members.length
  }

  [Symbol.iterator](): Iterator<Tenant> {
    return this.#members.values()
  }

  add(tenant: Tenant): void {
    const place = this.#placeOf(tenant)
    if (place >= 0 && this.#members[place] === tenant) return
    this.#setPlace(tenant, this.#members.length)
    this.#members.push(tenant)
  }

  /** The last one takes its place. */
  delete(tenant: Tenant): void {
    const place = this.#placeOf(tenant)
    if (place < 0 || this.#members[place] !== tenant) return
    const last = this.#members.pop()
    if (last === undefined || last === tenant) return
    this.#members[place] = last
    this.#setPlace(last, place)
  }

  // Asked for by a name that is only known at run time, a field costs several times as much.
  #placeOf(tenant: Tenant): number {
    return this.#isSeat ? tenant.placeOnSeat : tenant.placeInProfile
  }

  #setPlace(tenant: Tenant, place: number): void {
    if (this.#isSeat) tenant.placeOnSeat = place
    else tenant.placeInProfile = place
  }
}

/** Older units first, then by instance number and name: the order in which seats are given out. */
export function byAge({ unit: a }: Tenant, { unit: b }: Tenant): number {
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt
  const n = (a.instance?.n ?? 0) - (b.instance?.n ?? 0)
  if (n !== 0) return n
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

/** A waiting line. Joining it in order and leaving it at its head cost next to nothing, whatever its length. */
export class WaitingLine {
  size = 0
  /** By age from `#head` on, as long as it is sorted. Who left it is known by waiting in no line, or in another one. */
  #order: Tenant[] = []
  #head = 0
  #isSorted = true

  add(tenant: Tenant): void {
    if (tenant.line === this) return
    tenant.line = this
    this.size++
    const last = this.#order.at(-1)
    if (last !== undefined && this.#isSorted && byAge(last, tenant) > 0) this.#isSorted = false
    this.#order.push(tenant)
  }

  [Symbol.iterator](): Iterator<Tenant> {
    if (!this.#isSorted) this.#sort()
    return this.#order.slice(this.#head).values()
  }

  delete(tenant: Tenant): void {
    if (tenant.line !== this) return
    tenant.line = null
    this.size--
    // One that leaves from the middle may come back with another age, so its place there is worth nothing.
    if (this.#order[this.#head] === tenant) this.#head++
    else this.#isSorted = false
    if (this.size > 0) return
    this.#order = []
    this.#head = 0
    this.#isSorted = true
  }

  /** The first in the line; null when nobody waits. */
  oldest(): Tenant | null {
    if (!this.#isSorted) this.#sort()
    return this.#order[this.#head] ?? null
  }

  #sort(): void {
    this.#order = [...new Set(this.#order)].filter(({ line }) => line === this).sort(byAge)
    this.#head = 0
    this.#isSorted = true
  }
}
