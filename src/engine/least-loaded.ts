// The least-loaded rule: the machines that may take units of one class, those with the fewest units first.
import { type LoadBuckets, MachineSet, type SeenChanges } from './state/machine-sets.js'

/** Which machines a ranking is about, by position. */
export interface MachineRange {
  /** In ascending order. */
  readonly positions: Int32Array
  /** The offset of each position in `positions`; -1 for those that are not in it. Null where both are the same. */
  readonly offsetOf: Int32Array | null
}

/** Which machines refuse a group for what they are. Shared between rankings. */
export interface Verdicts {
  /** Why machines are out until they change, by position; 0 for those that are not. */
  readonly codes: Uint8Array
  /** Those that are not out. */
  readonly open: MachineSet
}

/** Ranks machines by load, then by position. A machine that refused stays out until it is admitted again. */
export class Ranking {
  /** Kept by the owner. */
  seen: SeenChanges
  readonly version: number
  readonly #range: MachineRange
  readonly #fixed: Uint8Array
  /** Why machines are out until they change, by place. */
  readonly #refused: Uint8Array
  readonly #open: MachineSet
  /** Where to look first: no open machine has a lower load, or the same and a lower position. */
  #load = 0
  #position = 0

  constructor(range: MachineRange, { codes, open }: Verdicts, version: number, seen: SeenChanges) {
    this.#range = range
    this.#fixed = codes
    this.version = version
    this.seen = seen
    this.#refused = new Uint8Array(range.positions.length)
    this.#open = range.offsetOf === null ? new MachineSet(open) : openIn(range, open, codes.length)
  }

  /** How many bytes it takes up. */
  get cost(): number {
    return this.#refused.length + this.#fixed.length / 8
  }

  /** The position of the least loaded machine that has not refused; -1 when all have. */
  first(loadBuckets: LoadBuckets): number {
    if (this.#open.size === 0) return -1
    for (let bucket = loadBuckets.at(this.#load); bucket !== null; bucket = loadBuckets.at(this.#load)) {
      const found = bucket.size === 0 ? -1 : bucket.firstShared(this.#open, this.#position)
      if (found !== -1) {
        this.#position = found
        return found
      }
      this.#load++
      this.#position = 0
    }
    return -1
  }

  /** Takes a machine out, with the code of its reason (not 0). */
  refuse(position: number, code: number): void {
    this.#refused[this.#offsetOf(position)] = code
    this.#open.delete(position)
  }

  /** A machine has changed, or has less on it than before: it is asked again. */
  admit(position: number, load: number): void {
    const offset = this.#offsetOf(position)
    if (offset < 0 || this.#fixed[position] !== 0) return
    this.#refused[offset] = 0
    this.#open.add(position)
    if (load > this.#load || (load === this.#load && position >= this.#position)) return
    this.#load = load
    this.#position = position
  }

  /** Calls back with the code of each machine that is out. */
  eachRefusal(tell: (position: number, code: number) => void): void {
    for (let offset = 0; offset < this.#range.positions.length; offset++) {
      const position = this.#range.positions[offset] ?? 0
      const code = this.#fixed[position] || this.#refused[offset] || 0
      if (code !== 0) tell(position, code)
    }
  }

  #offsetOf(position: number): number {
    return this.#range.offsetOf === null ? position : (this.#range.offsetOf[position] ?? -1)
  }
}

function openIn({ positions }: MachineRange, open: MachineSet, size: number): MachineSet {
  const made = new MachineSet(size)
  for (const position of positions) if (open.has(position)) made.add(position)
  return made
}
