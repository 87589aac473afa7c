// The watch over machines that are gone, by a clock that nobody sets: no hold is cut short, and none lasts longer, because
// the clock on the wall was set while it ran.
import type { Instant, Time } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { LossWatch, MassLoss } from './losses.js'
import type { Change } from './store.js'

/** What passes ask; instants in and out are those on the wall at that moment. */
export type Losses = Pick<LossWatch, 'heldUntil' | 'missing' | 'massLoss'>

/** Which machines were lost together, by the steady clock. */
export class SteadyLosses implements Losses {
  readonly #watch: LossWatch
  readonly #time: Pick<Time, 'steady'>

  constructor(watch: LossWatch, time: Pick<Time, 'steady'>) {
    this.#watch = watch
    this.#time = time
  }

  note(changes: readonly Change[]): void {
    this.#watch.note(changes, this.#time.steady())
  }

  hear(ids: Iterable<MachineId>): void {
    this.#watch.hear(ids, this.#time.steady())
  }

  heldUntil(id: MachineId, now: Instant): Instant | null {
    const steady = this.#time.steady()
    const until = this.#watch.heldUntil(id, steady)
    return until === null ? null : now + until - steady
  }

  missing(): readonly MachineId[] {
    return this.#watch.missing(this.#time.steady())
  }

  massLoss(now: Instant): MassLoss | null {
    const steady = this.#time.steady()
    const mass = this.#watch.massLoss(steady)
    return mass === null ? null : { ...mass, until: now + mass.until - steady }
  }
}
