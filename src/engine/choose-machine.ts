// Which machine a party goes to: of those that can take it the ones it prefers, and of these the least loaded.

import { picksItself, pinKind, type RefusalKind, tenantsReason, whyNot } from './constraints.js'
import { bindPorts } from './ports.js'
import { codeOf, type Domain, kindOf, notPreferred, type Question, type Rankings } from './ranking-cache.js'
import type { Seating } from './state/machines.js'
import type { Seat } from './state/model.js'
import type { Party, PartyPorts, Preference } from './state/placement-group.js'
import { domainOf } from './state/selectors.js'

/** A machine for a party, with the host ports of its members. */
export interface Choice {
  readonly seat: Seat
  readonly ports: PartyPorts
}

/** How many machines give which reason, with the first of them. */
export type Tally = ReadonlyMap<RefusalKind, { readonly seat: Seat; readonly machines: number }>

/** The few machines that a rule leaves, and what the others say; `all` where no rule narrows them down. */
type Shortlist = 'all' | { readonly seats: readonly Seat[]; readonly others: RefusalKind }

/** Chooses for one party after another, on what is free at that time. */
export class Chooser {
  readonly #seating: Seating
  readonly #rankings: Rankings

  constructor(seating: Seating, rankings: Rankings) {
    this.#seating = seating
    this.#rankings = rankings
  }

  /** The machine that a party goes to; null when none can take it. */
  choose(party: Party): Choice | null {
    const shortlist = this.#shortlist(party)
    if (shortlist === 'all') return this.#fromAll(party)
    const able = shortlist.seats.flatMap((seat) => tryOut(party, seat) ?? [])
    return this.#preferred(party, able)
  }

