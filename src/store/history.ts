// Which events of the history are kept: a pure rule over what is known of each.
import type { Elapsed } from '../lib/elapsed.js'
import { byKeys } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import type { Revision } from './store.js'

/** Of events that nobody asked for, the newest so many are kept: what fails again and again does not crowd out the rest. */
export const unaskedKept = 10_000
/** Of changes that somebody asked for, the newest so many. */
export const askedKept = 20_000

/** What has to be known of the events of one transaction to say whether they are kept: all of them are, or none. */
export interface KeptEvents {
  readonly key: string
  /** When the last of them happened. */
  readonly at: Instant
  /** How many of them tell of what somebody asked for, and how many of what happened by itself. */
  readonly asked: number
  readonly unasked: number
  readonly createRevision: Revision
}

interface HistoryLimits {
  /** How long events are kept. */
  readonly keepMs: number
  /** Events up to this revision have been read by those who have to; the others stay. */
  readonly readUpTo: Revision
}

/** The keys of the events that go, oldest first: those that are too old, and those of which there are too many. */
export function chooseForgotten(
  events: readonly KeptEvents[],
  { keepMs, readUpTo }: HistoryLimits,
  time: Elapsed,
): readonly string[] {
  const sorted = [...events].sort(byKeys(({ key }) => key))
  const surplus = beyondNumbers(sorted)
  return sorted
    .filter(({ createRevision }) => createRevision <= readUpTo)
    .filter((event) => time.since(event.at) > keepMs || surplus.has(event))
    .map(({ key }) => key)
}

/** Those behind which there are as many newer ones of each sort as are kept; `sorted` has the oldest first. */
function beyondNumbers(sorted: readonly KeptEvents[]): ReadonlySet<KeptEvents> {
  const surplus = new Set<KeptEvents>()
  let [askedSince, unaskedSince] = [0, 0]
  for (const event of sorted.toReversed()) {
    const { asked, unasked } = event
    if ((asked === 0 || askedSince >= askedKept) && (unasked === 0 || unaskedSince >= unaskedKept))
      surplus.add(event)
    askedSince += asked
    unaskedSince += unasked
  }
  return surplus
}
