// The events that the outbox has still to look at: those of the store when this machine takes the lead, and those that
// are added from then on. None is left out, and none comes before the view has all that was written with it.
import type { Registry } from '../../store/io/registry.js'
import { outboxKey, prefixes } from '../../store/records.js'
import type { Entry, Revision } from '../../store/store.js'
import { cursorOf, isEventKey } from '../outbox.js'

export class EventFeed {
  readonly #registry: Registry
  readonly #waiting = new Map<string, Entry>()
  readonly #unsubscribe: () => void
  #cursor: Revision
  #written: Revision
  #receiversChanged = true

  constructor(registry: Registry, cursor: Revision) {
    this.#registry = registry
    this.#cursor = cursor
    this.#written = this.#cursor
    for (const entry of registry.entriesUnder(prefixes.event)) {
      if (entry.createRevision > this.#cursor) this.#waiting.set(entry.key, entry)
    }
    this.#unsubscribe = registry.onChange((kinds, changes) => {
      for (const change of changes) {
        if (change.type === 'put' && isEventKey(change.key)) this.#waiting.set(change.key, change.entry)
      }
      if (kinds.has('service') || kinds.has('version') || kinds.has('receiver')) this.#receiversChanged = true
    })
  }

  /** A feed from where the outbox is; null while nobody can read where that is: nothing is to be told twice, or never. */
  static open(registry: Registry): EventFeed | null {
    const entry = registry.entriesUnder(outboxKey).find(({ key }) => key === outboxKey)
    const cursor = cursorOf(entry ?? null)
    return cursor === null ? null : new EventFeed(registry, cursor)
  }

  get cursor(): Revision {
    return this.#cursor
  }

  get writtenCursor(): Revision {
    return this.#written
  }

  /** Whether anything has changed since that receivers depend on; asked once per change. */
  takeReceiversChanged(): boolean {
    const changed = this.#receiversChanged
    this.#receiversChanged = this.#hasRetired()
    return changed
  }

  /** Receivers are to be compared again: not all was written. */
  receiversChanged(): void {
    this.#receiversChanged = true
  }

  /** How many events wait. */
  get count(): number {
    return this.#waiting.size
  }

  waiting(): readonly Entry[] {
    return [...this.#waiting.values()]
  }

  /** Events up to here are told; `written` says whether the store knows. */
  told(cursor: Revision, written: boolean): void {
    this.#cursor = cursor
    if (written) this.#written = cursor
    for (const [key, entry] of this.#waiting) {
      if (entry.createRevision <= cursor) this.#waiting.delete(key)
    }
  }

  close(): void {
    this.#unsubscribe()
  }

  /** A retired receiver goes when its queue is empty, which is no change of a record of its own. */
  #hasRetired(): boolean {
    return [...this.#registry.view.receivers.values()].some(({ receiver }) => receiver.retired)
  }
}
