// A cache of the inputs of units for which there was nothing to start and nothing new to report: while they are unchanged,
// the agent skips the unit. A burst of starts is hundreds of passes, and most units are not part of it.
import type { DesiredUnit, ObservedUnit, Placement, UnitName, UnitReport } from '../model/unit.js'
import type { Chain } from './plan-local.js'
import type { UnitMemory } from './report.js'

/** All that decides what is started for a unit and reported of it; each value is replaced when it changes. */
export interface UnitInputs {
  readonly unit: DesiredUnit
  readonly placement: Placement
  readonly observed: ObservedUnit | undefined
  readonly memory: UnitMemory | undefined
  /** The last report of it in the store. */
  readonly reported: UnitReport | undefined
  /** What is under way for it. */
  readonly chain: Chain | undefined
}

export class UnchangedInputs {
  readonly #known = new Map<UnitName, UnitInputs>()

  /** Notes that there was nothing to do. What is due again later is a matter of time, and is looked at again. */
  note(inputs: UnitInputs): void {
    const isDueLater = (inputs.memory?.retryAt ?? null) !== null || inputs.observed?.restartIsDue === true
    if (!isDueLater) this.#known.set(inputs.unit.name, inputs)
  }

  /** Whether there is nothing to do for a unit, as it is now. */
  has(now: UnitInputs): boolean {
    const then = this.#known.get(now.unit.name)
    return (
      then !== undefined &&
      then.unit === now.unit &&
      then.placement === now.placement &&
      then.observed === now.observed &&
      then.memory === now.memory &&
      then.reported === now.reported &&
      then.chain === now.chain
    )
  }

  forget(name: UnitName): void {
    this.#known.delete(name)
  }
}
