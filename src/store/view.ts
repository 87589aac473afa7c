// The cluster as last seen: typed records with the indexes that passes read. Kept current by applying changes.
import { byKeys } from '../lib/sort.js'
import { type Machine, type MachineId, type MachineOrder, withOrderedMetadata } from '../model/machine.js'
import type { Meta } from '../model/meta.js'
import type { Project } from '../model/project.js'
import type { MachineMetrics, ScalingRecord } from '../model/scaling.js'
import type { Run, ScheduleState } from '../model/schedule.js'
import type { Instance, Service, ServiceVersion } from '../model/service.js'
import type { Task } from '../model/task.js'
import type { TriggerRecord } from '../model/trigger-url.js'
import type { DesiredUnit, Placement, UnitName, UnitReport, Waiting } from '../model/unit.js'
import type { Delivery, Receiver } from '../model/webhook.js'
import { decode, kindOfKey, leaderKey, type RecordKind } from './records.js'
import type { Change, Entry, Revision } from './store.js'

/** Who leads, and since which revision: the epoch that every write of the leader carries. */
export interface Leadership {
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
  readonly orders: ReadonlyMap<MachineId, MachineOrder>
  readonly tasks: ReadonlyMap<string, Task>
  /** What triggers ask for, by the machine that measured it. */
  readonly metrics: ReadonlyMap<MachineId, MachineMetrics>
  /** When triggers last acted. */
  readonly scalings: ReadonlyMap<ServiceKey, ScalingRecord>
  /** Sorted by instance number. */
  instancesOf(service: ServiceKey): readonly Instance[]
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
  /** Whether any machine still reports a unit, placed there or not. */
  isReported(unit: UnitName): boolean
  /** The revision at which a key last changed; 0 for none. What compare-and-set compares. */
  revisionOf(key: string): Revision
}

export interface KnownReceiver {
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
  readonly orders = new Map<MachineId, MachineOrder>()
  readonly tasks = new Map<string, Task>()
  readonly metrics = new Map<MachineId, MachineMetrics>()
  readonly scalings = new Map<ServiceKey, ScalingRecord>()
  readonly #revisions = new Map<string, Revision>()
  readonly #instancesOf = new Index<ServiceKey, UnitName, Instance>()
  readonly #versionsOf = new Index<ServiceKey, string, ServiceVersion>()
  readonly #tasksOf = new Index<ServiceKey, string, Task>()
  readonly #metaOf = new Index<string, string, Meta>()
  #secrets = 0
  readonly receivers = new Map<string, KnownReceiver>()
  readonly #receiversOf = new Index<ServiceKey, string, KnownReceiver>()
  readonly #queueOf = new Index<string, string, Delivery>()
  readonly #finishedOf = new Index<string, string, Delivery>()
  readonly schedules = new Map<ServiceKey, ScheduleState>()
  readonly #runsOf = new Index<ServiceKey, string, Run>()
  readonly #triggersOf = new Index<ServiceKey, string, TriggerRecord>()
  readonly #placedOn = new Index<MachineId, UnitName, Placement>()
  readonly #globalPlacements = new Index<UnitName, MachineId, Placement>()
  readonly #reports = new Index<MachineId, UnitName, UnitReport>()
  readonly #reportsOfUnit = new Index<UnitName, MachineId, UnitReport>()

  /** Takes one change in. Returns the kind of record that changed; null for keys that are no records. */
  apply(change: Change): RecordKind | null {
    if (change.type === 'put') this.#revisions.set(change.key, change.entry.modRevision)
    else this.#revisions.delete(change.key)
    if (change.key === leaderKey) {
      this.leader = change.type === 'put' ? leadershipOf(change.entry) : null
      return null
    }
    const kind = kindOfKey(change.key)
    if (kind === null) return null
    if (change.previous !== null) this.#remove(kind, change.previous)
    if (change.type === 'put') this.#add(kind, change.entry)
    return kind
  }

