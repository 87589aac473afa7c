// Units that an agent need not look at: there was nothing to begin for them and nothing new to tell of them, and nothing
// that this was judged by has changed. A burst of starts is hundreds of passes, and most units are not part of it.
import type { DesiredUnit, ObservedUnit, Placement, UnitName, UnitReport } from '../model/unit.js'
import type { Chain } from './plan-local.js'
import type { UnitMemory } from './report.js'

/** All that decides what is begun for a unit and what is told of it; each is replaced when it changes. */
export interface Judged {
  readonly unit: DesiredUnit
  readonly placement: Placement
  readonly observed: ObservedUnit | undefined
  readonly memory: UnitMemory | undefined
  /** What the store says that was told of it. */
  readonly told: UnitReport | undefined
  /** What is under way for it. */
  readonly chain: Chain | undefined
}

export class SettledUnits {
  readonly #known = new Map<UnitName, Judged>()

  /** Notes that there was nothing to do. What is due again later is a matter of time, and is looked at again. */
  note(judged: Judged): void {
    const isDueLater = (judged.memory?.retryAt ?? null) !== null || judged.observed?.restartIsDue === true
    if (!isDueLater) this.#known.set(judged.unit.name, judged)
  }

  /** Whether there is nothing to do for a unit, as it is now. */
  has(now: Judged): boolean {
    const then = this.#known.get(now.unit.name)
    return (
      then !== undefined &&
      then.unit === now.unit &&
      then.placement === now.placement &&
      then.observed === now.observed &&
      then.memory === now.memory &&
      then.told === now.told &&
      then.chain === now.chain
    )
  }

  forget(name: UnitName): void {
    this.#known.delete(name)
  }
}
