// Records that cannot be read, and what they are about: nothing is decided on half of what there is to know.
import type { MachineId } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import type { LoneKey, Unfit } from './reading.js'
import { keys, placedUnitOf, type RecordKind } from './records.js'
import { type Entry, StoreError } from './store.js'

/** A record that is set aside: everything else goes on, and it counts again when it is repaired or removed. */
export interface Unreadable extends Unfit {
  readonly entry: Entry
  readonly kind: RecordKind | LoneKey
  /** The service that it was about when it could be read, or seems to be about; null where its key says it, or nothing. */
  readonly service: `${string}/${string}` | null
}

/** What is set aside, by key. */
export class Quarantine {
  readonly records = new Map<string, Unreadable>()
  /** How many say where a unit is to be, or whether it is. */
  readonly #units = new Map<UnitName, number>()
  #newer = 0

  /** Whether any of it was written by a program of a later format. */
  get hasNewer(): boolean {
    return this.#newer > 0
  }

  add(unreadable: Unreadable): void {
    const { key } = unreadable.entry
    this.remove(key)
    this.records.set(key, unreadable)
    this.#count(key, unreadable, 1)
  }

  /** Whether it was there. */
  remove(key: string): boolean {
    const known = this.records.get(key)
    if (known === undefined) return false
    this.records.delete(key)
    this.#count(key, known, -1)
    return true
  }

  /** Whether a record that says where a unit is to be, or whether it is, cannot be read. */
  holdsUnit(name: UnitName): boolean {
    return this.#units.has(name)
  }

  #count(key: string, { unfit }: Unreadable, change: 1 | -1): void {
    if (unfit === 'newer') this.#newer += change
    const unit = placedUnitOf(key)
    if (unit === null) return
    const count = (this.#units.get(unit) ?? 0) + change
    if (count === 0) this.#units.delete(unit)
    else this.#units.set(unit, count)
  }
}

/** What its one writer makes from what it sees, and what is the same whoever writes it. */
const derived: ReadonlySet<Unreadable['kind']> = new Set([
  'file',
  'waiting',
  'leader',
  'outbox',
  'clockCall',
  'clockOffset',
  'knownMachine',
])
/** What the daemon of a machine says of that alone. */
const ofMachine: ReadonlySet<Unreadable['kind']> = new Set([
  'machine',
  'report',
  'metrics',
  'clockReading',
  'entryIdle',
])

/** Whether whoever writes a record need not know what it was: a put makes it whole again. */
export function isMadeAnew({ kind, unfit }: Unreadable): boolean {
  return ofMachine.has(kind) || (unfit === 'damaged' && derived.has(kind))
}

/** Whether whoever writes a record knows without reading it when it is of no use any more. */
export function mayBeDropped({ kind }: Unreadable): boolean {
  return kind === 'report'
}

/** What to do about a record that cannot be read. */
export function unreadableHint({ unfit }: Unreadable): string {
  return unfit === 'newer'
    ? 'a newer Mariposa wrote it: upgrade this machine too'
    : 'mariposa store check names what cannot be read; repair the record or remove it'
}

export function unreadableError(unreadable: Unreadable): StoreError {
  const { entry, problem } = unreadable
  return new StoreError(
    'store/unreadable',
    `the record ${entry.key} cannot be read: ${problem}`,
    unreadableHint(unreadable),
  )
}

/** Whether a machine's own record, or what was asked of it, cannot be read. */
export function holdsMachine(records: ReadonlyMap<string, Unreadable>, id: MachineId): boolean {
  return records.size > 0 && (records.has(keys.machine(id)) || records.has(keys.order(id)))
}

/** The service that a task is about: as it was known before, or as far as its text still says. */
export function serviceOfTask(
  value: string,
  before: { project: string; service: string } | null,
): `${string}/${string}` | null {
  const said = before ?? saidIn(value)
  return said === null ? null : `${said.project}/${said.service}`
}

function saidIn(value: string): { project: string; service: string } | null {
  try {
    const said = JSON.parse(value) as { project?: unknown; service?: unknown } | null
    if (typeof said?.project !== 'string' || typeof said.service !== 'string') return null
    return { project: said.project, service: said.service }
  } catch {
    return null
  }
}
