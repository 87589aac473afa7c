// What listings show of services and instances, kept for as long as nothing has changed that it is made from: a listing costs
// what has changed since the last one, and not what there is.

import type { InstanceBody, ServiceBody } from '../contract/contract.js'
import { sha1 } from '../lib/hash.js'
import type { Steps } from '../lib/sliced-work.js'
import type { Instant } from '../lib/time.js'
import { isTimeless } from '../model/instance-state.js'
import type { MachineId } from '../model/machine.js'
import type { Instance, Service } from '../model/service.js'
import type { UnitName } from '../model/unit.js'
import { driftOfInstance, driftOfService } from '../service/drift.js'
import { kindOfKey, prefixes, read } from '../store/records.js'
import type { Change } from '../store/store.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'
import { type Bodies, instanceBodyOf, serviceBodyOf } from './bodies.js'

/** A list as it is answered, and a tag that another list does not have. */
export interface ListText {
  readonly text: string
  readonly tag: string
}

/** What was made, and when, where at another time it may be another; null where it is not. */
interface Kept<T> {
  readonly body: T
  readonly madeAt: Instant | null
  /** The state of the project's metadata for which it was looked at whether it has drifted. */
  meta: number
  /** Made when it is first asked for. */
  text: string | null
}

/** After so many changes without a question all is given up: the next question makes it anew. */
const keptForChanges = 100_000
/** Bodies that are made in one step. */
const atATime = 20
/** What may be left to be made in the last turn; and how often the steps go over all that changed meanwhile. */
const leftAtMost = 200
const roundsAtMost = 3

/** Bodies of answers that are kept while their records stay the same. */
export class KeptBodies {
  readonly #view: ClusterView
  /** By records: one that is written anew is another. */
  #instances = new WeakMap<Instance, Kept<InstanceBody>>()
  #services = new WeakMap<Service, Kept<ServiceBody>>()
  /** The services of projects, by project. */
  readonly #lists = new Map<string, ListText>()
  /** How often the metadata of projects has changed: what bodies tell of it is looked at when they are asked for. */
  readonly #metaChanges = new Map<string, number>()
  #isEmpty = true
  #changesSince = 0

  constructor(view: ClusterView) {
    this.#view = view
  }

