// A cluster in memory whose time goes by as it is told: the real view, and the real planners for services and places.
import { openVersionUnits } from '../compile/version-unit.js'
import { Explainer } from '../engine/explain.js'
import type { EngineAction } from '../engine/pass-decisions.js'
import { Scheduler } from '../engine/scheduler.js'
import { opsOf } from '../engine/writes.js'
import { heldMachines } from '../leader/lost-machines.js'
import { type ClockJump, elapsedAt, noJumps, withJump } from '../lib/elapsed.js'
import type { Steps } from '../lib/sliced-work.js'
import { earlier, type Instant } from '../lib/time.js'
import type { ManifestSettings } from '../manifest/settings.js'
import type { MachineId } from '../model/machine.js'
import type { Service } from '../model/service.js'
import type { ServicePlan } from '../service/actions.js'
import { planOne } from '../service/plan-one.js'
import type { Planned } from '../service/services-to-plan.js'
import { fullAllowance, refill } from '../service/storm.js'
import { writesOf } from '../service/writes.js'
import { LossWatch } from '../store/losses.js'
import { ScratchStore } from '../store/scratch.js'
import { SteadyLosses } from '../store/steady-losses.js'
import type { Change, Op } from '../store/store.js'
import { unreadableOf } from '../store/unreadable.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { openUnitReader, type UnitReader } from '../unit/reader.js'

export interface SimulatedClusterOptions {
  readonly settings: ManifestSettings
  /** How far apart the leases of machines end that are cut off at one moment. */
  readonly lossWindowMs: number
  readonly now: Instant
  /** Whether units too stay for a while with machines that vanished together, as in a daemon; default: they do. */
  readonly holdsUnits?: boolean
}

/** What the planner for services decided of one of them, with what it tells of it. */
interface DecidedService {
  readonly plan: ServicePlan
  readonly told: readonly string[]
  readonly read: Planned
  readonly isWritten: boolean
}

export class SimulatedCluster {
  readonly #store: ScratchStore
  readonly view: ClusterView
  readonly units: UnitReader
  readonly unitOf: ReturnType<typeof openVersionUnits>
  /** Says why machines would take a unit or not. */
  readonly explainer: Explainer
  readonly makesRoom: Explainer['makesRoom']
  #now: Instant
  /** What nobody sets. */
  #steady = 0
  #jumps: readonly ClockJump[] = noJumps
  #allowance = fullAllowance
  readonly #losses: SteadyLosses
  readonly #holdsUnits: boolean
  #held: ReadonlyMap<MachineId, Instant> = new Map()
  readonly #scheduler: Scheduler
  readonly #following: ((change: Change) => void)[] = []

  constructor({ settings, lossWindowMs, now, holdsUnits = true }: SimulatedClusterOptions) {
    this.#holdsUnits = holdsUnits
    this.#now = now
    this.#store = new ScratchStore((change) => this.#noteChange(change))
    this.view = this.#store.view
    this.units = openUnitReader((hash) => this.view.files.get(hash))
    this.unitOf = openVersionUnits(settings)
    this.#losses = new SteadyLosses(new LossWatch(this.view, lossWindowMs), { steady: () => this.#steady })
    const needsOf = this.units.needs.bind(this.units)
    this.#scheduler = new Scheduler(this.view, needsOf, (machine) => this.#held.has(machine))
    this.explainer = new Explainer(this.view, needsOf)
    this.makesRoom = this.explainer.makesRoom.bind(this.explainer)
  }

  /** Goes up with each change. */
  get revision(): number {
    return this.#store.revision
  }

  get now(): Instant {
    return this.#now
  }

  /** Time goes by. */
  set now(now: Instant) {
    this.#steady += now - this.#now
    this.#now = now
  }

  get jumps(): readonly ClockJump[] {
    return this.#jumps
  }

  /** Somebody sets the clock. */
  setClock(byMs: number): void {
    this.#jumps = withJump(this.#jumps, { byMs, before: this.#now, after: this.#now + byMs })
    this.#now += byMs
  }

  /** Is told of each change from now on, which the view has by then. */
  onChange(listener: (change: Change) => void): void {
    this.#following.push(listener)
  }

  /** Writes as one change. */
  apply(ops: readonly Op[]): void {
    this.#store.apply(ops)
  }

  /** Lets the scheduler take in what there is, a part at a time. */
  takeIn(): Steps<void> {
    return this.#scheduler.takeIn()
  }

  /** These machines renew their leases. */
  hear(machines: Iterable<MachineId>): void {
    this.#losses.hear(machines)
  }

  /** Until when what a machine that is gone ran stays with it; null where it does not. */
  heldUntil(machine: MachineId): Instant | null {
    return this.#losses.heldUntil(machine, this.now)
  }

  /** Lets the planner decide on a service, and does what it says; null where something of it cannot be read. */
  decideService(service: Service): DecidedService | null {
    if (unreadableOf(this.view, serviceKey(service.project, service.name)).length > 0) return null
    this.#allowance = refill(this.#allowance, elapsedAt(this.now, this.#jumps))
    const heldUntil = (machine: MachineId): Instant | null => this.heldUntil(machine)
    const storm = { heldUntil, allowance: this.#allowance.left }
    const tools = { unitOf: this.unitOf, makesRoom: this.makesRoom, units: this.units }
    const known = { now: this.now, storm, jumps: this.#jumps }
    const { plan, ...read } = planOne(this.view, service, tools, known)
    this.#allowance = { ...this.#allowance, left: this.#allowance.left - plan.replacements }
    const { ops, events } = writesOf(this.view, service, plan, this.now)
    this.apply(ops)
    const told = events.map(({ message }) => message)
    return { plan, told, read: { ...read, wakeAt: plan.wakeAt }, isWritten: ops.length > 0 }
  }

  /** One pass of the engine; returns what it decided, and did. */
  enginePass(): readonly EngineAction[] {
    const before = this.#held
    if (this.#holdsUnits) this.#held = heldMachines(this.view, this.#losses, this.now)
    for (const machine of before.keys()) if (!this.#held.has(machine)) this.#scheduler.reconsider(machine)
    const { actions } = this.#scheduler.step(this.now)
    this.apply(actions.flatMap((action) => opsOf(this.view, action)))
    return actions
  }

  /** When the engine would decide otherwise without a change: when the first machine is held no longer. */
  get engineWakesAt(): Instant | null {
    return [...this.#held.values()].reduce<Instant | null>(earlier, null)
  }

  #noteChange(change: Change): void {
    this.#losses.note([change])
    this.#scheduler.note(change)
    this.explainer.note(change)
    for (const listener of this.#following) listener(change)
  }
}
