// Makes history entries: ids that sort by time and are unique over all writers.
import type { Clock } from '../../lib/time.js'
import type { HistoryEvent } from '../../model/event.js'
import type { MachineId } from '../../model/machine.js'
import { putOf } from '../records.js'
import type { Op } from '../store.js'

/** Writes events into the history. */
export interface EventLog {
  /** The write that appends events, in order: one for all of them, none for no event. */
  append(drafts: readonly Omit<HistoryEvent, 'id' | 'at'>[]): readonly Op[]
}

/** As many as four digits hold: ids are compared as texts. */
const countedAtMost = 9999
/** Those from which processes begin to count are below this: enough of a millisecond is left to each. */
export const countsFromAtMost = 9000

/**
 * An event log of one process on one machine. `countsFrom` tells its ids from those of a process before it, whose
 * milliseconds come again when the clock is set back in between.
 */
export function openEventLog(clock: Clock, machine: MachineId, countsFrom = 0): EventLog {
  let lastAt = 0
  let count = 0
  return {
    append: (drafts) => {
      const events = drafts.map((draft) => {
        const at = clock.now()
        const isFull = at <= lastAt && count === countedAtMost
        const idAt = isFull ? lastAt + 1 : Math.max(at, lastAt)
        count = idAt === lastAt ? count + 1 : countsFrom
        lastAt = idAt
        const id = `${String(idAt).padStart(13, '0')}-${String(count).padStart(4, '0')}-${machine.slice(0, 8)}`
        // A spread costs ten times as much, and the engine tells of each placement.
        return Object.assign({ id, at }, draft)
      })
      return events.length === 0 ? [] : [putOf('event', events)]
    },
  }
}
