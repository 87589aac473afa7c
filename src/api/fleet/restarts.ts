// What `fleetctl restart` relies on: it sets a launched unit to loaded, waits until it reads launched, and sets that. fleetd
// follows up to a second later, so that its client finds what it waits for; ours may have stopped the unit by then.
import type { UnitName } from '../../model/unit.js'

/** For how long a unit is still told to be launched, to the client that set it to loaded. */
const toldForMs = 1000
/** For how long a launch by the same client belongs to that. */
const restartsWithinMs = 5000

export class Restarts {
  /** When a client set each unit from launched to loaded, by the clock that nobody sets. */
  readonly #clients = new Map<string, Map<UnitName, number>>()

  /** A client has set a launched unit to loaded. */
  note(client: string, unit: UnitName, steady: number): void {
    this.#forgetOld(steady)
    const units = this.#clients.get(client) ?? new Map<UnitName, number>()
    this.#clients.set(client, units.set(unit, steady))
  }

  /** A client has asked for something else since. */
  forget(client: string, unit: UnitName): void {
    this.#clients.get(client)?.delete(unit)
  }

  /** The units that a client is still told to be launched. */
  told(client: string, steady: number): ReadonlySet<UnitName> {
    const units = this.#clients.get(client)
    if (units === undefined) return none
    return new Set([...units].filter(([, at]) => steady - at <= toldForMs).map(([unit]) => unit))
  }

  /** Whether a launch of a unit by a client now is the second half of a restart. */
  isRestart(client: string, unit: UnitName, steady: number): boolean {
    return steady - (this.#clients.get(client)?.get(unit) ?? Number.NEGATIVE_INFINITY) <= restartsWithinMs
  }

  #forgetOld(steady: number): void {
    for (const [client, units] of this.#clients) {
      for (const [unit, at] of units) if (steady - at > restartsWithinMs) units.delete(unit)
      if (units.size === 0) this.#clients.delete(client)
    }
  }
}

const none: ReadonlySet<UnitName> = new Set()
