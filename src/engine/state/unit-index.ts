// Who is to be somewhere: every unit that is wanted, by name, as the scheduler holds it.
import { invariant } from '../../lib/invariant.js'
import type { MachineId } from '../../model/machine.js'
import type { DesiredUnit, PlacementCause, PortBinding, UnitName } from '../../model/unit.js'
import type { Requirements } from '../../unit/requirements.js'
import { Kinds } from './equivalence-classes.js'
import type { Seating } from './machines.js'
import type { Kind, Profile, Seat, Tenant } from './model.js'
import { type Bonds, hasHome, type Pin } from './placement-group.js'
import { SelectorBook } from './selectors.js'

/** What a unit asks for: one and the same value for units that ask for the same as far as possible. */
export type NeedsOf = (unit: DesiredUnit) => Requirements

/** What a unit that is to be somewhere asks for: one and the same value for new units that ask for the same. */
export interface Wanted {
  readonly profile: Profile
  readonly targets: readonly string[]
  /** Itself, as it was before; undefined where it was not on the roster. */
  readonly tenant: Tenant | undefined
}

/** A global unit, with those of its tenants that have a seat, by machine. */
export interface GlobalUnit {
  unit: DesiredUnit
  kind: Kind
  readonly tenants: Map<MachineId, Tenant>
  /** How far the cluster had come when all machines had been tried for it; null before that. */
  tried: Progress | null
}

/** How far the cluster has come: by generations of machines, changes on them, and changes that reach further. */
export interface Progress {
  readonly generation: number
  readonly changed: number
  readonly farReaching: number
}

export class Roster implements Bonds {
  readonly globals = new Map<UnitName, GlobalUnit>()
  /** Kinds with tenants that wait by themselves. */
  readonly waiting = new Set<Kind>()
  /** Those that wait and are placed together with others, or where they are. */
  readonly bound = new Set<Tenant>()
  readonly #kinds = new Kinds(new SelectorBook())
  readonly #tenants = new Map<string, Tenant>()
  readonly #followers = new Map<UnitName, Set<Tenant>>()
  readonly #seating: Seating
  readonly #needsOf: NeedsOf
  readonly #homesOf: Bonds['homesOf']
  #latest: Wanted | null = null

  /** `homesOf` says where the volumes are that a tenant goes to. */
  constructor(seating: Seating, needsOf: NeedsOf, homesOf: Bonds['homesOf'] = () => none) {
    this.#seating = seating
    this.#needsOf = needsOf
    this.#homesOf = homesOf
  }

  homesOf(tenant: Tenant): readonly Pin[] {
    return this.#homesOf(tenant)
  }

  /** The tenant of a unit that is wanted and not global. */
  tenant(name: string): Tenant | undefined {
    return this.#tenants.get(name)
  }

  followers(name: UnitName): ReadonlySet<Tenant> | undefined {
    return this.#followers.get(name)
  }

  /** Whether it is placed together with others, or where they or its volumes are: none of its kind stands for it. */
  isBound(tenant: Tenant): boolean {
    return tenant.targets.length > 0 || tenant.followers !== null || hasHome(tenant)
  }

