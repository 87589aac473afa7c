// The least-loaded rule: the machines that may take units of one class, those with the fewest units first. Rankings are
// kept from pass to pass, and brought up to date by what has changed.

import { invariant } from '../lib/invariant.js'
import { machineReason, type RefusalKind } from './constraints.js'
import { domainOf } from './state/equivalence-classes.js'
import { type LoadBuckets, type MachineIndex, MachineSet, type SeenChanges } from './state/machines.js'
import type { MachineState } from './state/model.js'
import type { GroupRequirements, Preference } from './state/placement-group.js'

/** Which machines a ranking is about, by position. */
export interface MachineRange {
  /** In ascending order. */
  readonly positions: Int32Array
  /** The offset of each position in `positions`; -1 for those that are not in it. Null where both are the same. */
  readonly offsetOf: Int32Array | null
}

/** Which machines refuse a group for what they are. Shared between rankings. */
interface Verdicts {
  /** Why machines are out until they change, by position; 0 for those that are not. */
  readonly codes: Uint8Array
  /** Those that are not out. */
  readonly open: MachineSet
}

/** Ranks machines by load, then by position. A machine that refused stays out until it is admitted again. */
export class Ranking {
  /** Kept by the owner. */
  seen: SeenChanges
  readonly version: number
  readonly #range: MachineRange
  readonly #fixed: Uint8Array
  /** Why machines are out until they change, by place. */
  readonly #refused: Uint8Array
  readonly #open: MachineSet
  /** Where to look first: no open machine has a lower load, or the same and a lower position. */
  #load = 0
  #position = 0

  constructor(range: MachineRange, { codes, open }: Verdicts, version: number, seen: SeenChanges) {
    this.#range = range
    this.#fixed = codes
    this.version = version
    this.seen = seen
    this.#refused = new Uint8Array(range.positions.length)
    this.#open = range.offsetOf === null ? new MachineSet(open) : openIn(range, open, codes.length)
  }

  /** How many bytes it takes up. */
  get cost(): number {
    return this.#refused.length + this.#fixed.length / 8
  }

