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
  readonly tenants: Crowd
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
  line: Line | null
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

/** Tenants in no order. */
export interface Crowd extends Iterable<Tenant> {
  readonly size: number
  add(tenant: Tenant): void
  delete(tenant: Tenant): void
}

/** Units of one family that ask for the same, whomever they follow. */
export interface Profile {
  readonly needs: Requirements
  readonly family: Family
  readonly conflicts: readonly Selector[]
  readonly replaces: readonly Selector[]
  readonly rules: readonly Rule[]
  readonly spread: { readonly key: string; readonly selector: Selector } | null
  readonly tenants: Crowd
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
  readonly waiting: Line
  /** The mark of the queue that its oldest is in; null for none. */
  queued: object | null
}

/** Tenants in the order in which they are given seats. */
export interface Line extends Iterable<Tenant> {
  readonly size: number
  add(tenant: Tenant): void
  delete(tenant: Tenant): void
  /** The first in the line; null when nobody waits. */
  oldest(): Tenant | null
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