  instancesOf(service: ServiceKey): readonly Instance[] {
    return this.#instancesOf.sorted(service, byInstanceNumber)
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

  isReported(unit: UnitName): boolean {
    return this.#reportsOfUnit.of(unit).size > 0
  }

  revisionOf(key: string): Revision {
    return this.#revisions.get(key) ?? 0
  }

  #mergeMachine(id: MachineId): void {
    const machine = this.#announced.get(id)
    if (machine === undefined) this.machines.delete(id)
    else this.machines.set(id, withOrderedMetadata(machine, this.orders.get(id)))
  }

  #add(kind: RecordKind, entry: Entry): void {
    switch (kind) {
      case 'project': {
        const project = decode(kind, entry)
        this.projects.set(project.name, project)
        return
      }
      case 'service': {
        const service = decode(kind, entry)
        this.services.set(serviceKey(service.project, service.name), service)
        return
      }
      case 'version': {
        const version = decode(kind, entry)
        this.versions.set(version.uuid, version)
        this.#versionsOf.put(serviceKey(version.project, version.service), version.uuid, version)
        return
      }
      case 'instance': {
        const instance = decode(kind, entry)
        this.instances.set(instance.unit, instance)
        this.#instancesOf.put(serviceKey(instance.project, instance.service), instance.unit, instance)
        return
      }
      case 'unit': {
        const unit = decode(kind, entry)
        this.units.set(unit.name, unit)
        return
      }
      case 'file': {
        const file = decode(kind, entry)
        this.files.set(file.hash, file.text)
        return
      }
      case 'placement': {
        const placement = decode(kind, entry)
        if (placement.global) this.#globalPlacements.put(placement.unit, placement.machine, placement)
        else this.placements.set(placement.unit, placement)
        this.#placedOn.put(placement.machine, placement.unit, placement)
        return
      }
      case 'waiting': {
        const waiting = decode(kind, entry)
        this.waiting.set(waiting.unit, waiting)
        return
      }
      case 'report': {
        const report = decode(kind, entry)
        this.#reports.put(report.machine, report.name, report)
        this.#reportsOfUnit.put(report.name, report.machine, report)
        return
      }
      case 'machine': {
        const machine = decode(kind, entry)
        this.#announced.set(machine.id, machine)
        this.#mergeMachine(machine.id)
        return
      }
      case 'order': {
        const order = decode(kind, entry)
        this.orders.set(order.id, order)
        this.#mergeMachine(order.id)
        return
      }
      case 'task': {
        const task = decode(kind, entry)
        this.tasks.set(task.uuid, task)
        this.#tasksOf.put(serviceKey(task.project, task.service), task.uuid, task)
        return
      }
      case 'meta': {
        const meta = decode(kind, entry)
        this.#metaOf.put(meta.project, meta.key, meta)
        if (meta.secret) this.#secrets += 1
        return
      }
      case 'receiver': {
        const receiver = decode(kind, entry)
        const known = { receiver, since: entry.createRevision }
        this.receivers.set(receiver.uuid, known)
        this.#receiversOf.put(serviceKey(receiver.project, receiver.service), receiver.uuid, known)
        if (receiver.madeSecret !== null) this.#secrets += 1
        return
      }
      case 'delivery': {
        const delivery = decode(kind, entry)
        const index = delivery.state === 'queued' ? this.#queueOf : this.#finishedOf
        index.put(delivery.receiver, delivery.sequence, delivery)
        return
      }
      case 'schedule': {
        const state = decode(kind, entry)
        this.schedules.set(serviceKey(state.project, state.service), state)
        return
      }
      case 'run': {
        const run = decode(kind, entry)
        this.#runsOf.put(serviceKey(run.project, run.service), entry.key, run)
        return
      }
      case 'trigger': {
        const trigger = decode(kind, entry)
        this.#triggersOf.put(serviceKey(trigger.project, trigger.service), trigger.name, trigger)
        if (trigger.madeSecret !== null) this.#secrets += 1
        return
      }
      case 'metrics': {
        const metrics = decode(kind, entry)
        this.metrics.set(metrics.machine, metrics)
        return
      }
      case 'scaling': {
        const scaling = decode(kind, entry)
        this.scalings.set(serviceKey(scaling.project, scaling.service), scaling)
        return
      }
      case 'event':
        return
    }
  }

  #remove(kind: RecordKind, entry: Entry): void {
    switch (kind) {
      case 'project':
        this.projects.delete(decode(kind, entry).name)
        return
      case 'service': {
        const service = decode(kind, entry)
        this.services.delete(serviceKey(service.project, service.name))
        return
      }
      case 'version': {
        const version = decode(kind, entry)
        this.versions.delete(version.uuid)
        this.#versionsOf.drop(serviceKey(version.project, version.service), version.uuid)
        return
      }
      case 'instance': {
        const instance = decode(kind, entry)
        this.instances.delete(instance.unit)
        this.#instancesOf.drop(serviceKey(instance.project, instance.service), instance.unit)
        return
      }
      case 'unit':
        this.units.delete(decode(kind, entry).name)
        return
      case 'file':
        this.files.delete(decode(kind, entry).hash)
        return
      case 'placement': {
        const placement = decode(kind, entry)
        if (placement.global) this.#globalPlacements.drop(placement.unit, placement.machine)
        else this.placements.delete(placement.unit)
        this.#placedOn.drop(placement.machine, placement.unit)
        return
      }
      case 'waiting':
        this.waiting.delete(decode(kind, entry).unit)
        return
      case 'report': {
        const report = decode(kind, entry)
        this.#reports.drop(report.machine, report.name)
        this.#reportsOfUnit.drop(report.name, report.machine)
        return
      }
      case 'machine': {
        const { id } = decode(kind, entry)
        this.#announced.delete(id)
        this.#mergeMachine(id)
        return
      }
      case 'order': {
        const { id } = decode(kind, entry)
        this.orders.delete(id)
        this.#mergeMachine(id)
        return
      }
      case 'task': {
        const task = decode(kind, entry)
        this.tasks.delete(task.uuid)
        this.#tasksOf.drop(serviceKey(task.project, task.service), task.uuid)
        return
      }
      case 'meta': {
        const meta = decode(kind, entry)
        this.#metaOf.drop(meta.project, meta.key)
        if (meta.secret) this.#secrets -= 1
        return
      }
      case 'receiver': {
        const receiver = decode(kind, entry)
        this.receivers.delete(receiver.uuid)
        this.#receiversOf.drop(serviceKey(receiver.project, receiver.service), receiver.uuid)
        if (receiver.madeSecret !== null) this.#secrets -= 1
        return
      }
      case 'delivery': {
        const delivery = decode(kind, entry)
        const index = delivery.state === 'queued' ? this.#queueOf : this.#finishedOf
        index.drop(delivery.receiver, delivery.sequence)
        return
      }
      case 'schedule': {
        const state = decode(kind, entry)
        this.schedules.delete(serviceKey(state.project, state.service))
        return
      }
      case 'run': {
        const run = decode(kind, entry)
        this.#runsOf.drop(serviceKey(run.project, run.service), entry.key)
        return
      }
      case 'trigger': {
        const trigger = decode(kind, entry)
        this.#triggersOf.drop(serviceKey(trigger.project, trigger.service), trigger.name)
        if (trigger.madeSecret !== null) this.#secrets -= 1
        return
      }
      case 'metrics':
        this.metrics.delete(decode(kind, entry).machine)
        return
      case 'scaling': {
        const scaling = decode(kind, entry)
        this.scalings.delete(serviceKey(scaling.project, scaling.service))
        return
      }
      case 'event':
        return
    }
  }
}

function leadershipOf(entry: Entry): Leadership {
  const { machine } = JSON.parse(entry.value) as { readonly machine: MachineId }
  return { machine, epoch: entry.modRevision }
}

const byInstanceNumber = byKeys<Instance>((instance) => instance.n)
const newestVersionFirst = byKeys<ServiceVersion>((version) => -version.ordinal)
const oldestTaskFirst = byKeys<Task>(
  (task) => task.createdAt,
  (task) => task.uuid,
)

const byUrl = byKeys<KnownReceiver>(({ receiver }) => receiver.webhook.url)
const byDueAt = byKeys<Run>((run) => run.dueAt)
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
