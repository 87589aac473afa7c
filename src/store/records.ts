// Typed records over the store: which key holds what. Each record has one writer (docs/architecture.md).
import { invariant } from '../lib/invariant.js'
import type { BackupOf } from '../model/backup.js'
import type { HistoryEvent } from '../model/event.js'
import type { MachineId } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import { readRecord, recordFormat, type Unfit } from './reading.js'
import type { RecordKind, RecordTypes } from './record-types.js'
import type { Change, Entry, LeaseId, Op } from './store.js'

export type { RecordKind, RecordTypes } from './record-types.js'

/** The prefix of each kind, relative to the store's own. */
export const prefixes: Readonly<Record<RecordKind, string>> = {
  project: 'projects/',
  service: 'services/',
  version: 'versions/',
  instance: 'instances/',
  unit: 'units/',
  file: 'files/',
  placement: 'placements/',
  waiting: 'waiting/',
  report: 'reports/',
  machine: 'machines/',
  order: 'orders/',
  task: 'tasks/',
  meta: 'meta/',
  metrics: 'metrics/',
  scaling: 'scaling/',
  event: 'events/',
  receiver: 'receivers/',
  delivery: 'deliveries/',
  schedule: 'schedules/',
  run: 'runs/',
  trigger: 'triggers/',
  callBody: 'call-bodies/',
  volume: 'volumes/',
  backup: 'backups/',
  registryLogin: 'registries/',
  knownMachine: 'known-machines/',
  clockCall: 'clock-calls/',
  clockReading: 'clocks/',
  clockOffset: 'clock-offsets/',
  entryIdle: 'entry-idle/',
}

/** The key that says who leads; its mod revision is the leader's epoch. */
export const leaderKey = 'leader'

/** The key of the cluster's own id: made once, with the store. */
export const clusterKey = 'cluster'

/** The key that changes with the freezes of each project: what must not happen in a frozen one compares it. */
const freezesPrefix = 'freezes/'

/** The key that names, by its fingerprint, the key that the secrets of the cluster are sealed with. */
export const secretKeyKey = 'secret-key'

/** The fingerprint that its text is; null for none. */
export function namedKeyIn(text: string | undefined): string | null {
  return text !== undefined && /^[0-9a-f]{16}$/.test(text) ? text : null
}

/** The key that says up to which revision the events have been turned into deliveries. */
export const outboxKey = 'outbox'

