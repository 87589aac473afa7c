// What the checks of the programs of a machine have found, and whether they would find the same again for as long as nothing
// happens: then time may leap over them.
import type { UnitName } from '../../src/model/unit.js'

/** So often a check has found the same until the next one does not matter. */
const enough = 3
/** Shortly before a failure counts it is asked as often as it is to be. */
const countsSoonMs = 60_000

/** A program that runs, and is checked. */
export interface CheckedProgram {
  readonly unit: UnitName
  readonly startedAt: number
  /** So long after its start no failure counts. */
  readonly startPeriodMs: number
}

export class Checks {
  /** What was found last of each unit, and how often in a row. */
  readonly #found = new Map<UnitName, { readonly isWell: boolean; readonly times: number }>()

  note(unit: UnitName, isWell: boolean): void {
    const before = this.#found.get(unit)
    this.#found.set(unit, { isWell, times: before?.isWell === isWell ? before.times + 1 : 1 })
  }

  /** Of one, or of all: they begin anew. */
  forget(unit: UnitName | null): void {
    if (unit === null) this.#found.clear()
    else this.#found.delete(unit)
  }

  isSettled({ unit, startedAt, startPeriodMs }: CheckedProgram, now: number): boolean {
    const found = this.#found.get(unit)
    if (found === undefined || found.times < enough) return false
    return found.isWell || now < startedAt + startPeriodMs - countsSoonMs
  }
}
