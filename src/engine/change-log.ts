// Numbers of machines in the order in which they changed, for those that have to catch up with it.

/** A log that forgets. Whoever asks for what is forgotten starts over. */
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
