// Sets of tenants who know their place in them: over a million units a `Set` costs several times the memory and time.
import type { Crowd, Tenant } from './state/model.js'

/** A tenant may be in one such crowd for each of the two places that it remembers. */
export class KnownPlaces implements Crowd {
  readonly #members: Tenant[] = []
  readonly #isSeat: boolean

  constructor(place: 'placeOnSeat' | 'placeInProfile') {
    this.#isSeat = place === 'placeOnSeat'
  }

  get size(): number {
    return this.#members.length
  }

  [Symbol.iterator](): Iterator<Tenant> {
    return this.#members.values()
  }

  add(tenant: Tenant): void {
    const place = this.#placeOf(tenant)
    if (place >= 0 && this.#members[place] === tenant) return
    this.#setPlace(tenant, this.#members.length)
    this.#members.push(tenant)
  }

  /** The last one takes its place. */
  delete(tenant: Tenant): void {
    const place = this.#placeOf(tenant)
    if (place < 0 || this.#members[place] !== tenant) return
    const last = this.#members.pop()
    if (last === undefined || last === tenant) return
    this.#members[place] = last
    this.#setPlace(last, place)
  }

  // Asked for by a name that is only known at run time, a field costs several times as much.
  #placeOf(tenant: Tenant): number {
    return this.#isSeat ? tenant.placeOnSeat : tenant.placeInProfile
  }

  #setPlace(tenant: Tenant, place: number): void {
    if (this.#isSeat) tenant.placeOnSeat = place
    else tenant.placeInProfile = place
  }
}