/** The key of each record. */
export const keys = {
  project: (name: string) => `${prefixes.project}${name}`,
  service: (project: string, name: string) => `${prefixes.service}${project}/${name}`,
  version: (project: string, service: string, ordinal: number) =>
    `${prefixes.version}${project}/${service}/${String(ordinal).padStart(8, '0')}`,
  versionsOf: (project: string, service: string) => `${prefixes.version}${project}/${service}/`,
  instance: (project: string, service: string, n: number) =>
    `${prefixes.instance}${project}/${service}/${String(n).padStart(8, '0')}`,
  unit: (name: UnitName) => `${prefixes.unit}${name}`,
  file: (hash: string) => `${prefixes.file}${hash}`,
  placement: (name: UnitName) => `${prefixes.placement}${name}`,
  globalPlacement: (name: UnitName, machine: MachineId) => `${prefixes.placement}${name}/${machine}`,
  waiting: (name: UnitName) => `${prefixes.waiting}${name}`,
  report: (machine: MachineId, name: UnitName) => `${prefixes.report}${machine}/${name}`,
  machine: (id: MachineId) => `${prefixes.machine}${id}`,
  order: (id: MachineId) => `${prefixes.order}${id}`,
  task: (uuid: string) => `${prefixes.task}${uuid}`,
  meta: (project: string, key: string) => `${prefixes.meta}${project}/${key}`,
  metaOf: (project: string) => `${prefixes.meta}${project}/`,
  metrics: (machine: MachineId) => `${prefixes.metrics}${machine}`,
  scaling: (project: string, service: string) => `${prefixes.scaling}${project}/${service}`,
  /** By the id of the first of its events. */
  event: (id: string) => `${prefixes.event}${id}`,
  receiver: (uuid: string) => `${prefixes.receiver}${uuid}`,
  delivery: (receiver: string, sequence: string) => `${prefixes.delivery}${receiver}/${sequence}`,
  schedule: (project: string, service: string) => `${prefixes.schedule}${project}/${service}`,
  /** A firing that started nothing has no instance. */
  run: (project: string, service: string, dueAt: number, instance: string | null) =>
    `${prefixes.run}${project}/${service}/${String(dueAt).padStart(15, '0')}${instance === null ? '' : `/${instance}`}`,
  trigger: (project: string, service: string, name: string) =>
    `${prefixes.trigger}${project}/${service}/${name}`,
  callBody: (project: string, service: string, id: string) =>
    `${prefixes.callBody}${project}/${service}/${id}`,
  callBodiesOf: (project: string, service: string) => `${prefixes.callBody}${project}/${service}/`,
  volume: (project: string, service: string, name: string, slot: number) =>
    `${prefixes.volume}${project}/${service}/${name}/${slot}`,
  volumesOf: (project: string, service: string) => `${prefixes.volume}${project}/${service}/`,
  /** Of a volume that instances share, by its machine. */
  backup: ({ project, service, name, slot, machine }: BackupOf) =>
    `${prefixes.backup}${project}/${service}/${name}/${slot ?? machine ?? 0}`,
  backupsOf: (project: string, service: string) => `${prefixes.backup}${project}/${service}/`,
  registryLogin: (host: string) => `${prefixes.registryLogin}${host}`,
  triggersOf: (project: string, service: string) => `${prefixes.trigger}${project}/${service}/`,
  knownMachine: (id: MachineId) => `${prefixes.knownMachine}${id}`,
  clockCall: (leader: MachineId) => `${prefixes.clockCall}${leader}`,
  clockReading: (id: MachineId) => `${prefixes.clockReading}${id}`,
  clockOffset: (id: MachineId) => `${prefixes.clockOffset}${id}`,
  entryIdle: (id: MachineId) => `${prefixes.entryIdle}${id}`,
  runsOf: (project: string, service: string) => `${prefixes.run}${project}/${service}/`,
  freezes: (project: string) => `${freezesPrefix}${project}`,
  /** Changes with each change of what the entry serves: of two that claim the same, one takes effect. */
  entries: 'entries',
  deliveriesOf: (receiver: string) => `${prefixes.delivery}${receiver}/`,
} as const

/** The kind of record that a key holds; null for a key that is none (the leader's). */
export function kindOfKey(key: string): RecordKind | null {
  const kind = kindByFolder.get(key.slice(0, key.indexOf('/') + 1))
  return kind ?? null
}

/**
 * Whether a change is of a text that was there: whoever takes one up writes it again, so that nobody drops it meanwhile. As
 * its key says what it is, that is no news to anyone.
 */
export function isWrittenAgain(kind: RecordKind, change: Change): boolean {
  return kind === 'file' && change.type === 'put' && change.previous?.value === change.entry.value
}

/** The unit whose placement, or whose wanted state, a key holds; null for other keys. */
export function placedUnitOf(key: string): UnitName | null {
  const kind = kindOfKey(key)
  if (kind !== 'placement' && kind !== 'unit') return null
  const [name = ''] = key.slice(prefixes[kind].length).split('/')
  return name as UnitName
}

/** The unit that the key of a report is about. */
export function reportedUnitOf(key: string): UnitName {
  return key.slice(key.lastIndexOf('/') + 1) as UnitName
}

const kindByFolder: ReadonlyMap<string, RecordKind> = new Map(
  (Object.keys(prefixes) as RecordKind[]).map((kind) => [prefixes[kind], kind]),
)

/** Where a record of a kind lives. */
export function keyOf<K extends RecordKind>(kind: K, record: RecordTypes[K]): string {
  return keyTable[kind](record)
}

