// The supervisor's records: a journal of lines, one for each thing that it must not forget. Appending a line costs
// next to nothing; a file for each unit would cost more than starting its process.
import type { UnitName } from '../model/unit.js'
import type { LoadedUnit } from './protocol.js'
import type { UnitState } from './state.js'

export type JournalEntry =
  | { readonly kind: 'unit'; readonly unit: LoadedUnit; readonly state: UnitState; readonly boot: string }
  | { readonly kind: 'state'; readonly name: UnitName; readonly state: UnitState; readonly boot: string }
  | { readonly kind: 'forgotten'; readonly name: UnitName }

/** What the journal knows of a unit. */
export interface UnitRecord {
  readonly unit: LoadedUnit
  readonly state: UnitState
  /** The boot of the machine in which the state was written. */
  readonly boot: string
}

export interface Replay {
  readonly records: ReadonlyMap<UnitName, UnitRecord>
  /** Lines that are no entries, counted from 1. */
  readonly damaged: readonly number[]
}

/** Reads a journal of whole lines: later ones win. */
export function replayJournal(text: string): Replay {
  const records = new Map<UnitName, UnitRecord>()
  const damaged: number[] = []
  for (const [index, found] of text.split('\n').entries()) {
    const line = withoutZeros(found)
    if (line === '') continue
    const entry = readEntry(line)
    if (entry === null) damaged.push(index + 1)
    else apply(records, entry)
  }
  return { records, damaged }
}

/** What a line says where the file had room to spare before it. */
function withoutZeros(line: string): string {
  let from = 0
  while (line.charCodeAt(from) === 0) from += 1
  return from === 0 ? line : line.slice(from)
}

/** The shortest journal that says the same. */
export function compactJournal(records: Iterable<UnitRecord>): string {
  return [...records].map((record) => printEntry({ kind: 'unit', ...record })).join('')
}

export function printEntry(entry: JournalEntry): string {
  return `${JSON.stringify(entry)}\n`
}

function readEntry(line: string): JournalEntry | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'kind' in value ? (value as JournalEntry) : null
  } catch {
    return null
  }
}

function apply(records: Map<UnitName, UnitRecord>, entry: JournalEntry): void {
  switch (entry.kind) {
    case 'unit':
      records.set(entry.unit.name, { unit: entry.unit, state: entry.state, boot: entry.boot })
      return
    case 'state': {
      const known = records.get(entry.name)
      if (known !== undefined) records.set(entry.name, { ...known, state: entry.state, boot: entry.boot })
      return
    }
    case 'forgotten':
      records.delete(entry.name)
  }
}
