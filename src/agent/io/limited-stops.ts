// Kills instances whose stop takes longer than it may: the driver alone knows their own timeout.
import { InvariantError } from '../../lib/invariant.js'
import { describeError, type Log } from '../../lib/io/log.js'
import type { Instant, Time } from '../../lib/time.js'
import type { DesiredUnit, UnitName } from '../../model/unit.js'
import type { Driver } from '../driver.js'
import { planKills, type Stop, stopsOf } from '../stops.js'
import { TimesFile } from './times-file.js'

interface LimitedStopsOptions {
  readonly clock: Time
  readonly log: Log
  readonly driverOf: (name: UnitName) => Driver | null
  /** Whether the stop of a unit goes on. */
  readonly isBegun: (name: UnitName) => boolean
  /** Where it is noted since when; undefined: a restart of the daemon begins the time anew. */
  readonly file: string | undefined
  readonly uptimeMs: (() => number) | undefined
}

export class LimitedStops {
  readonly #options: LimitedStopsOptions
  readonly #abort = new AbortController()
  /** Units that are being killed. */
  readonly #killing = new Map<UnitName, Promise<void>>()
  readonly #file: TimesFile<'begunAt'>
  #stops: ReadonlyMap<UnitName, Stop> = new Map()
  /** Those of the daemon before this one. */
  #left: ReadonlyMap<UnitName, Pick<Stop, 'begunAt'>> = new Map()

  constructor(options: LimitedStopsOptions) {
    this.#options = options
    this.#file = new TimesFile({ ...options, keys: ['begunAt'], whose: 'instances that are stopped' })
  }

  /** To be called before the first look. */
  async open(): Promise<void> {
    this.#left = await this.#file.read(this.#options.clock.steady())
  }

  /** Kills what is due of the instances that are stopping; returns when it is to be called again. */
  look(stopping: readonly DesiredUnit[], now: Instant): Instant | null {
    const { clock, isBegun } = this.#options
    const at = clock.steady()
    const stops = new Map(stopsOf(stopping, isBegun, this.#stops, at, this.#left))
    this.#note(stopping, stops, at)
    const { kills, nextInMs } = planKills(stops.values(), at)
    for (const stop of kills) {
      const { name } = stop.unit
      stops.set(name, { ...stop, killedAt: at })
      if (this.#killing.has(name)) continue
      const done = this.#kill(stop).finally(() => this.#killing.delete(name))
      this.#killing.set(name, done)
    }
    this.#stops = stops
    return nextInMs === null ? null : now + nextInMs
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await Promise.all([...this.#killing.values(), this.#file.stop()])
  }

  #note(stopping: readonly DesiredUnit[], stops: ReadonlyMap<UnitName, Stop>, at: number): void {
    const wanted = new Set(stopping.map(({ name }) => name))
    // What is not to stop any more has its whole time when it is.
    this.#left = new Map([...this.#left].filter(([name]) => wanted.has(name) && !stops.has(name)))
    const limited = [...stops.values()].filter(({ unit }) => unit.stopWithinMs !== undefined)
    const begun = limited.map(({ unit, begunAt }) => [unit.name, { begunAt }] as const)
    this.#file.note(new Map([...this.#left, ...begun]), at)
  }

  /** What it did not end is killed again, for as long as it is there. */
  async #kill({ unit: { name, stopWithinMs = 0 }, killedAt }: Stop): Promise<void> {
    const { log, driverOf } = this.#options
    try {
      await driverOf(name)?.kill(name, 'SIGKILL', this.#abort.signal)
      if (killedAt === null)
        log.info('agent', `${name} killed: it did not stop within ${stopWithinMs / 1000} s`)
    } catch (error) {
      // A bug of ours is not the unit's failure.
      if (error instanceof InvariantError) throw error
      if (this.#abort.signal.aborted) return
      if (killedAt === null) log.warn('agent', `${name} cannot be killed: ${describeError(error)}`)
    }
  }
}
