// Plays a cluster through from now on: time goes from one thing that happens to the next, and at each of them the planners
// decide, as they do in a daemon.
import type { Steps } from '../lib/sliced-work.js'
import { earlier, type Instant } from '../lib/time.js'
import type { Machine, MachineId } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import { keys, kindOfKey, prefixes, putOf, type RecordKind } from '../store/records.js'
import type { Change, Op } from '../store/store.js'
import { type ServiceKey, serviceKey } from '../store/view.js'
import { SimulatedCluster, type SimulatedClusterOptions } from './cluster.js'
import { type Durations, SimulatedMachines } from './machines.js'
import { Record } from './record.js'

interface SimulationOptions extends SimulatedClusterOptions {
  readonly durations: Durations
}

/** The shortest time between two passes of a daemon. */
const betweenPassesMs = 15
/** How long a service that waits for others is left alone before it is looked at again. */
const lookAgainMs = 1000
/** How many records are written in one step. */
const atATime = 500
/** How many services are decided on in one step. */
const servicesAtATime = 50

/** A cluster that is played through in virtual time. */
export class Simulation {
  readonly cluster: SimulatedCluster
  readonly machines: SimulatedMachines
  /** What has happened so far. */
  readonly record: Record
  readonly #beganAt: Instant
  readonly #dirty = new Set<ServiceKey>()
  /** When the planner wants to look at a service again. */
  readonly #wakes = new Map<ServiceKey, Instant>()
  /** Services that others can help. */
  readonly #stuck = new Set<ServiceKey>()
  #stuckLookedAt: Instant = Number.NEGATIVE_INFINITY
  #stuckIsNews = false
  /** When the leases of machines end that say nothing any more. */
  readonly #leases = new Map<MachineId, Instant>()
  /** Until when what machines ran that were lost stays with them, as they were told to be lost. */
  readonly held = new Map<MachineId, Instant>()

