// The scheduler: follows the view change by change and decides on what has changed. Started on a view it gives the
// same answer as one that has followed the view from the beginning.
import { byKeys } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import type { Placement, PortBinding, UnitName, Waiting } from '../model/unit.js'
import type { Change } from '../store/store.js'
import type { ClusterView } from '../store/view.js'
import type { EnginePlan, EvictionCause } from './actions.js'
import type { Kind, Seat, Tenant } from './cast.js'
import { type Choice, Chooser, tryOut } from './choose.js'
import { ClusterIndex } from './cluster-index.js'
import { causeAfter } from './evict.js'
import { refusalOf, replaces } from './fit.js'
import { type Party, partyOf, Shapes, targetsOf } from './party.js'
import { Rankings } from './rankings.js'
import { recheck } from './recheck.js'
import type { GlobalUnit, NeedsOf } from './roster.js'
import { Round } from './round.js'
import { byAge } from './tenants.js'

export class Scheduler {
  readonly #index: ClusterIndex
  readonly #shapes = new Shapes()
  readonly #chooser: Chooser
  /** How far the changes of seats had come when the last step ended. */
  #generation = -1
  #changed = -1

  constructor(view: ClusterView, needsOf: NeedsOf) {
    this.#index = new ClusterIndex(view, needsOf)
    const { seating } = this.#index
    this.#chooser = new Chooser(seating, new Rankings(seating))
  }

  /** Notes a change that the view has taken in. */
  note(change: Change): void {
    this.#index.note(change)
  }

  /**
   * Decides what to do about what changed since the last step. It takes its decisions for done: where they could not be
   * written, a new scheduler has to start from the view.
   */
  step(now: Instant): EnginePlan {
    if (this.#index.isUpToDate) return { actions: [], wakeAt: null }
    const round = new Round(now)
    this.#index.follow(round)
    this.#followTargets(round)
    for (const seat of [...round.suspects].sort(byId)) this.#recheck(seat, round)
    this.#followTargets(round)
    this.#placeGlobals(round)
    this.#placeWaiting(round)
    const { seating } = this.#index
    this.#changed = seating.changed
    this.#generation = seating.generation
    return { actions: round.actions(), wakeAt: null }
  }

  /** Followers do not stay where their target is not (fleet's AbleToRun: "required peer is not scheduled locally"). */
  #followTargets(round: Round): void {
    const { roster } = this.#index
    for (const name of round.moved) {
      round.moved.delete(name)
      const tenant = roster.tenant(name)
      for (const one of [...(tenant === undefined ? [] : [tenant]), ...(roster.followers(name) ?? [])]) {
        if (one.seat === null) continue
        const target = targetsOf(one).find((wanted) => roster.tenant(wanted)?.seat !== one.seat)
        if (target !== undefined) this.#evict(one, { kind: 'target-moved', target }, round)
      }
    }
  }

  #recheck(seat: Seat, round: Round): void {
    const order = byKeys<Tenant>(
      ({ unit }) => this.#placementOf(unit.name, seat)?.at ?? 0,
      ({ unit }) => unit.createdAt,
      ({ unit }) => unit.instance?.n ?? 0,
      ({ unit }) => unit.name,
    )
    for (const { tenant, cause } of recheck(seat, this.#index.seating, this.#shapes, order))
      this.#evict(tenant, cause, round)
  }

  #placementOf(name: UnitName, seat: Seat): Placement | undefined {
    return this.#index.view.placedOn(seat.id).get(name)
  }

