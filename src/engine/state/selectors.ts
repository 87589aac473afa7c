// Selectors: what rules pick units by, and how many of the picked units are where. Kept as units come and go, so that
// a rule is judged by looking a number up.
import { type AffinityRule, compilePattern } from '../../unit/affinity.js'
import { compileGlob, literalPrefix } from '../../unit/glob.js'
import type { MachineState, Selector, SharedIdentity, UnitIdentity } from './model.js'

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
            picks: ({ name, instance, uuid }) =>
              matches(instance ?? name) || value === uuid || value === name,
          }
        : {
            mayPick: (identity) => identity.project === project && hasValue(identity, key, matches),
            picks: always,
          }
    })
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
