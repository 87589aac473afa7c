// Names and who is behind them, for all projects. It follows the view: each change is noted, and looked at when the next
// question comes, so that nothing is done where nobody asks, and an answer is as new as the view.
import { plainAddress } from '../lib/address.js'
import type { Instant } from '../lib/time.js'
import { challengesOf, withPrefix } from '../model/cns-labels.js'
import type { MachineId } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import { kindOfKey, prefixes, read } from '../store/records.js'
import type { Change, Entry } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { Group } from './group.js'
import { type Labels, labelsOf, type NamedInstance, namedInstance, servicesOf } from './named-instance.js'
import { reachOf } from './reach.js'

/** What answers look at. */
export interface Names {
  /** The instances behind the name of a service; null where there are none. */
  groupOf(project: string, label: string): Group | null
  /** By its name or uuid. */
  instanceOf(project: string, label: string): NamedInstance | null
  /** Those whose own address that is, or who say that it is called by their name. */
  atAddress(address: string): readonly NamedInstance[]
  hasService(project: string, name: string): boolean
  hasProject(project: string): boolean
  /** What a project proves itself by to authorities, beside the labels of instances. */
  challengesOf(project: string): readonly string[]
  /** Where this machine is reached; null where it does not say. */
  ownAddress(): string | null
  /** Counts up with what is known of names. */
  readonly serial: number
}

/** Changes that wait for a question; beyond that they are looked at without one. */
const waitingAtMost = 4096

/** Finds services and instances by their names. */
export class NameIndex implements Names {
  readonly #view: ClusterView
  readonly #units: Labels
  readonly #here: MachineId
  readonly #groups = new Map<string, Group>()
  readonly #byLabel = new Map<string, NamedInstance>()
  readonly #byUnit = new Map<UnitName, NamedInstance>()
  readonly #byAddress = new Map<string, Set<NamedInstance>>()
  readonly #services = new Map<string, number>()
  /** Units whose text is not there yet, so that nothing is known of their labels. */
  readonly #textless = new Set<UnitName>()
  /** Units whose names have to be made anew, with when they changed last; null before the first question. */
  #changed: Map<UnitName, Instant> | null = null
  #serial = 1

  constructor(view: ClusterView, units: Labels, here: MachineId) {
    this.#view = view
    this.#units = units
    this.#here = here
  }

  get serial(): number {
    return this.#serial
  }

