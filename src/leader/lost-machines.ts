// Machines that vanished together: what they ran is not placed elsewhere for now.
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { Decision } from '../store/decision.js'
import { keys } from '../store/records.js'
import type { Losses } from '../store/steady-losses.js'
import type { Op } from '../store/store.js'
import type { ClusterView } from '../store/view.js'

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

/** Takes a machine that is down out of the lists, with what was asked of it. It is to be held to that it stays away. */
export function forgetMachine(view: ClusterView, id: MachineId): Decision {
  const gone = [
    keys.knownMachine(id),
    keys.order(id),
    keys.metrics(id),
    keys.clockCall(id),
    keys.clockReading(id),
    keys.clockOffset(id),
    keys.entryIdle(id),
  ]
  return {
    decidedOn: [keys.machine(id), keys.knownMachine(id)],
    ops: gone.filter((key) => view.revisionOf(key) > 0).map((key): Op => ({ op: 'delete', key })),
  }
}
