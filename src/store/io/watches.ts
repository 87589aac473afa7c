// The latest changes, and everyone who follows them. A watcher reads from this history at its own pace; nothing is
// queued for it, so a slow one costs nothing and falls out at the far end.
import { setMaxListeners } from 'node:events'
import { type ChangeBatch, CompactedError, type Revision } from '../store.js'
import { closedError } from './errors.js'

/** Of what is kept for watches that begin in the past, at most about so many bytes: a batch holds what it replaced too. */
const keptBytes = 8 * 2 ** 20

/** Keeps the last `limit` batches (a few more between clean-ups). Every revision after `floor` must be published. */
export class WatchHistory {
  readonly #limit: number
  readonly #bytesAtMost: number
  readonly #waiting = new Set<Waiter>()
  #batches: ChangeBatch[] = []
  #bytes = 0
  /** The last revision whose batch is not kept: a watch may begin after it, not before. */
  #floor: Revision
  #closed = false

  constructor(limit: number, floor: Revision, bytesAtMost = keptBytes) {
    this.#limit = limit
    this.#bytesAtMost = bytesAtMost
    this.#floor = floor
  }

  publish(batch: ChangeBatch): void {
    this.#batches.push(batch)
    this.#bytes += bytesOf(batch)
    if (this.#batches.length >= 2 * this.#limit || this.#bytes >= 2 * this.#bytesAtMost) this.#trim()
    for (const waiter of this.#waiting) {
      if (batch.revision > waiter.after && touches(batch, waiter.prefix)) waiter.wake()
      else waiter.after = Math.max(waiter.after, batch.revision)
    }
  }

  /** `Store.watch`. */
  async *watch(
    prefix: string,
    after: Revision,
    signal: AbortSignal,
  ): AsyncGenerator<ChangeBatch, void, undefined> {
    // Many watches end with one signal; that is no leak.
    setMaxListeners(0, signal)
    const waiter: Waiter = { prefix, after, wake: () => {} }
    const end = (): void => waiter.wake()
    signal.addEventListener('abort', end)
    try {
      let seen = after
      while (!signal.aborted) {
        if (this.#closed) throw closedError()
        if (seen < this.#floor) throw new CompactedError(this.#floor + 1)
        const batch = this.#batches[seen - this.#floor]
        if (batch === undefined) {
          waiter.after = seen
          await this.#arrival(waiter)
          seen = waiter.after
          continue
        }
        seen = batch.revision
        const matching = under(batch, prefix)
        if (matching !== null) yield matching
      }
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  /** Ends every watch. */
  close(): void {
    this.#closed = true
    for (const waiter of this.#waiting) waiter.wake()
  }

  /** Waits for a change under the prefix; by then `after` is the revision up to which there was none. */
  #arrival(waiter: Waiter): Promise<void> {
    return new Promise((resolve) => {
      waiter.wake = () => {
        this.#waiting.delete(waiter)
        resolve()
      }
      this.#waiting.add(waiter)
    })
  }

  /** Drops the oldest until what is left keeps both limits, in one go for many, as moving an array costs its length. */
  #trim(): void {
    let dropped = 0
    for (const batch of this.#batches) {
      const left = this.#batches.length - dropped
      if (left <= this.#limit && this.#bytes <= this.#bytesAtMost) break
      this.#bytes -= bytesOf(batch)
      dropped += 1
    }
    this.#batches = this.#batches.slice(dropped)
    this.#floor += dropped
  }
}

interface Waiter {
  readonly prefix: string
  after: Revision
  wake: () => void
}

function bytesOf({ changes }: ChangeBatch): number {
  return changes.reduce((sum, change) => {
    const put = change.type === 'put' ? change.entry.value.length : 0
    return sum + bytesBeside + change.key.length + put + (change.previous?.value.length ?? 0)
  }, bytesBeside)
}

/** What a change costs beside its texts. */
const bytesBeside = 150

function touches(batch: ChangeBatch, prefix: string): boolean {
  return batch.changes.some((change) => change.key.startsWith(prefix))
}

function under(batch: ChangeBatch, prefix: string): ChangeBatch | null {
  const changes = batch.changes.filter((change) => change.key.startsWith(prefix))
  if (changes.length === 0) return null
  return changes.length === batch.changes.length ? batch : { revision: batch.revision, changes }
}