  constructor(options: SimulationOptions) {
    this.#beganAt = options.now
    this.cluster = new SimulatedCluster(options)
    this.machines = new SimulatedMachines(this.cluster, options.durations)
    this.record = new Record(this.cluster, this.machines)
    this.cluster.onChange((change) => this.#note(change))
  }

  /** How much time has gone by. */
  get elapsedMs(): number {
    return this.cluster.now - this.#beganAt
  }

  /** Takes in the records of a cluster, a part at a time. */
  *load(records: readonly { readonly key: string; readonly value: string }[]): Steps<void> {
    for (let from = 0; from < records.length; from += atATime) {
      const part = records.slice(from, from + atATime)
      this.cluster.apply(part.map(({ key, value }): Op => ({ op: 'put', key, value })))
      yield
    }
    yield* this.cluster.takeIn()
    for (const { id, away } of this.cluster.view.machines.values())
      if (away !== undefined) this.lose(id, Math.max(0, away.until - this.cluster.now))
    this.record.begin()
    for (const service of this.cluster.view.services.keys()) this.#dirty.add(service)
  }

  /** A machine joins. */
  add(machine: Machine): void {
    this.cluster.apply([putOf('machine', machine)])
  }

  /** A machine is gone at once, or since before; the others notice when its lease ends. */
  lose(machine: MachineId, leaseMs: number): void {
    this.machines.silence(machine)
    this.#leases.set(machine, this.cluster.now + leaseMs)
    for (const unit of this.cluster.view.placedOn(machine).keys()) this.#touchUnit(unit)
  }

  /** Goes on until nothing is left to happen, or so much time has gone by; returns whether it is at rest. */
  *run(limitMs: number): Steps<boolean> {
    const end = this.#beganAt + limitMs
    for (;;) {
      const before = this.cluster.revision
      this.#endLeases()
      this.machines.work()
      yield* this.#servicePass()
      this.cluster.enginePass()
      this.machines.look()
      this.record.look()
      yield
      const next = this.#nextAt(this.cluster.revision !== before)
      if (next === null) return true
      if (next > end) {
        this.cluster.now = end
        return false
      }
      this.cluster.now = next
    }
  }

  *#servicePass(): Steps<void> {
    this.#takeDue()
    let done = 0
    for (const key of [...this.#dirty]) {
      this.#dirty.delete(key)
      this.#wakes.delete(key)
      const service = this.cluster.view.services.get(key)
      if (service === undefined) continue
      const wakeAt = this.cluster.decideService(service)?.plan.wakeAt ?? null
      if (wakeAt !== null) this.#wakes.set(key, wakeAt)
      this.#noteStuck(key)
      done += 1
      if (done % servicesAtATime === 0) yield
    }
  }

  /** Services whose time has come, and those that others may have helped. */
  #takeDue(): void {
    const { now } = this.cluster
    for (const [key, at] of this.#wakes) if (at <= now) this.#dirty.add(key)
    if (!this.#stuckIsNews || now < this.#stuckLookedAt + lookAgainMs) return
    for (const key of this.#stuck) this.#dirty.add(key)
    this.#stuckLookedAt = now
    this.#stuckIsNews = false
  }

  #noteStuck(key: ServiceKey): void {
    const { view } = this.cluster
    const isStuck =
      view.services.get(key)?.rollout != null ||
      view.instancesOf(key).some((instance) => view.waiting.has(instance.unit))
    if (isStuck) this.#stuck.add(key)
    else this.#stuck.delete(key)
  }

  #endLeases(): void {
    const { view, now } = this.cluster
    const ended = [...this.#leases].filter(([, at]) => at <= now).map(([machine]) => machine)
    if (ended.length === 0) return
    for (const machine of ended) this.#leases.delete(machine)
    this.cluster.apply(ended.map((machine): Op => ({ op: 'delete', key: keys.machine(machine) })))
    this.cluster.hear([...view.machines.keys()].filter((machine) => !this.machines.isSilent(machine)))
    for (const machine of ended) {
      const until = this.cluster.heldUntil(machine)
      if (until !== null) this.held.set(machine, until)
    }
    this.#touchAll()
  }

  /** When something can happen next: soon where something has changed, else by time alone. */
  #nextAt(hasChanged: boolean): Instant | null {
    const soon = this.cluster.now + betweenPassesMs
    if (hasChanged || this.#dirty.size > 0) return soon
    const stuckAt = this.#stuckIsNews && this.#stuck.size > 0 ? this.#stuckLookedAt + lookAgainMs : null
    const times = [
      this.machines.nextAt,
      this.cluster.engineWakesAt,
      stuckAt,
      ...this.#leases.values(),
      ...this.#wakes.values(),
    ]
    const next = times.reduce<Instant | null>(earlier, null)
    return next === null ? null : Math.max(next, soon)
  }

  #note(change: Change): void {
    const { key } = change
    const kind = kindOfKey(key)
    if (kind === null) return
    if (frees.has(kind)) this.#stuckIsNews = true
    const [first = '', second = ''] = key.slice(prefixes[kind].length).split('/')
    if (ofService.has(kind)) this.#touch(serviceKey(first, second))
    else if (kind === 'unit' || kind === 'placement' || kind === 'waiting') this.#touchUnit(first as UnitName)
    else if (kind === 'report') this.#touchUnit(second as UnitName)
    else if (kind === 'task') this.#touchTask(change)
    else if (kind === 'machine' || kind === 'order') this.#touchAll()
  }

  #touch(key: ServiceKey): void {
    this.#dirty.add(key)
    this.record.touch(key)
  }

  #touchUnit(unit: UnitName): void {
    const instance = this.cluster.view.instances.get(unit)
    if (instance !== undefined) this.#touch(serviceKey(instance.project, instance.service))
  }

  #touchTask(change: Change): void {
    const entry = change.type === 'put' ? change.entry : change.previous
    const task = this.cluster.view.tasks.get(change.key.slice(prefixes.task.length))
    const known = task ?? (JSON.parse(entry?.value ?? '{}') as { project?: string; service?: string })
    this.#touch(serviceKey(known.project ?? '', known.service ?? ''))
  }

  #touchAll(): void {
    for (const key of this.cluster.view.services.keys()) this.#touch(key)
  }
}

const ofService: ReadonlySet<RecordKind> = new Set<RecordKind>(['service', 'version', 'instance'])

/** What can make room for those that wait. */
const frees: ReadonlySet<RecordKind> = new Set<RecordKind>(['machine', 'order', 'unit', 'placement'])
