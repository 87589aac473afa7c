// Who may get a seat in this step, oldest first. Of those that ask for the same the oldest stands for all: where it
// finds no seat, none of them does.
import { byAge, type Kind, type Tenant } from './model.js'
import type { Roster } from './unit-index.js'

export class Queue {
  readonly #roster: Roster
  /** Who is older than all in the heap: after the oldest of a kind mostly comes the next of it. */
  #front: Tenant | null = null
  /** A binary heap: each is older than the two at twice its place. */
  readonly #heap: Tenant[] = []
  /** What kinds carry whose oldest is in here; another one after each filling, so that none carries it any more. */
  #mark: object = {}
  readonly #bound = new Set<Tenant>()

  constructor(roster: Roster) {
    this.#roster = roster
  }

  /** Puts everybody in who waits. */
  fill(): void {
    this.#front = null
    this.#heap.length = 0
    this.#mark = {}
    this.#bound.clear()
    for (const kind of this.#roster.waiting) this.addKind(kind)
    for (const tenant of this.#roster.bound) this.#addBound(tenant)
  }

  add(tenant: Tenant): void {
    if (tenant.seat !== null) return
    if (this.#roster.isBound(tenant)) this.#addBound(tenant)
    else this.addKind(tenant.kind)
  }

  /** Puts the oldest of a kind in that waits by itself, if there is one. */
  addKind(kind: Kind): void {
    const oldest = kind.queued === this.#mark ? null : kind.waiting.oldest()
    if (oldest === null) return
    kind.queued = this.#mark
    this.#insert(oldest)
  }

  /** Takes the oldest out; null when there is nobody left. */
  next(): Tenant | null {
    for (;;) {
      const tenant = this.#front ?? this.#pop()
      if (tenant === null) return null
      this.#front = null
      if (this.#roster.isBound(tenant)) this.#bound.delete(tenant)
      else tenant.kind.queued = null
      // One of a group may have got its seat with another one.
      if (tenant.seat === null) return tenant
    }
  }

  #addBound(tenant: Tenant): void {
    if (this.#bound.has(tenant)) return
    this.#bound.add(tenant)
    this.#insert(tenant)
  }

  #insert(tenant: Tenant): void {
    const oldest = this.#front ?? this.#heap[0]
    if (oldest !== undefined && byAge(oldest, tenant) < 0) {
      this.#push(tenant)
      return
    }
    if (this.#front !== null) this.#push(this.#front)
    this.#front = tenant
  }

  #push(tenant: Tenant): void {
    const heap = this.#heap
    let place = heap.length
    while (place > 0) {
      const above = (place - 1) >> 1
      const other = heap[above]
      if (other === undefined || byAge(other, tenant) < 0) break
      heap[place] = other
      place = above
    }
    heap[place] = tenant
  }

  #pop(): Tenant | null {
    const heap = this.#heap
    const first = heap[0] ?? null
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return first
    let place = 0
    for (;;) {
      const left = heap[2 * place + 1]
      const right = heap[2 * place + 2]
      if (left === undefined) break
      const isRight = right !== undefined && byAge(right, left) < 0
      const older = isRight ? right : left
      if (byAge(last, older) < 0) break
      heap[place] = older
      place = 2 * place + (isRight ? 2 : 1)
    }
    heap[place] = last
    return first
  }
}
