// No rollout is over for its deadline before that, whatever is done to the clock.
import type { ClusterView } from '../../src/store/view.js'

/** The witness sees a task as soon as it is in the store; who wrote it had read its clock a little before. */
const hearsOfTaskWithinMs = 5000

export class DeadlinesJudge {
  readonly #now: () => number
  readonly #broke: (what: string) => void
  /** When tasks that are not over began, as time goes by and not as a clock says. */
  readonly #begun = new Map<string, number>()
  /** Tasks that were over for their deadline. */
  seen = 0

  constructor(now: () => number, broke: (what: string) => void) {
    this.#now = now
    this.#broke = broke
  }

  look(view: ClusterView): void {
    for (const { uuid, state, error, service } of view.tasks.values()) {
      const begunAt = this.#begun.get(uuid)
      if (state === 'active' && begunAt === undefined) this.#begun.set(uuid, this.#now())
      if (state !== 'failed' || begunAt === undefined) continue
      this.#begun.delete(uuid)
      const deadlineMs = 1000 * Number(/it was not up after ([\d.]+) s/.exec(error ?? '')?.[1] ?? 0)
      const tookMs = this.#now() - begunAt
      if (deadlineMs > 0) this.seen += 1
      if (tookMs < deadlineMs - hearsOfTaskWithinMs)
        this.#broke(`${service}: a task is over for its deadline of ${deadlineMs} ms after ${tookMs} ms`)
    }
  }
}
