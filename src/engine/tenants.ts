// Units sorted into kinds: those that ask for the same and that rules treat alike. Whether a machine can take one of a
// kind is found out once for all of them.
import { byKeys } from '../lib/sort.js'
import type { DesiredUnit } from '../model/unit.js'
import { isHard, isNear, machinePrefix } from '../unit/affinity.js'
import type { PortNeed, Requirements } from '../unit/requirements.js'
import type { Family, Identity, Kind, Profile, Selector, Tenant } from './cast.js'
import type { SelectorBook } from './selectors.js'

/** Older units first, then by instance number and name: the order in which seats are given out. */
export const byAge = byKeys<Tenant>(
  ({ unit }) => unit.createdAt,
  ({ unit }) => unit.instance?.n ?? 0,
  ({ unit }) => unit.name,
)

/** Finds the kind of each unit. */
export class Kinds {
  readonly #book: SelectorBook
  readonly #profiles = new Map<Requirements, Map<string, Profile>>()
  #count = 0

  constructor(book: SelectorBook) {
    this.#book = book
  }

  /** The profile of a unit; its rules are in the book from then on. */
  profileOf(unit: DesiredUnit, needs: Requirements): Profile {
    const { project = null, service = null } = unit.instance ?? {}
    const stem = stemOf(unit)
    const key = `${project ?? ''} ${service ?? ''} ${stem}`
    const ofNeeds = this.#profiles.get(needs) ?? new Map<string, Profile>()
    const known = ofNeeds.get(key)
    if (known !== undefined) return known
    const made = this.#makeProfile(needs, { project, service, labels: needs.labels, stem })
    ofNeeds.set(key, made)
    this.#profiles.set(needs, ofNeeds)
    return made
  }

  /** The kind of a unit, by the selectors that pick it now. */
  kindOf(unit: DesiredUnit, profile: Profile): Kind {
    this.#lookAt(profile)
    const who = identityOf(unit)
    const pickedBy =
      profile.candidates.length === 0 ? none : profile.candidates.filter((one) => one.picks(who))
    const key = pickedBy.length === 0 ? '' : pickedBy.map((one) => one.id).join(' ')
    const known = profile.kinds.get(key)
    if (known !== undefined) return known
    const made: Kind = { id: this.#count++, profile, pickedBy, waiting: new Set(), told: null }
    profile.kinds.set(key, made)
    return made
  }

  /** Tenants that selectors may pick which came into the book since these tenants were last looked at. */
  newlyPicked(): readonly Tenant[] {
    const found: Tenant[] = []
    for (const ofNeeds of this.#profiles.values()) {
      for (const profile of ofNeeds.values()) {
        if (profile.lookedAt === this.#book.list.length) continue
        const before = profile.candidates.length
        this.#lookAt(profile)
        if (profile.candidates.length > before) found.push(...profile.tenants)
      }
    }
    return found
  }

  #lookAt(profile: Profile): void {
    for (; profile.lookedAt < this.#book.list.length; profile.lookedAt++) {
      const selector = this.#book.list[profile.lookedAt]
      if (selector?.mayPick(profile.family)) profile.candidates.push(selector)
    }
  }

  #makeProfile(needs: Requirements, family: Family): Profile {
    const { fleet, affinity, spread } = needs
    const others = affinity.filter(({ key }) => !key.startsWith(machinePrefix))
    return {
      needs,
      family,
      conflicts: fleet.conflicts.map((pattern) => this.#book.byName(pattern)),
      replaces: fleet.replaces.map((pattern) => this.#book.byName(pattern)),
      rules: others.map((rule) => ({
        rule,
        hard: isHard(rule),
        near: isNear(rule),
        selector: this.#book.byRule(family.project, rule),
      })),
      spread: spread === null ? null : { key: spread, selector: this.#siblings(family) },
      tenants: new Set(),
      candidates: [],
      lookedAt: 0,
      kinds: new Map(),
    }
  }

  /** Picks the units of the same service, or of the same template. */
  #siblings({ project, service, stem }: Family): Selector {
    if (service === null) return this.#book.byName(`${stem.replace(/[*?[\\]/g, '\\$&')}*`)
    return this.#book.byRule(project, { key: 'service', operator: '==', value: service, by: null })
  }
}

const none: readonly Selector[] = []

function stemOf({ name }: DesiredUnit): string {
  const at = name.indexOf('@')
  return at === -1 ? '' : name.slice(0, at + 1)
}

function identityOf(unit: DesiredUnit): Identity {
  return { name: unit.name, instance: unit.instance?.name ?? null, uuid: unit.instance?.uuid ?? null }
}

/** The ports of a kind that are fixed: a resource of the machine. */
export function fixedPorts(kind: Kind): readonly PortNeed[] {
  return kind.profile.needs.ports.filter((port) => port.host !== null)
}
