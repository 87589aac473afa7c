// What happens to the instances and units of a cluster while it is played through.
import type { Instant } from '../lib/time.js'
import { instanceStateOf } from '../model/instance-state.js'
import type { MachineId } from '../model/machine.js'
import type { Instance, Service } from '../model/service.js'
import type { Placement, UnitName } from '../model/unit.js'
import { isChecked } from '../service/assess.js'
import { kindOfKey } from '../store/records.js'
import type { Change } from '../store/store.js'
import type { ServiceKey } from '../store/view.js'
import type { SimulatedCluster } from './cluster.js'
import type { SimulatedMachines } from './machines.js'

/** What became of an instance. */
export interface InstanceTrack {
  readonly name: string
  readonly unit: UnitName
  /** It was there before anything happened. */
  readonly before: boolean
  /** Where it is, or was last; null for nowhere. */
  machine: MachineId | null
  /** When it was given a machine; null for one of before, and for one that waits. */
  placedAt: Instant | null
  /** When it served first; null for one that never did. */
  servingAt: Instant | null
  /** Nothing becomes of it: it had stopped, and was kept, before anything happened. */
  readonly wasOver: boolean
  /** When it was lost or told to stop; null while it is there. */
  goneAt: Instant | null
  why: 'lost' | 'stopped' | null
  /** Whether its stop was waited for, and has been seen to end. */
  hasEnded: boolean
  /** It is kept when it has stopped. */
  kept: boolean
}

/** How many instances fewer than its scale a service had, and for how long. */
interface Shortage {
  readonly most: number
  /** How long there were fewer, all in all. */
  readonly forMs: number
  /** Since when there are fewer now; null where there are enough. */
  readonly since: Instant | null
}

/** What became of a service. */
export interface ServiceTrack {
  readonly key: ServiceKey
  /** Null for one that was not there. */
  readonly scaleBefore: number | null
  readonly servingBefore: number
  serving: number
  shortage: Shortage
  /** When an instance was last placed, served first, or went. */
  changedAt: Instant | null
  readonly instances: Map<UnitName, InstanceTrack>
}

/** What became of a unit that is no instance. */
interface UnitTrack {
  readonly unit: UnitName
  readonly from: MachineId | null
  readonly at: Instant
}

/** A global unit on a machine that got it. */
interface GlobalTrack {
  readonly unit: UnitName
  readonly machine: MachineId
  readonly at: Instant
}

const enough: Shortage = { most: 0, forMs: 0, since: null }

export class Record {
  readonly services = new Map<ServiceKey, ServiceTrack>()
  readonly units = new Map<UnitName, UnitTrack>()
  /** By their keys. */
  readonly globals = new Map<string, GlobalTrack>()
  /** What waited before anything happened. */
  readonly waitedBefore = new Set<UnitName>()
  readonly #touched = new Set<ServiceKey>()
  readonly #cluster: SimulatedCluster
  readonly #machines: SimulatedMachines
  #hasBegun = false

