// What has to hold of the history: that a program has started is told once.
import type { HistoryEvent } from '../../src/model/event.js'
import { decodeEvents, kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'

export interface EventsParts {
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

export class EventsJudge {
  readonly #parts: EventsParts
  /** The id of the event that told of each start; on a machine no two programs have the same number. */
  readonly #told = new Map<string, string>()

  constructor(parts: EventsParts) {
    this.#parts = parts
  }

  look(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type !== 'put' || kindOfKey(change.key) !== 'event') continue
      for (const event of decodeEvents(change.entry)) if (event.kind === 'instance-started') this.#note(event)
    }
  }

  #note({ id, machine, message }: HistoryEvent): void {
    const start = `${machine} ${message}`
    const before = this.#told.get(start)
    // Whoever did not hear that it was written may write the same once more.
    if (before !== undefined && before !== id)
      this.#parts.broke(`"${message}" is told by ${before}, and again by ${id}`)
    this.#told.set(start, id)
    this.#parts.count('start told')
  }
}
