// The machines that may take units of one kind, least loaded first.
import { type Levels, type Seen, Slots } from './state/machine-sets.js'

/** Which machines a ranking is about, by slot. */
export interface Field {
  /** Slots in ascending order. */
  readonly slots: Int32Array
  /** The place of each slot in `slots`; -1 for those that are not in it. Null where place and slot are the same. */
  readonly placeOf: Int32Array | null
}

/** What machines say to a shape for what they are. Shared between rankings. */
export interface Verdicts {
  /** Why machines are out for good, by slot; 0 for those that are not. */
  readonly codes: Uint8Array
  /** Those that are not out. */
  readonly open: Slots
}

/** Ranks machines by load, then by slot. A machine that refused stays out until it is let in again. */
export class Ranking {
  /** Kept by the owner. */
  seen: Seen
  readonly version: number
  readonly #field: Field
  readonly #fixed: Uint8Array
  /** Why machines are out until they change, by place. */
  readonly #refused: Uint8Array
  readonly #open: Slots
  /** No machine that is open has a lower load, or the same and a lower slot: where to look first. */
  #load = 0
  #slot = 0

  constructor(field: Field, { codes, open }: Verdicts, version: number, seen: Seen) {
    this.#field = field
    this.#fixed = codes
    this.version = version
    this.seen = seen
    this.#refused = new Uint8Array(field.slots.length)
    this.#open = field.placeOf === null ? new Slots(open) : openIn(field, open, codes.length)
  }

  /** How many bytes it takes up. */
  get cost(): number {
    return this.#refused.length + this.#fixed.length / 8
  }

  /** The slot of the least loaded machine that has not refused; -1 when all have. */
  first(levels: Levels): number {
    if (this.#open.size === 0) return -1
    for (let level = levels.at(this.#load); level !== null; level = levels.at(this.#load)) {
      const found = level.size === 0 ? -1 : level.firstShared(this.#open, this.#slot)
      if (found !== -1) {
        this.#slot = found
        return found
      }
      this.#load++
      this.#slot = 0
    }
    return -1
  }

  /** Takes a machine out, with the code of its reason (not 0). */
  refuse(slot: number, code: number): void {
    this.#refused[this.#placeOf(slot)] = code
    this.#open.delete(slot)
  }

  /** A machine has changed, or has less on it than before: it is asked again. */
  admit(slot: number, load: number): void {
    const place = this.#placeOf(slot)
    if (place < 0 || this.#fixed[slot] !== 0) return
    this.#refused[place] = 0
    this.#open.add(slot)
    if (load > this.#load || (load === this.#load && slot >= this.#slot)) return
    this.#load = load
    this.#slot = slot
  }

  /** Calls back with the code of each machine that is out. */
  eachRefusal(tell: (slot: number, code: number) => void): void {
    for (let place = 0; place < this.#field.slots.length; place++) {
      const slot = this.#field.slots[place] ?? 0
      const code = this.#fixed[slot] || this.#refused[place] || 0
      if (code !== 0) tell(slot, code)
    }
  }

  #placeOf(slot: number): number {
    return this.#field.placeOf === null ? slot : (this.#field.placeOf[slot] ?? -1)
  }
}

function openIn({ slots }: Field, open: Slots, size: number): Slots {
  const made = new Slots(size)
  for (const slot of slots) if (open.has(slot)) made.add(slot)
  return made
}
