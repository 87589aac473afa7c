// Units that are placed together: a unit with its pending targets (`MachineOf=`), and with its followers where a machine
// takes them along.
import type { PortBinding, UnitName } from '../../model/unit.js'
import { compilePattern, isHard, isNear, machinePrefix } from '../../unit/affinity.js'
import { type PortNeed, portsMeet } from '../../unit/ports.js'
import { fixedPorts } from './equivalence-classes.js'
import type { EquivalenceClass, MachineState, Selector, UnitAffinityTerm, UnitState } from './model.js'

/** Units that go to one machine together, or not at all. */
export interface PlacementGroup {
  readonly members: readonly UnitState[]
  readonly requirements: GroupRequirements
  /** The machines of units that they follow: there may be one, and then they go there. */
  readonly pins: readonly Pin[]
  /** A unit that they follow and that is not to be had; null when there is none such. */
  readonly missingTarget: { readonly unit: UnitName; readonly target: string } | null
}

export type Pin =
  | { readonly target: UnitName; readonly machine: MachineState }
  /** Where a volume of its slot is. */
  | { readonly volume: string; readonly hostname: string; readonly machine: MachineState }

/** What the members of a group ask for together. One value for all groups of the same classes. */
export interface GroupRequirements {
  readonly key: string
  readonly classes: readonly EquivalenceClass[]
  readonly memoryMb: number
  readonly cpu: number
  /** Whether volumes of theirs say their size. */
  readonly needsDisk: boolean
  readonly fixedPorts: readonly PortNeed[]
  /** How many ports the engine chooses. */
  readonly chosenPorts: number
  readonly machineTerms: readonly MachineAffinityTerm[]
  readonly hardTerms: readonly UnitAffinityTerm[]
  /** The hard terms about being near. */
  readonly nearTerms: readonly UnitAffinityTerm[]
  readonly replaces: readonly Selector[]
  readonly machineId: string | null
  readonly preferences: readonly Preference[]
  readonly spread: { readonly key: string; readonly selector: Selector } | null
  /** What two of them cannot share; null when they can be together. */
  readonly clash: string | null
  /** Selectors whose changes elsewhere can make a machine acceptable that was not. */
  readonly farReaching: readonly Selector[]
  /** Requirements with the same key are refused by the same machines for what those machines are. */
  readonly machineKey: string
}

/** A rule about the machine itself. */
interface MachineAffinityTerm {
  readonly key: string
  readonly text: string
  /** Judges the machine's value; null where it has none. */
  readonly allows: (value: string | null) => boolean
}

/** A rule that is dropped where no machine can keep it. */
export type Preference =
  | {
      readonly about: 'units'
      readonly rule: UnitAffinityTerm
      /** It says no more than that one: where that can be kept, it is not asked for. */
      readonly insteadOf?: Preference
    }
  | { readonly about: 'machine'; readonly rule: MachineAffinityTerm }

/** How many of groups of several are cached: one of a thousand members is large, and seldom asked for again. */
const keptAtMost = 1000

/** Group requirements by the classes of the members. */
export class GroupRequirementsCache {
  readonly #known = new Map<string, GroupRequirements>()
  readonly #ofSeveral = new Map<string, GroupRequirements>()
  /** Those of groups of one. */
  readonly #single = new Map<EquivalenceClass, GroupRequirements>()

  of(members: readonly UnitState[]): GroupRequirements {
    const [first] = members
    if (members.length !== 1 || first === undefined)
      return this.#ofKinds(members.map(({ eqClass }) => eqClass))
    const known = this.#single.get(first.eqClass)
    if (known !== undefined) return known
    const made = this.#ofKinds([first.eqClass])
    this.#single.set(first.eqClass, made)
    return made
  }

  #ofKinds(classes: readonly EquivalenceClass[]): GroupRequirements {
    const key = classes.map(({ requirementsKey: shapeKey }) => shapeKey).join('+')
    const groupRequirements = classes.length > 1 ? this.#ofSeveral : this.#known
    const known = groupRequirements.get(key)
    if (known !== undefined) return known
    if (this.#ofSeveral.size >= keptAtMost) this.#ofSeveral.clear()
    const made = combine(key, classes)
    groupRequirements.set(key, made)
    return made
  }
}

