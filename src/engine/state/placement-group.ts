// Units that are placed together: one with those that it follows (MachineOf=) and that have no seat yet, and where it can
// be with those that follow it.
import type { PortBinding, UnitName } from '../../model/unit.js'
import { compilePattern, isHard, isNear, machinePrefix } from '../../unit/affinity.js'
import { type PortNeed, portsMeet } from '../../unit/ports.js'
import { fixedPorts } from './equivalence-classes.js'
import type { Kind, Rule, Seat, Selector, Tenant } from './model.js'

/** Units that go to one machine together, or not at all. */
export interface Party {
  readonly members: readonly Tenant[]
  readonly shape: Shape
  /** The machines of units that they follow: there may be one, and then they go there. */
  readonly pins: readonly Pin[]
  /** A unit that they follow and that is not to be had; null when there is none such. */
  readonly missing: { readonly unit: UnitName; readonly target: string } | null
}

export type Pin =
  | { readonly target: UnitName; readonly seat: Seat }
  /** Where a volume of its slot is. */
  | { readonly volume: string; readonly hostname: string; readonly seat: Seat }

/** What the members of a party ask for together. One for all parties of the same kinds. */
export interface Shape {
  readonly key: string
  readonly kinds: readonly Kind[]
  readonly memoryMb: number
  readonly cpu: number
  readonly fixedPorts: readonly PortNeed[]
  /** How many ports the engine chooses. */
  readonly chosenPorts: number
  readonly machineRules: readonly MachineRule[]
  readonly hardRules: readonly Rule[]
  /** Those of them about being near. */
  readonly nearRules: readonly Rule[]
  readonly replaces: readonly Selector[]
  readonly machineId: string | null
  readonly preferences: readonly Preference[]
  readonly spread: { readonly key: string; readonly selector: Selector } | null
  /** What two of them cannot share; null when they can be together. */
  readonly clash: string | null
  /** Selectors whose changes elsewhere can make a machine acceptable that was not. */
  readonly farReaching: readonly Selector[]
  /** Shapes with the same are refused by the same machines for what those machines are. */
  readonly machineKey: string
}

/** A rule about the machine itself. */
export interface MachineRule {
  readonly key: string
  readonly text: string
  /** Judges the machine's value; null where it has none. */
  readonly allows: (value: string | null) => boolean
}

/** A rule that is dropped where no machine can keep it. */
export type Preference =
  | { readonly about: 'units'; readonly rule: Rule }
  | { readonly about: 'machine'; readonly rule: MachineRule }

/** Shapes of parties of several that are kept: each of a thousand members is large, and seldom asked for again. */
const keptAtMost = 1000

/** Shapes by the kinds in them. */
export class Shapes {
  readonly #known = new Map<string, Shape>()
  readonly #ofSeveral = new Map<string, Shape>()
  /** Those of parties of one. */
  readonly #single = new Map<Kind, Shape>()

  of(members: readonly Tenant[]): Shape {
    const [first] = members
    if (members.length !== 1 || first === undefined) return this.#ofKinds(members.map(({ kind }) => kind))
    const known = this.#single.get(first.kind)
    if (known !== undefined) return known
    const made = this.#ofKinds([first.kind])
    this.#single.set(first.kind, made)
    return made
  }

  #ofKinds(kinds: readonly Kind[]): Shape {
    const key = kinds.map(({ shapeKey }) => shapeKey).join('+')
    const shapes = kinds.length > 1 ? this.#ofSeveral : this.#known
    const known = shapes.get(key)
    if (known !== undefined) return known
    if (this.#ofSeveral.size >= keptAtMost) this.#ofSeveral.clear()
    const made = makeShape(key, kinds)
    shapes.set(key, made)
    return made
  }
}

