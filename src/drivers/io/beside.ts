// Programs that are run beside a unit, and would not stand still with it: a unit is frozen while there are none.
import { setTimeout as delay } from 'node:timers/promises'
import { DriverError } from '../../model/driver-error.js'
import type { UnitName } from '../../model/unit.js'

/** How long the programs beside a unit are waited for, as those of its checks are, which end soon. */
const endWithinMs = 5000
const lookAgainMs = 20

export class ProgramsBeside {
  readonly #running = new Map<UnitName, number>()
  readonly #frozen = new Set<UnitName>()

  /** Runs a program beside a unit. Throws DriverError `unit/paused` while that is frozen. */
  async run<T>(name: UnitName, work: () => Promise<T>): Promise<T> {
    if (this.#frozen.has(name))
      throw new DriverError(
        'unit/paused',
        `${name} is paused while a backup of its volume is read: try again`,
      )
    this.#running.set(name, this.#countOf(name) + 1)
    try {
      return await work()
    } finally {
      const left = this.#countOf(name) - 1
      if (left > 0) this.#running.set(name, left)
      else this.#running.delete(name)
    }
  }

  /** Keeps others from being run until `thawed`; waits for those that are. Throws DriverError `volume/cannot-pause`. */
  async freezing(name: UnitName, signal: AbortSignal): Promise<void> {
    this.#frozen.add(name)
    const until = performance.now() + endWithinMs
    while (this.#countOf(name) > 0) {
      if (performance.now() > until)
        throw new DriverError(
          'volume/cannot-pause',
          `a program is run beside ${name} (service exec), which cannot be paused with it: stop that program, or wait for it to end`,
        )
      await delay(lookAgainMs, undefined, { signal })
    }
  }

  thawed(name: UnitName): void {
    this.#frozen.delete(name)
  }

  #countOf(name: UnitName): number {
    return this.#running.get(name) ?? 0
  }
}
