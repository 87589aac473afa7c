// Whether the entry is done with a unit that is to stop.
import type { Instant } from '../lib/time.js'
import type { UnitName } from '../model/unit.js'
import type { ClusterView } from '../store/view.js'

/** Who was down for so long cannot have anything under way that would still be waited for. */
const forgottenAfterMs = 60_000

/**
 * Whether no machine with an entry has a request under way for a unit, or will have one. One that is away or has just been lost may
 * still serve what it was told last, and has nobody who could say so: it counts as busy.
 */
export function isIdleEverywhere(
  view: Pick<ClusterView, 'knownMachines' | 'machines' | 'entryIdle'>,
  unit: UnitName,
  now: Instant,
): boolean {
  const all = [...view.knownMachines.values(), ...view.machines.values()]
  return all.every(({ id, entry }) => {
    if (entry === undefined) return true
    const downSince = view.knownMachines.get(id)?.downSince
    if (downSince !== undefined && now - downSince > forgottenAfterMs) return true
    const present = view.machines.get(id)
    if (present === undefined || present.away !== undefined) return false
    return present.entry === undefined || view.entryIdle.get(id)?.units.includes(unit) === true
  })
}