  /** Those that follow others or are followed, as far as they are on the roster. */
  *tied(): Iterable<Tenant> {
    if (this.#followers.size === 0) return
    for (const tenant of this.#tenants.values()) if (this.isBound(tenant)) yield tenant
  }

  /** All that wait and hang together by MachineOf=, from some units on, wanted or not. */
  *circles(names: Iterable<string>): Iterable<Tenant> {
    const seen = new Set<string>(names)
    for (const name of seen) {
      const tenant = this.#tenants.get(name)
      if (tenant?.seat === null) {
        yield tenant
        for (const target of tenant.targets) seen.add(target)
      }
      for (const follower of this.#followers.get(name as UnitName) ?? [])
        if (follower.seat === null) seen.add(follower.unit.name)
    }
  }

  /** Notes what the rules of a unit pick; all units of a round before the kind of any of them is asked for. */
  announce(unit: DesiredUnit): Wanted {
    const tenant = this.#tenants.get(unit.name)
    if (tenant !== undefined && isSameText(tenant.unit, unit))
      return { profile: tenant.kind.profile, targets: tenant.targets, tenant }
    const global = this.globals.size === 0 ? undefined : this.globals.get(unit.name)
    if (global !== undefined && isSameText(global.unit, unit))
      return { profile: global.kind.profile, targets: none, tenant }
    const needs = this.#needsOf(unit)
    const profile = this.#kinds.profileOf(unit, needs)
    const { machineOf: targets } = needs.fleet
    const latest = this.#latest
    if (tenant === undefined && latest?.profile === profile && latest.targets === targets) return latest
    const wanted: Wanted = { profile, targets, tenant }
    this.#latest = tenant === undefined ? wanted : null
    return wanted
  }

  /** Gives a new kind to tenants that rules pick which were not known before. Returns those that changed. */
  sortAgain(): readonly Tenant[] {
    const changed: Tenant[] = []
    for (const tenant of this.#kinds.newlyPicked()) {
      const kind = this.#kinds.kindOf(tenant.unit, tenant.kind.profile)
      if (kind === tenant.kind) continue
      this.#change(tenant, () => {
        tenant.kind = kind
      })
      changed.push(tenant)
    }
    // Those without a seat are tenants of nobody yet.
    for (const global of this.globals.values())
      global.kind = this.#kinds.kindOf(global.unit, global.kind.profile)
    return changed
  }

  /**
   * Takes a unit in as it is now. It keeps its seat, if it has one. Returns whether it asks for something else, or
   * counts for something else, than before.
   */
  admit(
    unit: DesiredUnit,
    wanted: Wanted,
    active: boolean,
  ): { readonly tenant: Tenant; readonly changed: boolean } {
    const { targets, tenant: known } = wanted
    const kind = this.#kinds.kindOf(unit, wanted.profile)
    if (known === undefined) {
      const tenant = this.#newTenant(unit, kind, targets, active)
      this.#tenants.set(unit.name, tenant)
      this.#enlist(tenant)
      return { tenant, changed: true }
    }
    const changed = known.kind !== kind || known.active !== active || !sameTexts(known.targets, targets)
    if (changed || known.unit.createdAt !== unit.createdAt) {
      this.#change(known, () => {
        known.unit = unit
        known.kind = kind
        known.targets = targets
        known.active = active
      })
    } else known.unit = unit
    return { tenant: known, changed }
  }

  /** How many things are asked for that are not the same. */
  get profiles(): number {
    return this.#kinds.size
  }

  /** Forgets what no unit asks for any more; not between announcing units and admitting them. */
  forgetUnused(): void {
    this.#latest = null
    this.#kinds.forgetUnused()
  }

  /** Forgets a unit that is not wanted any more. */
  dismiss(name: UnitName): void {
    const tenant = this.#tenants.get(name)
    if (tenant === undefined) return
    this.#seating.leave(tenant)
    this.#delist(tenant)
    this.#tenants.delete(name)
  }

  /** Takes a global unit in as it is now. Returns whether it asks for something else than before. */
  admitGlobal(
    unit: DesiredUnit,
    { profile }: Wanted,
  ): { readonly global: GlobalUnit; readonly changed: boolean } {
    const known = this.globals.get(unit.name)
    const kind = this.#kinds.kindOf(unit, profile)
    if (known === undefined) {
      const global: GlobalUnit = { unit, kind, tenants: new Map(), tried: null }
      this.globals.set(unit.name, global)
      return { global, changed: true }
    }
    const changed = known.kind !== kind
    known.unit = unit
    known.kind = kind
    if (changed) known.tried = null
    for (const tenant of [...known.tenants.values()]) {
      tenant.unit = unit
      if (!changed) continue
      this.#change(tenant, () => {
        tenant.kind = kind
      })
    }
    return { global: known, changed }
  }

  dismissGlobal(name: UnitName): void {
    const global = this.globals.get(name)
    if (global === undefined) return
    for (const tenant of [...global.tenants.values()]) this.unseat(tenant)
    this.globals.delete(name)
  }

  /** A unit as it would be as a tenant; it is not on the roster. What it asks for can be given, if no text has it yet. */
  stranger(unit: DesiredUnit, needs: Requirements | null = null): Tenant {
    const { profile, targets } =
      needs === null
        ? this.announce(unit)
        : { profile: this.#kinds.profileOf(unit, needs), targets: needs.fleet.machineOf }
    return this.#newTenant(unit, this.#kinds.kindOf(unit, profile), targets, true)
  }

  /** A tenant of a global unit, for one machine. It is on the roster from the time that it has its seat. */
  globalTenant({ unit, kind }: GlobalUnit): Tenant {
    return this.#newTenant(unit, kind, none, true)
  }

  seat(tenant: Tenant, seat: Seat, ports: readonly PortBinding[]): void {
    const { kind, unit } = tenant
    this.#seating.enter(tenant, seat, ports)
    if (kind.profile.needs.fleet.global) {
      this.globals.get(unit.name)?.tenants.set(seat.id, tenant)
      kind.profile.tenants.add(tenant)
    } else this.#stopWaiting(tenant)
  }

  /** Takes a tenant from its seat; it waits for another one, unless it is one of a global unit. */
  unseat(tenant: Tenant, cause: PlacementCause = tenant.cause): void {
    if (tenant.kind.profile.needs.fleet.global) this.#delist(tenant)
    else this.#startWaiting(tenant)
    this.#seating.leave(tenant)
    tenant.cause = cause
  }

  #change(tenant: Tenant, change: () => void): void {
    const { seat, ports } = tenant
    this.#delist(tenant)
    this.#seating.leave(tenant)
    change()
    if (seat !== null) this.#seating.enter(tenant, seat, ports)
    this.#enlist(tenant)
  }

  #enlist(tenant: Tenant): void {
    const { profile } = tenant.kind
    profile.tenants.add(tenant)
    if (profile.needs.fleet.global) {
      const global = this.globals.get(tenant.unit.name)
      invariant(global !== undefined && tenant.seat !== null, `${tenant.unit.name} is global and has no seat`)
      global.tenants.set(tenant.seat.id, tenant)
      return
    }
    for (const target of tenant.targets) this.#bind(tenant, target as UnitName)
    if (tenant.seat === null) this.#startWaiting(tenant)
  }

  #delist(tenant: Tenant): void {
    const { kind } = tenant
    kind.profile.tenants.delete(tenant)
    if (kind.profile.needs.fleet.global) {
      if (tenant.seat !== null) this.globals.get(tenant.unit.name)?.tenants.delete(tenant.seat.id)
      return
    }
    for (const target of tenant.targets) this.#release(tenant, target as UnitName)
    this.#stopWaiting(tenant)
  }

  #bind(tenant: Tenant, target: UnitName): void {
    const known = this.#followers.get(target)
    known?.add(tenant)
    if (known === undefined) this.#changeBonds(target, new Set([tenant]))
  }

  #release(tenant: Tenant, target: UnitName): void {
    const known = this.#followers.get(target)
    known?.delete(tenant)
    if (known?.size === 0) this.#changeBonds(target, null)
  }

  /** Who waits by itself does not any more once it is followed, and the other way round. */
  #changeBonds(target: UnitName, followers: Set<Tenant> | null): void {
    if (followers === null) this.#followers.delete(target)
    else this.#followers.set(target, followers)
    const tenant = this.#tenants.get(target)
    if (tenant?.seat === null) this.#stopWaiting(tenant)
    if (tenant !== undefined) tenant.followers = followers
    if (tenant?.seat === null) this.#startWaiting(tenant)
  }

  #startWaiting(tenant: Tenant): void {
    if (this.isBound(tenant)) {
      this.bound.add(tenant)
      return
    }
    tenant.kind.waiting.add(tenant)
    this.waiting.add(tenant.kind)
  }

  #stopWaiting(tenant: Tenant): void {
    if (this.isBound(tenant)) {
      this.bound.delete(tenant)
      return
    }
    const { kind } = tenant
    kind.waiting.delete(tenant)
    if (kind.waiting.size === 0) this.waiting.delete(kind)
  }

  #newTenant(unit: DesiredUnit, kind: Kind, targets: readonly string[], active: boolean): Tenant {
    return {
      unit,
      kind,
      targets,
      seat: null,
      line: null,
      ports: none,
      active,
      cause: forNew,
      followers: (this.#followers.size > 0 ? this.#followers.get(unit.name) : null) ?? null,
      placeOnSeat: -1,
      placeInProfile: -1,
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
