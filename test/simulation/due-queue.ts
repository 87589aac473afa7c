// What is due first comes out first, and of what is due together what was put in first. Beside the product's own queue, as
// this one can be looked into, and is what a simulation does most.

export class DueQueue<T> {
  readonly #at: number[] = []
  readonly #turn: number[] = []
  readonly #items: T[] = []
  #turns = 0

  /** When the first is due; null when there is none. */
  get nextAt(): number | null {
    return this.#at[0] ?? null
  }

  push(at: number, item: T): void {
    this.#turns += 1
    let place = this.#items.length
    this.#put(place, at, this.#turns, item)
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (this.#isBefore(parent, place)) return
      this.#swap(parent, place)
      place = parent
    }
  }

  take(): T | undefined {
    const first = this.#items[0]
    const [at, turn, item] = [this.#at.pop(), this.#turn.pop(), this.#items.pop()]
    if (this.#items.length === 0 || at === undefined || turn === undefined) return first
    this.#put(0, at, turn, item as T)
    for (let place = 0; ; ) {
      const child = this.#firstChild(place)
      if (child >= this.#items.length || this.#isBefore(place, child)) return first
      this.#swap(place, child)
      place = child
    }
  }

  /** Takes the first ones that are over. */
  drop(isOver: (item: T) => boolean): void {
    while (this.#items.length > 0 && isOver(this.#items[0] as T)) this.take()
  }

  #firstChild(of: number): number {
    const [left, right] = [2 * of + 1, 2 * of + 2]
    return right < this.#items.length && this.#isBefore(right, left) ? right : left
  }

  #isBefore(a: number, b: number): boolean {
    const [atA = 0, atB = 0] = [this.#at[a], this.#at[b]]
    return atA < atB || (atA === atB && (this.#turn[a] ?? 0) < (this.#turn[b] ?? 0))
  }

  #put(place: number, at: number, turn: number, item: T): void {
    this.#at[place] = at
    this.#turn[place] = turn
    this.#items[place] = item
  }

  #swap(a: number, b: number): void {
    const [at, turn, item] = [this.#at[a] ?? 0, this.#turn[a] ?? 0, this.#items[a] as T]
    this.#put(a, this.#at[b] ?? 0, this.#turn[b] ?? 0, this.#items[b] as T)
    this.#put(b, at, turn, item)
  }
}
