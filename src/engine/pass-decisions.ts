// What the engine decides: actions with their causes, collected in the course of a pass.
import { byKeys, byText } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import type { Placement, Refusal, UnitName, Waiting } from '../model/unit.js'
import type { MachineState } from './state/model.js'

/** The decisions of one pass so far, and what has to be checked because of them. */
export class PassDecisions {
  readonly now: Instant
  /** Units that moved, so that their followers have to be checked. */
  readonly moved = new Set<UnitName>()
  /** Machines on which something changed that the scheduler itself did not decide. */
  readonly machinesToRecheck = new Set<MachineState>()
  /** Pending units, and targets of such, that are new, ask for something else or are gone. */
  readonly unitsToRetry = new Set<string>()
  #evictions: Eviction[] = []
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

  /** How many decisions concern placements that exist already. */
  get decisions(): number {
    return this.#evictions.length + this.#forgotten.length
  }

  evict(placement: Placement, cause: EvictionCause): void {
    this.#evictions.push({ kind: 'evict', placement, cause })
  }

  place(placement: Placement): void {
    this.#placements.push({ kind: 'place', placement })
  }

  /** Takes back a placement of this pass. Returns whether there was one. */
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

  /** Takes back the evictions of units that were placed again as they were, with these placements. Returns which. */
  takeBackReturns(): ReadonlySet<UnitName> {
    const returned = new Set<Placement>()
    if (this.#evictions.length === 0) return new Set()
    const left = new Map(this.#evictions.map(({ placement }) => [placeOf(placement), placement]))
    for (const [index, action] of this.#placements.entries()) {
      if (action?.kind !== 'place') continue
      const before = left.get(placeOf(action.placement))
      if (before === undefined || !isSamePlace(before, action.placement)) continue
      this.#placements[index] = null
      returned.add(before)
    }
    this.#evictions = this.#evictions.filter(({ placement }) => !returned.has(placement))
    return new Set([...returned].map(({ unit }) => unit))
  }

  /** Gives each eviction the cause that `of` says. */
  causeAnew(of: (action: Eviction) => EvictionCause): void {
    this.#evictions = this.#evictions.map((action) => ({ ...action, cause: of(action) }))
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

type Eviction = EngineAction & { readonly kind: 'evict' }

function placeOf({ unit, machine }: Placement): string {
  return `${unit} ${machine}`
}

function isSamePlace(one: Placement, other: Placement): boolean {
  const isOnPorts = one.ports.every(({ ip, host, container, protocol }, index) => {
    const port = other.ports[index]
    return port?.ip === ip && port.host === host && port.container === container && port.protocol === protocol
  })
  const isEverywhere = (one.global ?? false) === (other.global ?? false)
  return isEverywhere && isOnPorts && one.ports.length === other.ports.length
}

/** What the engine wants done. Each carries why. */
export type EngineAction =
  | { readonly kind: 'place'; readonly placement: Placement }
  | { readonly kind: 'evict'; readonly placement: Placement; readonly cause: EvictionCause }
  | { readonly kind: 'wait'; readonly waiting: Waiting }
  | { readonly kind: 'stop-waiting'; readonly unit: UnitName }

export type EvictionCause =
  /** It was destroyed. */
  | { readonly kind: 'unit-gone' }
  /** Its desired state is inactive. */
  | { readonly kind: 'unloaded' }
  /** The presence of its machine has ended. */
  | { readonly kind: 'machine-lost' }
  /** Something that is not ours holds a host port that was chosen for it, so it gets another one. */
  | { readonly kind: 'port-taken'; readonly port: number }
  /** It publishes other ports than those that it was placed with. */
  | { readonly kind: 'ports-changed' }
  /** It was one unit and is global now, or the other way round. */
  | { readonly kind: 'scope-changed' }
  /** A unit that it follows (`MachineOf=`) is not there any more. */
  | { readonly kind: 'target-moved'; readonly target: string }
  /** A unit with `Replaces=` has taken its place. */
  | { readonly kind: 'replaced'; readonly by: UnitName }
  /** Its machine is being drained, and another one takes it. */
  | { readonly kind: 'drained' }
  /** The machine, its neighbours or it itself has changed, so that it cannot stay. */
  | { readonly kind: 'no-longer-fits'; readonly refusal: Refusal }

export interface EnginePlan {
  readonly actions: readonly EngineAction[]
  /** When the answer could change without an event; the engine has no such time. */
  readonly wakeAt: Instant | null
}
