// Which services the planner has to look at: those of which something has changed that it reads, those whose time has come, and
// those whose plans rest on more than is followed here. With a few of the others now and then: a net under our own mistakes.
import { earlier, type Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import { serviceOfTask } from '../store/quarantine.js'
import { isWrittenAgain, kindOfKey, prefixes, type RecordKind } from '../store/records.js'
import type { Change } from '../store/store.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'

/**
 * What a plan has read beside what is of its own service: of others of its project, or of what is not followed, as which machine
 * has room, and how long ago one was lost.
 */
export type ReadsAlso = 'nothing' | 'project' | 'cluster'

/** What came of a plan beside its actions. */
export interface Planned {
  /** When the answer could change without an event. */
  readonly wakeAt: Instant | null
  readonly readsAlso: ReadsAlso
  /** Something is under way in it. */
  readonly isUnderWay: boolean
}

/** What is under way is looked at again so often, with a portion of all services; so many portions are all of them. */
export const lookAtPortionEveryMs = 15_000
const portionsOfAll = 4

/** Follows a view. Whatever is marked stays so until it has been planned, and nothing was to be written. */
export class ServicesToPlan {
  readonly #view: ClusterView
  readonly #marked = new Set<ServiceKey>()
  /** Hashes of unit files that came or went. */
  readonly #files = new Set<string>()
  /** Projects of which all services are to be planned. */
  readonly #projects = new Set<string>()
  /** Services whose plans read others of their project, by project. */
  readonly #readers = new Map<string, Set<ServiceKey>>()
  /** Services whose plans read what is not followed. */
  readonly #always = new Set<ServiceKey>()
  readonly #wakes = new Map<ServiceKey, Instant>()
  readonly #underWay = new Set<ServiceKey>()
  #isAllMarked = true
  /** Services that this round has still to look at. */
  #round: ServiceKey[] = []
  #lookedAt: Instant | null = null

  constructor(view: ClusterView) {
    this.#view = view
  }

  /** Marks all services: nothing is known of what they were planned on. Until one is asked for, nothing more is kept. */
  markAll(): void {
    this.#isAllMarked = true
    for (const known of [this.#marked, this.#files, this.#projects, this.#readers]) known.clear()
    for (const known of [this.#always, this.#wakes, this.#underWay]) known.clear()
  }

  /** Marks what reads records that have changed. The view has taken the changes in. */
  note(changes: readonly Change[]): void {
    for (const change of changes) {
      if (this.#isAllMarked) return
      const kind = kindOfKey(change.key)
      if (kind !== null && !isWrittenAgain(kind, change)) this.#note(kind, change)
    }
  }

  /** The services to be planned now. */
  due(now: Instant): readonly ServiceKey[] {
    this.#markMore()
    for (const [key, at] of this.#wakes) {
      if (at > now) continue
      // What cannot be planned is not waited for: it is tried again with each pass.
      this.#wakes.delete(key)
      this.#marked.add(key)
    }
    const due = new Set([...this.#marked, ...this.#always])
    for (const key of due) {
      if (this.#view.services.has(key)) continue
      due.delete(key)
      this.#forget(key)
    }
    return [...due]
  }

  /** Whether a service is to be planned, in the turn of the question. */
  isDue(key: ServiceKey, now: Instant): boolean {
    this.#markMore()
    return this.#marked.has(key) || this.#always.has(key) || (this.#wakes.get(key) ?? now + 1) <= now
  }

  /** The services whose turn it is to be looked at, whatever is known of them. */
  lookedAtNow(now: Instant): readonly ServiceKey[] {
    if (this.#lookedAt !== null && Math.abs(now - this.#lookedAt) < lookAtPortionEveryMs) return []
    this.#lookedAt = now
    const { services } = this.#view
    if (this.#round.length === 0) this.#round = [...services.keys()]
    return [...this.#underWay, ...this.#round.splice(0, Math.ceil(services.size / portionsOfAll))]
  }

  /** Notes, in the turn in which a service was planned, what came of it; one that is to be written is planned again then. */
  planned(key: ServiceKey, { wakeAt, readsAlso, isUnderWay }: Planned, isWritten: boolean): void {
    this.#forget(key)
    if (isWritten) this.#marked.add(key)
    if (wakeAt !== null) this.#wakes.set(key, wakeAt)
    if (isUnderWay) this.#underWay.add(key)
    if (readsAlso === 'cluster') this.#always.add(key)
    if (readsAlso !== 'project') return
    const project = projectOf(key)
    const readers = this.#readers.get(project)
    if (readers === undefined) this.#readers.set(project, new Set([key]))
    else readers.add(key)
  }

  /** When the first of what was planned could have another answer without an event. */
  wakeAt(): Instant | null {
    return [...this.#wakes.values()].reduce(earlier, null)
  }

  #forget(key: ServiceKey): void {
    this.#marked.delete(key)
    this.#always.delete(key)
    this.#wakes.delete(key)
    this.#underWay.delete(key)
    const project = projectOf(key)
    const readers = this.#readers.get(project)
    readers?.delete(key)
    if (readers?.size === 0) this.#readers.delete(project)
  }

  #note(kind: RecordKind, change: Change): void {
    const [first = '', second = ''] = change.key.slice(prefixes[kind].length).split('/')
    if (ofService.has(kind)) this.#mark(serviceKey(first, second))
    else if (kind === 'unit' || kind === 'placement' || kind === 'waiting') this.#markUnit(first as UnitName)
    else if (kind === 'report') this.#markUnit(second as UnitName)
    else if (kind === 'machine' || kind === 'order') this.#markMachine(first as MachineId)
    else if (kind === 'task') this.#markTask(first, change)
    else if (kind === 'meta') this.#projects.add(first)
    else if (kind === 'file') this.#files.add(first)
  }

  #mark(key: ServiceKey): void {
    this.#marked.add(key)
    for (const reader of this.#readers.get(projectOf(key)) ?? []) this.#marked.add(reader)
  }

  /** Its instance says what a unit is of; with the record of that, it is marked too. */
  #markUnit(name: UnitName): void {
    const instance = this.#view.instances.get(name)
    if (instance !== undefined) this.#mark(serviceKey(instance.project, instance.service))
  }

  #markMachine(id: MachineId): void {
    for (const name of this.#view.placedOn(id).keys()) this.#markUnit(name)
    for (const name of this.#view.reportsOf(id).keys()) this.#markUnit(name)
  }

  #markTask(uuid: string, change: Change): void {
    const task = this.#view.tasks.get(uuid)
    const value = change.type === 'put' ? change.entry.value : (change.previous?.value ?? '')
    const key = serviceOfTask(value, task ?? null)
    if (key === null) this.markAll()
    // A freeze of a project is of no service.
    else if (key.endsWith('/')) this.#projects.add(key.slice(0, -1))
    else this.#mark(key)
  }

  /** Marks what takes a walk over many records to find. */
  #markMore(): void {
    const { services, units, versions } = this.#view
    if (this.#isAllMarked) for (const key of services.keys()) this.#marked.add(key)
    this.#isAllMarked = false
    if (this.#projects.size > 0)
      for (const key of services.keys()) if (this.#projects.has(projectOf(key))) this.#marked.add(key)
    this.#projects.clear()
    if (this.#files.size === 0) return
    for (const { name, hash } of units.values()) if (this.#files.has(hash)) this.#markUnit(name)
    for (const [key, { current }] of services)
      if (this.#files.has(versions.get(current)?.hash ?? '')) this.#mark(key)
    this.#files.clear()
  }
}

/** Kinds of records whose keys begin with the project and the name of a service. */
const ofService: ReadonlySet<RecordKind> = new Set([
  'service',
  'version',
  'instance',
  'run',
  'volume',
  'callBody',
])

function projectOf(key: ServiceKey): string {
  return key.slice(0, key.indexOf('/'))
}
