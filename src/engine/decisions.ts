// One round of decisions: what is decided so far, and what is to be looked at because of it.
import { byKeys, byText } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import type { Placement, UnitName, Waiting } from '../model/unit.js'
import type { EngineAction, EvictionCause } from './actions.js'
import type { Seat } from './state/model.js'

export class Round {
  readonly now: Instant
  /** Units whose place changed, so that those that follow them have to be looked at. */
  readonly moved = new Set<UnitName>()
  /** Machines on which something changed that was not decided by the scheduler itself. */
  readonly suspects = new Set<Seat>()
  /** Units that wait, or are bound to some that wait, and are new, ask for something else or are gone. */
  readonly touched = new Set<string>()
  readonly #evictions: (EngineAction & { readonly kind: 'evict' })[] = []
  /** In order; null where one was taken back. */
  readonly #placements: (EngineAction | null)[] = []
  /** Where in `#placements` the last one of a unit is, of those up to `#numbered`: seldom asked for. */
  readonly #numberOf = new Map<UnitName, number>()
  #numbered = 0
  readonly #waits = new Map<UnitName, Waiting>()
  readonly #forgotten: UnitName[] = []

  constructor(now: Instant) {
    this.now = now
  }

  /** How much was decided about what is there already. */
  get decisions(): number {
    return this.#evictions.length + this.#forgotten.length
  }

  evict(placement: Placement, cause: EvictionCause): void {
    this.#evictions.push({ kind: 'evict', placement, cause })
  }

  place(placement: Placement): void {
    this.#placements.push({ kind: 'place', placement })
  }

  /** Takes back a placement of this round. Returns whether there was one. */
  takeBack(unit: UnitName): boolean {
    for (; this.#numbered < this.#placements.length; this.#numbered++) {
      const action = this.#placements[this.#numbered]
      if (action?.kind === 'place' && !action.placement.global)
        this.#numberOf.set(action.placement.unit, this.#numbered)
    }
    const number = this.#numberOf.get(unit)
    if (number === undefined) return false
    this.#numberOf.delete(unit)
    this.#placements[number] = null
    return true
  }

  wait(waiting: Waiting): void {
    this.#waits.set(waiting.unit, waiting)
  }

  stopWaiting(unit: UnitName): void {
    this.#forgotten.push(unit)
  }

  /** All that was decided, in an order that depends on nothing but what was decided. */
  actions(): readonly EngineAction[] {
    const evictions = this.#evictions.sort(
      byKeys(
        ({ placement }) => placement.unit,
        ({ placement }) => placement.machine,
      ),
    )
    const waits = [...this.#waits.values()]
      .sort(byKeys(({ unit }) => unit))
      .map((waiting): EngineAction => ({ kind: 'wait', waiting }))
    const forgotten = this.#forgotten
      .sort(byText)
      .map((unit): EngineAction => ({ kind: 'stop-waiting', unit }))
    const placements = this.#placements.filter((action) => action !== null)
    return [...evictions, ...placements, ...waits, ...forgotten]
  }
}
