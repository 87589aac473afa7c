// Does long work in slices, between which everything else of the daemon has its turn.
import type { Steps } from '../sliced-work.js'
import type { Time } from '../time.js'
import { systemClock } from './clock.js'
import { processorMs } from './processor-time.js'

/** How long work goes on in one turn of the event loop: it ends with the first step beyond that. */
const sliceMs = 10

interface Job {
  readonly steps: Steps<unknown>
  readonly budgetMs: number
  readonly done: (value: unknown) => void
  readonly failed: (error: unknown) => void
  spentMs: number
}

/** Several works take turns, so that a short one does not wait for the end of a long one. */
export class Slices {
  readonly #jobs: Job[] = []
  readonly #time: Pick<Time, 'steady'>

  /** `time`: what a slice is measured by. */
  constructor(time: Pick<Time, 'steady'> = systemClock) {
    this.#time = time
  }

  /**
   * Does a work; `budgetMs` is the processor time that its own slices may take before it is told to come to its end. Where
   * nothing else is at work the first slice is done at once, in the caller's turn.
   */
  run<T>(steps: Steps<T>, budgetMs: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const done = resolve as (value: unknown) => void
      this.#jobs.push({ steps, budgetMs, done, failed: reject, spentMs: 0 })
      if (this.#jobs.length === 1) this.#turn()
    })
  }

  /** A slice of the work that has waited the longest. */
  #turn(): void {
    const job = this.#jobs[0]
    if (job === undefined) return
    const isOver = slice(job, this.#time)
    this.#jobs.shift()
    if (!isOver) this.#jobs.push(job)
    if (this.#jobs.length > 0) setImmediate(() => this.#turn())
  }
}

/** Whether the work is over with it. */
function slice(job: Job, time: Pick<Time, 'steady'>): boolean {
  const startedAt = time.steady()
  // Most works are a few short steps without a budget, and the question would take longer than those.
  const usedBefore = job.budgetMs === Number.POSITIVE_INFINITY ? null : processorMs()
  try {
    for (;;) {
      const step = job.steps.next(job.spentMs < job.budgetMs)
      if (step.done === true) {
        job.done(step.value)
        return true
      }
      if (time.steady() - startedAt < sliceMs) continue
      if (usedBefore !== null) job.spentMs += processorMs() - usedBefore
      return false
    }
  } catch (error) {
    job.failed(error)
    return true
  }
}
