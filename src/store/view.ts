// The cluster as last seen: typed records with the indexes that passes read. Kept current by applying changes.

import type { Steps } from '../lib/sliced-work.js'
import { byKeys } from '../lib/sort.js'
import type { BackupRecord } from '../model/backup.js'
import type { CallBody } from '../model/call-body.js'
import type { ClockCall, ClockOffset, ClockReading } from '../model/clock.js'
import type { EntryIdle } from '../model/entry.js'
import {
  type KnownMachine,
  type Machine,
  type MachineId,
  type MachineSettings,
  withOrderedMetadata,
} from '../model/machine.js'
import type { Meta } from '../model/meta.js'
import type { Project } from '../model/project.js'
import type { RegistryLogin } from '../model/registry-login.js'
import type { MachineMetrics, ScalingRecord } from '../model/scaling.js'
import type { Run, ScheduleState } from '../model/schedule.js'
import type { Instance, Service, ServiceVersion } from '../model/service.js'
import type { Task } from '../model/task.js'
import type { TriggerRecord } from '../model/trigger-url.js'
import type { DesiredUnit, Placement, UnitName, UnitReport, Waiting } from '../model/unit.js'
import type { VolumeRecord } from '../model/volume.js'
import type { Delivery, Receiver } from '../model/webhook.js'
import { holdsMachine, Quarantine, serviceOfTask, type Unreadable } from './quarantine.js'
import { type LoneKey, readLone, type Unfit } from './reading.js'
import {
  isWrittenAgain,
  keyOf,
  keys,
  kindOfKey,
  leaderKey,
  outboxKey,
  prefixes,
  type RecordKind,
  type RecordTypes,
  read,
} from './records.js'
import type { Change, Entry, Revision } from './store.js'

/** Who leads, and since which revision: the epoch that every write of the leader carries. */
interface Leadership {
  readonly machine: MachineId
  readonly epoch: Revision
}