  /** Why each machine refuses a party that `choose` found none for. */
  tally(party: Party): Tally {
    const found = new Map<RefusalKind, { readonly seat: Seat; readonly machines: number }>()
    const tell = (seat: Seat, kind: RefusalKind, machines = 1): void => {
      const known = found.get(kind)
      const first = known === undefined || seat.slot < known.seat.slot ? seat : known.seat
      found.set(kind, { seat: first, machines: (known?.machines ?? 0) + machines })
    }
    const { present } = this.#seating
    const shortlist = this.#shortlist(party)
    if (shortlist === 'all') {
      this.#first(party, [], null, 'why')
      this.#rankings.of(party.shape, [], null, 'why').eachRefusal((slot, code) => {
        const seat = present[slot]
        if (seat !== undefined) tell(seat, kindOf(code))
      })
      return found
    }
    const listed = new Set(shortlist.seats.filter((seat) => seat.slot >= 0))
    for (const seat of listed) tell(seat, whyNot(party, seat) ?? 'ports-used-up')
    const other = present.find((seat) => !listed.has(seat))
    if (other !== undefined) tell(other, shortlist.others, present.length - listed.size)
    return found
  }

  #shortlist({ shape, pins, missing }: Party): Shortlist {
    if (missing !== null) return { seats: [], others: 'no-target' }
    const [pin] = pins
    if (pin !== undefined) return { seats: [pin.seat], others: pinKind(pin) }
    const { machineId, nearRules } = shape
    if (machineId !== null) return { seats: this.#wanted(machineId), others: 'machine-id' }
    if (nearRules.length === 0) return 'all'
    const rule = nearRules.find(({ selector }) => selector.total > 0)
    if (rule === undefined) {
      const lonely = nearRules.some(({ selector }) => !picksItself(shape, selector))
      return lonely ? { seats: [], others: 'nothing-near' } : 'all'
    }
    return { seats: this.#near(rule.selector.on, rule.rule.by), others: 'near' }
  }

  #wanted(id: string): readonly Seat[] {
    return this.#seating.present.filter((seat) => seat.id === id)
  }

  /** Machines near to all that a rule picks: there are some only if all of it is in one place. */
  #near(on: ReadonlyMap<Seat, number>, by: string | null): readonly Seat[] {
    const seats = [...on.keys()]
    if (by === null) return seats.length === 1 ? seats : []
    const values = new Set(seats.map((seat) => domainOf(seat, by)))
    const [value = null] = values
    return values.size === 1 && value !== null ? (this.#rankings.partition(by).get(value)?.seats ?? []) : []
  }

  /** Of some machines that can take it; soft rules that would leave none are dropped, one after the other. */
  #preferred(party: Party, able: readonly Choice[]): Choice | null {
    let left = able
    for (const preference of party.shape.preferences) {
      const kept = left.filter(({ seat }) => keeps(preference, seat))
      if (kept.length > 0) left = kept
    }
    const { spread } = party.shape
    const held = spread === null ? null : spread.selector.domain(spread.key)
    const crowd = ({ seat }: Choice): number =>
      spread === null ? 0 : (held?.get(domainOf(seat, spread.key)) ?? 0)
    return left.reduce<Choice | null>((best, one) => {
      if (best === null) return one
      const order =
        crowd(one) - crowd(best) || one.seat.load - best.seat.load || one.seat.slot - best.seat.slot
      return order < 0 ? one : best
    }, null)
  }

  #fromAll(party: Party): Choice | null {
    let kept: readonly Preference[] = []
    let best: Choice | null = null
    for (const preference of party.shape.preferences) {
      const found = this.#best(party, [...kept, preference])
      if (found === null) continue
      kept = [...kept, preference]
      best = found
    }
    return best ?? this.#best(party, [])
  }

  /** The least loaded machine that can take it and meets these preferences; first where fewest of its like are. */
  #best(party: Party, kept: readonly Preference[]): Choice | null {
    const { spread } = party.shape
    if (spread === null) return this.#first(party, kept, null)
    const crowds = spread.selector.domain(spread.key)
    const open = new Set(this.#rankings.partition(spread.key).values())
    while (open.size > 0) {
      const domain = emptiest(open, crowds)
      if (domain === null) return null
      const found = this.#first(party, kept, domain)
      if (found !== null) return found
      open.delete(domain)
    }
    return null
  }

  #first(
    party: Party,
    kept: readonly Preference[],
    domain: Domain | null,
    question: Question = 'whom',
  ): Choice | null {
    const ranking = this.#rankings.of(party.shape, kept, domain, question)
    const { present, levels } = this.#seating
    for (let slot = ranking.first(levels); slot !== -1; slot = ranking.first(levels)) {
      const seat = present[slot]
      if (seat === undefined) return null
      const reason = tenantsReason(party, seat)
      if (reason !== null) ranking.refuse(slot, codeOf(reason))
      else if (kept.some((one) => !keeps(one, seat))) ranking.refuse(slot, notPreferred)
      else {
        const ports = bindPorts(seat, party.members)
        if (ports !== null) return { seat, ports }
        ranking.refuse(slot, codeOf('ports-used-up'))
      }
    }
    return null
  }
}

/** A machine that can take a party, with its ports; null when it cannot. */
export function tryOut(party: Party, seat: Seat): Choice | null {
  if (seat.slot < 0 || whyNot(party, seat) !== null) return null
  const ports = bindPorts(seat, party.members)
  return ports === null ? null : { seat, ports }
}

function keeps(preference: Preference, seat: Seat): boolean {
  if (preference.about === 'machine') return preference.rule.allows(domainOf(seat, preference.rule.key))
  const { rule, near, selector } = preference.rule
  return selector.near(seat, rule.by) > 0 === near
}

/** The domain with the fewest units of its like; then the one with the lower load on its machines. */
function emptiest(domains: ReadonlySet<Domain>, crowds: ReadonlyMap<string | null, number>): Domain | null {
  let best: Domain | null = null
  let least = 0
  for (const domain of domains) {
    const crowd = crowds.get(domain.value) ?? 0
    if (best !== null && (crowd > least || (crowd === least && !isCalmer(domain, best)))) continue
    best = domain
    least = crowd
  }
  return best
}

function isCalmer(one: Domain, other: Domain): boolean {
  return one.load * other.seats.length < other.load * one.seats.length
}
