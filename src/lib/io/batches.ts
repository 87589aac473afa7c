// Long streams of small values in batches: an await for each value would cost more than the value itself.

/**
 * Streams that are each in the order of `keyOf`, as one in that order. What is at hand is handed on before more is waited
 * for. Whoever stops taking it ends all streams.
 */
export async function* mergeBatches<T>(
  streams: readonly AsyncIterable<readonly T[]>[],
  keyOf: (value: T) => number,
): AsyncGenerator<readonly T[], void, undefined> {
  const sources = streams.map((stream) => new Source(stream, keyOf))
  try {
    await Promise.all(sources.map((source) => source.fill()))
    for (;;) {
      const open = sources.filter((source) => !source.isOver)
      const [only] = open
      if (only === undefined) return
      if (open.length === 1) yield only.takeAll()
      else yield takeInOrder(open)
      for (const source of open) if (source.isEmpty) await source.fill()
    }
  } finally {
    await Promise.all(sources.map((source) => source.end()))
  }
}

/** What is there already, in batches of at most so many. */
export async function* inBatches<T>(
  values: Iterable<T>,
  most = mostInBatch,
): AsyncGenerator<readonly T[], void, undefined> {
  let batch: T[] = []
  for (const value of values) {
    batch.push(value)
    if (batch.length < most) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** What of several streams is made in one turn is little enough for a turn. */
const mostInBatch = 500

/** At least one value, until one of the sources has none at hand any more. */
function takeInOrder<T>(sources: readonly Source<T>[]): readonly T[] {
  const taken: T[] = []
  while (taken.length < mostInBatch) {
    const first = sources.reduce((a, b) => (b.key < a.key ? b : a))
    taken.push(first.take())
    if (first.isEmpty) return taken
  }
  return taken
}

class Source<T> {
  readonly #batches: AsyncIterator<readonly T[], unknown>
  readonly #keyOf: (value: T) => number
  #batch: readonly T[] = []
  #at = 0
  #isWaiting = false
  isOver = false
  /** Of the value that comes next. */
  key = 0

  constructor(stream: AsyncIterable<readonly T[]>, keyOf: (value: T) => number) {
    this.#batches = stream[Symbol.asyncIterator]()
    this.#keyOf = keyOf
  }

  get isEmpty(): boolean {
    return this.#at >= this.#batch.length
  }

  /** Waits for a value, if there is none at hand. */
  async fill(): Promise<void> {
    while (this.isEmpty && !this.isOver) {
      this.#isWaiting = true
      const next = await this.#batches.next().finally(() => {
        this.#isWaiting = false
      })
      if (next.done === true) this.isOver = true
      else this.#begin(next.value, 0)
    }
  }

  take(): T {
    const value = this.#batch[this.#at] as T
    this.#begin(this.#batch, this.#at + 1)
    return value
  }

  takeAll(): readonly T[] {
    const all = this.#at === 0 ? this.#batch : this.#batch.slice(this.#at)
    this.#begin([], 0)
    return all
  }

  async end(): Promise<void> {
    const ended = this.#batches.return?.()
    // A generator ends once what it waits for has come, which may be never: nobody waits for that.
    if (this.#isWaiting) ended?.catch(() => {})
    else await ended
  }

  #begin(batch: readonly T[], at: number): void {
    this.#batch = batch
    this.#at = at
    const value = batch[at]
    if (at < batch.length) this.key = this.#keyOf(value as T)
  }
}