/** Everything that passes may look at. Reading never changes it. */
export interface ClusterView {
  readonly leader: Leadership | null
  /** Those that a project manifest was deployed for. */
  readonly projects: ReadonlyMap<string, Project>
  readonly services: ReadonlyMap<ServiceKey, Service>
  /** By uuid. */
  readonly versions: ReadonlyMap<string, ServiceVersion>
  readonly instances: ReadonlyMap<UnitName, Instance>
  readonly units: ReadonlyMap<UnitName, DesiredUnit>
  /** Unit files by hash. */
  readonly files: ReadonlyMap<string, string>
  /** Of units that are not global. */
  readonly placements: ReadonlyMap<UnitName, Placement>
  readonly waiting: ReadonlyMap<UnitName, Waiting>
  /** Those that are there, each with the metadata that it has in effect. */
  readonly machines: ReadonlyMap<MachineId, Machine>
  /** Those that are there, and those that were and are not forgotten. */
  readonly knownMachines: ReadonlyMap<MachineId, KnownMachine>
  readonly orders: ReadonlyMap<MachineId, MachineSettings>
  /** By the leader that asks. */
  readonly clockCalls: ReadonlyMap<MachineId, ClockCall>
  readonly clockReadings: ReadonlyMap<MachineId, ClockReading>
  readonly entryIdle: ReadonlyMap<MachineId, EntryIdle>
  /** Of machines whose clocks differ from the others'. */
  readonly clockOffsets: ReadonlyMap<MachineId, ClockOffset>
  readonly tasks: ReadonlyMap<string, Task>
  /** What triggers ask for, by the machine that measured it. */
  readonly metrics: ReadonlyMap<MachineId, MachineMetrics>
  /** When triggers last acted. */
  readonly scalings: ReadonlyMap<ServiceKey, ScalingRecord>
  /** Those of its scale, sorted by instance number: the ones that are to be counted, replaced, named and told of. */
  instancesOf(service: ServiceKey): readonly Instance[]
  /** Those that run another program once, sorted by instance number. */
  oneOffsOf(service: ServiceKey): readonly Instance[]
  /** All that there are of a service, sorted by instance number. */
  allInstancesOf(service: ServiceKey): readonly Instance[]
  /** Newest first. */
  versionsOf(service: ServiceKey): readonly ServiceVersion[]
  /** Tasks of a service, oldest first. */
  tasksOf(service: ServiceKey): readonly Task[]
  /** A project's metadata by key. */
  metaOf(project: string): ReadonlyMap<string, Meta>
  /** Projects that have metadata. */
  projectsWithMeta(): Iterable<string>
  /** Whether any project keeps a secret. */
  hasSecrets(): boolean
  /** By uuid, each with the revision at which it was made: events before it are not for it. */
  readonly receivers: ReadonlyMap<string, KnownReceiver>
  receiversOf(service: ServiceKey): readonly KnownReceiver[]
  /** uuids of receivers that are still to get something. */
  queuedReceivers(): Iterable<string>
  /** What a receiver is still to get, in order. */
  queueOf(receiver: string): readonly Delivery[]
  /** Deliveries that are over, oldest first. */
  finishedDeliveriesOf(receiver: string): readonly Delivery[]
  readonly schedules: ReadonlyMap<ServiceKey, ScheduleState>
  /** What is remembered of the trigger URLs of a service, by their names. */
  triggersOf(service: ServiceKey): ReadonlyMap<string, TriggerRecord>
  /** The bodies of calls that runs of a service may still need, by their ids. */
  callBodiesOf(service: ServiceKey): ReadonlyMap<string, CallBody>
  /** Services with such bodies. */
  servicesWithCallBodies(): Iterable<ServiceKey>
  /** Where the volumes of the slots of a service are, by their keys. */
  volumesOf(service: ServiceKey): ReadonlyMap<string, VolumeRecord>
  /** The backups by schedule of the volumes of a service, by their keys. */
  backupsOf(service: ServiceKey): ReadonlyMap<string, BackupRecord>
  /** Services of whose volumes there are backups by schedule, those among them that are gone too. */
  servicesWithBackups(): Iterable<ServiceKey>
  /** Services of which volumes of slots are known, those among them that are gone too. */
  servicesWithVolumes(): Iterable<ServiceKey>
  /** Who registries are asked as, by the name of each. */
  readonly registryLogins: ReadonlyMap<string, RegistryLogin>
  /** Firings of a service's schedule, oldest first. */
  runsOf(service: ServiceKey): readonly Run[]
  /** Everything placed on a machine, global units too. */
  placedOn(machine: MachineId): ReadonlyMap<UnitName, Placement>
  /** Where a global unit is placed. */
  globalPlacementsOf(unit: UnitName): ReadonlyMap<MachineId, Placement>
  /** Global units that are placed anywhere. */
  globallyPlaced(): Iterable<UnitName>
  reportsOf(machine: MachineId): ReadonlyMap<UnitName, UnitReport>
  /** What the machine that a unit is placed on reports of it. */
  reportOf(unit: UnitName): UnitReport | null
  /** The machines whose reports of a unit are known, those among them that are gone too. */
  reportersOf(unit: UnitName): Iterable<MachineId>
  /**
   * Whether any machine that is there still reports a unit, placed there or not. What one that is away last said may be of
   * another unit that had the same name.
   */
  isReported(unit: UnitName): boolean
  /** The revision at which a key last changed; 0 for none. What compare-and-set compares. */
  revisionOf(key: string): Revision
  /** Records that cannot be read, by key: they are set aside, and all else of the view is as if they were not there. */
  readonly unreadable: ReadonlyMap<string, Unreadable>
  /** Whether a program of a later format wrote anything that we cannot read. */
  readonly hasNewer: boolean
  /**
   * Whether what a unit is, where, or its text cannot be read, or is not there. It stays as it is: it is neither
   * started nor stopped nor placed.
   */
  isUnitHeld(name: UnitName): boolean
  /**
   * Whether a machine's record, or what was asked of it, cannot be read. It is there, nothing is placed on it, and nothing
   * leaves it.
   */
  isMachineHeld(id: MachineId): boolean
}

interface KnownReceiver {
  readonly receiver: Receiver
  readonly since: Revision
}

/** `project/name`. */
export type ServiceKey = `${string}/${string}`

export function serviceKey(project: string, name: string): ServiceKey {
  return `${project}/${name}`
}

