// Units sorted into kinds: those that ask for the same and that rules treat alike. Whether a machine can take one of a
// kind is found out once for all of them.
import type { DesiredUnit } from '../../model/unit.js'
import { isHard, isNear, machinePrefix } from '../../unit/affinity.js'
import type { PortNeed, Requirements } from '../../unit/requirements.js'
import {
  type Family,
  type Identity,
  type Kind,
  KnownPlaces,
  type Profile,
  type Selector,
  type Tenant,
  WaitingLine,
} from './model.js'
import type { SelectorBook } from './selectors.js'

/** Profiles are looked through once there are twice as many as after the last time, and so many more. */
const unusedAtLeast = 8

/** Finds the kind of each unit. */
export class Kinds {
  readonly #book: SelectorBook
  readonly #profiles = new Map<string, Profile>()
  /** What was asked for last: units of one text mostly come one after the other. */
  #last: { readonly needs: Requirements; readonly profile: Profile } | null = null
  /** How many selectors all profiles have been held against. */
  #lookedAt = 0
  readonly #contents = new WeakMap<Requirements, string>()
  /** From how many profiles on it is worth looking for those that are of no use any more. */
  #forgetsFrom = unusedAtLeast

  constructor(book: SelectorBook) {
    this.#book = book
  }

  /** The profile of a unit; its rules are in the book from then on. */
  profileOf(unit: DesiredUnit, needs: Requirements): Profile {
    const { project = null, service = null } = unit.instance ?? {}
    const last = this.#last
    if (last?.needs === needs && isFamily(last.profile.family, project, service, unit.name))
      return last.profile
    const profile = this.#profileOf(needs, project, service, stemOf(unit.name))
    this.#last = { needs, profile }
    return profile
  }

  #profileOf(needs: Requirements, project: string | null, service: string | null, stem: string): Profile {
    const key = `${project ?? ''} ${service ?? ''} ${stem} ${this.#contentOf(needs)}`
    const known = this.#profiles.get(key)
    if (known !== undefined) return known
    const made = this.#makeProfile(needs, { project, service, labels: needs.labels, stem })
    this.#profiles.set(key, made)
    return made
  }

  /** The kind of a unit, by the selectors that pick it now. */
  kindOf(unit: DesiredUnit, profile: Profile): Kind {
    this.#lookAt(profile)
    let key = ''
    if (profile.candidates.length > 0) {
      const who = identityOf(unit)
      for (const one of profile.candidates) if (one.picks(who)) key += ` ${one.id}`
    }
    const known = profile.kinds.get(key)
    if (known !== undefined) return known
    const ids = new Set(key.split(' '))
    const pickedBy = profile.candidates.filter(({ id }) => ids.has(String(id)))
    const shapeKey = shapeKeyOf(profile, pickedBy)
    const made: Kind = { shapeKey, profile, pickedBy, waiting: new WaitingLine(), queued: null }
    profile.kinds.set(key, made)
    return made
  }

  /**
   * Forgets profiles that nobody has: each version of a service has its own. Not between the announcement of units and
   * their admission. Those of global units stay: such a unit may have a tenant nowhere.
   */
  forgetUnused(): void {
    if (this.#profiles.size < this.#forgetsFrom) return
    for (const [key, { tenants, needs }] of this.#profiles)
      if (tenants.size === 0 && !needs.fleet.global) this.#profiles.delete(key)
    this.#last = null
    this.#forgetsFrom = 2 * this.#profiles.size + unusedAtLeast
  }

  /** How many profiles there are. */
  get size(): number {
    return this.#profiles.size
  }

  /** Tenants that selectors may pick which came into the book since these tenants were last looked at. */
  newlyPicked(): readonly Tenant[] {
    const found: Tenant[] = []
    if (this.#lookedAt === this.#book.list.length) return found
    this.#lookedAt = this.#book.list.length
    for (const profile of this.#profiles.values()) {
      const before = profile.candidates.length
      this.#lookAt(profile)
      if (profile.candidates.length > before) for (const tenant of profile.tenants) found.push(tenant)
    }
    return found
  }

  #contentOf(needs: Requirements): string {
    const known = this.#contents.get(needs)
    if (known !== undefined) return known
    const made = JSON.stringify({ ...needs, fleet: { ...needs.fleet, machineOf: [] } })
    this.#contents.set(needs, made)
    return made
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
    const rules = others.map((rule) => ({
      rule,
      hard: isHard(rule),
      near: isNear(rule),
      selector: this.#book.byRule(family.project, rule),
    }))
    for (const { hard, near, selector } of rules) if (hard && near) selector.draws = true
    const replaces = (fleet.global ? [] : fleet.replaces).map((pattern) => this.#book.byName(pattern))
    for (const selector of replaces) selector.isReplaced = true
    return {
      needs,
      family,
      conflicts: fleet.conflicts.map((pattern) => this.#book.byName(pattern)),
      replaces,
      rules,
      spread: spread === null ? null : { key: spread, selector: this.#siblings(family) },
      tenants: new KnownPlaces('placeInProfile'),
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

function isFamily(family: Family, project: string | null, service: string | null, name: string): boolean {
  return family.project === project && family.service === service && hasStem(name, family.stem)
}

/** All that a machine's answer depends on. Whom a unit follows is no part of it: that says where to ask. */
function shapeKeyOf(
  { needs, conflicts, replaces, rules, spread }: Profile,
  pickedBy: readonly Selector[],
): string {
  const ids = (selectors: readonly Selector[]): readonly number[] => selectors.map(({ id }) => id)
  const { drivers, memoryMb, cpu, ports, fleet, networks, affinity } = needs
  return JSON.stringify([
    [drivers, memoryMb, cpu, ports, fleet.machineId, fleet.metadata, fleet.global, networks],
    [affinity, ids(rules.map(({ selector }) => selector))],
    [ids(conflicts), ids(replaces), spread?.key, spread?.selector.id, ids(pickedBy)],
  ])
}

function stemOf(name: string): string {
  const at = name.indexOf('@')
  return at === -1 ? '' : name.slice(0, at + 1)
}

/** Whether `stemOf` a name is this one, without making it. */
function hasStem(name: string, stem: string): boolean {
  return stem === '' ? !name.includes('@') : name.startsWith(stem)
}

function identityOf(unit: DesiredUnit): Identity {
  return { name: unit.name, instance: unit.instance?.name ?? null, uuid: unit.instance?.uuid ?? null }
}

/** The ports of a kind that are fixed: a resource of the machine. */
export function fixedPorts(kind: Kind): readonly PortNeed[] {
  return kind.profile.needs.ports.filter((port) => port.host !== null)
}
