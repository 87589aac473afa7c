// What is forgotten with a machine that is gone for good.
import type { MachineId } from '../model/machine.js'
import type { Decision } from '../store/decision.js'
import { keys } from '../store/records.js'
import type { Op } from '../store/store.js'
import type { ClusterView } from '../store/view.js'

/** Takes a machine that is down out of the lists, with what was asked of it. It is to be held to that it stays away. */
export function forgetMachine(view: ClusterView, id: MachineId): Decision {
  const gone = [
    keys.knownMachine(id),
    keys.order(id),
    keys.metrics(id),
    keys.clockCall(id),
    keys.clockReading(id),
    keys.clockOffset(id),
  ]
  return {
    decidedOn: [keys.machine(id), keys.knownMachine(id)],
    ops: gone.filter((key) => view.revisionOf(key) > 0).map((key): Op => ({ op: 'delete', key })),
  }
}
