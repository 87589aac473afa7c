// Which units an agent has asked to stop, for as long as that may be the reason for which they end. It outlasts the agent: one
// that reads everything anew, because etcd was restored from a snapshot, finds stopped what its records say was launched.
import type { UnitName } from '../model/unit.js'

/** A program that runs on for so long was not reached by the stop. */
const countsForMs = 15 * 60_000

/** Units that were asked to stop. */
export class StopsAsked {
  /** By the time that nobody sets. */
  readonly #at = new Map<UnitName, number>()

  note(name: UnitName, now: number): void {
    this.#at.set(name, now)
  }

  /** It is started, or nothing of it is left. */
  forget(name: UnitName): void {
    this.#at.delete(name)
  }

  has(name: UnitName, now: number): boolean {
    const at = this.#at.get(name)
    if (at === undefined) return false
    if (now - at <= countsForMs) return true
    this.#at.delete(name)
    return false
  }
}
