// Machines that vanished together: what they ran is not placed elsewhere for now.
import type { Instant } from '../../lib/time.js'
import type { MachineId } from '../../model/machine.js'
import type { Losses } from '../../store/steady-losses.js'
import type { ClusterView } from '../../store/view.js'

/** Machines that are gone and whose units stay with them for now, until when. */
export function heldMachines(
  view: ClusterView,
  losses: Losses,
  now: Instant,
): ReadonlyMap<MachineId, Instant> {
  const held = new Map<MachineId, Instant>()
  for (const id of losses.missing(now)) {
    const until = losses.heldUntil(id, now)
    if (until !== null && !view.machines.has(id)) held.set(id, until)
  }
  return held
}
