// Sorts units into equivalence classes: units that ask for the same and that the same selectors pick. Whether a machine
// can take one of a class is decided once for all of them. Selectors (what rules pick units by) count how many of the
// picked units are where, so that a rule is judged by looking a number up.
import { isToBeReplaced } from '../../model/rollout-scope.js'
import type { DesiredUnit } from '../../model/unit.js'
import { type AffinityRule, compilePattern, isHard, isNear, machinePrefix } from '../../unit/affinity.js'
import { compileGlob, literalPrefix } from '../../unit/glob.js'
import type { PortNeed, Requirements } from '../../unit/requirements.js'
import {
  ClassQueue,
  type CompiledRequirements,
  type EquivalenceClass,
  type MachineState,
  type MadeIn,
  type Selector,
  type SharedIdentity,
  type UnitAffinityTerm,
  type UnitIdentity,
  UnitSet,
  type UnitState,
} from './model.js'

/** Unused requirements are dropped once there are twice as many as after the last time, and so many more. */
const unusedAtLeast = 8

/** Finds the equivalence class of each unit. */
export class EquivalenceClasses {
  readonly #selectors: SelectorIndex
  readonly #requirements = new Map<string, CompiledRequirements>()
  /** What was asked for last: units of one text mostly come one after the other. */
  #last: { readonly needs: Requirements; readonly requirements: CompiledRequirements } | null = null
  /** How many selectors all requirements have been checked against. */
  #selectorsSeen = 0
  readonly #contents = new WeakMap<Requirements, string>()
  /** From how many on it is worth looking for unused ones. */
  #forgetsFrom = unusedAtLeast

  constructor(selectors: SelectorIndex) {
    this.#selectors = selectors
  }

