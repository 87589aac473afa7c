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
    // It comes after all that are due at the same time.
    while (place > 0) {
      const parent = (place - 1) >> 1
      if ((this.#at[parent] ?? 0) <= at) break
      this.#move(parent, place)
      place = parent
    }
    this.#put(place, at, this.#turns, item)
  }

  take(): T | undefined {
    const first = this.#items[0]
    const at = this.#at.pop()
    const turn = this.#turn.pop()
    const item = this.#items.pop()
    if (this.#items.length === 0 || at === undefined || turn === undefined) return first
    let place = 0
    for (let child = this.#firstChild(0); child < this.#items.length; child = this.#firstChild(place)) {
      const childAt = this.#at[child] ?? 0
      if (at < childAt || (at === childAt && turn < (this.#turn[child] ?? 0))) break
      this.#move(child, place)
      place = child
    }
    this.#put(place, at, turn, item as T)
    return first
  }

  /** Takes the first ones that are over. */
  drop(isOver: (item: T) => boolean): void {
    while (this.#items.length > 0 && isOver(this.#items[0] as T)) this.take()
  }

  #firstChild(of: number): number {
    const left = 2 * of + 1
    const right = left + 1
    return right < this.#items.length && this.#isBefore(right, left) ? right : left
  }

  #isBefore(a: number, b: number): boolean {
    const atA = this.#at[a] ?? 0
    const atB = this.#at[b] ?? 0
    return atA < atB || (atA === atB && (this.#turn[a] ?? 0) < (this.#turn[b] ?? 0))
  }

  #put(place: number, at: number, turn: number, item: T): void {
    this.#at[place] = at
    this.#turn[place] = turn
    this.#items[place] = item
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#at[from] ?? 0, this.#turn[from] ?? 0, this.#items[from] as T)
  }
}
