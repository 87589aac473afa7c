// The history for those who follow it: one list of the latest events for all, from which each reads at its own pace. Nothing
// is queued for anybody, so that one who does not read costs nothing, and falls out at the far end.
import { setMaxListeners } from 'node:events'
import type { HistoryEvent } from '../../model/event.js'
import type { Registry } from '../../store/io/registry.js'
import { decodeEvents, kindOfKey, prefixes } from '../../store/records.js'
import type { Entry } from '../../store/store.js'

/** Of what is kept for those who follow, so many bytes; up to twice as many between clean-ups. */
const keptBytes = 2 * 2 ** 20

/** A place in the history: how many entries were told before it. */
type Place = number

/** One who follows is so far behind that what comes next for him is not kept any more. */
export class FellBehindError extends Error {
  override readonly name = 'FellBehindError'
}

export class HistoryFeed {
  readonly #registry: Registry
  readonly #keptBytes: number
  readonly #waiting = new Set<() => void>()
  #kept: Entry[] = []
  #bytes = 0
  /** The place of the first one kept. */
  #first: Place = 0

  /** Follows the history from now on, for as long as the registry is open. */
  constructor(registry: Registry, atMostBytes = keptBytes) {
    this.#registry = registry
    this.#keptBytes = atMostBytes
    registry.onChange((_, changes) => {
      const told = changes.flatMap((change) =>
        change.type === 'put' && kindOfKey(change.key) === 'event' ? [change.entry] : [],
      )
      if (told.length > 0) this.#take(told)
    })
  }

  /** What there is of it now, and the place behind that. */
  read(): { readonly entries: readonly Entry[]; readonly place: Place } {
    return { entries: this.#registry.entriesUnder(prefixes.event), place: this.#end }
  }

  /** What is told from a place on, until the signal aborts. Throws FellBehindError where that is not kept any more. */
  async *after(place: Place, signal: AbortSignal): AsyncGenerator<HistoryEvent, void, undefined> {
    // One signal, one listener for each wait.
    setMaxListeners(0, signal)
    for (let next = place; !signal.aborted; ) {
      if (next < this.#first) throw new FellBehindError('the next events are no longer kept')
      const entry = this.#kept[next - this.#first]
      if (entry === undefined) {
        await this.#arrival(signal)
        continue
      }
      next += 1
      yield* decodeEvents(entry)
    }
  }

  get #end(): Place {
    return this.#first + this.#kept.length
  }

  #take(told: readonly Entry[]): void {
    for (const entry of told) {
      this.#kept.push(entry)
      this.#bytes += bytesOf(entry)
    }
    // In one go for many, as moving an array costs its length.
    if (this.#bytes > 2 * this.#keptBytes) this.#trim()
    for (const wake of [...this.#waiting]) wake()
  }

  #trim(): void {
    let dropped = 0
    for (const entry of this.#kept) {
      if (this.#bytes <= this.#keptBytes) break
      this.#bytes -= bytesOf(entry)
      dropped += 1
    }
    this.#kept = this.#kept.slice(dropped)
    this.#first += dropped
  }

  #arrival(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }
}

/** With what it costs beside its texts. */
function bytesOf({ key, value }: Entry): number {
  return 150 + key.length + value.length
}