  /** The position of the least loaded machine that has not refused; -1 when all have. */
  first(loadBuckets: LoadBuckets): number {
    if (this.#open.size === 0) return -1
    for (let bucket = loadBuckets.at(this.#load); bucket !== null; bucket = loadBuckets.at(this.#load)) {
      const found = bucket.size === 0 ? -1 : bucket.firstShared(this.#open, this.#position)
      if (found !== -1) {
        this.#position = found
        return found
      }
      this.#load++
      this.#position = 0
    }
    return -1
  }

  /** Takes a machine out, with the code of its reason (not 0). */
  refuse(position: number, code: number): void {
    this.#refused[this.#offsetOf(position)] = code
    this.#open.delete(position)
  }

  /** A machine has changed, or has less on it than before: it is asked again. */
  admit(position: number, load: number): void {
    const offset = this.#offsetOf(position)
    if (offset < 0 || this.#fixed[position] !== 0) return
    this.#refused[offset] = 0
    this.#open.add(position)
    if (load > this.#load || (load === this.#load && position >= this.#position)) return
    this.#load = load
    this.#position = position
  }

  /** Calls back with the code of each machine that is out. */
  eachRefusal(tell: (position: number, code: number) => void): void {
    for (let offset = 0; offset < this.#range.positions.length; offset++) {
      const position = this.#range.positions[offset] ?? 0
      const code = this.#fixed[position] || this.#refused[offset] || 0
      if (code !== 0) tell(position, code)
    }
  }

  #offsetOf(position: number): number {
    return this.#range.offsetOf === null ? position : (this.#range.offsetOf[position] ?? -1)
  }
}

function openIn({ positions }: MachineRange, open: MachineSet, size: number): MachineSet {
  const made = new MachineSet(size)
  for (const position of positions) if (open.has(position)) made.add(position)
  return made
}

/** Machines by their values of a metadata key; null for machines that do not have it. */
type Partition = ReadonlyMap<string | null, Domain>

export interface Domain {
  readonly value: string | null
  readonly range: MachineRange
  /** The load of all its machines together. */
  readonly load: number
  /** Its machines, by id. */
  readonly machines: readonly MachineState[]
}

/** How many bytes the kept rankings may take up together. */
const roomForRankings = 2 ** 26

/**
 * What a ranking is for: choosing a machine, or explaining each refusal. A machine that refused can be chosen only after
 * something has left it; its reason can change with any change.
 */
export type RankingPurpose = 'choose' | 'explain'

/** A ranking for each set of group requirements that was asked for lately. A machine that refused is asked again when it changes. */
export class RankingCache {
  readonly #machines: MachineIndex
  readonly #kept = new Map<GroupRequirements, Map<string, Ranking>>()
  readonly #verdicts = new Map<string, Verdicts>()
  readonly #partitions = new Map<string, KeptPartition>()
  #everywhere: MachineRange = { positions: new Int32Array(0), offsetOf: null }
  #generation = -1
  #room = roomForRankings

  constructor(machines: MachineIndex) {
    this.#machines = machines
  }

  /** The current ranking for group requirements with some preferences, over all machines or those of one domain. */
  of(
    requirements: GroupRequirements,
    kept: readonly Preference[],
    domain: Domain | null,
    question: RankingPurpose,
  ): Ranking {
    this.#reset()
    const key = rankingKey(requirements, kept, domain)
    let version = 0
    for (const selector of requirements.farReaching) version += selector.version
    const known = this.#kept.get(requirements)?.get(key)
    const asked = kept.some(isHelpedByArrivals) ? 'explain' : question
    if (known?.version === version && this.#bringUpToDate(known, asked)) return known
    if (known !== undefined) this.#drop(requirements, key, known)
    const range = domain?.range ?? this.#everywhere
    const ranking = new Ranking(range, this.#verdictsOn(requirements), version, this.#machines.seen)
    this.#keep(requirements, key, ranking)
    return ranking
  }

  /** Machines by a metadata key, with the load of each domain; up to date. */
  partition(key: string): Partition {
    this.#reset()
    const known = this.#partitions.get(key)
    if (known !== undefined && this.#countLoads(known)) return known.domains
    const domains = domainsOf(this.#machines.present, key)
    const made = { domains, loads: this.#machines.loads.slice(), seen: this.#machines.changes.end }
    this.#partitions.set(key, { ...made, of: domainBySlot(domains) })
    return domains
  }

  #countLoads(partition: KeptPartition): boolean {
    const changed = this.#machines.changes.since(partition.seen)
    if (changed === null) return false
    for (const position of changed) {
      const load = this.#machines.loads[position] ?? 0
      const domain = partition.of[position]
      if (domain !== undefined) domain.load += load - (partition.loads[position] ?? 0)
      partition.loads[position] = load
    }
    partition.seen = this.#machines.changes.end
    return true
  }

  /** After machines came, went or changed, nothing that is cached holds any more. */
  #reset(): void {
    const { present, generation } = this.#machines
    if (generation === this.#generation) return
    this.#generation = this.#machines.generation
    this.#kept.clear()
    this.#verdicts.clear()
    this.#partitions.clear()
    this.#room = roomForRankings
    this.#everywhere = { positions: Int32Array.from(present, (machine) => machine.position), offsetOf: null }
  }

  /** Admits machines again that may give another answer; false where the log has forgotten them. */
  #bringUpToDate(ranking: Ranking, question: RankingPurpose): boolean {
    const { changes, departures, loads, seen: now } = this.#machines
    const { seen } = ranking
    const asked = question === 'choose' ? departures.since(seen.departures) : changes.since(seen.changes)
    if (asked === null) return false
    for (const position of asked) ranking.admit(position, loads[position] ?? 0)
    if (question === 'explain') ranking.seen = now
    else if (asked.length > 0) ranking.seen = { ...seen, departures: now.departures }
    return true
  }

  #verdictsOn(requirements: GroupRequirements): Verdicts {
    const known = this.#verdicts.get(requirements.machineKey)
    if (known !== undefined && requirements.clash === null) return known
    const made = verdictsOf(requirements, this.#machines.present)
    if (requirements.clash === null) this.#verdicts.set(requirements.machineKey, made)
    return made
  }

  #keep(requirements: GroupRequirements, key: string, ranking: Ranking): void {
    this.#room -= ranking.cost
    for (const [oldShape, rankings] of this.#kept) {
      if (this.#room >= 0) break
      for (const [oldKey, old] of rankings) this.#drop(oldShape, oldKey, old)
    }
    const known = this.#kept.get(requirements)
    if (known === undefined) this.#kept.set(requirements, new Map([[key, ranking]]))
    else known.set(key, ranking)
  }

  #drop(requirements: GroupRequirements, key: string, ranking: Ranking): void {
    const rankings = this.#kept.get(requirements)
    rankings?.delete(key)
    if (rankings?.size === 0) this.#kept.delete(requirements)
    this.#room += ranking.cost
  }
}

/** Whether a machine that refused may be the one to choose because something has come to it. */
function isHelpedByArrivals(preference: Preference): boolean {
  return preference.about === 'units' && preference.rule.near
}

function verdictsOf(requirements: GroupRequirements, machines: readonly MachineState[]): Verdicts {
  const codes = Uint8Array.from(machines, (machine) => codeOf(machineReason(requirements, machine)))
  const open = new MachineSet(machines.length)
  for (const [position, code] of codes.entries()) if (code === 0) open.add(position)
  return { codes, open }
}

/** Identifies a ranking among those of the same requirements. */
function rankingKey(
  { preferences }: GroupRequirements,
  kept: readonly Preference[],
  domain: Domain | null,
): string {
  if (kept.length === 0 && domain === null) return ''
  const wishes = kept.map((one) => preferences.indexOf(one)).join(',')
  const where = domain === null ? '' : domain.value === null ? '!' : `=${domain.value}`
  return `${wishes} ${where}`
}

/** A partition with what is needed to keep its loads. */
interface KeptPartition {
  readonly domains: ReadonlyMap<string | null, CountedDomain>
  readonly of: readonly CountedDomain[]
  /** Loads by position, as they are counted in. */
  readonly loads: Int32Array
  seen: number
}

type CountedDomain = Domain & { load: number }

function domainsOf(
  machines: readonly MachineState[],
  key: string,
): ReadonlyMap<string | null, CountedDomain> {
  const members = new Map<string | null, MachineState[]>()
  for (const machine of machines) {
    const value = domainOf(machine, key)
    const known = members.get(value)
    if (known === undefined) members.set(value, [machine])
    else known.push(machine)
  }
  return new Map(
    [...members].map(([value, list]) => {
      const offsetOf = new Int32Array(machines.length).fill(-1)
      for (const [offset, machine] of list.entries()) offsetOf[machine.position] = offset
      const range: MachineRange = {
        positions: Int32Array.from(list, (machine) => machine.position),
        offsetOf,
      }
      return [
        value,
        { value, machines: list, range, load: list.reduce((sum, machine) => sum + machine.load, 0) },
      ]
    }),
  )
}

function domainBySlot(domains: ReadonlyMap<string | null, CountedDomain>): readonly CountedDomain[] {
  const bySlot: CountedDomain[] = []
  for (const domain of domains.values())
    for (const machine of domain.machines) bySlot[machine.position] = domain
  return bySlot
}

/** Codes of reasons in rankings; 0 is none. */
const refusalKinds: readonly RefusalKind[] = [
  'driver',
  'cordoned',
  'machine-id',
  'metadata',
  'network',
  'secret-key',
  'driver-away',
  'memory',
  'cpu',
  'port',
  'disk',
  'ports-used-up',
  'no-target',
  'target-elsewhere',
  'volume-elsewhere',
  'group',
  'conflict',
  'replaced',
  'replaces',
  'far',
  'near',
  'nothing-near',
]
const codes = new Map(refusalKinds.map((kind, index) => [kind, index + 1]))

export function codeOf(kind: RefusalKind | null): number {
  if (kind === null) return 0
  const code = codes.get(kind)
  invariant(code !== undefined, `${kind} has no code`)
  return code
}

/** The code of a machine that breaks only a preference. */
export const notPreferred = refusalKinds.length + 1

export function kindOf(code: number): RefusalKind {
  const kind = refusalKinds[code - 1]
  invariant(kind !== undefined, `no refusal has the code ${code}`)
  return kind
}
