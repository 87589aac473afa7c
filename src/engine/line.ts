// Tenants that wait for a seat and ask for the same, in the order in which they are given one.
import type { Line, Tenant } from './cast.js'

/** Older units first, then by instance number and name: the order in which seats are given out. */
export function byAge({ unit: a }: Tenant, { unit: b }: Tenant): number {
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt
  const n = (a.instance?.n ?? 0) - (b.instance?.n ?? 0)
  if (n !== 0) return n
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

/** A waiting line. Joining it in order and leaving it at its head cost next to nothing, whatever its length. */
export class WaitingLine implements Line {
  readonly #members = new Set<Tenant>()
  /** Its members by age from `#head` on, with gaps where somebody has left; of no use while it is not sorted. */
  #byAge: Tenant[] = []
  #head = 0
  #isSorted = true

  get size(): number {
    return this.#members.size
  }

  [Symbol.iterator](): Iterator<Tenant> {
    return this.#members.values()
  }

  add(tenant: Tenant): void {
    if (this.#members.has(tenant)) return
    this.#members.add(tenant)
    if (!this.#isSorted) return
    const last = this.#byAge.at(-1)
    if (last !== undefined && byAge(last, tenant) > 0) this.#isSorted = false
    else this.#byAge.push(tenant)
  }

  delete(tenant: Tenant): void {
    if (!this.#members.delete(tenant)) return
    // One that leaves from the middle may come back with another age, so its place there is worth nothing.
    if (this.#byAge[this.#head] === tenant) this.#head++
    else this.#isSorted = false
    if (this.#members.size === 0) this.#sort()
  }

  oldest(): Tenant | null {
    if (!this.#isSorted) this.#sort()
    return this.#byAge[this.#head] ?? null
  }

  #sort(): void {
    this.#byAge = [...this.#members].sort(byAge)
    this.#head = 0
    this.#isSorted = true
  }
}
