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
