// A firing that waits for its predecessor to stop is not lost: it is started, skipped, or told as missed in the change with
// which it waits no more, also where its service gets another schedule meanwhile.
import { decode, kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'

export interface FiringsParts {
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

export class WaitingFiringsJudge {
  readonly #parts: FiringsParts

  constructor(parts: FiringsParts) {
    this.#parts = parts
  }

  /** Looks at what has changed, with the view as it is with that. */
  look(view: ClusterView, changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type === 'delete' || change.previous === null || kindOfKey(change.key) !== 'schedule')
        continue
      const before = decode('schedule', change.previous)
      const { project, service, serviceUuid, pending } = decode('schedule', change.entry)
      if (before.pending === null || before.pending === pending || before.serviceUuid !== serviceUuid)
        continue
      this.#parts.count('firing waited')
      const runs = view.runsOf(serviceKey(project, service))
      if (!runs.some(({ by, dueAt }) => by === 'schedule' && dueAt === before.pending))
        this.#parts.broke(
          `${service}: the firing of ${before.pending} waited, and nothing tells what became of it`,
        )
    }
  }
}