function makeShape(key: string, kinds: readonly Kind[]): Shape {
  const needs = kinds.map(({ profile }) => profile.needs)
  const rules = kinds.flatMap(({ profile }) => profile.rules)
  const ofMachines = needs.flatMap(({ affinity }) =>
    affinity.filter((rule) => rule.key.startsWith(machinePrefix)),
  )
  const soft = rules.filter(({ hard }) => !hard)
  return {
    key,
    kinds,
    memoryMb: needs.reduce((sum, one) => sum + one.memoryMb, 0),
    cpu: needs.reduce((sum, one) => sum + one.cpu, 0),
    fixedPorts: kinds.flatMap(fixedPorts),
    chosenPorts: needs.flatMap(({ ports }) => ports).filter(({ host }) => host === null).length,
    machineRules: ofMachines.filter(isHard).map(machineRule),
    hardRules: rules.filter(({ hard }) => hard),
    nearRules: rules.filter(({ hard, near }) => hard && near),
    replaces: kinds.flatMap(({ profile }) => profile.replaces),
    machineId: needs.map(({ fleet }) => fleet.machineId).find((id) => id !== null) ?? null,
    preferences: [
      ...ofMachines
        .filter((rule) => !isHard(rule))
        .map((rule) => ({ about: 'machine', rule: machineRule(rule) }) as const),
      ...soft.map((rule) => ({ about: 'units', rule }) as const),
    ],
    spread: kinds.find(({ profile }) => profile.spread !== null)?.profile.spread ?? null,
    clash: clashOf(kinds),
    farReaching: rules
      .filter(({ rule, near, hard }) => rule.by !== null || (near && hard))
      .map(({ selector }) => selector),
    machineKey: JSON.stringify([
      needs.map(({ drivers, fleet, networks, secrets }) => [
        drivers,
        fleet.machineId,
        fleet.metadata,
        networks,
        secrets,
      ]),
      ofMachines,
    ]),
  }
}

function machineRule(rule: Parameters<typeof isHard>[0]): MachineRule {
  const pattern = compilePattern(rule.value)
  const matches = 'problem' in pattern ? () => false : pattern
  const near = isNear(rule)
  return {
    key: rule.key.slice(machinePrefix.length),
    text: `${rule.key}${rule.operator}${rule.value}`,
    allows: (value) => (value !== null && matches(value)) === near,
  }
}

/** Why kinds cannot share a machine, whichever it is. */
function clashOf(kinds: readonly Kind[]): string | null {
  for (const [index, one] of kinds.entries()) {
    for (const [other, two] of kinds.entries()) {
      if (index === other) continue
      const { conflicts, replaces, rules } = one.profile
      const conflict = [...conflicts, ...replaces].find((selector) => two.pickedBy.includes(selector))
      if (conflict !== undefined) return `one conflicts with ${conflict.text}`
      const far = rules.find(({ hard, near, selector }) => hard && !near && two.pickedBy.includes(selector))
      if (far !== undefined) return `one is kept apart by ${ruleText(far)}`
      const port = fixedPorts(one).find((need) => fixedPorts(two).some((held) => portsMeet(need, held)))
      if (port !== undefined) return `two need host port ${port.host}/${port.protocol}`
    }
  }
  return null
}

export function ruleText({ rule }: Rule): string {
  return `${rule.key}${rule.operator}${rule.value}${rule.by === null ? '' : ` by ${rule.by}`}`
}

/** Who follows whom, by name. */
export interface Bonds {
  /** Tenants that are not global. */
  tenant(name: string): Tenant | undefined
  followers(name: UnitName): ReadonlySet<Tenant> | undefined
  /** Where the volumes are that a tenant goes to: none for one that has none of its own. */
  homesOf(tenant: Tenant): readonly Pin[]
}

/** Whether a tenant goes where volumes are that only its slot has. */
export function hasHome({ unit, kind }: Tenant): boolean {
  return kind.profile.needs.slotVolumes.length > 0 && unit.instance?.slot !== undefined
}