  /** The compiled requirements of a unit; its selectors are in the index from then on. */
  requirementsOf(spec: DesiredUnit, needs: Requirements): CompiledRequirements {
    const { project = null, service = null } = spec.instance ?? {}
    const madeIn = needs.affinity.some(isSoftAndFar) ? madeInOf(spec) : null
    const last = this.#last
    if (last?.needs === needs && hasIdentity(last.requirements.identity, project, service, spec.name, madeIn))
      return last.requirements
    const { labels } = needs
    const requirements = this.#requirementsOf(needs, {
      ...{ project, service, labels, madeIn },
      stem: stemOf(spec.name),
    })
    this.#last = { needs, requirements }
    return requirements
  }

  #requirementsOf(needs: Requirements, identity: SharedIdentity): CompiledRequirements {
    const { project, service, stem, madeIn } = identity
    const key = `${project ?? ''} ${service ?? ''} ${stem} ${textOf(madeIn)} ${this.#contentOf(needs)}`
    const known = this.#requirements.get(key)
    if (known !== undefined) return known
    const made = this.#compile(needs, identity)
    this.#requirements.set(key, made)
    return made
  }

  /** The class of a unit, by the selectors that pick it now. */
  classOf(spec: DesiredUnit, requirements: CompiledRequirements): EquivalenceClass {
    this.#catchUp(requirements)
    let key = ''
    if (requirements.candidateSelectors.length > 0) {
      const who = identityOf(spec)
      for (const one of requirements.candidateSelectors) if (one.picks(who)) key += ` ${one.id}`
    }
    const known = requirements.classes.get(key)
    if (known !== undefined) return known
    const ids = new Set(key.split(' '))
    const pickedBy = requirements.candidateSelectors.filter(({ id }) => ids.has(String(id)))
    const requirementsKey = requirementsKeyOf(requirements, pickedBy)
    const made: EquivalenceClass = {
      requirementsKey,
      requirements,
      pickedBy,
      pending: new ClassQueue(),
      queued: null,
    }
    requirements.classes.set(key, made)
    return made
  }

  /**
   * Drops requirements that no unit has: each version of a service has its own. Not to be called between `prepare` and
   * `set` of a unit. Those of global units stay: such a unit may be on no machine.
   */
  forgetUnused(): void {
    if (this.#requirements.size < this.#forgetsFrom) return
    for (const [key, { units, needs }] of this.#requirements)
      if (units.size === 0 && !needs.fleet.global) this.#requirements.delete(key)
    this.#last = null
    this.#forgetsFrom = 2 * this.#requirements.size + unusedAtLeast
  }

  /** How many different requirements there are. */
  get size(): number {
    return this.#requirements.size
  }

  /** Units that may be picked by selectors which are newer than the last call. */
  newlyPicked(): readonly UnitState[] {
    const found: UnitState[] = []
    if (this.#selectorsSeen === this.#selectors.list.length) return found
    this.#selectorsSeen = this.#selectors.list.length
    for (const requirements of this.#requirements.values()) {
      const before = requirements.candidateSelectors.length
      this.#catchUp(requirements)
      if (requirements.candidateSelectors.length > before)
        for (const unit of requirements.units) found.push(unit)
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

  #catchUp(requirements: CompiledRequirements): void {
    for (; requirements.selectorsSeen < this.#selectors.list.length; requirements.selectorsSeen++) {
      const selector = this.#selectors.list[requirements.selectorsSeen]
      if (selector?.mayPick(requirements.identity)) requirements.candidateSelectors.push(selector)
    }
  }

  #compile(needs: Requirements, identity: SharedIdentity): CompiledRequirements {
    const { fleet, affinity, spread } = needs
    const others = affinity.filter(({ key }) => !key.startsWith(machinePrefix))
    const affinityTerms = others.map((rule) => this.#termOf(rule, identity))
    for (const { hard, near, selector } of affinityTerms) if (hard && near) selector.isRequiredNear = true
    const replaces = (fleet.global ? [] : fleet.replaces).map((pattern) => this.#selectors.byName(pattern))
    for (const selector of replaces) selector.isReplaced = true
    return {
      needs,
      identity,
      conflicts: fleet.conflicts.map((pattern) => this.#selectors.byName(pattern)),
      replaces,
      affinityTerms,
      spread: spread === null ? null : { key: spread, selector: this.#siblings(identity) },
      units: new UnitSet('requirements'),
      candidateSelectors: [],
      selectorsSeen: 0,
      classes: new Map(),
    }
  }

  #termOf(rule: AffinityRule, identity: SharedIdentity): UnitAffinityTerm {
    const { project, service } = identity
    const [hard, near] = [isHard(rule), isNear(rule)]
    const selector = this.#selectors.byRule(project, rule)
    const isOfItself = isSoftAndFar(rule) && service !== null && selector.mayPick(identity)
    const staying = isOfItself ? this.#selectors.stayingOf(selector, identity) : null
    return { rule, hard, near, selector, staying }
  }

  #ofTemplate(stem: string): Selector {
    return this.#selectors.byName(`${stem.replace(/[*?[\\]/g, '\\$&')}*`)
  }

  /** Picks the units of the same service, or of the same template. */
  #siblings({ project, service, stem }: SharedIdentity): Selector {
    if (service === null) return this.#ofTemplate(stem)
    return this.#selectors.byRule(project, { key: 'service', operator: '==', value: service, by: null })
  }
}

function hasIdentity(
  identity: SharedIdentity,
  project: string | null,
  service: string | null,
  name: string,
  madeIn: MadeIn | null,
): boolean {
  if (identity.project !== project || identity.service !== service) return false
  return hasStem(name, identity.stem) && textOf(identity.madeIn) === textOf(madeIn)
}

function isSoftAndFar(rule: AffinityRule): boolean {
  return !isHard(rule) && !isNear(rule) && !rule.key.startsWith(machinePrefix)
}

function madeInOf({ instance }: DesiredUnit): MadeIn | null {
  if (instance?.rollout === undefined) return null
  return { rollout: instance.rollout, version: instance.version }
}

function textOf(madeIn: MadeIn | null): string {
  return madeIn === null ? '' : JSON.stringify([madeIn.version, madeIn.rollout])
}

/** All that a machine's answer depends on. The targets of a unit are no part of it: they say which machine to ask. */
function requirementsKeyOf(
  { needs, conflicts, replaces, affinityTerms: terms, spread }: CompiledRequirements,
  pickedBy: readonly Selector[],
): string {
  const ids = (selectors: readonly Selector[]): readonly number[] => selectors.map(({ id }) => id)
  const { drivers, memoryMb, cpu, ports, fleet, networks, affinity, sizedVolumes } = needs
  return JSON.stringify([
    [drivers, memoryMb, cpu, ports, fleet.machineId, fleet.metadata, fleet.global, networks],
    [affinity, ids(terms.flatMap(({ selector, staying }) => [selector, staying ?? []].flat())), sizedVolumes],
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

function identityOf({ name, instance, desired }: DesiredUnit): UnitIdentity {
  return { name, instance, launched: desired === 'launched' }
}

/** The ports of a class that are fixed: a resource of the machine. */
export function fixedPorts(eqClass: EquivalenceClass): readonly PortNeed[] {
  return eqClass.requirements.needs.ports.filter((port) => port.host !== null)
}

/** All selectors, each once however many rules have it. None is ever dropped; a new index starts over. */
export class SelectorIndex {
  readonly #known = new Map<string, Selector>()
  readonly list: Selector[] = []

  /** Picks units by their names, as `Conflicts=` and `Replaces=` do. */
  byName(pattern: string): Selector {
    return this.#remember(`n ${pattern}`, pattern, () => {
      const matches = compileGlob(pattern) ?? (() => false)
      const head = literalPrefix(pattern)
      return {
        mayPick: ({ stem }) => meet(head, stem),
        picks: ({ name }) => matches(name),
      }
    })
  }

  /** Picks units by a rule of a unit of a project: those of the same project alone. */
  byRule(project: string | null, { key, value }: AffinityRule): Selector {
    return this.#remember(`r ${project ?? ''} ${key} ${value}`, `${key}==${value}`, () => {
      const pattern = compilePattern(value)
      const matches = 'problem' in pattern ? () => false : pattern
      return key === 'instance'
        ? {
            mayPick: (identity) => identity.project === project && mayName(value, identity),
            picks: ({ name, instance }) =>
              matches(instance?.name ?? name) || value === instance?.uuid || value === name,
          }
        : {
            mayPick: (identity) => identity.project === project && hasValue(identity, key, matches),
            picks: always,
          }
    })
  }

  /**
   * Of what a selector picks, that which is to run on: not what is told to stop, and of the units' own service not what
   * the rollout replaces that they are made in.
   */
  stayingOf(selector: Selector, { service, madeIn }: SharedIdentity): Selector {
    const key = `s ${selector.id} ${service ?? ''} ${textOf(madeIn)}`
    return this.#remember(key, selector.text, () => ({
      mayPick: (identity) => selector.mayPick(identity),
      picks: (who) => who.launched && selector.picks(who) && !isLeaving(who, service, madeIn),
    }))
  }

  #remember(key: string, text: string, make: () => Pick<Selector, 'mayPick' | 'picks'>): Selector {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const { mayPick, picks } = make()
    const made = new CountingSelector(this.list.length, text, mayPick, picks)
    this.#known.set(key, made)
    this.list.push(made)
    return made
  }
}

