// Since when nothing has changed that plans and placements rest on: what is told then is told of things as they are.
import type { RecordKind } from '../../src/store/record-types.js'
import { kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'

/** Records that neither a plan nor a placement rests on. */
const beside: ReadonlySet<RecordKind> = new Set([
  ...([
    'event',
    'delivery',
    'receiver',
    'metrics',
    'meta',
    'clockCall',
    'clockReading',
    'clockOffset',
  ] as const),
  ...(['schedule', 'project', 'knownMachine', 'entryIdle'] as const),
])

export class Stillness {
  readonly #now: () => number
  #changedAt: number

  constructor(now: () => number) {
    this.#now = now
    this.#changedAt = now()
  }

  look(changes: readonly Change[]): void {
    const bears = ({ key }: Change): boolean => {
      const kind = kindOfKey(key)
      return kind !== null && !beside.has(kind)
    }
    if (changes.some(bears)) this.#changedAt = this.#now()
  }

  get changedAt(): number {
    return this.#changedAt
  }
}
