// Units whose place was taken back before their machine had said anything of them. It may just be starting them, so that
// for a while nobody can say that they are gone.
import type { UnitName } from '../model/unit.js'
import { kindOfKey, placedUnitOf } from '../store/records.js'
import { saidWithinMs } from '../store/still-elsewhere.js'
import type { Change } from '../store/store.js'
import type { ClusterView } from '../store/view.js'

/** Units that lost their place a moment ago. */
export class RecentlyPlaced {
  /** When each lost its place, by the clock that nobody sets. */
  readonly #at = new Map<UnitName, number>()

  /** Takes changes in that the view has taken in. */
  note(changes: readonly Change[], view: Pick<ClusterView, 'isReported'>, steady: number): void {
    for (const { type, key } of changes) {
      const kind = kindOfKey(key)
      const unit = kind === 'placement' ? placedUnitOf(key) : null
      if (unit === null) continue
      if (type === 'delete' && !view.isReported(unit)) this.#at.set(unit, steady)
      else this.#at.delete(unit)
    }
    for (const [unit, at] of this.#at)
      if (steady - at > saidWithinMs || view.isReported(unit)) this.#at.delete(unit)
  }

  /** Whether a unit may still be said to run by the machine that it was taken from. */
  isSettling(unit: UnitName, steady: number): boolean {
    return steady - (this.#at.get(unit) ?? Number.NEGATIVE_INFINITY) <= saidWithinMs
  }
}