  /** Ends a placement, or takes back one of this round. */
  #evict(tenant: Tenant, cause: EvictionCause, round: Round): void {
    const { seat, unit } = tenant
    if (seat === null) return
    const placement = this.#placementOf(unit.name, seat)
    if (!round.takeBack(unit.name) && placement !== undefined) round.evict(placement, cause)
    this.#index.roster.unseat(tenant, placement === undefined ? tenant.cause : causeAfter(placement, cause))
    round.moved.add(unit.name)
    if (!tenant.kind.profile.needs.fleet.global) round.fresh.add(tenant)
  }

  /** A global unit goes to each machine that can take it; that others cannot is nothing to wait for. */
  #placeGlobals(round: Round): void {
    const { seating, roster } = this.#index
    const changed = this.#seatsChanged()
    const globals = [...roster.globals.values()].sort(
      byKeys(
        ({ unit }) => unit.createdAt,
        ({ unit }) => unit.name,
      ),
    )
    for (const global of globals) {
      const seats = round.freshGlobals.has(global.unit.name) ? seating.present : changed
      for (const seat of seats) if (!global.tenants.has(seat.id)) this.#placeGlobal(global, seat, round)
    }
  }

  #placeGlobal(global: GlobalUnit, seat: Seat, round: Round): void {
    const tenant = this.#index.roster.globalTenant(global)
    const choice = tryOut(
      { members: [tenant], shape: this.#shapes.of([tenant]), pins: [], missing: null },
      seat,
    )
    if (choice !== null) this.#seat(tenant, seat, choice.ports[0] ?? [], round)
  }

  /** Machines on which something has changed since the last step, by id. */
  #seatsChanged(): readonly Seat[] {
    const { seating } = this.#index
    const { present } = seating
    const slots = this.#generation === seating.generation ? seating.changedSince(this.#changed) : null
    if (slots === null) return present
    return [...new Set(slots)].sort((a, b) => a - b).flatMap((slot) => present[slot] ?? [])
  }

  #placeWaiting(round: Round): void {
    const queue = new Queue(this.#worthTrying(round))
    const failed = new Map<Kind, Waiting['refusals']>()
    const tried = new Set<Tenant>()
    for (let tenant = queue.next(); tenant !== null; tenant = queue.next()) {
      if (tenant.seat !== null || tried.has(tenant)) continue
      const known = this.#isBound(tenant) ? undefined : failed.get(tenant.kind)
      if (known !== undefined) {
        this.#wait(tenant, known, round)
        continue
      }
      const party = partyOf(tenant, this.#index.roster, this.#shapes)
      for (const member of party.members) tried.add(member)
      const evicted = this.#place(party, queue, failed, round)
      for (const one of evicted) {
        tried.delete(one)
        failed.clear()
        queue.add(one)
      }
    }
  }

  /** Places a party or says why it has to wait. Returns those that it took the place of. */
  #place(
    party: Party,
    queue: Queue,
    failed: Map<Kind, Waiting['refusals']>,
    round: Round,
  ): readonly Tenant[] {
    const taken = this.#takeOver(party, round)
    const choice = taken?.choice ?? this.#chooser.choose(party)
    const [first] = party.members
    const alone = first !== undefined && !this.#isBound(first) ? first : null
    if (choice !== null) {
      this.#seatParty(party, choice, round)
      for (const like of alone?.kind.waiting ?? []) queue.add(like)
    } else {
      const refusals = this.#refusals(party)
      for (const member of party.members) this.#wait(member, refusals, round)
      if (alone !== null) {
        failed.set(alone.kind, refusals)
        this.#tellKind(alone.kind, refusals, round)
      }
    }
    return taken?.evicted ?? []
  }

  /**
   * Who may be placed now. Of those that wait and are alike one stands for all, the oldest; all are tried where it
   * could matter what happens to others.
   */
  #worthTrying(round: Round): ReadonlySet<Tenant> {
    const { roster, seating } = this.#index
    const found = new Set<Tenant>()
    for (const tenant of round.fresh) if (tenant.seat === null) found.add(tenant)
    // Machines may have to be numbered anew.
    const { present } = seating
    if (present.length > 0 && this.#generation === seating.generation && this.#changed === seating.changed)
      return found
    const anyReplaces = [...roster.waiting].some((kind) => kind.profile.replaces.length > 0)
    for (const kind of roster.waiting) {
      const all = anyReplaces || kind.profile.rules.some(({ hard, near }) => hard && near)
      let oldest: Tenant | null = null
      for (const tenant of kind.waiting) {
        if (all || this.#isBound(tenant)) found.add(tenant)
        else if (oldest === null || byAge(tenant, oldest) < 0) oldest = tenant
      }
      if (oldest !== null) found.add(oldest)
    }
    return found
  }

  /** Whether it is placed together with others, or where they are. */
  #isBound(tenant: Tenant): boolean {
    return targetsOf(tenant).length > 0 || this.#index.roster.followers(tenant.unit.name) !== undefined
  }

  /**
   * The place of a unit that a member replaces (`Replaces=`), freed for it: fleet moves the replaced unit elsewhere.
   * Null when there is none that would do.
   */
  #takeOver(party: Party, round: Round): { choice: Choice; evicted: readonly Tenant[] } | null {
    const selectors = party.shape.kinds.flatMap(({ profile }) => profile.replaces)
    if (selectors.length === 0) return null
    const seats = new Set(selectors.flatMap(({ on }) => [...on.keys()]))
    for (const seat of [...seats].sort(
      byKeys(
        ({ load }) => load,
        ({ slot }) => slot,
      ),
    )) {
      const replaced = [...seat.tenants].filter(
        (tenant) =>
          !tenant.kind.profile.needs.fleet.global &&
          party.members.some((member) => replaces(member, tenant) && !replaces(tenant, member)),
      )
      const choice = replaced.length === 0 ? null : this.#tryWithout(replaced, party, seat)
      const [by] = party.members
      if (choice === null || by === undefined) continue
      for (const tenant of replaced) this.#evict(tenant, { kind: 'replaced', by: by.unit.name }, round)
      return { choice, evicted: replaced }
    }
    return null
  }

  /** What a machine would say if some were not there; leaves everyone where they were. */
  #tryWithout(tenants: readonly Tenant[], party: Party, seat: Seat): Choice | null {
    const { seating } = this.#index
    const ports = new Map(tenants.map((tenant) => [tenant, tenant.ports]))
    for (const tenant of tenants) seating.leave(tenant)
    const choice = tryOut(party, seat)
    for (const tenant of tenants) seating.enter(tenant, seat.id, ports.get(tenant) ?? [])
    return choice
  }

  #seatParty({ members }: Party, { seat, ports }: Choice, round: Round): void {
    for (const [index, member] of members.entries()) this.#seat(member, seat, ports[index] ?? [], round)
  }

  #seat(tenant: Tenant, seat: Seat, ports: readonly PortBinding[], round: Round): void {
    const { global } = tenant.kind.profile.needs.fleet
    this.#index.roster.seat(tenant, seat.id, ports)
    const cause = global ? ({ kind: 'global' } as const) : tenant.cause
    const where = { unit: tenant.unit.name, machine: seat.id, ports, cause, at: round.now }
    round.place(global ? { ...where, global } : where)
    tenant.cause = { kind: 'new' }
  }

  /** One machine for each kind of reason, and how many say so. */
  #refusals(party: Party): Waiting['refusals'] {
    const told = [...this.#chooser.tally(party)].map(([kind, { seat, machines }]) => {
      return { machine: seat.id, refusal: refusalOf(kind, party, seat), machines }
    })
    return told.sort(
      byKeys(
        ({ machine }) => machine,
        ({ refusal }) => refusal.kind,
      ),
    )
  }

  /** Tells all of a kind that wait why they do, unless they have been told just that. */
  #tellKind(kind: Kind, refusals: Waiting['refusals'], round: Round): void {
    const told = kindsOf(refusals)
    if (kind.told === told) return
    kind.told = told
    for (const tenant of kind.waiting) if (!this.#isBound(tenant)) this.#wait(tenant, refusals, round)
  }

  /** Says that a unit waits, unless the store says so for the same kinds of reasons already. */
  #wait(tenant: Tenant, refusals: Waiting['refusals'], round: Round): void {
    const { name } = tenant.unit
    const known = this.#index.view.waiting.get(name)
    tenant.cause = { kind: 'new' }
    if (known !== undefined && kindsOf(known.refusals) === kindsOf(refusals)) return
    round.wait({ unit: name, since: known?.since ?? round.now, refusals })
  }
}

function kindsOf(refusals: Waiting['refusals']): string {
  return [...new Set(refusals.map(({ refusal }) => refusal.kind))].sort().join(' ')
}

/** Tenants in the order of their age, each once; more may come while it is worked off. */
class Queue {
  #left: Tenant[]
  readonly #known: Set<Tenant>
  #isSorted = false

  constructor(tenants: ReadonlySet<Tenant>) {
    this.#left = [...tenants]
    this.#known = new Set(tenants)
  }

  add(tenant: Tenant): void {
    if (this.#known.has(tenant)) return
    this.#known.add(tenant)
    this.#left.push(tenant)
    this.#isSorted = false
  }

  next(): Tenant | null {
    if (!this.#isSorted) this.#left.sort((a, b) => byAge(b, a))
    this.#isSorted = true
    const tenant = this.#left.pop() ?? null
    return tenant
  }
}

function byId(a: Seat, b: Seat): number {
  return a.id < b.id ? -1 : 1
}
