// Who is to be somewhere: every unit that is wanted, by name, as the scheduler holds it.
import { invariant } from '../lib/invariant.js'
import type { MachineId } from '../model/machine.js'
import type { DesiredUnit, PlacementCause, PortBinding, UnitName } from '../model/unit.js'
import type { Requirements } from '../unit/requirements.js'
import type { Kind, Tenant } from './cast.js'
import type { Bonds } from './party.js'
import type { Seating } from './seats.js'
import { SelectorBook } from './selectors.js'
import { Kinds } from './tenants.js'

/** What a unit asks for: one and the same value for units that ask for the same as far as possible. */
export type NeedsOf = (unit: DesiredUnit) => Requirements

/** A global unit, with those of its tenants that have a seat, by machine. */
export interface GlobalUnit {
  unit: DesiredUnit
  kind: Kind
  readonly tenants: Map<MachineId, Tenant>
}

export class Roster implements Bonds {
  readonly globals = new Map<UnitName, GlobalUnit>()
  /** Kinds with tenants that wait. */
  readonly waiting = new Set<Kind>()
  readonly #kinds = new Kinds(new SelectorBook())
  readonly #tenants = new Map<string, Tenant>()
  readonly #followers = new Map<UnitName, Set<Tenant>>()
  readonly #seating: Seating
  readonly #needsOf: NeedsOf

  constructor(seating: Seating, needsOf: NeedsOf) {
    this.#seating = seating
    this.#needsOf = needsOf
  }

  /** The tenant of a unit that is wanted and not global. */
  tenant(name: string): Tenant | undefined {
    return this.#tenants.get(name)
  }

  followers(name: UnitName): ReadonlySet<Tenant> | undefined {
    return this.#followers.get(name)
  }

  isGlobal(unit: DesiredUnit): boolean {
    return this.#needsOf(unit).fleet.global
  }

  /** Notes what the rules of a unit pick; all units of a round before the kind of any of them is asked for. */
  announce(unit: DesiredUnit): void {
    this.#kinds.profileOf(unit, this.#needsOf(unit))
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
    return changed
  }

  kindOf(unit: DesiredUnit): Kind {
    return this.#kinds.kindOf(unit, this.#kinds.profileOf(unit, this.#needsOf(unit)))
  }

  /** Takes a unit in as it is now. It keeps its seat, if it has one. Returns whether it asks for something else. */
  admit(unit: DesiredUnit, active: boolean): { readonly tenant: Tenant; readonly changed: boolean } {
    const kind = this.kindOf(unit)
    const known = this.#tenants.get(unit.name)
    if (known === undefined) {
      const tenant = newTenant(unit, kind, active)
      this.#tenants.set(unit.name, tenant)
      this.#enlist(tenant)
      return { tenant, changed: true }
    }
    const changed = known.kind !== kind
    if (changed || known.active !== active) {
      this.#change(known, () => {
        known.unit = unit
        known.kind = kind
        known.active = active
      })
    } else known.unit = unit
    return { tenant: known, changed }
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
  admitGlobal(unit: DesiredUnit): { readonly global: GlobalUnit; readonly changed: boolean } {
    const kind = this.kindOf(unit)
    const known = this.globals.get(unit.name)
    if (known === undefined) {
      const global: GlobalUnit = { unit, kind, tenants: new Map() }
      this.globals.set(unit.name, global)
      return { global, changed: true }
    }
    const changed = known.kind !== kind
    known.unit = unit
    known.kind = kind
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

  /** A unit as it would be as a tenant; it is not on the roster. */
  stranger(unit: DesiredUnit): Tenant {
    return newTenant(unit, this.kindOf(unit), true)
  }

  /** A tenant of a global unit, for one machine. It is on the roster from the time that it has its seat. */
  globalTenant({ unit, kind }: GlobalUnit): Tenant {
    return newTenant(unit, kind, true)
  }

  seat(tenant: Tenant, machine: MachineId, ports: readonly PortBinding[]): void {
    const { kind, unit } = tenant
    this.#seating.enter(tenant, machine, ports)
    if (kind.profile.needs.fleet.global) {
      this.globals.get(unit.name)?.tenants.set(machine, tenant)
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
    if (seat !== null) this.#seating.enter(tenant, seat.id, ports)
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
    for (const target of profile.needs.fleet.machineOf) {
      const known = this.#followers.get(target as UnitName)
      if (known === undefined) this.#followers.set(target as UnitName, new Set([tenant]))
      else known.add(tenant)
    }
    if (tenant.seat === null) this.#startWaiting(tenant)
  }

  #delist(tenant: Tenant): void {
    const { kind } = tenant
    kind.profile.tenants.delete(tenant)
    if (kind.profile.needs.fleet.global) {
      if (tenant.seat !== null) this.globals.get(tenant.unit.name)?.tenants.delete(tenant.seat.id)
      return
    }
    for (const target of kind.profile.needs.fleet.machineOf) {
      const known = this.#followers.get(target as UnitName)
      known?.delete(tenant)
      if (known?.size === 0) this.#followers.delete(target as UnitName)
    }
    this.#stopWaiting(tenant)
  }

  #startWaiting(tenant: Tenant): void {
    tenant.kind.waiting.add(tenant)
    this.waiting.add(tenant.kind)
  }

  #stopWaiting(tenant: Tenant): void {
    const { kind } = tenant
    kind.waiting.delete(tenant)
    if (kind.waiting.size === 0) this.waiting.delete(kind)
  }
}

function newTenant(unit: DesiredUnit, kind: Kind, active: boolean): Tenant {
  return { unit, kind, seat: null, ports: [], active, cause: { kind: 'new' } }
}
