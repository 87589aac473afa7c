// The state of a running daemon as one value, for whoever asks with SIGUSR1.
import { type Instant, toIso } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { ClusterView } from '../store/view.js'
import type { Condition } from './condition.js'

export interface Running {
  readonly view: ClusterView
  readonly condition: Condition
  readonly machine: MachineId
  readonly drivers: () => { readonly drivers: readonly string[]; readonly driversAway: readonly string[] }
  readonly store: string
  readonly endpoints: readonly string[]
}

/** What the process is, whether it serves yet or not. */
interface Process {
  readonly version: string
  readonly pid: number
  readonly upMs: number
  readonly rssBytes: number
}

/** The state as JSON says it; `running` is null while the daemon starts. */
export function stateOf(process: Process, running: Running | null, now: Instant): object {
  const { upMs, ...own } = process
  const head = { at: toIso(now), ...own, upSeconds: Math.floor(upMs / 1000) }
  if (running === null) return { ...head, ready: false, notReady: 'it is starting, or ending' }
  const { view, condition, machine, drivers, store, endpoints } = running
  const notReady = condition.notReady()
  const stale = condition.stale()
  const units = [...view.placedOn(machine).keys()]
  return {
    ...head,
    ready: notReady === null,
    notReady,
    stale: stale === null ? null : { since: toIso(stale.since), because: stale.because },
    machine,
    leader: view.leader?.machine ?? null,
    store,
    listen: endpoints,
    ...drivers(),
    machines: view.machines.size,
    services: view.services.size,
    instances: view.instances.size,
    units: { all: view.units.size, here: units.length },
    tasks: { open: openTasks(view) },
    unreadable: view.unreadable.size,
  }
}

function openTasks({ tasks }: ClusterView): number {
  let open = 0
  for (const { finishedAt } of tasks.values()) if (finishedAt === null) open++
  return open
}
