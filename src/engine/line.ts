// Tenants that wait for a seat and ask for the same, in the order in which they are given one.
import type { Line, Tenant } from './state/model.js'

/** Older units first, then by instance number and name: the order in which seats are given out. */
export function byAge({ unit: a }: Tenant, { unit: b }: Tenant): number {
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt
  const n = (a.instance?.n ?? 0) - (b.instance?.n ?? 0)
  if (n !== 0) return n
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

/** A waiting line. Joining it in order and leaving it at its head cost next to nothing, whatever its length. */
export class WaitingLine implements Line {
  size = 0
  /** By age from `#head` on, as long as it is sorted. Who left it is known by waiting in no line, or in another one. */
  #order: Tenant[] = []
  #head = 0
  #isSorted = true

  add(tenant: Tenant): void {
    if (tenant.line === this) return
    tenant.line = this
    this.size++
    const last = this.#order.at(-1)
    if (last !== undefined && this.#isSorted && byAge(last, tenant) > 0) this.#isSorted = false
    this.#order.push(tenant)
  }

  [Symbol.iterator](): Iterator<Tenant> {
    if (!this.#isSorted) this.#sort()
    return this.#order.slice(this.#head).values()
  }

  delete(tenant: Tenant): void {
    if (tenant.line !== this) return
    tenant.line = null
    this.size--
    // One that leaves from the middle may come back with another age, so its place there is worth nothing.
    if (this.#order[this.#head] === tenant) this.#head++
    else this.#isSorted = false
    if (this.size > 0) return
    this.#order = []
    this.#head = 0
    this.#isSorted = true
  }

  oldest(): Tenant | null {
    if (!this.#isSorted) this.#sort()
    return this.#order[this.#head] ?? null
  }

  #sort(): void {
    this.#order = [...new Set(this.#order)].filter(({ line }) => line === this).sort(byAge)
    this.#head = 0
    this.#isSorted = true
  }
}
