// Sets of machines by slot, a bit for each: what many questions of the scheduler come down to is where two such sets
// meet first.

/** A set of slots below a size that is given when it is made. */
export class Slots {
  readonly #words: Uint32Array
  size = 0

  constructor(words: number | Slots) {
    if (typeof words === 'number') this.#words = new Uint32Array((words + 31) >>> 5)
    else {
      this.#words = words.#words.slice()
      this.size = words.size
    }
  }

  has(slot: number): boolean {
    return ((this.#words[slot >>> 5] ?? 0) & (1 << (slot & 31))) !== 0
  }

  add(slot: number): void {
    const word = this.#words[slot >>> 5] ?? 0
    const bit = 1 << (slot & 31)
    if ((word & bit) !== 0) return
    this.#words[slot >>> 5] = word | bit
    this.size++
  }

  delete(slot: number): void {
    const word = this.#words[slot >>> 5] ?? 0
    const bit = 1 << (slot & 31)
    if ((word & bit) === 0) return
    this.#words[slot >>> 5] = word & ~bit
    this.size--
  }

  /** The first slot from one on that is in this set and in another one as well; -1 for none. */
  firstShared(other: Slots, from: number): number {
    const ours = this.#words
    const theirs = other.#words
    let place = from >>> 5
    let both = (ours[place] ?? 0) & (theirs[place] ?? 0) & (-1 << (from & 31))
    while (both === 0) {
      if (++place >= ours.length) return -1
      both = (ours[place] ?? 0) & (theirs[place] ?? 0)
    }
    return 32 * place + 31 - Math.clz32(both & -both)
  }
}

/** Machines by load. One such order serves all rankings: each of them says only which machines are out of the question. */
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

/** How far the changes of machines have been taken in. */
export interface Seen {
  readonly changes: number
  readonly departures: number
}

/**
 * Machines in the order in which they changed, for those that have to catch up with it. The log forgets: whoever asks for
 * what is forgotten starts over.
 */
export class ChangeLog {
  /** The first of them has the number `#forgotten`. */
  #slots: number[] = []
  #forgotten = 0

  /** The number after that of the last change. */
  get end(): number {
    return this.#forgotten + this.#slots.length
  }

  /** Notes a change; of more than `atMost` all are forgotten. */
  add(slot: number, atMost: number): void {
    this.#slots.push(slot)
    if (this.#slots.length > atMost) this.forget()
  }

  forget(): void {
    this.#forgotten = this.end
    this.#slots = []
  }

  /** What changed from change number `from` on; null when it is forgotten already. */
  since(from: number): readonly number[] | null {
    if (from < this.#forgotten) return null
    return from === this.end ? noChanges : this.#slots.slice(from - this.#forgotten)
  }
}

const noChanges: readonly number[] = []
