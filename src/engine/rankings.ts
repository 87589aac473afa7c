// Rankings of machines, one for each shape of party that was asked for lately. They are kept while units come and go:
// a machine that refused is asked again when it changes, and no earlier.
import { invariant } from '../lib/invariant.js'
import type { Seat } from './cast.js'
import { machineReason, type RefusalKind } from './fit.js'
import type { Preference, Shape } from './party.js'
import { type Field, Ranking } from './ranking.js'
import type { Seating } from './seats.js'
import { domainOf } from './selectors.js'

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

/** How many numbers the kept rankings may hold together: 64 MiB. */
const roomForRankings = 2 ** 24

export class Rankings {
  readonly #seating: Seating
  readonly #kept = new Map<string, Ranking>()
  readonly #reasons = new Map<string, Uint8Array>()
  readonly #partitions = new Map<string, KeptPartition>()
  #everywhere: Field = { slots: new Int32Array(0), placeOf: null }
  #generation = -1
  #room = roomForRankings

  constructor(seating: Seating) {
    this.#seating = seating
  }

  /** The ranking for a shape with some of its preferences, over all machines or those of one domain; up to date. */
  of(shape: Shape, kept: readonly Preference[], domain: Domain | null): Ranking {
    this.#startOver()
    const key = rankingKey(shape, kept, domain)
    const version = shape.farReaching.reduce((sum, selector) => sum + selector.version, 0)
    const known = this.#kept.get(key)
    if (known !== undefined && known.version === version && this.#bringUpToDate(known)) return known
    if (known !== undefined) this.#drop(key, known)
    const field = domain?.field ?? this.#everywhere
    const ranking = new Ranking(field, this.#machineReasons(shape), this.#seating.loads, version)
    ranking.seen = this.#seating.changed
    this.#keep(key, ranking)
    return ranking
  }

  /** Machines by a metadata key, with the load of each group; up to date. */
  partition(key: string): Partition {
    this.#startOver()
    const known = this.#partitions.get(key)
    if (known !== undefined && this.#countLoads(known)) return known.domains
    const domains = domainsOf(this.#seating.present, key)
    const made = { domains, loads: this.#seating.loads.slice(), seen: this.#seating.changed }
    this.#partitions.set(key, { ...made, of: domainBySlot(domains) })
    return domains
  }

  #countLoads(partition: KeptPartition): boolean {
    const changed = this.#seating.changedSince(partition.seen)
    if (changed === null) return false
    for (const slot of changed) {
      const load = this.#seating.loads[slot] ?? 0
      const domain = partition.of[slot]
      if (domain !== undefined) domain.load += load - (partition.loads[slot] ?? 0)
      partition.loads[slot] = load
    }
    partition.seen = this.#seating.changed
    return true
  }

  /** After machines came, went or changed nothing that was known of them holds any more. */
  #startOver(): void {
    const { present, generation } = this.#seating
    if (generation === this.#generation) return
    this.#generation = this.#seating.generation
    this.#kept.clear()
    this.#reasons.clear()
    this.#partitions.clear()
    this.#room = roomForRankings
    this.#everywhere = { slots: Int32Array.from(present, (seat) => seat.slot), placeOf: null }
  }

  #bringUpToDate(ranking: Ranking): boolean {
    const changed = this.#seating.changedSince(ranking.seen)
    if (changed === null) return false
    const { loads } = this.#seating
    for (const slot of changed) ranking.update(slot, loads[slot] ?? 0)
    ranking.seen = this.#seating.changed
    return true
  }

  #machineReasons(shape: Shape): Uint8Array {
    const known = this.#reasons.get(shape.machineKey)
    if (known !== undefined && shape.clash === null) return known
    const made = Uint8Array.from(this.#seating.present, (seat) => codeOf(machineReason(shape, seat)))
    if (shape.clash === null) this.#reasons.set(shape.machineKey, made)
    return made
  }

  #keep(key: string, ranking: Ranking): void {
    this.#room -= ranking.cost
    for (const [oldKey, old] of this.#kept) {
      if (this.#room >= 0) break
      this.#drop(oldKey, old)
    }
    this.#kept.set(key, ranking)
  }

  #drop(key: string, ranking: Ranking): void {
    this.#kept.delete(key)
    this.#room += ranking.cost
  }
}

function rankingKey(shape: Shape, kept: readonly Preference[], domain: Domain | null): string {
  if (kept.length === 0 && domain === null) return shape.key
  const wishes = kept.map((one) => shape.preferences.indexOf(one)).join(',')
  const where = domain === null ? '' : domain.value === null ? '!' : `=${domain.value}`
  return `${shape.key} ${wishes} ${where}`
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
  'memory',
  'cpu',
  'port',
  'ports-used-up',
  'no-target',
  'target-elsewhere',
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