class CountingSelector implements Selector {
  readonly id: number
  readonly text: string
  readonly mayPick: (identity: SharedIdentity) => boolean
  readonly picks: (who: UnitIdentity) => boolean
  readonly machines = new Map<MachineState, number>()
  readonly conflicting = new Map<MachineState, number>()
  readonly replacing = new Map<MachineState, number>()
  isRequiredNear = false
  isReplaced = false
  total = 0
  version = 0
  /** Picked units by domain, for the keys that somebody asked about. */
  readonly #domains = new Map<string, Map<string | null, number>>()

  constructor(
    id: number,
    text: string,
    mayPick: (identity: SharedIdentity) => boolean,
    picks: (who: UnitIdentity) => boolean,
  ) {
    this.id = id
    this.text = text
    this.mayPick = mayPick
    this.picks = picks
  }

  add(machine: MachineState): void {
    count(this.machines, machine, 1)
    this.total++
    for (const [key, counts] of this.#domains)
      if (count(counts, domainOf(machine, key), 1) === 1) this.version++
  }

  remove(machine: MachineState): void {
    count(this.machines, machine, -1)
    this.total--
    this.version++
    for (const [key, counts] of this.#domains) count(counts, domainOf(machine, key), -1)
  }

  near(machine: MachineState, by: string | null): number {
    if (by === null) return this.machines.get(machine) ?? 0
    const value = domainOf(machine, by)
    return value === null ? 0 : (this.domain(by).get(value) ?? 0)
  }

  domain(key: string): ReadonlyMap<string | null, number> {
    const known = this.#domains.get(key)
    if (known !== undefined) return known
    const counts = new Map<string | null, number>()
    for (const [machine, number] of this.machines) count(counts, domainOf(machine, key), number)
    this.#domains.set(key, counts)
    return counts
  }
}

const always = (): boolean => true

/**
 * Whether a unit makes way in a rollout of its service. What was made after that, in no rollout or in another, is counted by the
 * selectors of its own time: it would be picked by those of all rollouts before.
 */
function isLeaving({ instance }: UnitIdentity, service: string | null, madeIn: MadeIn | null): boolean {
  if (instance === null || instance.service !== service || madeIn === null) return false
  const { rollout, version } = madeIn
  if (instance.n > rollout.after) return instance.rollout?.after !== rollout.after
  return isToBeReplaced(instance, rollout, version)
}

/** Whether the value of an `instance` term may name a unit: by its name, its instance's or its uuid. */
function mayName(value: string, { service, stem }: SharedIdentity): boolean {
  if (value.startsWith('/')) return true
  const head = value.includes('*') ? literalPrefix(value) : value
  if (meet(head, stem)) return true
  // Instances are called <service>-<n>.
  return service !== null && (meet(head, `${service}-`) || uuidForm.test(value))
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether there is a text that begins with both. */
function meet(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a)
}

function hasValue(identity: SharedIdentity, key: string, matches: (text: string) => boolean): boolean {
  const value =
    key === 'service' ? identity.service : Object.hasOwn(identity.labels, key) ? identity.labels[key] : null
  return value !== null && value !== undefined && matches(value)
}

/** The value of a metadata key of a machine; null where it has none. */
export function domainOf(machine: MachineState, key: string): string | null {
  const metadata = machine.record?.metadata
  return metadata !== undefined && Object.hasOwn(metadata, key) ? (metadata[key] ?? null) : null
}

/** Adds to a count and drops it at nought; returns it. */
export function count<K>(counts: Map<K, number>, key: K, change: number): number {
  const sum = (counts.get(key) ?? 0) + change
  if (sum === 0) counts.delete(key)
  else counts.set(key, sum)
  return sum
}
