// What is told has come about: an event lies in the same change as a record of what it tells. One that is written before, or
// beside, tells of what may never be, as where that write fails or another was faster.
import type { EventKind } from '../../src/model/event.js'
import type { MachineId } from '../../src/model/machine.js'
import { decodeEvents, kindOfKey, type RecordKind } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'

export interface ToldParts {
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

const ofRequests: readonly RecordKind[] = ['service', 'task', 'version', 'project', 'instance']

/** Of each kind of event, what it may lie beside; those that tell of what no record has are left out. */
const besides: Partial<Record<EventKind, readonly RecordKind[]>> = {
  deploy: ofRequests,
  revert: ofRequests,
  reprovision: ofRequests,
  scale: ofRequests,
  stop: ofRequests,
  start: ofRequests,
  freeze: ofRequests,
  unfreeze: ofRequests,
  'task-begun': ['task'],
  'task-completed': ['task'],
  'task-failed': ['task'],
  'task-terminated': ['task'],
  'instance-retired': ['instance'],
  'instance-removed': ['instance', 'unit'],
  'instance-kept': ['instance'],
  'instance-lost': ['instance'],
  'instance-returned': ['instance'],
  'instance-started': ['report'],
  placed: ['placement'],
  evicted: ['placement'],
  unplaceable: ['waiting'],
  autoscale: ['scaling'],
  'machine-joined': ['machine'],
  'clock-differs': ['clockOffset'],
  'clock-agrees': ['clockOffset'],
  'webhook-delivered': ['delivery'],
  'webhook-failed': ['delivery'],
  'webhook-dead': ['delivery'],
  'schedule-fired': ['run'],
  'schedule-skipped': ['run'],
  'schedule-missed': ['schedule', 'run'],
  meta: ['meta'],
  unit: ['unit'],
}

export class ToldJudge {
  readonly #parts: ToldParts

  constructor(parts: ToldParts) {
    this.#parts = parts
  }

  /** Looks at one change of the store, with the view as it is with that. */
  look({ knownMachines }: ClusterView, changes: readonly Change[]): void {
    const events = changes.flatMap((change) =>
      change.type === 'put' && kindOfKey(change.key) === 'event' ? decodeEvents(change.entry) : [],
    )
    if (events.length === 0) return
    const written = new Set(changes.map(({ key }) => kindOfKey(key)))
    for (const { kind, machine, message } of events) {
      // Of one that has left for good there is no record that could say so.
      const isNoted = kind === 'machine-lost' && machine !== null && knownMachines.has(machine as MachineId)
      const beside = isNoted ? (['knownMachine'] as const) : besides[kind]
      if (beside === undefined) continue
      this.#parts.count('told with its record')
      if (!beside.some((one) => written.has(one)))
        this.#parts.broke(
          `"${message}" is told (${kind}), and no ${beside.join(' or ')} is written with that`,
        )
    }
  }
}