  /** Notes a change that the view has taken in. */
  note(change: Change): void {
    if (this.#isEmpty) return
    this.#changesSince++
    if (this.#changesSince > keptForChanges) this.#forgetAll()
    else this.#drop(change)
  }

  /** All that is asked of bodies as they are at a time. */
  at(now: Instant): Bodies {
    return {
      instance: (instance) => this.#instance(instance, now).body,
      service: (service) => this.#service(service, now).body,
    }
  }

  /**
   * Makes what is not known yet: the texts of the instances of some services, or the bodies of the services and of their
   * instances. The view may change in between: what is left is made by those who ask for it.
   */
  *steps(services: () => readonly Service[], now: Instant, what: 'services' | 'instances'): Steps<void> {
    for (let round = 0; round < roundsAtMost; round++) {
      let made = 0
      for (const service of services()) {
        for (const instance of this.#view.instancesOf(keyOf(service))) {
          const known = this.#instances.get(instance)
          if (this.#isInstanceKept(instance, now) && (what === 'services' || known?.text !== null)) continue
          const one = this.#instance(instance, now)
          if (what === 'instances') textOf(one)
          if (++made % atATime === 0) yield
        }
        if (what === 'instances' || this.#isServiceKept(service, now)) continue
        this.#service(service, now)
        if (++made % atATime === 0) yield
      }
      if (made <= leftAtMost) return
    }
  }

  /** The list of a project's services, where nothing has changed since it was made; null where something has. */
  knownServiceList(project: string): ListText | null {
    const known = this.#lists.get(project) ?? null
    if (known !== null) this.#changesSince = 0
    return known
  }

  /** The list of a project's services, which are these. */
  serviceList(project: string, services: () => readonly Service[], now: Instant): ListText {
    const kept = services().map((service) => this.#service(service, now))
    const text = listOf(kept)
    const list = { text, tag: `"${sha1(text)}"` }
    // Of a project without services nothing would say when it has some.
    if (kept.length > 0 && kept.every(({ madeAt }) => madeAt === null)) this.#lists.set(project, list)
    return list
  }

  /** A part of the list of a project's services. */
  serviceTexts(services: readonly Service[], now: Instant): string {
    return listOf(services.map((service) => this.#service(service, now)))
  }

  /** A list of instances. */
  instanceList(instances: readonly Instance[], now: Instant): string {
    return listOf(instances.map((instance) => this.#instance(instance, now)))
  }

  #instance(instance: Instance, now: Instant): Kept<InstanceBody> {
    const known = this.#instances.get(instance)
    if (known !== undefined && this.#isInstanceKept(instance, now)) return known
    const report = this.#view.reportOf(instance.unit)
    const madeAt = report === null || isTimeless(report) ? null : now
    const made = { body: instanceBodyOf(this.#view, instance, now), ...this.#basis(instance, madeAt) }
    this.#instances.set(instance, made)
    this.#isEmpty = false
    return made
  }

  #service(service: Service, now: Instant): Kept<ServiceBody> {
    this.#changesSince = 0
    const known = this.#services.get(service)
    if (known !== undefined && this.#isServiceKept(service, now)) return known
    let isLasting = service.failures === null
    const instanceOf = (instance: Instance): InstanceBody => {
      const { body, madeAt } = this.#instance(instance, now)
      isLasting &&= madeAt === null
      return body
    }
    const body = serviceBodyOf(this.#view, service, now, instanceOf)
    const made = { body, ...this.#basis(service, isLasting ? null : now) }
    this.#services.set(service, made)
    this.#isEmpty = false
    return made
  }

  #drop(change: Change): void {
    const { key } = change
    const kind = kindOfKey(key)
    if (kind === null) return
    const [first = '', second = ''] = key.slice(prefixes[kind].length).split('/')
    switch (kind) {
      case 'service':
      case 'version':
      case 'instance':
        this.#dropService(`${first}/${second}`)
        break
      case 'placement':
      case 'waiting':
        this.#dropUnit(first as UnitName)
        break
      case 'report':
        this.#dropUnit(second as UnitName)
        break
      case 'machine':
        this.#dropMachine(first as MachineId)
        break
      case 'task':
        this.#dropTask(change)
        break
      case 'meta':
        this.#metaChanges.set(first, this.#metaOf(first) + 1)
        this.#lists.delete(first)
        break
      default:
        break
    }
  }

  #dropUnit(unit: UnitName): void {
    const instance = this.#view.instances.get(unit)
    // Of one that is gone, its own record tells.
    if (instance === undefined) return
    this.#instances.delete(instance)
    this.#dropService(serviceKey(instance.project, instance.service))
  }

  #dropService(key: ServiceKey): void {
    const service = this.#view.services.get(key)
    if (service !== undefined) this.#services.delete(service)
    this.#lists.delete(key.slice(0, key.indexOf('/')))
  }

  /** What is on it is there or lost by that, and has its address; what waits may name it as one of those that refuse. */
  #dropMachine(id: MachineId): void {
    for (const unit of this.#view.placedOn(id).keys()) this.#dropUnit(unit)
    for (const unit of this.#view.waiting.keys()) this.#dropUnit(unit)
  }

  /** Which service a task is of never changes. */
  #dropTask(change: Change): void {
    const entry = change.type === 'put' ? change.entry : change.previous
    const found = entry === null ? null : read('task', entry)
    if (found === null || !('record' in found)) {
      this.#forgetAll()
      return
    }
    const { project, service } = found.record
    if (service === '') this.#dropProject(project)
    else this.#dropService(serviceKey(project, service))
  }

  /** A freeze of a project is one of each of its services. */
  #dropProject(project: string): void {
    for (const service of this.#view.services.values())
      if (service.project === project) this.#services.delete(service)
    this.#lists.delete(project)
  }

  #metaOf(project: string): number {
    return this.#metaChanges.get(project) ?? 0
  }

  /** What it is kept with; its text is made when it is first asked for. */
  #basis({ project }: Instance | Service, madeAt: Instant | null): Omit<Kept<unknown>, 'body'> {
    return { madeAt, meta: this.#metaOf(project), text: null }
  }

  #isInstanceKept(instance: Instance, now: Instant): boolean {
    return this.#isKept(this.#instances.get(instance), instance.project, now, () =>
      driftOfInstance(this.#view, instance),
    )
  }

  #isServiceKept(service: Service, now: Instant): boolean {
    return this.#isKept(this.#services.get(service), service.project, now, () =>
      driftOfService(this.#view, service),
    )
  }

  /** A project may count in its metadata all day: what that changes nothing of stays as it was made. */
  #isKept(
    kept: Kept<InstanceBody | ServiceBody> | undefined,
    project: string,
    now: Instant,
    drift: () => readonly string[],
  ): boolean {
    if (kept === undefined || (kept.madeAt !== null && kept.madeAt !== now)) return false
    const meta = this.#metaOf(project)
    if (kept.meta !== meta && drift().join() !== (kept.body.drifted ?? []).join()) return false
    kept.meta = meta
    return true
  }

  #forgetAll(): void {
    this.#instances = new WeakMap()
    this.#services = new WeakMap()
    this.#lists.clear()
    this.#isEmpty = true
    this.#changesSince = 0
  }
}

function keyOf({ project, name }: Service): ServiceKey {
  return serviceKey(project, name)
}

function listOf(kept: readonly Kept<unknown>[]): string {
  return `[${kept.map(textOf).join(',')}]`
}

function textOf(kept: Kept<unknown>): string {
  kept.text ??= JSON.stringify(kept.body)
  return kept.text
}
