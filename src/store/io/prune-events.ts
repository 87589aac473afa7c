// A pass of the leader that keeps the history from growing without end.
import { type ClockJump, elapsedAt } from '../../lib/elapsed.js'
import type { Pass } from '../../lib/io/loop.js'
import { chooseForgotten, type KeptEvents } from '../history.js'
import { decodeEvents, kindOfKey, prefixes } from '../records.js'
import type { Entry, Op, Revision } from '../store.js'
import { ledBy, type Registry } from './registry.js'

/** Entries of events that one transaction removes. */
const dropsPerWrite = 100

interface PruneOptions {
  readonly registry: Registry
  readonly epoch: () => number | null
  /** How long events are kept. */
  readonly keepMs: () => number
  /** Events up to this revision have been read by those who have to; null while that is not known. */
  readonly readUpTo: () => Revision | null
  /** How often the clock on the wall was set until now. */
  readonly jumps: () => readonly ClockJump[]
}

/** Of how long events are kept, the part by which they may be kept longer. */
const lateBy = 1 / 6

/** How long the loop of the pass may wait between two looks. */
export function lookForOldEventsEveryMs(keepMs: number): number {
  return Math.min(60_000, Math.max(500, keepMs / 4))
}

export function pruneEvents({ registry, epoch, keepMs, readUpTo, jumps }: PruneOptions): Pass {
  let known: EventsKnown | null = null
  return async (now, signal) => {
    const [leading, read] = [epoch(), readUpTo()]
    if (leading === null || read === null) {
      known?.close()
      known = null
      return { wakeAt: null }
    }
    known ??= knowEvents(registry)
    const { unreadable } = registry.view
    const readable = known.all().filter(({ key }) => !unreadable.has(key))
    const old = chooseForgotten(readable, { keepMs: keepMs(), readUpTo: read }, elapsedAt(now, jumps()))
    for (let from = 0; from < old.length && !signal.aborted; from += dropsPerWrite) {
      const drops = old.slice(from, from + dropsPerWrite).map((key): Op => ({ op: 'delete', key }))
      if (!(await registry.commit([ledBy(leading)], drops))) break
    }
    return { wakeAt: now + Math.max(lookForOldEventsEveryMs(keepMs()), keepMs() * lateBy) }
  }
}

interface EventsKnown {
  all(): readonly KeptEvents[]
  close(): void
}

/** What a leader knows of the history: read once, then followed. */
function knowEvents(registry: Registry): EventsKnown {
  const known = new Map<string, KeptEvents>()
  for (const entry of registry.entriesUnder(prefixes.event)) known.set(entry.key, keptOf(entry))
  const close = registry.onChange((kinds, changes) => {
    if (!kinds.has('event')) return
    for (const change of changes) {
      if (kindOfKey(change.key) !== 'event') continue
      if (change.type === 'put') known.set(change.key, keptOf(change.entry))
      else known.delete(change.key)
    }
  })
  return { all: () => [...known.values()], close }
}

function keptOf(entry: Entry): KeptEvents {
  const events = decodeEvents(entry)
  const asked = events.filter(({ by }) => by !== undefined).length
  const { key, createRevision } = entry
  return { key, at: events.at(-1)?.at ?? 0, asked, unasked: events.length - asked, createRevision }
}
