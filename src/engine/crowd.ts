// Sets of tenants who know their place in them: over a million units a `Set` costs several times the memory and time.
import type { Crowd, Tenant } from './cast.js'

/** A tenant may be in one such crowd for each of the two places that it remembers. */
export class KnownPlaces implements Crowd {
  readonly #members: Tenant[] = []
  readonly #place: 'placeOnSeat' | 'placeInProfile'

  constructor(place: 'placeOnSeat' | 'placeInProfile') {
    this.#place = place
  }

  get size(): number {
    return this.#members.length
  }

  [Symbol.iterator](): Iterator<Tenant> {
    return this.#members.values()
  }

  add(tenant: Tenant): void {
    if (this.#members[tenant[this.#place]] === tenant) return
    tenant[this.#place] = this.#members.length
    this.#members.push(tenant)
  }

  /** The last one takes its place. */
  delete(tenant: Tenant): void {
    const place = tenant[this.#place]
    if (this.#members[place] !== tenant) return
    const last = this.#members.pop()
    if (last === undefined || last === tenant) return
    this.#members[place] = last
    last[this.#place] = place
  }
}
