// What was sent last of a stream: who has lost it on the way gets it again, without the stream being made anew.

interface Piece {
  readonly at: number
  readonly bytes: Uint8Array
}

/** The last pieces of a stream, together no more than so many bytes, or the last one alone. */
export class SentTail {
  readonly #atMostBytes: number
  readonly #pieces: Piece[] = []
  #end = 0
  #held = 0

  constructor(atMostBytes: number) {
    this.#atMostBytes = atMostBytes
  }

  /** How much there was in all. */
  get end(): number {
    return this.#end
  }

  push(bytes: Uint8Array): void {
    this.#pieces.push({ at: this.#end, bytes })
    this.#end += bytes.length
    this.#held += bytes.length
    while (this.#held > this.#atMostBytes && this.#pieces.length > 1)
      this.#held -= this.#pieces.shift()?.bytes.length ?? 0
  }

  /** Whether what comes behind `offset` is still held, or has not come yet. */
  reaches(offset: number): boolean {
    return offset >= this.#end - this.#held
  }

  /** The next piece of what is behind `offset`; null where nothing of that has come yet. */
  behind(offset: number): Uint8Array | null {
    const piece = this.#pieces.findLast(({ at }) => at <= offset)
    if (piece === undefined || offset >= this.#end) return null
    return piece.bytes.subarray(offset - piece.at)
  }
}