/** A view that takes changes. `apply` is the only thing that changes it. */
export class LiveView implements ClusterView {
  leader: Leadership | null = null
  readonly projects = new Map<string, Project>()
  readonly services = new Map<ServiceKey, Service>()
  readonly versions = new Map<string, ServiceVersion>()
  readonly instances = new Map<UnitName, Instance>()
  readonly units = new Map<UnitName, DesiredUnit>()
  readonly files = new Map<string, string>()
  readonly placements = new Map<UnitName, Placement>()
  readonly waiting = new Map<UnitName, Waiting>()
  readonly machines = new Map<MachineId, Machine>()
  /** As their daemons announced them. */
  readonly #announced = new Map<MachineId, Machine>()
  readonly knownMachines = new Map<MachineId, KnownMachine>()
  readonly orders = new Map<MachineId, MachineSettings>()
  readonly clockCalls = new Map<MachineId, ClockCall>()
  readonly clockReadings = new Map<MachineId, ClockReading>()
  readonly entryIdle = new Map<MachineId, EntryIdle>()
  readonly clockOffsets = new Map<MachineId, ClockOffset>()
  readonly tasks = new Map<string, Task>()
  readonly metrics = new Map<MachineId, MachineMetrics>()
  readonly scalings = new Map<ServiceKey, ScalingRecord>()
  readonly #revisions = new Map<string, Revision>()
  /** What was taken in at each key, so that it is taken out again by what it says. */
  readonly #taken = new Map<string, RecordTypes[RecordKind]>()
  readonly #instancesOf = new Index<ServiceKey, UnitName, Instance>()
  readonly #oneOffsOf = new Index<ServiceKey, UnitName, Instance>()
  readonly #versionsOf = new Index<ServiceKey, string, ServiceVersion>()
  readonly #tasksOf = new Index<ServiceKey, string, Task>()
  readonly #metaOf = new Index<string, string, Meta>()
  #secrets = 0
  readonly registryLogins = new Map<string, RegistryLogin>()
  readonly receivers = new Map<string, KnownReceiver>()
  readonly #receiversOf = new Index<ServiceKey, string, KnownReceiver>()
  readonly #queueOf = new Index<string, string, Delivery>()
  readonly #finishedOf = new Index<string, string, Delivery>()
  readonly schedules = new Map<ServiceKey, ScheduleState>()
  readonly #runsOf = new Index<ServiceKey, string, Run>()
  readonly #triggersOf = new Index<ServiceKey, string, TriggerRecord>()
  readonly #callBodiesOf = new Index<ServiceKey, string, CallBody>()
  readonly #volumesOf = new Index<ServiceKey, string, VolumeRecord>()
  readonly #backupsOf = new Index<ServiceKey, string, BackupRecord>()
  readonly #placedOn = new Index<MachineId, UnitName, Placement>()
  readonly #globalPlacements = new Index<UnitName, MachineId, Placement>()
  readonly #reports = new Index<MachineId, UnitName, UnitReport>()
  readonly #reportsOfUnit = new Index<UnitName, MachineId, UnitReport>()
  readonly #quarantine = new Quarantine()
  /** What was read of entries before they are taken in. */
  readonly #ahead = new Map<Entry, Read>()

