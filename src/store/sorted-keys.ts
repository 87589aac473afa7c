// Keys in order, for ranges by prefix. Blocks keep an insertion among 100,000 keys at the price of one small array.

const blockSize = 512

/** A set of text in order by code unit. Owned and changed in place by one `StoreState`. */
export class SortedKeys {
  readonly #blocks: string[][] = []

  /** Adds a key that is not there yet. */
  add(key: string): void {
    const at = this.#blockFor(key)
    const block = this.#blocks[at]
    if (block === undefined) {
      this.#blocks.push([key])
      return
    }
    block.splice(firstAtLeast(block, key), 0, key)
    if (block.length > blockSize) this.#split(at, block)
  }

  /** Removes a key that is there. */
  delete(key: string): void {
    const at = this.#blockFor(key)
    const block = this.#blocks[at]
    if (block === undefined) return
    const place = firstAtLeast(block, key)
    if (block[place] !== key) return
    block.splice(place, 1)
    if (block.length === 0) this.#blocks.splice(at, 1)
  }

  /** The keys that begin with `prefix`, in order. The set must not change meanwhile. */
  *withPrefix(prefix: string): Generator<string, void, undefined> {
    for (let at = this.#blockFor(prefix); at < this.#blocks.length; at++) {
      const block = this.#blocks[at] ?? []
      for (let place = firstAtLeast(block, prefix); place < block.length; place++) {
        const key = block[place] ?? ''
        if (!key.startsWith(prefix)) return
        yield key
      }
    }
  }

  /** The last block that begins at or before `key`; the first block where none does. */
  #blockFor(key: string): number {
    let low = 0
    let high = this.#blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#blocks[middle]?.[0] ?? '') <= key) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  /** Keys mostly arrive in order, so a full last block is left nearly full instead of halved. */
  #split(at: number, block: string[]): void {
    const keep = at === this.#blocks.length - 1 ? blockSize - 32 : blockSize / 2
    this.#blocks.splice(at + 1, 0, block.splice(keep))
  }
}

function firstAtLeast(block: readonly string[], key: string): number {
  let low = 0
  let high = block.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((block[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}
