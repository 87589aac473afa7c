// What is known of our units: what we wrote down, and what systemd told last. Signals keep it current, and outlive the
// unit in systemd's memory: systemd forgets a unit as soon as it has ended well, with its exit and its times.
import type { Instant } from '../../../lib/time.js'
import type { ObservedUnit, UnitName } from '../../../model/unit.js'
import {
  afterSignal,
  type HeldUnit,
  isEndUnseen,
  neverRan,
  observeUnit,
  type Properties,
  ranMsOf,
  recall,
  startedAtOf,
} from '../observe.js'
import { type BusChange, unitPathOf } from './bus.js'

export interface UnitTable {
  get(name: UnitName): HeldUnit | null
  names(): readonly UnitName[]
  /** Puts a unit in that systemd has not run: new, or with a new text. */
  hold(held: HeldUnit): void
  /** Puts a unit in that was there before us, of which systemd must be asked. */
  adopt(held: HeldUnit): void
  drop(name: UnitName): void
  /** The unit as told last; null where systemd must be asked first. */
  observed(name: UnitName): ObservedUnit | null
  /** How long its last main process ran; 0 where that is not known. */
  ranMs(name: UnitName): number
  /** What systemd answered when it was asked. */
  learn(name: UnitName, properties: Properties): void
  /**
   * Since when a run may have ended whose end the answer does not tell, nor a signal told; null where none has. What
   * was there before us may have run at any time: then 0.
   */
  unseenSince(name: UnitName, properties: Properties): Instant | null
  apply(change: BusChange): void
  watch(onChange: (name: UnitName | null) => void, signal: AbortSignal): void
}

interface Entry {
  readonly held: HeldUnit
  properties: Properties | null
  /** What they come to; null where systemd must be asked. */
  seen: ObservedUnit | null
  /** Signals may have been missed. */
  stale: boolean
}

export function openUnitTable(): UnitTable {
  const entries = new Map<UnitName, Entry>()
  const byPath = new Map<string, UnitName>()
  const news = newsAgent()

  const put = (held: HeldUnit, properties: Properties | null): void => {
    const seen = properties && observeUnit(held, properties)
    entries.set(held.name, { held, properties, seen, stale: false })
    byPath.set(unitPathOf(held.name), held.name)
    news.tell(held.name)
  }
  const update = (entry: Entry, properties: Properties): void => {
    const seen = observeUnit(entry.held, properties)
    // systemd tells of sixteen changes for one restart, and few of them are ours.
    const isNews = entry.stale || JSON.stringify(seen) !== JSON.stringify(entry.seen)
    entry.properties = properties
    entry.stale = false
    if (!isNews) return
    entry.seen = seen
    news.tell(entry.held.name)
  }

  return {
    get: (name) => entries.get(name)?.held ?? null,
    names: () => [...entries.keys()],
    hold: (held) => put(held, neverRan),
    adopt: (held) => put(held, null),
    drop: (name) => {
      if (entries.delete(name)) news.tell(name)
      byPath.delete(unitPathOf(name))
    },
    observed: (name) => {
      const entry = entries.get(name)
      return entry === undefined || entry.stale ? null : entry.seen
    },
    ranMs: (name) => ranMsOf(entries.get(name)?.properties ?? {}),
    learn: (name, properties) => {
      const entry = entries.get(name)
      if (entry !== undefined) update(entry, recall(entry.properties, properties))
    },
    unseenSince: (name, properties) => {
      const known = entries.get(name)?.properties ?? null
      if (!isEndUnseen(known, properties)) return null
      return known === null ? 0 : startedAtOf(known)
    },
    apply: (change) => {
      if (change.kind === 'properties') {
        const name = byPath.get(change.path)
        const entry = name === undefined ? undefined : entries.get(name)
        if (!entry?.properties) return
        const properties = afterSignal(entry.properties, change.changed)
        // One that must be asked for anyhow may be forgotten by then: what is told now is kept.
        if (entry.stale) entry.properties = properties
        else update(entry, properties)
        return
      }
      if (change.kind === 'reconnected') for (const entry of entries.values()) entry.stale = true
      news.tell(null)
    },
    watch: news.watch,
  }
}

/** Tells all who watch, once per turn of the event loop for each unit. */
function newsAgent(): { tell(name: UnitName | null): void; watch: UnitTable['watch'] } {
  const watchers = new Set<(name: UnitName | null) => void>()
  const due = new Set<UnitName | null>()
  const flush = (): void => {
    const names = [...due]
    due.clear()
    for (const watcher of watchers) for (const name of names) watcher(name)
  }
  return {
    tell: (name) => {
      if (due.size === 0) setImmediate(flush)
      due.add(name)
    },
    watch: (onChange, signal) => {
      if (signal.aborted) return
      // A watcher of its own for each call, so that one function may watch twice.
      const watcher = (name: UnitName | null): void => onChange(name)
      watchers.add(watcher)
      signal.addEventListener('abort', () => watchers.delete(watcher), { once: true })
    },
  }
}
