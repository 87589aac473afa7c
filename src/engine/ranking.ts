// The machines that may take units of one kind, least loaded first. A tournament over their loads: the next machine is
// found, and a changed load taken in, in the logarithm of their number.

/** The load of a machine that is out of the question. */
const out = 2 ** 31 - 1

/** Which machines a ranking is about, by slot. */
export interface Field {
  /** Slots in ascending order. */
  readonly slots: Int32Array
  /** The place of each slot in `slots`; -1 for those that are not in it. Null where place and slot are the same. */
  readonly placeOf: Int32Array | null
}

/** Ranks machines by load, then by slot. A machine that refused stays out until its load is told again. */
export class Ranking {
  /** How far the changes of loads have been taken in; kept by the owner. */
  seen = 0
  readonly version: number
  readonly #field: Field
  /** Why machines are out for good, by slot; 0 for those that are not. Shared between rankings. */
  readonly #fixed: Uint8Array
  /** Why machines are out until they change, by place. */
  readonly #refused: Uint8Array
  readonly #size: number
  /** Leaves from `#size` on; each node has the lower load of its two children. */
  readonly #tree: Int32Array

  constructor(field: Field, fixed: Uint8Array, loads: Int32Array, version: number) {
    const count = field.slots.length
    this.#field = field
    this.#fixed = fixed
    this.version = version
    this.#refused = new Uint8Array(count)
    this.#size = 2 ** Math.ceil(Math.log2(Math.max(1, count)))
    this.#tree = new Int32Array(2 * this.#size).fill(out)
    for (let place = 0; place < count; place++) {
      const slot = field.slots[place] ?? 0
      if (fixed[slot] === 0) this.#tree[this.#size + place] = loads[slot] ?? out
    }
    for (let node = this.#size - 1; node > 0; node--) this.#tree[node] = this.#lower(node)
  }

  /** How much room it takes, in numbers. */
  get cost(): number {
    return this.#tree.length
  }

  /** The slot of the least loaded machine that has not refused; -1 when all have. */
  first(): number {
    const lowest = this.#tree[1]
    if (lowest === out || lowest === undefined) return -1
    let node = 1
    while (node < this.#size) node = this.#tree[2 * node] === lowest ? 2 * node : 2 * node + 1
    return this.#field.slots[node - this.#size] ?? -1
  }

  /** Takes a machine out, with the code of its reason (not 0). */
  refuse(slot: number, code: number): void {
    const place = this.#placeOf(slot)
    this.#refused[place] = code
    this.#set(place, out)
  }

  /** A machine has changed: it is asked again. */
  update(slot: number, load: number): void {
    const place = this.#placeOf(slot)
    if (place < 0 || this.#fixed[slot] !== 0) return
    this.#refused[place] = 0
    this.#set(place, load)
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

  #set(place: number, load: number): void {
    let node = this.#size + place
    if (this.#tree[node] === load) return
    this.#tree[node] = load
    for (node >>= 1; node > 0; node >>= 1) {
      const lowest = this.#lower(node)
      if (this.#tree[node] === lowest) return
      this.#tree[node] = lowest
    }
  }

  #lower(node: number): number {
    const left = this.#tree[2 * node] ?? out
    const right = this.#tree[2 * node + 1] ?? out
    return left < right ? left : right
  }
}