  /** A change that the view has taken in. */
  note(change: Change, now: Instant): void {
    if (this.#changed === null) return
    for (const unit of this.#unitsOf(change)) this.#changed.set(unit, now)
    if (this.#changed.size > waitingAtMost) this.refresh(now)
  }

  /** Takes in what has changed. */
  refresh(now: Instant): void {
    if (this.#changed === null) {
      for (const { project } of this.#view.services.values()) this.#count(project, 1)
      this.#changed = new Map([...this.#view.instances.keys()].map((unit) => [unit, now]))
    }
    if (this.#changed.size === 0) return
    for (const [unit, at] of this.#changed) this.#renew(unit, at, now)
    this.#changed = new Map()
    this.#serial = (this.#serial + 1) % 2 ** 32
  }

  groupOf(project: string, label: string): Group | null {
    return this.#groups.get(keyOf(project, label)) ?? null
  }

  instanceOf(project: string, label: string): NamedInstance | null {
    return this.#byLabel.get(keyOf(project, label)) ?? null
  }

  /** By its unit; null for what is none of ours. */
  instanceOfUnit(unit: UnitName): NamedInstance | null {
    return this.#byUnit.get(unit) ?? null
  }

  atAddress(address: string): readonly NamedInstance[] {
    return [...(this.#byAddress.get(address) ?? [])]
  }

  hasService(project: string, name: string): boolean {
    return this.#view.services.has(serviceKey(project, name))
  }

  hasProject(project: string): boolean {
    return this.#services.has(project)
  }

  challengesOf(project: string): readonly string[] {
    const meta = this.#view.metaOf(project).get(withPrefix('acme-challenge'))
    return meta === undefined || meta.secret ? [] : challengesOf(meta.value)
  }

  ownAddress(): string | null {
    const machine = this.#view.machines.get(this.#here)
    return machine?.outside ?? (machine?.ip || null)
  }

  #unitsOf(change: Change): Iterable<UnitName> {
    const { key } = change
    const kind = kindOfKey(key)
    switch (kind) {
      case 'instance':
        return [entryOf(change), change.previous].flatMap((entry) => unitOf('instance', entry))
      case 'unit':
        return [key.slice(prefixes.unit.length) as UnitName]
      case 'placement':
        return [key.slice(prefixes.placement.length) as UnitName]
      case 'report':
        return [key.slice(key.indexOf('/', prefixes.report.length) + 1) as UnitName]
      case 'machine':
      case 'order': {
        const machine = key.slice(prefixes[kind].length) as MachineId
        return this.#view.placedOn(machine).keys()
      }
      case 'file':
        // Texts come before their units, or with them: this is for when they do not.
        return [...this.#textless]
      case 'service':
        if (change.previous === null) this.#count(projectOf(key), 1)
        else if (change.type === 'delete') this.#count(projectOf(key), -1)
        return []
      default:
        return []
    }
  }

  #count(project: string, by: number): void {
    const count = (this.#services.get(project) ?? 0) + by
    if (count === 0) this.#services.delete(project)
    else this.#services.set(project, count)
  }

  #renew(unit: UnitName, at: Instant, now: Instant): void {
    const before = this.#byUnit.get(unit)
    if (before !== undefined) this.#forget(before)
    const known = this.#view.instances.get(unit)
    // What runs once serves nobody.
    const instance = known?.oneOff === undefined ? known : undefined
    const { hash } = this.#view.units.get(unit) ?? {}
    if (instance !== undefined && (hash === undefined || !this.#view.files.has(hash)))
      this.#textless.add(unit)
    else this.#textless.delete(unit)
    if (instance === undefined) return
    const named = namedInstance(this.#view, this.#units, this.#here, instance, now, {
      before,
      at,
    })
    this.#byUnit.set(unit, named)
    for (const label of labelsOf(named)) this.#byLabel.set(keyOf(instance.project, label), named)
    for (const service of servicesOf(named)) {
      const key = keyOf(instance.project, service.label)
      const group = this.#groups.get(key) ?? new Group()
      this.#groups.set(key, group)
      group.put({ of: named, service })
    }
    for (const address of addressesOf(named)) {
      const there = this.#byAddress.get(address) ?? new Set()
      this.#byAddress.set(address, there.add(named))
    }
  }

  #forget(named: NamedInstance): void {
    const { unit, project } = named.instance
    this.#byUnit.delete(unit)
    for (const label of labelsOf(named)) this.#byLabel.delete(keyOf(project, label))
    for (const { label } of servicesOf(named)) {
      const key = keyOf(project, label)
      if (this.#groups.get(key)?.drop(unit) === true) this.#groups.delete(key)
    }
    for (const address of addressesOf(named)) {
      const there = this.#byAddress.get(address)
      there?.delete(named)
      if (there?.size === 0) this.#byAddress.delete(address)
    }
  }
}

function keyOf(project: string, label: string): string {
  return `${project}/${label}`
}

function projectOf(key: string): string {
  return key.slice(prefixes.service.length, key.lastIndexOf('/'))
}

function entryOf(change: Change): Entry | null {
  return change.type === 'put' ? change.entry : null
}

function unitOf(kind: 'instance', entry: Entry | null): readonly UnitName[] {
  const found = entry === null ? null : read(kind, entry)
  return found !== null && 'record' in found ? [found.record.unit] : []
}

/** An address of a machine stands for many; only who claims it is found by it. */
function addressesOf({ where, labels }: NamedInstance): readonly string[] {
  if (labels.disabled) return []
  const own = where.isHere ? where.own : null
  const claimed = labels.reversePtr === null ? null : (reachOf(where, 'public')?.address ?? null)
  const addresses = [own, claimed].flatMap((one) => (one === null ? [] : (plainAddress(one) ?? [])))
  return [...new Set(addresses)]
}
