// Machines by load. One such order serves all rankings: each of them says only which machines are out of the question.
import { Slots } from './slots.js'

export class Levels {
  readonly #machines: number
  /** The machines with that many units on them, by that number. */
  readonly #levels: Slots[] = []

  /** From the load of each machine, by slot. */
  constructor(loads: Int32Array) {
    this.#machines = loads.length
    for (const [slot, load] of loads.entries()) this.#of(load).add(slot)
  }

  move(slot: number, from: number, to: number): void {
    this.#levels[from]?.delete(slot)
    this.#of(to).add(slot)
  }

  /** The machines with a load; null for a load above that of all machines. */
  at(load: number): Slots | null {
    return this.#levels[load] ?? null
  }

  #of(load: number): Slots {
    for (let next = this.#levels.length; next <= load; next++) this.#levels.push(new Slots(this.#machines))
    return this.#levels[load] ?? new Slots(this.#machines)
  }
}
