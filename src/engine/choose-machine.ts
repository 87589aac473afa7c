// Which machine a group goes to: of the feasible ones those that it prefers, and of these the least loaded.

import { firstRefusal, picksItself, pinKind, type RefusalKind, unitsReason } from './constraints.js'
import {
  codeOf,
  type Domain,
  kindOf,
  notPreferred,
  type RankingCache,
  type RankingPurpose,
} from './least-loaded.js'
import { domainOf } from './state/equivalence-classes.js'
import type { MachineIndex } from './state/machines.js'
import { bindPorts } from './state/machines.js'
import type { MachineState } from './state/model.js'
import type { GroupPorts, PlacementGroup, Preference } from './state/placement-group.js'

/** A machine for a group, with the host ports of its members. */
export interface Choice {
  readonly machine: MachineState
  readonly ports: GroupPorts
}

/** How many machines refuse for which reason, with the first of them. */
type Tally = ReadonlyMap<RefusalKind, { readonly machine: MachineState; readonly machines: number }>

/** The few candidates that a constraint leaves, and why the others refuse; `all` where none narrows them down. */
type Shortlist = 'all' | { readonly machines: readonly MachineState[]; readonly others: RefusalKind }

/** Chooses for one group after another, on what is free at that time. */
export class MachineChooser {
  readonly #machines: MachineIndex
  readonly #rankings: RankingCache

  constructor(machines: MachineIndex, rankings: RankingCache) {
    this.#machines = machines
    this.#rankings = rankings
  }

  /** The machine that a group goes to; null when none can take it. */
  choose(group: PlacementGroup): Choice | null {
    const shortlist = this.#shortlist(group)
    if (shortlist === 'all') return this.#fromAll(group)
    const able = shortlist.machines.flatMap((machine) => tryOut(group, machine) ?? [])
    return this.#preferred(group, able)
  }