/**
 * All that have to go with a tenant that has no seat: those that it follows, and those that these follow. Who follows it
 * is not among them, or nobody could run whose follower finds no place.
 */
export function partyOf(tenant: Tenant, bonds: Bonds, shapes: Shapes): Party {
  if (tenant.targets.length === 0) {
    const pins = hasHome(tenant) ? bonds.homesOf(tenant) : noPins
    return { members: [tenant], shape: shapes.of([tenant]), pins, missing: null }
  }
  const missing = missingFor(tenant, bonds, new Map())
  const members = missing === null ? withTargets([tenant], bonds) : [tenant]
  return { ...together(members, bonds, shapes), missing }
}

/** A party with some that follow its members, and with all that those follow in turn. */
export function joinedBy(
  { members }: Party,
  followers: readonly Tenant[],
  bonds: Bonds,
  shapes: Shapes,
): Party {
  return together(withTargets([...members, ...followers], bonds), bonds, shapes)
}

/** Those without a seat that are bound to one another, in either direction; those that lack a target stay out. */
export function waitingCircle(tenant: Tenant, bonds: Bonds): readonly Tenant[] {
  if (tenant.followers === null && tenant.targets.length === 0) return [tenant]
  if (missingFor(tenant, bonds, new Map()) !== null) return [tenant]
  const members = new Set([tenant])
  for (const member of members) {
    for (const target of withTargets([member], bonds)) members.add(target)
    for (const follower of waitingFollowers(member, bonds)) members.add(follower)
  }
  return [...members].sort(byName)
}

/** Those that wait, follow a tenant and lack no target. */
export function waitingFollowers({ unit, followers }: Tenant, bonds: Bonds): readonly Tenant[] {
  if (followers === null) return noFollowers
  return [...(bonds.followers(unit.name) ?? noFollowers)].filter(
    (one) => one.seat === null && missingFor(one, bonds, new Map()) === null,
  )
}

const noFollowers: readonly Tenant[] = []

function together(members: readonly Tenant[], bonds: Bonds, shapes: Shapes): Party {
  return { members, shape: shapes.of(members), pins: pinsOf(members, bonds), missing: null }
}

const noPins: readonly Pin[] = []

type Missing = Party['missing']

/** The first unit on the way along MachineOf= that is not to be had. */
function missingFor(tenant: Tenant, bonds: Bonds, known: Map<Tenant, Missing>): Missing {
  const before = known.get(tenant)
  if (before !== undefined) return before
  known.set(tenant, null)
  for (const target of tenant.targets) {
    const found = bonds.tenant(target)
    const missing =
      found === undefined
        ? { unit: tenant.unit.name, target }
        : found.seat === null
          ? missingFor(found, bonds, known)
          : null
    if (missing === null) continue
    known.set(tenant, missing)
    return missing
  }
  return null
}

/** Some tenants with all that they follow and that has no seat. */
function withTargets(tenants: readonly Tenant[], bonds: Bonds): readonly Tenant[] {
  const members = new Set(tenants)
  for (const member of members) {
    for (const target of member.targets) {
      const found = bonds.tenant(target)
      if (found !== undefined && found.seat === null) members.add(found)
    }
  }
  return [...members].sort(byName)
}

function byName(a: Tenant, b: Tenant): number {
  return a.unit.name < b.unit.name ? -1 : a.unit.name > b.unit.name ? 1 : 0
}

function pinsOf(members: readonly Tenant[], bonds: Bonds): readonly Pin[] {
  const pins: Pin[] = []
  for (const target of new Set(members.flatMap(({ targets }) => targets))) {
    const found = bonds.tenant(target)
    if (found?.seat != null) pins.push({ target: found.unit.name, seat: found.seat })
  }
  for (const member of members) if (hasHome(member)) pins.push(...bonds.homesOf(member))
  return pins
}

/** The ports of the members of a party, in their order. */
export type PartyPorts = readonly (readonly PortBinding[])[]
