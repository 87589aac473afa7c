// Which events of the history are kept: a pure rule over what is known of each.
import { byKeys } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import type { Revision } from './store.js'

/** Of events that nobody asked for, the newest so many are kept: what fails again and again does not crowd out the rest. */
export const unaskedKept = 10_000
/** Of changes that somebody asked for, the newest so many. */
export const askedKept = 100_000

/** What has to be known of an event to say whether it is kept. */
export interface KeptEvent {
  readonly key: string
  readonly at: Instant
  /** Somebody asked for what it tells of. */
  readonly asked: boolean
  readonly createRevision: Revision
}

export interface HistoryLimits {
  /** How long events are kept. */
  readonly keepMs: number
  /** Events up to this revision have been read by those who have to; the others stay. */
  readonly readUpTo: Revision
}

/** The keys of the events that go, oldest first: those that are too old, and those of which there are too many. */
export function chooseForgotten(
  events: readonly KeptEvent[],
  { keepMs, readUpTo }: HistoryLimits,
  now: Instant,
): readonly string[] {
  const sorted = [...events].sort(byKeys(({ key }) => key))
  const surplus = new Set([
    ...beyond(
      sorted.filter(({ asked }) => asked),
      askedKept,
    ),
    ...beyond(
      sorted.filter(({ asked }) => !asked),
      unaskedKept,
    ),
  ])
  return sorted
    .filter((event) => event.createRevision <= readUpTo)
    .filter((event) => event.at < now - keepMs || surplus.has(event))
    .map(({ key }) => key)
}

function beyond(events: readonly KeptEvent[], count: number): readonly KeptEvent[] {
  return events.slice(0, Math.max(0, events.length - count))
}
