// Records that cannot be read, and what they are about: nothing is decided on half of what there is to know.
import type { MachineId } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import type { LoneKey, Unfit } from './reading.js'
import { keys, kindOfKey, placedUnitOf, prefixes, type RecordKind } from './records.js'
import { type Entry, StoreError } from './store.js'
import type { ClusterView, ServiceKey } from './view.js'

/** A record that is set aside: everything else goes on, and it counts again when it is repaired or removed. */
export interface Unreadable extends Unfit {
  readonly entry: Entry
  readonly kind: RecordKind | LoneKey
  /** The service that it was about when it could be read, or seems to be about; null where its key says it, or nothing. */
  readonly service: ServiceKey | null
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

/** What of a service cannot be read: its planner leaves it alone as long as there is any. */
export function unreadableOf(view: ClusterView, service: ServiceKey): readonly Unreadable[] {
  if (view.unreadable.size === 0) return none
  return [...view.unreadable.values()].filter((one) => isAbout(view, service, one))
}

const none: readonly Unreadable[] = []

/** Whether there is no such service; one that cannot be read is there. */
export function isGone(view: ClusterView, service: ServiceKey): boolean {
  return !view.services.has(service) && !view.unreadable.has(`${prefixes.service}${service}`)
}

/** What its one writer makes from what it sees, and what is the same whoever writes it. */
const derived: ReadonlySet<Unreadable['kind']> = new Set(['file', 'waiting', 'leader', 'outbox'])
/** What the daemon of a machine says of that alone. */
const ofMachine: ReadonlySet<Unreadable['kind']> = new Set(['machine', 'report', 'metrics'])

/** Whether whoever writes a record need not know what it was: a put makes it whole again. */
export function isMadeAnew({ kind, unfit }: Unreadable): boolean {
  return ofMachine.has(kind) || (unfit === 'damaged' && derived.has(kind))
}

export function unreadableError({ entry, unfit, problem }: Unreadable): StoreError {
  const hint =
    unfit === 'newer'
      ? 'a newer Mariposa wrote it: upgrade this machine too'
      : 'mariposa store check names what cannot be read; repair the record or remove it'
  return new StoreError('store/unreadable', `the record ${entry.key} cannot be read: ${problem}`, hint)
}

function isAbout(view: ClusterView, service: ServiceKey, { kind, entry, ...rest }: Unreadable): boolean {
  if (kind === 'leader' || kind === 'outbox') return false
  const name = entry.key.slice(prefixes[kind].length)
  switch (kind) {
    case 'service':
    case 'version':
    case 'instance':
    case 'run':
    case 'schedule':
    case 'trigger':
    case 'scaling':
      return name === service || name.startsWith(`${service}/`)
    case 'unit':
    case 'placement':
    case 'waiting':
      return isOfUnit(view, service, name.split('/')[0] ?? '')
    case 'report':
      return isOfUnit(view, service, name.split('/')[1] ?? '')
    case 'file':
      return runsFile(view, service, name)
    case 'meta':
      return asksFor(view, service, name)
    case 'task':
      return rest.service === service
    case 'project':
    case 'machine':
    case 'order':
    case 'metrics':
    case 'event':
    case 'receiver':
    case 'delivery':
      return false
  }
}

function isOfUnit(view: ClusterView, service: ServiceKey, name: string): boolean {
  const instance = view.instances.get(name as UnitName)
  return instance !== undefined && `${instance.project}/${instance.service}` === service
}

function runsFile(view: ClusterView, service: ServiceKey, hash: string): boolean {
  if (view.versionsOf(service).some((version) => version.hash === hash)) return true
  return view.instancesOf(service).some(({ unit }) => view.units.get(unit)?.hash === hash)
}

/** `name` is that of the key: the project and a key of its metadata. */
function asksFor(view: ClusterView, service: ServiceKey, name: string): boolean {
  const [project = ''] = service.split('/')
  if (!name.startsWith(`${project}/`)) return false
  const key = name.slice(project.length + 1)
  return view.versionsOf(service).some(({ meta }) => meta.includes(key))
}

/** The machine that a key is about, where the record says of it that it is there or what is asked of it. */
export function machineOfKey(key: string): MachineId | null {
  const kind = kindOfKey(key)
  if (kind !== 'machine' && kind !== 'order') return null
  return key.slice(prefixes[kind].length) as MachineId
}

/** Whether a machine's own record, or what was asked of it, cannot be read. */
export function holdsMachine(records: ReadonlyMap<string, Unreadable>, id: MachineId): boolean {
  return records.size > 0 && (records.has(keys.machine(id)) || records.has(keys.order(id)))
}

/** The service that a task is about: as it was known before, or as far as its text still says. */
export function serviceOfTask(
  value: string,
  before: { project: string; service: string } | null,
): ServiceKey | null {
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
