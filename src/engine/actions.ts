// What the engine decides: a value, with why.
import type { Instant } from '../lib/time.js'
import type { Placement, Refusal, UnitName, Waiting } from '../model/unit.js'

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
