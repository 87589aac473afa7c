// What the checks of a machine's instances say of the machine: how slow it is, whether it is sick, and how often its
// instances are asked meanwhile.
import { earlier, type Instant, type Time } from '../../lib/time.js'
import type { UnitName } from '../../model/unit.js'
import {
  alsoCondemned,
  areMany,
  type Condemned,
  type Condition,
  looked,
  type MachineWord,
  sickened,
  well,
} from '../condition.js'
import { fullPace, type Pace, paceAfter } from '../pace.js'
import { Gauge, type Measurement } from './gauge.js'
import type { OwnProbe } from './own-probe.js'

interface MachineWatchOptions {
  /** One that nobody sets. */
  readonly clock: Time
  readonly ownProbe: OwnProbe
  readonly onMachine: (word: MachineWord) => void
  readonly onError: (error: unknown) => void
}

/** How often a sick machine is looked at. */
const lookEveryMs = 2000

export class MachineWatch {
  readonly #options: MachineWatchOptions
  readonly #gauge: Gauge
  #pace: Pace = fullPace
  #condition: Condition = well
  #condemned: Condemned = new Map()
  #lookAt: Instant | null = null

  constructor(options: MachineWatchOptions) {
    this.#options = options
    this.#gauge = new Gauge(options.ownProbe, options.clock)
  }

  /** Looks at the machine once, so that it is known what it takes at rest. */
  async begin(): Promise<void> {
    await this.#gauge.look()
  }

  get pace(): Pace {
    return this.#pace
  }

  measure(): Measurement {
    return this.#gauge.begin()
  }

  /** A probe of one of `units` units has ended. */
  probed(name: UnitName, isLate: boolean, units: number): void {
    this.#pace = paceAfter(this.#pace, name, isLate, units, this.#options.clock.now())
  }

  /**
   * How slow the machine is, where a definite failure would make a unit unhealthy that is one of many at once; undefined
   * where the failure speaks for itself.
   */
  async wordOn(name: UnitName): Promise<number | undefined> {
    this.#condemned = alsoCondemned(this.#condemned, name, this.#options.clock.now())
    if (!areMany(this.#condemned) && this.#condition.sickSince === null) return undefined
    return await this.#gauge.look()
  }

  /** A failure was put down to the machine. */
  excused(slowness: number): void {
    const now = this.#options.clock.now()
    this.#change(sickened(this.#condition, now), slowness)
    this.#lookAt = earlier(this.#lookAt, now + lookEveryMs)
  }

  /** Looks at a sick machine when that is due; resolves to nothing that a caller waits for. Returns when it is due. */
  pass(now: Instant): Instant | null {
    if (this.#lookAt === null || this.#lookAt > now) return this.#lookAt
    this.#lookAt = now + lookEveryMs
    this.#look().catch(this.#options.onError)
    return this.#lookAt
  }

  async stop(): Promise<void> {
    await this.#gauge.stop()
  }

  async #look(): Promise<void> {
    const slowness = await this.#gauge.look()
    this.#change(looked(this.#condition, slowness, this.#options.clock.now()), slowness)
    if (this.#condition.sickSince === null) this.#lookAt = null
  }

  #change(after: Condition, slowness: number): void {
    const before = this.#condition.sickSince
    this.#condition = after
    const since = after.sickSince ?? before
    if (since === null || (before === null) === (after.sickSince === null)) return
    const sickForMs = this.#options.clock.now() - since
    this.#options.onMachine({ isSick: after.sickSince !== null, sickForMs, slowness })
  }
}
