// The pending units that may be placed in this pass, oldest first. The oldest of an equivalence class stands for all of
// it: where no machine takes it, none takes the others.
import { byAge, type EquivalenceClass, type UnitState } from './model.js'
import type { UnitIndex } from './unit-index.js'

export class PendingQueue {
  readonly #units: UnitIndex
  /** A unit that is older than all in the heap: after the oldest of a class mostly comes the next of it. */
  #front: UnitState | null = null
  /** A binary heap: each is older than the two at twice its place. */
  readonly #heap: UnitState[] = []
  /** Marks the classes whose oldest unit is in here; a new one after each `fill`, so that no class carries it. */
  #mark: object = {}
  readonly #grouped = new Set<UnitState>()

  constructor(units: UnitIndex) {
    this.#units = units
  }

  /** Adds all pending units. */
  fill(): void {
    this.#front = null
    this.#heap.length = 0
    this.#mark = {}
    this.#grouped.clear()
    for (const eqClass of this.#units.pendingClasses) this.addClass(eqClass)
    for (const unit of this.#units.pendingGrouped) this.#addGrouped(unit)
  }

  add(unit: UnitState): void {
    if (unit.machine !== null) return
    if (this.#units.isGrouped(unit)) this.#addGrouped(unit)
    else this.addClass(unit.eqClass)
  }

  /** Adds the oldest unit of a class that is placed by itself, if there is one. */
  addClass(eqClass: EquivalenceClass): void {
    const oldest = eqClass.queued === this.#mark ? null : eqClass.pending.oldest()
    if (oldest === null) return
    eqClass.queued = this.#mark
    this.#insert(oldest)
  }

  /** Takes the oldest out; null when there is none left. */
  next(): UnitState | null {
    for (;;) {
      const unit = this.#front ?? this.#pop()
      if (unit === null) return null
      this.#front = null
      if (this.#units.isGrouped(unit)) this.#grouped.delete(unit)
      else unit.eqClass.queued = null
      // One of a group may have been placed with another one.
      if (unit.machine === null) return unit
    }
  }

  #addGrouped(unit: UnitState): void {
    if (this.#grouped.has(unit)) return
    this.#grouped.add(unit)
    this.#insert(unit)
  }

  #insert(unit: UnitState): void {
    const oldest = this.#front ?? this.#heap[0]
    if (oldest !== undefined && byAge(oldest, unit) < 0) {
      this.#push(unit)
      return
    }
    if (this.#front !== null) this.#push(this.#front)
    this.#front = unit
  }

  #push(unit: UnitState): void {
    const heap = this.#heap
    let offset = heap.length
    while (offset > 0) {
      const above = (offset - 1) >> 1
      const other = heap[above]
      if (other === undefined || byAge(other, unit) < 0) break
      heap[offset] = other
      offset = above
    }
    heap[offset] = unit
  }

  #pop(): UnitState | null {
    const heap = this.#heap
    const first = heap[0] ?? null
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return first
    let offset = 0
    for (;;) {
      const left = heap[2 * offset + 1]
      const right = heap[2 * offset + 2]
      if (left === undefined) break
      const isRight = right !== undefined && byAge(right, left) < 0
      const older = isRight ? right : left
      if (byAge(last, older) < 0) break
      heap[offset] = older
      offset = 2 * offset + (isRight ? 2 : 1)
    }
    heap[offset] = last
    return first
  }
}