  /** Why each machine refuses a group that `choose` found none for. */
  tally(group: PlacementGroup): Tally {
    const found = new Map<RefusalKind, { readonly machine: MachineState; readonly machines: number }>()
    const note = (machine: MachineState, kind: RefusalKind, machines = 1): void => {
      const known = found.get(kind)
      const first = known === undefined || machine.position < known.machine.position ? machine : known.machine
      found.set(kind, { machine: first, machines: (known?.machines ?? 0) + machines })
    }
    const { present } = this.#machines
    const shortlist = this.#shortlist(group)
    if (shortlist === 'all') {
      this.#first(group, [], null, 'explain')
      this.#rankings.of(group.requirements, [], null, 'explain').eachRefusal((position, code) => {
        const machine = present[position]
        if (machine !== undefined) note(machine, kindOf(code))
      })
      return found
    }
    const listed = new Set(shortlist.machines.filter((machine) => machine.position >= 0))
    for (const machine of listed) note(machine, firstRefusal(group, machine) ?? 'ports-used-up')
    const other = present.find((machine) => !listed.has(machine))
    if (other !== undefined) note(other, shortlist.others, present.length - listed.size)
    return found
  }

  #shortlist({ requirements, pins, missingTarget }: PlacementGroup): Shortlist {
    if (missingTarget !== null) return { machines: [], others: 'no-target' }
    const [pin] = pins
    if (pin !== undefined) return { machines: [pin.machine], others: pinKind(pin) }
    const { machineId, nearTerms } = requirements
    if (machineId !== null) return { machines: this.#withId(machineId), others: 'machine-id' }
    if (nearTerms.length === 0) return 'all'
    const term = nearTerms.find(({ selector }) => selector.total > 0)
    if (term === undefined) {
      const lonely = nearTerms.some(({ selector }) => !picksItself(requirements, selector))
      return lonely ? { machines: [], others: 'nothing-near' } : 'all'
    }
    return { machines: this.#near(term.selector.machines, term.rule.by), others: 'near' }
  }

  #withId(id: string): readonly MachineState[] {
    return this.#machines.present.filter((machine) => machine.id === id)
  }

  /** Machines near to all units that a term picks: there are some only if these are all in one place. */
  #near(on: ReadonlyMap<MachineState, number>, by: string | null): readonly MachineState[] {
    const machines = [...on.keys()]
    if (by === null) return machines.length === 1 ? machines : []
    const values = new Set(machines.map((machine) => domainOf(machine, by)))
    const [value = null] = values
    return values.size === 1 && value !== null
      ? (this.#rankings.partition(by).get(value)?.machines ?? [])
      : []
  }

  /** Of feasible machines; preferences that would leave none are dropped, one after the other. */
  #preferred(group: PlacementGroup, able: readonly Choice[]): Choice | null {
    let left = able
    const kept: Preference[] = []
    for (const preference of group.requirements.preferences) {
      if (isImplied(preference, kept)) continue
      const meeting = left.filter(({ machine }) => meets(preference, machine))
      if (meeting.length === 0) continue
      kept.push(preference)
      left = meeting
    }
    const { spread } = group.requirements
    const held = spread === null ? null : spread.selector.domain(spread.key)
    const inDomain = ({ machine }: Choice): number =>
      spread === null ? 0 : (held?.get(domainOf(machine, spread.key)) ?? 0)
    return left.reduce<Choice | null>((best, one) => {
      if (best === null) return one
      const order =
        inDomain(one) - inDomain(best) ||
        one.machine.load - best.machine.load ||
        one.machine.position - best.machine.position
      return order < 0 ? one : best
    }, null)
  }

  #fromAll(group: PlacementGroup): Choice | null {
    let kept: readonly Preference[] = []
    let best: Choice | null = null
    for (const preference of group.requirements.preferences) {
      if (isImplied(preference, kept)) continue
      const found = this.#best(group, [...kept, preference])
      if (found === null) continue
      kept = [...kept, preference]
      best = found
    }
    return best ?? this.#best(group, [])
  }

  /** The least loaded machine that can take it and meets these preferences; first where fewest of its like are. */
  #best(group: PlacementGroup, kept: readonly Preference[]): Choice | null {
    const { spread } = group.requirements
    if (spread === null) return this.#first(group, kept, null)
    const inDomains = spread.selector.domain(spread.key)
    const open = new Set(this.#rankings.partition(spread.key).values())
    while (open.size > 0) {
      const domain = leastUsed(open, inDomains)
      if (domain === null) return null
      const found = this.#first(group, kept, domain)
      if (found !== null) return found
      open.delete(domain)
    }
    return null
  }

  #first(
    group: PlacementGroup,
    kept: readonly Preference[],
    domain: Domain | null,
    question: RankingPurpose = 'choose',
  ): Choice | null {
    const ranking = this.#rankings.of(group.requirements, kept, domain, question)
    const { present, loadBuckets } = this.#machines
    for (let position = ranking.first(loadBuckets); position !== -1; position = ranking.first(loadBuckets)) {
      const machine = present[position]
      if (machine === undefined) return null
      const reason = unitsReason(group, machine)
      if (reason !== null) ranking.refuse(position, codeOf(reason))
      else if (kept.some((one) => !meets(one, machine))) ranking.refuse(position, notPreferred)
      else {
        const ports = bindPorts(machine, group.members)
        if (ports !== null) return { machine, ports }
        ranking.refuse(position, codeOf('ports-used-up'))
      }
    }
    return null
  }
}

/** A machine that can take a group, with its ports; null when it cannot. */
export function tryOut(group: PlacementGroup, machine: MachineState): Choice | null {
  if (machine.position < 0 || firstRefusal(group, machine) !== null) return null
  const ports = bindPorts(machine, group.members)
  return ports === null ? null : { machine, ports }
}

function isImplied(preference: Preference, kept: readonly Preference[]): boolean {
  return (
    preference.about === 'units' && preference.insteadOf !== undefined && kept.includes(preference.insteadOf)
  )
}

function meets(preference: Preference, machine: MachineState): boolean {
  if (preference.about === 'machine') return preference.rule.allows(domainOf(machine, preference.rule.key))
  const { rule, near, selector } = preference.rule
  return selector.near(machine, rule.by) > 0 === near
}

/** The domain with the fewest units of its like; then the one with the lower load on its machines. */
function leastUsed(
  domains: ReadonlySet<Domain>,
  inDomains: ReadonlyMap<string | null, number>,
): Domain | null {
  let best: Domain | null = null
  let least = 0
  for (const domain of domains) {
    const inDomain = inDomains.get(domain.value) ?? 0
    if (best !== null && (inDomain > least || (inDomain === least && !isLessLoaded(domain, best)))) continue
    best = domain
    least = inDomain
  }
  return best
}

function isLessLoaded(one: Domain, other: Domain): boolean {
  return one.load * other.machines.length < other.load * one.machines.length
}
