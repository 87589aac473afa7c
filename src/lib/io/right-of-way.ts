// Work that goes on side by side, and work that is done alone because it would otherwise never come through.

interface Waiting {
  readonly isAlone: boolean
  readonly start: () => void
}

/** In the order in which they come: who is to be alone waits for all before, and all after wait for that one. */
export class RightOfWay {
  readonly #queue: Waiting[] = []
  #working = 0
  #isAlone = false

  /** Does a work beside others of its kind. */
  beside<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(false, work)
  }

  /** Does a work while no other goes on. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(true, work)
  }

  async #inTurn<T>(isAlone: boolean, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.#queue.push({ isAlone, start })
      this.#next()
    })
    try {
      return await work()
    } finally {
      this.#working -= 1
      this.#isAlone = false
      this.#next()
    }
  }

  #next(): void {
    for (let [first] = this.#queue; first !== undefined; [first] = this.#queue) {
      if (this.#isAlone || (first.isAlone && this.#working > 0)) return
      this.#queue.shift()
      this.#isAlone = first.isAlone
      this.#working += 1
      first.start()
    }
  }
}