  constructor(cluster: SimulatedCluster, machines: SimulatedMachines) {
    this.#cluster = cluster
    this.#machines = machines
    cluster.onChange((change) => this.#note(change))
  }

  /** What is there now is what was there before. */
  begin(): void {
    const { view } = this.#cluster
    for (const unit of view.waiting.keys()) this.waitedBefore.add(unit)
    for (const service of view.services.keys()) this.#see(service, true)
    this.#touched.clear()
    this.#hasBegun = true
  }

  /** Something of a service has changed. */
  touch(service: ServiceKey): void {
    if (this.#hasBegun) this.#touched.add(service)
  }

  /** Takes in what has changed since it looked last. */
  look(): void {
    for (const service of this.#touched) this.#see(service, false)
    this.#touched.clear()
  }

  #note(change: Change): void {
    if (!this.#hasBegun || kindOfKey(change.key) !== 'placement') return
    const value = change.previous?.value ?? (change.type === 'put' ? change.entry.value : null)
    if (value === null) return
    const { unit, machine, global } = JSON.parse(value) as Placement
    if (global) {
      this.#noteGlobal(change, unit, machine)
      return
    }
    if (this.#cluster.view.instances.has(unit)) return
    // Of an instance that was removed nothing is left to ask.
    if (this.#cluster.view.units.get(unit)?.instance !== null) return
    const from = this.units.get(unit)?.from ?? (change.previous === null ? null : machine)
    this.units.set(unit, { unit, from, at: this.#cluster.now })
  }

  #noteGlobal({ type, key, previous }: Change, unit: UnitName, machine: MachineId): void {
    if (type === 'delete') this.globals.delete(key)
    else if (previous === null) this.globals.set(key, { unit, machine, at: this.#cluster.now })
  }

  #see(key: ServiceKey, before: boolean): void {
    const { view } = this.#cluster
    const service = view.services.get(key)
    const instances = view.instancesOf(key)
    let serving = 0
    const track = this.services.get(key)
    const tracks: ServiceTrack['instances'] = track?.instances ?? new Map()
    let hasChanged = false
    for (const instance of instances) {
      const one = this.#trackOf(tracks, instance, before)
      const isServing = this.#isServing(instance)
      if (isServing) serving += 1
      hasChanged = this.#follow(one, instance, isServing, before) || hasChanged
    }
    const { now } = this.#cluster
    if (tracks.size > instances.length) hasChanged = this.#noteGone(tracks, instances) || hasChanged
    const known = track ?? {
      key,
      scaleBefore: before ? (service?.scale ?? null) : null,
      servingBefore: serving,
      serving,
      shortage: enough,
      changedAt: null,
      instances: tracks,
    }
    known.serving = serving
    known.shortage = shortageAfter(known.shortage, missingOf(service, serving), now)
    if (hasChanged && !before) known.changedAt = now
    this.services.set(key, known)
  }

  #trackOf(
    tracks: ServiceTrack['instances'],
    { name, unit, retired }: Instance,
    before: boolean,
  ): InstanceTrack {
    const known = tracks.get(unit)
    if (known !== undefined) return known
    const track = {
      name,
      unit,
      before,
      machine: null,
      placedAt: null,
      servingAt: null,
      wasOver: before && retired?.kept === true,
      goneAt: null,
      why: null,
      hasEnded: before && retired !== null,
      kept: false,
    }
    tracks.set(unit, track)
    return track
  }

  /** Takes in how an instance is now; whether something has become of it. */
  #follow(track: InstanceTrack, { unit, retired }: Instance, isServing: boolean, before: boolean): boolean {
    const { view, now } = this.#cluster
    const machine = view.placements.get(unit)?.machine
    let hasChanged = false
    track.kept = retired?.kept === true
    if (machine !== undefined && machine !== track.machine) {
      track.machine = machine
      if (!before) track.placedAt = now
      hasChanged = true
    }
    if (isServing && track.servingAt === null) {
      track.servingAt = now
      hasChanged = true
    }
    if (track.goneAt !== null || track.wasOver) return hasChanged
    if (track.machine !== null && !this.#isPresent(track.machine)) track.why = 'lost'
    else if (retired !== null) track.why = 'stopped'
    else return hasChanged
    track.goneAt = now
    return true
  }

  #noteGone(tracks: ServiceTrack['instances'], instances: readonly Instance[]): boolean {
    const there = new Set(instances.map(({ unit }) => unit))
    let hasChanged = false
    for (const track of tracks.values()) {
      if (track.hasEnded || there.has(track.unit)) continue
      track.hasEnded = true
      track.goneAt ??= this.#cluster.now
      track.why ??= 'stopped'
      // The record of what was lost is kept for a while; nothing moves when it goes.
      hasChanged ||= !track.kept && track.why !== 'lost'
    }
    return hasChanged
  }

  #isPresent(machine: MachineId): boolean {
    return this.#cluster.view.machines.has(machine) && !this.#machines.isSilent(machine)
  }

  /** Whether it runs, and is healthy where that is asked. */
  #isServing(instance: Instance): boolean {
    const { view } = this.#cluster
    const placement = view.placements.get(instance.unit) ?? null
    if (instance.retired !== null || placement === null) return false
    const report = view.reportOf(instance.unit)
    const machinePresent = this.#isPresent(placement.machine)
    if (instanceStateOf({ instance, placement, report, machinePresent }) !== 'running') return false
    return !isChecked(view.versions.get(instance.version), report) || report?.health === 'healthy'
  }
}

function missingOf(service: Service | undefined, serving: number): number {
  if (service === undefined || service.deleting || service.type !== 'continuous') return 0
  return Math.max(0, service.scale - serving)
}

function shortageAfter({ most, forMs, since }: Shortage, missing: number, now: Instant): Shortage {
  if (missing > 0) return { most: Math.max(most, missing), forMs, since: since ?? now }
  return since === null ? { most, forMs, since } : { most, forMs: forMs + now - since, since: null }
}