  /**
   * Takes one change in. Returns the kind of record that changed; null for keys that are no records, and for a text that was
   * written again. A record that cannot be read is set aside, whatever it holds: it never keeps others out.
   */
  apply(change: Change): RecordKind | null {
    const { key } = change
    if (change.type === 'put') this.#revisions.set(key, change.entry.modRevision)
    else this.#revisions.delete(key)
    const kind = kindOfKey(key)
    if (kind === null) {
      if (key === leaderKey || key === outboxKey) this.#applyLone(key, change)
      return null
    }
    if (isWrittenAgain(kind, change) && !this.#quarantine.records.has(key)) return null
    const known = this.#forget(kind, change)
    if (change.type === 'delete') return kind
    const found = this.#ahead.get(change.entry) ?? read(kind, change.entry)
    if ('record' in found) this.#takeIn(kind, found.record, change.entry)
    else this.#setAside(kind, change.entry, found, known)
    return kind
  }

  /**
   * Reads what changes hold that are to be taken in next: nearly all the work of a large transaction, of which all has to be
   * seen in one turn. Whatever comes in between, they are taken in alike.
   */
  *readAhead(changes: readonly Change[]): Steps<void> {
    this.#ahead.clear()
    for (const [n, change] of changes.entries()) {
      const kind = kindOfKey(change.key)
      if (kind !== null && change.type === 'put') this.#ahead.set(change.entry, read(kind, change.entry))
      if (n % readAtATime === readAtATime - 1) yield
    }
  }

  /** Lets go of what was read ahead. */
  forgetAhead(): void {
    this.#ahead.clear()
  }

  get unreadable(): ReadonlyMap<string, Unreadable> {
    return this.#quarantine.records
  }

  get hasNewer(): boolean {
    return this.#quarantine.hasNewer
  }

  isUnitHeld(name: UnitName): boolean {
    if (this.#quarantine.records.size > 0 && this.#quarantine.holdsUnit(name)) return true
    const unit = this.units.get(name)
    return unit !== undefined && (!this.files.has(unit.hash) || this.#isHomeHeld(unit))
  }

  /** Whether it cannot be read where a volume of the slot is: it would begin anew somewhere else. */
  #isHomeHeld({ instance }: DesiredUnit): boolean {
    if (instance?.slot === undefined || this.#quarantine.records.size === 0) return false
    const prefix = keys.volumesOf(instance.project, instance.service)
    return [...this.#quarantine.records.keys()].some((key) => key.startsWith(prefix))
  }

  isMachineHeld(id: MachineId): boolean {
    return holdsMachine(this.#quarantine.records, id)
  }

  #applyLone(key: LoneKey, change: Change): void {
    this.#quarantine.remove(key)
    if (key === leaderKey) this.leader = null
    if (change.type === 'delete') return
    const { entry } = change
    const found = key === 'leader' ? readLone(key, entry.value) : readLone(key, entry.value)
    if (!('record' in found)) this.#quarantine.add({ ...found, entry, kind: key, service: null })
    else if ('machine' in found.record)
      this.leader = { machine: found.record.machine as MachineId, epoch: entry.modRevision }
  }

  /** Takes out what was there before a change. Returns it, where it could be read. */
  #forget(kind: RecordKind, { key, previous }: Change): RecordTypes[RecordKind] | null {
    if (previous === null) return null
    const known = this.#taken.get(key)
    if (known !== undefined) {
      this.#taken.delete(key)
      this.#shelf(kind).drop(known, previous)
      return known
    }
    if (!this.#quarantine.remove(key)) return null
    // Until now it was taken to be there.
    if (kind === 'machine') this.#withdraw(key.slice(prefixes.machine.length) as MachineId)
    return null
  }

  #takeIn(kind: RecordKind, record: RecordTypes[RecordKind], entry: Entry): void {
    this.#shelf(kind).put(record, entry)
    // Of events nothing is held that would have to go.
    if (kind !== 'event') this.#taken.set(entry.key, record)
  }

  #shelf(kind: RecordKind): Shelf<RecordTypes[RecordKind]> {
    return this.#shelves[kind]
  }

  #setAside(kind: RecordKind, entry: Entry, why: Unfit, known: RecordTypes[RecordKind] | null): void {
    const service = kind === 'task' ? serviceOfTask(entry.value, known as Task | null) : null
    this.#quarantine.add({ ...why, entry, kind, service })
    if (kind === 'machine') this.#standIn(entry, known as Machine | null)
    if (kind === 'order' && known !== null) this.#keepOrdered(known as MachineSettings)
  }

  /** A machine whose record cannot be read has not gone for that: its record goes when it does. */
  #standIn({ key }: Entry, known: Machine | null): void {
    const id = key.slice(prefixes.machine.length) as MachineId
    if (known === null && id.length !== machineIdLength) return
    this.#announced.set(id, known ?? unknownMachine(id))
    this.#mergeMachine(id)
  }

