// Sets and logs of machines by position. A set has a bit for each: many questions of the scheduler come down to the first
// machine that two such sets share.

/** A set of positions below a size that is given when it is made. */
export class MachineSet {
  readonly #words: Uint32Array
  size = 0

  constructor(words: number | MachineSet) {
    if (typeof words === 'number') this.#words = new Uint32Array((words + 31) >>> 5)
    else {
      this.#words = words.#words.slice()
      this.size = words.size
    }
  }

  has(position: number): boolean {
    return ((this.#words[position >>> 5] ?? 0) & (1 << (position & 31))) !== 0
  }

  add(position: number): void {
    const word = this.#words[position >>> 5] ?? 0
    const bit = 1 << (position & 31)
    if ((word & bit) !== 0) return
    this.#words[position >>> 5] = word | bit
    this.size++
  }

  delete(position: number): void {
    const word = this.#words[position >>> 5] ?? 0
    const bit = 1 << (position & 31)
    if ((word & bit) === 0) return
    this.#words[position >>> 5] = word & ~bit
    this.size--
  }

  /** The first position from one on that is in this set and in another one as well; -1 for none. */
  firstShared(other: MachineSet, from: number): number {
    const ours = this.#words
    const theirs = other.#words
    let offset = from >>> 5
    let both = (ours[offset] ?? 0) & (theirs[offset] ?? 0) & (-1 << (from & 31))
    while (both === 0) {
      if (++offset >= ours.length) return -1
      both = (ours[offset] ?? 0) & (theirs[offset] ?? 0)
    }
    return 32 * offset + 31 - Math.clz32(both & -both)
  }
}

/** Machines by load. One such order serves all rankings: each of them says only which machines are out of the question. */
export class LoadBuckets {
  readonly #machines: number
  /** The machines with that many units on them, by that number. */
  readonly #buckets: MachineSet[] = []

  /** From the load of each machine, by position. */
  constructor(loads: Int32Array) {
    this.#machines = loads.length
    for (const [position, load] of loads.entries()) this.#of(load).add(position)
  }

  move(position: number, from: number, to: number): void {
    this.#buckets[from]?.delete(position)
    this.#of(to).add(position)
  }

  /** The machines with a load; null for a load above that of all machines. */
  at(load: number): MachineSet | null {
    return this.#buckets[load] ?? null
  }

  #of(load: number): MachineSet {
    for (let next = this.#buckets.length; next <= load; next++)
      this.#buckets.push(new MachineSet(this.#machines))
    return this.#buckets[load] ?? new MachineSet(this.#machines)
  }
}

/** How far the changes of machines have been taken in. */
export interface SeenChanges {
  readonly changes: number
  readonly departures: number
}

/**
 * Machines in the order in which they changed, for those that have to catch up with it. The log forgets: whoever asks for
 * what is forgotten starts over.
 */
export class ChangeLog {
  /** The first of them has the number `#forgotten`. */
  #positions: number[] = []
  #forgotten = 0

  /** The number after that of the last change. */
  get end(): number {
    return this.#forgotten + this.#positions.length
  }

  /** Notes a change; of more than `atMost` all are forgotten. */
  add(position: number, atMost: number): void {
    this.#positions.push(position)
    if (this.#positions.length > atMost) this.forget()
  }

  forget(): void {
    this.#forgotten = this.end
    this.#positions = []
  }

  /** What changed from change number `from` on; null when it is forgotten already. */
  since(from: number): readonly number[] | null {
    if (from < this.#forgotten) return null
    return from === this.end ? noChanges : this.#positions.slice(from - this.#forgotten)
  }
}

const noChanges: readonly number[] = []