const keyTable: { readonly [K in RecordKind]: (record: RecordTypes[K]) => string } = {
  project: (record) => keys.project(record.name),
  service: (record) => keys.service(record.project, record.name),
  version: (record) => keys.version(record.project, record.service, record.ordinal),
  instance: (record) => keys.instance(record.project, record.service, record.n),
  unit: (record) => keys.unit(record.name),
  file: (record) => keys.file(record.hash),
  placement: (record) =>
    record.global ? keys.globalPlacement(record.unit, record.machine) : keys.placement(record.unit),
  waiting: (record) => keys.waiting(record.unit),
  report: (record) => keys.report(record.machine, record.name),
  machine: (record) => keys.machine(record.id),
  order: (record) => keys.order(record.id),
  task: (record) => keys.task(record.uuid),
  meta: (record) => keys.meta(record.project, record.key),
  metrics: (record) => keys.metrics(record.machine),
  scaling: (record) => keys.scaling(record.project, record.service),
  event: (record) => keys.event(firstOf(record).id),
  receiver: (record) => keys.receiver(record.uuid),
  delivery: (record) => keys.delivery(record.receiver, record.sequence),
  schedule: (record) => keys.schedule(record.project, record.service),
  run: (record) => keys.run(record.project, record.service, record.dueAt, record.instance),
  trigger: (record) => keys.trigger(record.project, record.service, record.name),
  callBody: (record) => keys.callBody(record.project, record.service, record.id),
  volume: (record) => keys.volume(record.project, record.service, record.name, record.slot),
  backup: keys.backup,
  registryLogin: (record) => keys.registryLogin(record.host),
  knownMachine: (record) => keys.knownMachine(record.id),
  clockCall: (record) => keys.clockCall(record.machine),
  clockReading: (record) => keys.clockReading(record.machine),
  clockOffset: (record) => keys.clockOffset(record.machine),
  entryIdle: (record) => keys.entryIdle(record.machine),
}

function firstOf(events: readonly HistoryEvent[]): HistoryEvent {
  const [first] = events
  invariant(first !== undefined, 'a record of events has at least one')
  return first
}

/** The write that stores a record, in the format that this program writes. */
export function putOf<K extends RecordKind>(
  kind: K,
  record: RecordTypes[K],
  lease?: LeaseId,
): Extract<Op, { readonly op: 'put' }> {
  const put = { op: 'put', key: keyOf(kind, record), value: textOf(record) } as const
  return lease === undefined ? put : { ...put, lease }
}

/** The format comes last: there it costs the least to take away again. A list of events has none of its own. */
function textOf(record: object): string {
  const text = JSON.stringify(record)
  return text.endsWith('}') ? `${text.slice(0, -1)},"v":${recordFormat}}` : text
}

/** A record as the store has it, or why it cannot be read. One that stands at another's key is none. */
export function read<K extends RecordKind>(
  kind: K,
  entry: Pick<Entry, 'key' | 'value'>,
): { readonly record: RecordTypes[K] } | Unfit {
  const found = readRecord(kind, entry.value)
  if (!('record' in found)) return found
  const key = kind === 'event' ? entry.key : keyOf(kind, found.record)
  return key === entry.key ? found : { unfit: 'damaged', problem: `it is the record of ${key}` }
}

/** The record of an entry that is known to be one. */
export function decode<K extends RecordKind>(kind: K, entry: Pick<Entry, 'key' | 'value'>): RecordTypes[K] {
  const found = read(kind, entry)
  invariant('record' in found, `${entry.key} cannot be read`)
  return found.record
}

/**
 * The events of an entry under `prefixes.event`, in order; none of one that cannot be read. Before they were kept
 * together, each had an entry of its own.
 */
export function decodeEvents(entry: Pick<Entry, 'key' | 'value'>): readonly HistoryEvent[] {
  const found = read('event', entry)
  return 'record' in found ? found.record : []
}
