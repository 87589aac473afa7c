// Units that another machine has not let go of yet: two programs of one unit never run beside each other, so that a unit is
// started only where no other machine may still have it.
import type { MachineId } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import { kindOfKey, placedUnitOf, read } from './records.js'
import type { Change, Entry } from './store.js'
import type { ClusterView } from './view.js'

/** How long an agent may take to say what it has begun. */
export const saidWithinMs = 5000

type View = Pick<ClusterView, 'machines' | 'reportsOf' | 'reportersOf'>

/**
 * The machine that still reports a unit which has its place on `here`; null for none. One that is lost is not waited for;
 * one that was stopped on purpose is there until its time is up.
 */
export function reportedElsewhere(view: View, unit: UnitName, here: MachineId): MachineId | null {
  for (const machine of view.reportersOf(unit)) {
    if (machine === here || !view.machines.has(machine)) continue
    if (view.reportsOf(machine).get(unit)?.purged !== true) return machine
  }
  return null
}

/** A place that a unit lost, and when, by the clock that nobody sets. */
interface Left {
  readonly machine: MachineId
  readonly at: number
}

/**
 * Places that were taken back before their machine had said anything of the unit: it may just be starting it, so that for a
 * while nobody can say that it is gone.
 */
export class LeftPlaces {
  readonly #here: MachineId
  readonly #left = new Map<UnitName, readonly Left[]>()

  constructor(here: MachineId) {
    this.#here = here
  }

  /** Takes changes in that the view has taken in. */
  note(changes: readonly Change[], view: View, steady: number): void {
    this.#forgetOld(steady)
    for (const change of changes) {
      const kind = kindOfKey(change.key)
      if (kind === 'placement') this.#notePlace(change, view, steady)
      // What it reports now is seen as it is, and what it reports no more is gone.
      if (kind === 'report') this.#forget(change.key)
    }
  }

  /** Until when a unit waits for what another machine may have to say; null for nobody. */
  waitsUntil(unit: UnitName, view: View, steady: number): number | null {
    const left = (this.#left.get(unit) ?? []).filter(
      ({ machine, at }) => steady - at < saidWithinMs && view.machines.has(machine),
    )
    if (left.length === 0) this.#left.delete(unit)
    else this.#left.set(unit, left)
    return left.length === 0 ? null : Math.max(...left.map(({ at }) => at)) + saidWithinMs
  }

  #notePlace(change: Change, view: View, steady: number): void {
    const unit = placedUnitOf(change.key)
    const machine = machineIn(change.previous)
    if (unit === null || machine === null || machine === this.#here) return
    const stays = change.type === 'put' && machineIn(change.entry) === machine
    if (stays || view.reportsOf(machine).has(unit)) return
    const others = this.#left.get(unit) ?? []
    // Behind all that are older.
    this.#left.delete(unit)
    this.#left.set(unit, [...others, { machine, at: steady }])
  }

  #forget(key: string): void {
    const [, machine = '', unit = ''] = key.split('/')
    const left = this.#left.get(unit as UnitName)
    if (left === undefined) return
    this.#left.set(
      unit as UnitName,
      left.filter((one) => one.machine !== machine),
    )
  }

  #forgetOld(steady: number): void {
    for (const [unit, left] of this.#left) {
      if (left.some(({ at }) => steady - at < saidWithinMs)) return
      this.#left.delete(unit)
    }
  }
}

/** The machine of a placement; null for none, for one that cannot be read, and for one of a global unit. */
function machineIn(entry: Entry | null): MachineId | null {
  const found = entry === null ? null : read('placement', entry)
  return found === null || !('record' in found) || found.record.global === true ? null : found.record.machine
}
