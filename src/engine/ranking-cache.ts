// Rankings of machines, one for each shape of party that was asked for lately. They are kept while units come and go:
// a machine that refused is asked again when it changes, and no earlier.
import { invariant } from '../lib/invariant.js'
import { machineReason, type RefusalKind } from './constraints.js'
import { type Field, Ranking, type Verdicts } from './least-loaded.js'
import { Slots } from './state/machine-sets.js'
import type { Seating } from './state/machines.js'
import type { Seat } from './state/model.js'
import type { Preference, Shape } from './state/placement-group.js'
import { domainOf } from './state/selectors.js'

/** Machines by their values of a metadata key; null for machines that do not have it. */
export type Partition = ReadonlyMap<string | null, Domain>

export interface Domain {
  readonly value: string | null
  readonly field: Field
  /** The load of all its machines together. */
  readonly load: number
  /** Its machines, by id. */
  readonly seats: readonly Seat[]
}

/** How many bytes the kept rankings may take up together. */
const roomForRankings = 2 ** 26

/**
 * What a ranking is asked for: the machine to choose, or why each of those that refuse does. A machine that refused can
 * be the one to choose only after something has left it; its reason can be another one after any change.
 */
export type Question = 'whom' | 'why'

export class Rankings {
  readonly #seating: Seating
  readonly #kept = new Map<Shape, Map<string, Ranking>>()
  readonly #verdicts = new Map<string, Verdicts>()
  readonly #partitions = new Map<string, KeptPartition>()
  #everywhere: Field = { slots: new Int32Array(0), placeOf: null }
  #generation = -1
  #room = roomForRankings

  constructor(seating: Seating) {
    this.#seating = seating
  }

