// Machines: what they are, what runs on them, draining and forgetting them.
import type {
  DrainBody,
  MachineAdoptBody,
  MachineBody,
  MachineChangeRequest,
  MachineDetails,
  MachineImagesBody,
  PrefetchBody,
  PrefetchRequest,
  UseBody,
} from '../../../contract/contract.js'
import { paths } from '../../../contract/contract.js'
import { lookAt } from '../../commands-to-check.js'
import { by, each } from '../../forms.js'
import type { Page, PageQuery } from '../../page.js'
import type { Requests } from '../requests.js'

export interface MachineCalls {
  machines(signal?: AbortSignal, page?: PageQuery): Promise<Page<MachineBody>>
  /** By id, the beginning of one, or hostname. */
  machine(id: string, signal?: AbortSignal): Promise<MachineDetails>
  changeMachine(id: string, request: MachineChangeRequest, signal?: AbortSignal): Promise<MachineDetails>
  /** Forgets a machine that is down. */
  removeMachine(id: string, signal?: AbortSignal): Promise<MachineDetails>
  /** How a machine is being emptied, until it is or can be no further. */
  drain(id: string, signal?: AbortSignal): AsyncIterable<DrainBody>
  /** What units use of their machines, now. */
  use(signal?: AbortSignal): Promise<UseBody>
  /** What runs on a machine that the cluster knows nothing of; `stop` ends it. */
  unknownUnits(machine: string, stop: boolean, signal?: AbortSignal): Promise<MachineAdoptBody>
  /** The images that the daemon of a machine holds or has fetched. */
  machineImages(machine: string, signal?: AbortSignal): Promise<MachineImagesBody>
  /** Has a machine fetch an image, and tells how far that is until it is over. */
  fetchImage(
    machine: string,
    image: { readonly name: string; readonly pull?: string; readonly deadlineMs?: number },
    signal?: AbortSignal,
  ): AsyncIterable<PrefetchBody>
  /** Has the machines fetch what may run there, and tells how far that is until it is over. */
  prefetch(project: string, request: PrefetchRequest, signal?: AbortSignal): AsyncIterable<PrefetchBody>
}

export function machineCalls({ get, list, change, sse, lines }: Requests): MachineCalls {
  return {
    machines: (signal, page) => list(each('id'), paths.machines, signal, page),
    machine: (id, signal) => get(by('id'), paths.machine(id), signal),
    changeMachine: (id, request, signal) =>
      change(
        by('id'),
        lookAt.machine(id),
        { method: 'PATCH', path: paths.machine(id), json: request },
        signal,
      ),
    removeMachine: (id, signal) =>
      change(by('id'), lookAt.machine(id), { method: 'DELETE', path: paths.machine(id) }, signal),
    drain: (id, signal) => sse(by('machine'), { method: 'GET', path: paths.drain(id) }, signal),
    use: (signal) => get(by('machines'), paths.use, signal),
    unknownUnits: (machine, stop, signal) =>
      stop
        ? change(
            by('machine'),
            lookAt.unknown(machine),
            { method: 'POST', path: paths.machineAdopt(machine) },
            signal,
          )
        : get(by('machine'), paths.machineAdopt(machine), signal),
    machineImages: (machine, signal) => get(by('images'), paths.machineImages(machine), signal),
    fetchImage: (machine, { name, pull, deadlineMs }, signal) => {
      const query = {
        name,
        ...(pull !== undefined && { pull }),
        ...(deadlineMs !== undefined && { deadline_ms: String(deadlineMs) }),
      }
      return lines(by('machine'), { method: 'POST', path: paths.machineImages(machine), query }, signal)
    },
    prefetch: (project, request, signal) =>
      lines(by('machine'), { method: 'POST', path: paths.prefetch(project), json: request }, signal),
  }
}