function combine(key: string, classes: readonly EquivalenceClass[]): GroupRequirements {
  const needs = classes.map(({ requirements }) => requirements.needs)
  const terms = classes.flatMap(({ requirements }) => requirements.affinityTerms)
  const ofMachines = needs.flatMap(({ affinity }) =>
    affinity.filter((rule) => rule.key.startsWith(machinePrefix)),
  )
  const soft = terms.filter(({ hard }) => !hard)
  return {
    key,
    classes,
    memoryMb: needs.reduce((sum, one) => sum + one.memoryMb, 0),
    cpu: needs.reduce((sum, one) => sum + one.cpu, 0),
    needsDisk: needs.some(({ sizedVolumes }) => sizedVolumes.length > 0),
    fixedPorts: classes.flatMap(fixedPorts),
    chosenPorts: needs.flatMap(({ ports }) => ports).filter(({ host }) => host === null).length,
    machineTerms: ofMachines.filter(isHard).map(machineTerm),
    hardTerms: terms.filter(({ hard }) => hard),
    nearTerms: terms.filter(({ hard, near }) => hard && near),
    replaces: classes.flatMap(({ requirements }) => requirements.replaces),
    machineId: needs.map(({ fleet }) => fleet.machineId).find((id) => id !== null) ?? null,
    preferences: [
      ...ofMachines
        .filter((rule) => !isHard(rule))
        .map((rule) => ({ about: 'machine', rule: machineTerm(rule) }) as const),
      ...soft.flatMap(preferencesOf),
    ],
    spread: classes.find(({ requirements }) => requirements.spread !== null)?.requirements.spread ?? null,
    clash: clashOf(classes),
    farReaching: terms
      .filter(({ rule, near, hard }) => rule.by !== null || (near && hard))
      .flatMap(({ selector, staying }) => (staying === null ? [selector] : [selector, staying])),
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

function preferencesOf(rule: UnitAffinityTerm): readonly Preference[] {
  const { staying } = rule
  const wanted: Preference = { about: 'units', rule }
  if (staying === null) return [wanted]
  return [wanted, { about: 'units', rule: { ...rule, selector: staying }, insteadOf: wanted }]
}

function machineTerm(rule: Parameters<typeof isHard>[0]): MachineAffinityTerm {
  const pattern = compilePattern(rule.value)
  const matches = 'problem' in pattern ? () => false : pattern
  const near = isNear(rule)
  return {
    key: rule.key.slice(machinePrefix.length),
    text: `${rule.key}${rule.operator}${rule.value}`,
    allows: (value) => (value !== null && matches(value)) === near,
  }
}

/** Why classes cannot share a machine, whichever it is. */
function clashOf(classes: readonly EquivalenceClass[]): string | null {
  for (const [index, one] of classes.entries()) {
    for (const [other, two] of classes.entries()) {
      if (index === other) continue
      const { conflicts, replaces, affinityTerms: terms } = one.requirements
      const conflict = [...conflicts, ...replaces].find((selector) => two.pickedBy.includes(selector))
      if (conflict !== undefined) return `one of them conflicts with ${conflict.text}`
      const far = terms.find(({ hard, near, selector }) => hard && !near && two.pickedBy.includes(selector))
      if (far !== undefined) return `one of them is kept apart by ${termText(far)}`
      const port = fixedPorts(one).find((need) => fixedPorts(two).some((held) => portsMeet(need, held)))
      if (port !== undefined) return `two of them need host port ${port.host}/${port.protocol}`
    }
  }
  return null
}

export function termText({ rule }: UnitAffinityTerm): string {
  return `${rule.key}${rule.operator}${rule.value}${rule.by === null ? '' : ` by ${rule.by}`}`
}

/** Which units follow which (`MachineOf=`), by name. */
export interface FollowGraph {
  /** Units that are not global. */
  get(name: string): UnitState | undefined
  followers(name: UnitName): ReadonlySet<UnitState> | undefined
  /** The machines of the volumes of a unit: none for a unit that has none of its own. */
  volumePinsOf(unit: UnitState): readonly Pin[]
}

/** Whether a unit has volumes of its own slot. */
export function hasSlotVolume({ spec, eqClass }: UnitState): boolean {
  return eqClass.requirements.needs.slotVolumes.length > 0 && spec.instance?.slot !== undefined
}

/**
 * A pending unit with all that has to go with it: its targets, and theirs in turn. Followers are not among them, or a unit
 * could not run while a follower finds no place.
 */
export function groupOf(
  unit: UnitState,
  graph: FollowGraph,
  groupRequirements: GroupRequirementsCache,
): PlacementGroup {
  if (unit.targets.length === 0) {
    const pins = hasSlotVolume(unit) ? graph.volumePinsOf(unit) : noPins
    return { members: [unit], requirements: groupRequirements.of([unit]), pins, missingTarget: null }
  }
  const missingTarget = missingTargetOf(unit, graph, new Map())
  const members = missingTarget === null ? withTargets([unit], graph) : [unit]
  return { ...makeGroup(members, graph, groupRequirements), missingTarget }
}

/** A group with some followers of its members, and with all that those follow in turn. */
export function joinGroup(
  { members }: PlacementGroup,
  followers: readonly UnitState[],
  graph: FollowGraph,
  groupRequirements: GroupRequirementsCache,
): PlacementGroup {
  return makeGroup(withTargets([...members, ...followers], graph), graph, groupRequirements)
}

/** All pending units that are connected with a unit by `MachineOf=`; those that lack a target stay out. */
export function connectedPending(unit: UnitState, graph: FollowGraph): readonly UnitState[] {
  if (unit.followers === null && unit.targets.length === 0) return [unit]
  if (missingTargetOf(unit, graph, new Map()) !== null) return [unit]
  const members = new Set([unit])
  for (const member of members) {
    for (const target of withTargets([member], graph)) members.add(target)
    for (const follower of pendingFollowers(member, graph)) members.add(follower)
  }
  return [...members].sort(byName)
}

/** Pending followers of a unit that lack no target. */
export function pendingFollowers({ spec, followers }: UnitState, graph: FollowGraph): readonly UnitState[] {
  if (followers === null) return noFollowers
  return [...(graph.followers(spec.name) ?? noFollowers)].filter(
    (one) => one.machine === null && missingTargetOf(one, graph, new Map()) === null,
  )
}

const noFollowers: readonly UnitState[] = []

function makeGroup(
  members: readonly UnitState[],
  graph: FollowGraph,
  groupRequirements: GroupRequirementsCache,
): PlacementGroup {
  return {
    members,
    requirements: groupRequirements.of(members),
    pins: pinsOf(members, graph),
    missingTarget: null,
  }
}

const noPins: readonly Pin[] = []

type MissingTarget = PlacementGroup['missingTarget']

/** The first unit on the way along MachineOf= that is not to be had. */
function missingTargetOf(
  unit: UnitState,
  graph: FollowGraph,
  known: Map<UnitState, MissingTarget>,
): MissingTarget {
  const before = known.get(unit)
  if (before !== undefined) return before
  known.set(unit, null)
  for (const target of unit.targets) {
    const found = graph.get(target)
    const missingTarget =
      found === undefined
        ? { unit: unit.spec.name, target }
        : found.machine === null
          ? missingTargetOf(found, graph, known)
          : null
    if (missingTarget === null) continue
    known.set(unit, missingTarget)
    return missingTarget
  }
  return null
}

/** Units with all their pending targets. */
function withTargets(units: readonly UnitState[], graph: FollowGraph): readonly UnitState[] {
  const members = new Set(units)
  for (const member of members) {
    for (const target of member.targets) {
      const found = graph.get(target)
      if (found !== undefined && found.machine === null) members.add(found)
    }
  }
  return [...members].sort(byName)
}

function byName(a: UnitState, b: UnitState): number {
  return a.spec.name < b.spec.name ? -1 : a.spec.name > b.spec.name ? 1 : 0
}

function pinsOf(members: readonly UnitState[], graph: FollowGraph): readonly Pin[] {
  const pins: Pin[] = []
  for (const target of new Set(members.flatMap(({ targets }) => targets))) {
    const found = graph.get(target)
    if (found?.machine != null) pins.push({ target: found.spec.name, machine: found.machine })
  }
  for (const member of members) if (hasSlotVolume(member)) pins.push(...graph.volumePinsOf(member))
  return pins
}

/** The ports of the members of a group, in their order. */
export type GroupPorts = readonly (readonly PortBinding[])[]