  /** What was set on a machine holds until it is known to be otherwise. */
  #keepOrdered(order: MachineSettings): void {
    const machine = this.#announced.get(order.id)
    if (machine !== undefined) this.machines.set(order.id, withOrderedMetadata(machine, order))
  }

  #withdraw(id: MachineId): void {
    this.#announced.delete(id)
    this.#mergeMachine(id)
  }

  instancesOf(service: ServiceKey): readonly Instance[] {
    return this.#instancesOf.sorted(service, byInstanceNumber)
  }

  oneOffsOf(service: ServiceKey): readonly Instance[] {
    return this.#oneOffsOf.sorted(service, byInstanceNumber)
  }

  allInstancesOf(service: ServiceKey): readonly Instance[] {
    const oneOffs = this.oneOffsOf(service)
    const others = this.instancesOf(service)
    return oneOffs.length === 0 ? others : [...others, ...oneOffs].sort(byInstanceNumber)
  }

  versionsOf(service: ServiceKey): readonly ServiceVersion[] {
    return this.#versionsOf.sorted(service, newestVersionFirst)
  }

  tasksOf(service: ServiceKey): readonly Task[] {
    return this.#tasksOf.sorted(service, oldestTaskFirst)
  }

  metaOf(project: string): ReadonlyMap<string, Meta> {
    return this.#metaOf.of(project)
  }

  projectsWithMeta(): Iterable<string> {
    return this.#metaOf.groups()
  }

  hasSecrets(): boolean {
    return this.#secrets > 0
  }

  receiversOf(service: ServiceKey): readonly KnownReceiver[] {
    return this.#receiversOf.sorted(service, byUrl)
  }

  queuedReceivers(): Iterable<string> {
    return this.#queueOf.groups()
  }

  queueOf(receiver: string): readonly Delivery[] {
    return this.#queueOf.sorted(receiver, bySequence)
  }

  finishedDeliveriesOf(receiver: string): readonly Delivery[] {
    return this.#finishedOf.sorted(receiver, bySequence)
  }

  triggersOf(service: ServiceKey): ReadonlyMap<string, TriggerRecord> {
    return this.#triggersOf.of(service)
  }

  callBodiesOf(service: ServiceKey): ReadonlyMap<string, CallBody> {
    return this.#callBodiesOf.of(service)
  }

  servicesWithCallBodies(): Iterable<ServiceKey> {
    return this.#callBodiesOf.groups()
  }

  volumesOf(service: ServiceKey): ReadonlyMap<string, VolumeRecord> {
    return this.#volumesOf.of(service)
  }

  backupsOf(service: ServiceKey): ReadonlyMap<string, BackupRecord> {
    return this.#backupsOf.of(service)
  }

  servicesWithBackups(): Iterable<ServiceKey> {
    return this.#backupsOf.groups()
  }

  servicesWithVolumes(): Iterable<ServiceKey> {
    return this.#volumesOf.groups()
  }

  runsOf(service: ServiceKey): readonly Run[] {
    return this.#runsOf.sorted(service, byDueAt)
  }

  placedOn(machine: MachineId): ReadonlyMap<UnitName, Placement> {
    return this.#placedOn.of(machine)
  }

  globalPlacementsOf(unit: UnitName): ReadonlyMap<MachineId, Placement> {
    return this.#globalPlacements.of(unit)
  }

  globallyPlaced(): Iterable<UnitName> {
    return this.#globalPlacements.groups()
  }

  reportsOf(machine: MachineId): ReadonlyMap<UnitName, UnitReport> {
    return this.#reports.of(machine)
  }

  reportOf(unit: UnitName): UnitReport | null {
    const placement = this.placements.get(unit)
    if (placement === undefined) return null
    return this.#reports.of(placement.machine).get(unit) ?? null
  }

  reportersOf(unit: UnitName): Iterable<MachineId> {
    return this.#reportsOfUnit.of(unit).keys()
  }

  isReported(unit: UnitName): boolean {
    return [...this.#reportsOfUnit.of(unit).keys()].some((machine) => this.machines.has(machine))
  }

  revisionOf(key: string): Revision {
    return this.#revisions.get(key) ?? 0
  }

  #mergeMachine(id: MachineId): void {
    const machine = this.#announced.get(id)
    if (machine === undefined) this.machines.delete(id)
    else this.machines.set(id, withOrderedMetadata(machine, this.orders.get(id)))
  }

  /** Where the records of each kind are found. */
  readonly #shelves: { readonly [K in RecordKind]: Shelf<RecordTypes[K]> } = {
    project: mapped(this.projects, ({ name }) => name),
    service: mapped(this.services, ({ project, name }) => serviceKey(project, name)),
    version: both(
      mapped(this.versions, ({ uuid }) => uuid),
      indexed(this.#versionsOf, ofService, ({ uuid }) => uuid),
    ),
    instance: both(
      mapped(this.instances, ({ unit }) => unit),
      either(
        ({ oneOff }) => oneOff === undefined,
        indexed(this.#instancesOf, ofService, ({ unit }) => unit),
        indexed(this.#oneOffsOf, ofService, ({ unit }) => unit),
      ),
    ),
    unit: mapped(this.units, ({ name }) => name),
    file: {
      put: ({ hash, text }) => this.files.set(hash, text),
      drop: ({ hash }) => this.files.delete(hash),
    },
    placement: both(
      {
        put: (placement) => {
          if (placement.global) this.#globalPlacements.put(placement.unit, placement.machine, placement)
          else this.placements.set(placement.unit, placement)
        },
        drop: ({ unit, machine, global }) => {
          if (global) this.#globalPlacements.drop(unit, machine)
          else this.placements.delete(unit)
        },
      },
      indexed(
        this.#placedOn,
        ({ machine }) => machine,
        ({ unit }) => unit,
      ),
    ),
    waiting: mapped(this.waiting, ({ unit }) => unit),
    report: both(
      indexed(
        this.#reports,
        ({ machine }) => machine,
        ({ name }) => name,
      ),
      indexed(
        this.#reportsOfUnit,
        ({ name }) => name,
        ({ machine }) => machine,
      ),
    ),
    machine: this.#merged(mapped(this.#announced, ({ id }) => id)),
    order: this.#merged(mapped(this.orders, ({ id }) => id)),
    task: both(
      mapped(this.tasks, ({ uuid }) => uuid),
      indexed(this.#tasksOf, ofService, ({ uuid }) => uuid),
    ),
    meta: both(
      indexed(
        this.#metaOf,
        ({ project }) => project,
        ({ key }) => key,
      ),
      this.#counted(({ secret }) => secret),
    ),
    receiver: both(
      {
        put: (receiver, { createRevision }) => {
          const known = { receiver, since: createRevision }
          this.receivers.set(receiver.uuid, known)
          this.#receiversOf.put(ofService(receiver), receiver.uuid, known)
        },
        drop: (receiver) => {
          this.receivers.delete(receiver.uuid)
          this.#receiversOf.drop(ofService(receiver), receiver.uuid)
        },
      },
      this.#counted(({ madeSecret }) => madeSecret !== null),
    ),
    delivery: {
      put: (delivery) => this.#deliveries(delivery).put(delivery.receiver, delivery.sequence, delivery),
      drop: (delivery) => this.#deliveries(delivery).drop(delivery.receiver, delivery.sequence),
    },
    schedule: mapped(this.schedules, ofService),
    run: {
      put: (run, { key }) => this.#runsOf.put(ofService(run), key, run),
      drop: (run, { key }) => this.#runsOf.drop(ofService(run), key),
    },
    trigger: both(
      indexed(this.#triggersOf, ofService, ({ name }) => name),
      this.#counted(({ madeSecret }) => madeSecret !== null),
    ),
    callBody: both(
      indexed(this.#callBodiesOf, ofService, ({ id }) => id),
      this.#counted(() => true),
    ),
    volume: indexed(this.#volumesOf, ofService, ({ project, service, name, slot }) =>
      keys.volume(project, service, name, slot),
    ),
    backup: indexed(this.#backupsOf, ofService, (record) => keyOf('backup', record)),
    registryLogin: both(
      mapped(this.registryLogins, ({ host }) => host),
      this.#counted(() => true),
    ),
    metrics: mapped(this.metrics, ({ machine }) => machine),
    scaling: mapped(this.scalings, ofService),
    knownMachine: mapped(this.knownMachines, ({ id }) => id),
    clockCall: mapped(this.clockCalls, ({ machine }) => machine),
    clockReading: mapped(this.clockReadings, ({ machine }) => machine),
    entryIdle: mapped(this.entryIdle, ({ machine }) => machine),
    clockOffset: mapped(this.clockOffsets, ({ machine }) => machine),
    // Whoever reads the history reads it from the entries.
    event: { put: () => {}, drop: () => {} },
  }

  #deliveries({ state }: Delivery): Index<string, string, Delivery> {
    return state === 'queued' ? this.#queueOf : this.#finishedOf
  }

  #merged<T extends { readonly id: MachineId }>(shelf: Shelf<T>): Shelf<T> {
    return both(shelf, {
      put: ({ id }) => this.#mergeMachine(id),
      drop: ({ id }) => this.#mergeMachine(id),
    })
  }

  #counted<T>(isSecret: (record: T) => boolean): Shelf<T> {
    return {
      put: (record) => {
        if (isSecret(record)) this.#secrets += 1
      },
      drop: (record) => {
        if (isSecret(record)) this.#secrets -= 1
      },
    }
  }
}

type Read = ReturnType<typeof read<RecordKind>>

/** Changes that are read in one step. */
const readAtATime = 20

/** Where records are put to be found again. */
interface Shelf<T> {
  put(record: T, entry: Entry): void
  drop(record: T, entry: Entry): void
}

function mapped<K, T>(map: Map<K, T>, keyOf: (record: T) => K): Shelf<T> {
  return { put: (record) => map.set(keyOf(record), record), drop: (record) => map.delete(keyOf(record)) }
}

function indexed<G extends string, K extends string, T>(
  index: Index<G, K, T>,
  groupOf: (record: T) => G,
  keyOf: (record: T) => K,
): Shelf<T> {
  return {
    put: (record) => index.put(groupOf(record), keyOf(record), record),
    drop: (record) => index.drop(groupOf(record), keyOf(record)),
  }
}

function both<T>(one: Shelf<T>, other: Shelf<T>): Shelf<T> {
  return {
    put: (record, entry) => {
      one.put(record, entry)
      other.put(record, entry)
    },
    drop: (record, entry) => {
      one.drop(record, entry)
      other.drop(record, entry)
    },
  }
}

/** One shelf for the records that meet a condition, another one for the rest. */
function either<T>(isOfOne: (record: T) => boolean, one: Shelf<T>, other: Shelf<T>): Shelf<T> {
  const shelfOf = (record: T): Shelf<T> => (isOfOne(record) ? one : other)
  return {
    put: (record, entry) => shelfOf(record).put(record, entry),
    drop: (record, entry) => shelfOf(record).drop(record, entry),
  }
}

function ofService({ project, service }: { readonly project: string; readonly service: string }): ServiceKey {
  return serviceKey(project, service)
}

const machineIdLength = 32

/** What stands for a machine of which nothing is known but that it is there. */
function unknownMachine(id: MachineId): Machine {
  return {
    id,
    hostname: id,
    ip: '',
    metadata: {},
    capacity: { cpus: 0, memoryMb: 0, diskMb: 0 },
    drivers: [],
    version: 'unknown',
    bootedAt: 0,
  }
}

const byInstanceNumber = byKeys<Instance>((instance) => instance.n)
const newestVersionFirst = byKeys<ServiceVersion>((version) => -version.ordinal)
const oldestTaskFirst = byKeys<Task>(
  (task) => task.createdAt,
  (task) => task.uuid,
)

const byUrl = byKeys<KnownReceiver>(({ receiver }) => receiver.webhook.url)
/** One that a schedule asked for and one that was asked for by hand may be due at once. */
const byDueAt = byKeys<Run>(
  (run) => run.dueAt,
  (run) => run.instance ?? '',
)
const bySequence = byKeys<Delivery>((delivery) => delivery.sequence)

/** Records of one group each, found by group; sorted when asked for, and remembered until the group changes. */
class Index<G extends string, K extends string, V> {
  readonly #groups = new Map<G, Map<K, V>>()
  readonly #sorted = new Map<G, readonly V[]>()
  readonly #none: ReadonlyMap<K, V> = new Map()

  put(group: G, key: K, value: V): void {
    const members = this.#groups.get(group)
    if (members === undefined) this.#groups.set(group, new Map([[key, value]]))
    else members.set(key, value)
    this.#sorted.delete(group)
  }

  drop(group: G, key: K): void {
    const members = this.#groups.get(group)
    members?.delete(key)
    if (members?.size === 0) this.#groups.delete(group)
    this.#sorted.delete(group)
  }

  groups(): Iterable<G> {
    return this.#groups.keys()
  }

  of(group: G): ReadonlyMap<K, V> {
    return this.#groups.get(group) ?? this.#none
  }

  sorted(group: G, order: (a: V, b: V) => number): readonly V[] {
    const known = this.#sorted.get(group)
    if (known !== undefined) return known
    const list = [...this.of(group).values()].sort(order)
    this.#sorted.set(group, list)
    return list
  }
}