  /** The ranking for a shape with some of its preferences, over all machines or those of one domain; up to date. */
  of(shape: Shape, kept: readonly Preference[], domain: Domain | null, question: Question): Ranking {
    this.#startOver()
    const key = rankingKey(shape, kept, domain)
    let version = 0
    for (const selector of shape.farReaching) version += selector.version
    const known = this.#kept.get(shape)?.get(key)
    const asked = kept.some(isHelpedByArrivals) ? 'why' : question
    if (known?.version === version && this.#bringUpToDate(known, asked)) return known
    if (known !== undefined) this.#drop(shape, key, known)
    const field = domain?.field ?? this.#everywhere
    const ranking = new Ranking(field, this.#verdictsOn(shape), version, this.#seating.seen)
    this.#keep(shape, key, ranking)
    return ranking
  }

  /** Machines by a metadata key, with the load of each group; up to date. */
  partition(key: string): Partition {
    this.#startOver()
    const known = this.#partitions.get(key)
    if (known !== undefined && this.#countLoads(known)) return known.domains
    const domains = domainsOf(this.#seating.present, key)
    const made = { domains, loads: this.#seating.loads.slice(), seen: this.#seating.changes.end }
    this.#partitions.set(key, { ...made, of: domainBySlot(domains) })
    return domains
  }

  #countLoads(partition: KeptPartition): boolean {
    const changed = this.#seating.changes.since(partition.seen)
    if (changed === null) return false
    for (const slot of changed) {
      const load = this.#seating.loads[slot] ?? 0
      const domain = partition.of[slot]
      if (domain !== undefined) domain.load += load - (partition.loads[slot] ?? 0)
      partition.loads[slot] = load
    }
    partition.seen = this.#seating.changes.end
    return true
  }

  /** After machines came, went or changed nothing that was known of them holds any more. */
  #startOver(): void {
    const { present, generation } = this.#seating
    if (generation === this.#generation) return
    this.#generation = this.#seating.generation
    this.#kept.clear()
    this.#verdicts.clear()
    this.#partitions.clear()
    this.#room = roomForRankings
    this.#everywhere = { slots: Int32Array.from(present, (seat) => seat.slot), placeOf: null }
  }

  /** Lets those in again that may give another answer; false where they are forgotten. */
  #bringUpToDate(ranking: Ranking, question: Question): boolean {
    const { changes, departures, loads, seen: now } = this.#seating
    const { seen } = ranking
    const asked = question === 'whom' ? departures.since(seen.departures) : changes.since(seen.changes)
    if (asked === null) return false
    for (const slot of asked) ranking.admit(slot, loads[slot] ?? 0)
    if (question === 'why') ranking.seen = now
    else if (asked.length > 0) ranking.seen = { ...seen, departures: now.departures }
    return true
  }

  #verdictsOn(shape: Shape): Verdicts {
    const known = this.#verdicts.get(shape.machineKey)
    if (known !== undefined && shape.clash === null) return known
    const made = verdictsOf(shape, this.#seating.present)
    if (shape.clash === null) this.#verdicts.set(shape.machineKey, made)
    return made
  }

  #keep(shape: Shape, key: string, ranking: Ranking): void {
    this.#room -= ranking.cost
    for (const [oldShape, rankings] of this.#kept) {
      if (this.#room >= 0) break
      for (const [oldKey, old] of rankings) this.#drop(oldShape, oldKey, old)
    }
    const known = this.#kept.get(shape)
    if (known === undefined) this.#kept.set(shape, new Map([[key, ranking]]))
    else known.set(key, ranking)
  }

  #drop(shape: Shape, key: string, ranking: Ranking): void {
    const rankings = this.#kept.get(shape)
    rankings?.delete(key)
    if (rankings?.size === 0) this.#kept.delete(shape)
    this.#room += ranking.cost
  }
}

/** Whether a machine that refused may be the one to choose because something has come to it. */
function isHelpedByArrivals(preference: Preference): boolean {
  return preference.about === 'units' && preference.rule.near
}

function verdictsOf(shape: Shape, seats: readonly Seat[]): Verdicts {
  const codes = Uint8Array.from(seats, (seat) => codeOf(machineReason(shape, seat)))
  const open = new Slots(seats.length)
  for (const [slot, code] of codes.entries()) if (code === 0) open.add(slot)
  return { codes, open }
}

/** Among the rankings of one shape. */
function rankingKey({ preferences }: Shape, kept: readonly Preference[], domain: Domain | null): string {
  if (kept.length === 0 && domain === null) return ''
  const wishes = kept.map((one) => preferences.indexOf(one)).join(',')
  const where = domain === null ? '' : domain.value === null ? '!' : `=${domain.value}`
  return `${wishes} ${where}`
}

/** A partition with what is needed to keep its loads. */
interface KeptPartition {
  readonly domains: ReadonlyMap<string | null, CountedDomain>
  readonly of: readonly CountedDomain[]
  /** Loads by slot, as they are counted in. */
  readonly loads: Int32Array
  seen: number
}

type CountedDomain = Domain & { load: number }

function domainsOf(seats: readonly Seat[], key: string): ReadonlyMap<string | null, CountedDomain> {
  const members = new Map<string | null, Seat[]>()
  for (const seat of seats) {
    const value = domainOf(seat, key)
    const known = members.get(value)
    if (known === undefined) members.set(value, [seat])
    else known.push(seat)
  }
  return new Map(
    [...members].map(([value, list]) => {
      const placeOf = new Int32Array(seats.length).fill(-1)
      for (const [place, seat] of list.entries()) placeOf[seat.slot] = place
      const field = { slots: Int32Array.from(list, (seat) => seat.slot), placeOf }
      return [value, { value, seats: list, field, load: list.reduce((sum, seat) => sum + seat.load, 0) }]
    }),
  )
}

function domainBySlot(domains: ReadonlyMap<string | null, CountedDomain>): readonly CountedDomain[] {
  const bySlot: CountedDomain[] = []
  for (const domain of domains.values()) for (const seat of domain.seats) bySlot[seat.slot] = domain
  return bySlot
}

/** Codes of reasons in rankings; 0 is none. */
const kinds: readonly RefusalKind[] = [
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
const codes = new Map(kinds.map((kind, index) => [kind, index + 1]))

export function codeOf(kind: RefusalKind | null): number {
  if (kind === null) return 0
  const code = codes.get(kind)
  invariant(code !== undefined, `${kind} has no code`)
  return code
}

/** The code of a machine that only a preference is against. */
export const notPreferred = kinds.length + 1

export function kindOf(code: number): RefusalKind {
  const kind = kinds[code - 1]
  invariant(kind !== undefined, `no refusal has the code ${code}`)
  return kind
}
