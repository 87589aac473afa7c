// The instances behind one name of a service, and which of them are listed now: found out again only when one changed,
// or when it is time.
import { earlier, type Instant } from '../lib/time.js'
import type { CnsService } from '../model/cns-labels.js'
import { leaveTimes } from './linger.js'
import { isListedFrom } from './listing.js'
import type { NamedInstance } from './named-instance.js'
import { type Reach, reachOf } from './reach.js'

/** An instance as it stands behind one name. */
export interface Member {
  readonly of: NamedInstance
  readonly service: CnsService
}

/** Who answers for a name. */
interface Listed {
  readonly all: readonly Member[]
  /** Those of them on the machine that is asked. */
  readonly here: readonly Member[]
}

/** The addresses of members, each once: ten thousand instances may have ten. */
export function addressesOf(members: readonly Member[], network: string): readonly Reach[] {
  const known = addressesKnown.get(members)
  const found = known?.get(network)
  if (found !== undefined) return found
  const distinct = new Map<string, Reach>()
  for (const { of } of members) {
    const reach = reachOf(of.where, network)
    if (reach !== null) distinct.set(reach.address, reach)
  }
  const addresses = [...distinct.values()]
  // Anything may be asked for as a network; only these two are always the same.
  if (network === 'public' || network === 'private')
    addressesKnown.set(members, (known ?? new Map()).set(network, addresses))
  return addresses
}

/** They are as long the same as the list of members is. */
const addressesKnown = new WeakMap<readonly Member[], Map<string, readonly Reach[]>>()

/** Adds those to the listed ones that have not left yet; when the next of them does. */
function stay(lingering: readonly Member[], listed: Member[], now: Instant): Instant | null {
  const sinceOf = ({ of }: Member): Instant => of.lingersSince ?? now
  const ordered = lingering.toSorted((a, b) => sinceOf(a) - sinceOf(b))
  const times = leaveTimes(ordered.map(sinceOf), listed.length)
  listed.push(...ordered.filter((_, index) => (times[index] ?? now) > now))
  return times.filter((at) => at > now).reduce<Instant | null>(earlier, null)
}

export class Group {
  readonly #members = new Map<string, Member>()
  #ttl: number | null | undefined
  #known: (Listed & { readonly at: Instant; readonly until: Instant | null }) | null = null

  put(member: Member): void {
    this.#members.set(member.of.instance.unit, member)
    this.#known = null
    this.#ttl = undefined
  }

  /** Returns whether nobody is left. */
  drop(unit: string): boolean {
    this.#members.delete(unit)
    this.#known = null
    this.#ttl = undefined
    return this.#members.size === 0
  }

  members(): Iterable<Member> {
    return this.#members.values()
  }

  /** The shortest that members say answers may be remembered, in seconds; null where none says. */
  ttl(): number | null {
    if (this.#ttl === undefined) {
      const said = [...this.#members.values()].flatMap(({ of }) => of.labels.ttl ?? [])
      this.#ttl = said.length === 0 ? null : said.reduce((one, other) => Math.min(one, other))
    }
    return this.#ttl
  }

  /** Those that are listed; where there are none, those that would rather not be. */
  listed(now: Instant): Listed {
    const known = this.#known
    if (known !== null && now >= known.at && (known.until === null || now < known.until)) return known
    const all: Member[] = []
    const reserve: Member[] = []
    const lingering: Member[] = []
    let until: Instant | null = null
    for (const member of this.#members.values()) {
      const { listing } = member.of
      if (listing.rank === 'reserve') reserve.push(member)
      if (member.of.lingersSince !== null) lingering.push(member)
      if (listing.rank !== 'listed') continue
      if (isListedFrom(listing.from, now)) all.push(member)
      else until = earlier(until, listing.from)
    }
    if (lingering.length > 0) until = earlier(until, stay(lingering, all, now))
    const shown = all.length > 0 ? all : reserve
    this.#known = { all: shown, here: shown.filter(({ of }) => of.where.isHere), at: now, until }
    return this.#known
  }
}
