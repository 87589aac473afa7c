import type { MachineId } from '../model/machine.js'
import type { ClusterView } from './view.js'

/** What people call a machine: its hostname, also of one that is down, or the beginning of its id where none is known. */
export function hostnameOf(
  { machines, knownMachines }: Pick<ClusterView, 'machines' | 'knownMachines'>,
  id: MachineId,
): string {
  return (machines.get(id) ?? knownMachines.get(id))?.hostname ?? id.slice(0, 8)
}
