// A cluster in memory for tests of the planners: the real view and the real planners, with machines that do as told.

import { removeMeta, setMeta } from '../../src/changes/meta.js'
import { decidePlaceable } from '../../src/changes/plan.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import { freezeScope, releaseScope } from '../../src/changes/queue.js'
import { reprovisionService, revertService } from '../../src/changes/rollouts.js'
import {
  type Change,
  changeScales,
  deleteService,
  opsOf as opsOfChange,
  startService,
  stopService,
} from '../../src/changes/services.js'
import type { DeployRequest, ReprovisionRequest, RevertRequest } from '../../src/contract/contract.js'
import type { Scheduler } from '../../src/engine/scheduler.js'
import type { ClockJump } from '../../src/lib/elapsed.js'
import type { Instant } from '../../src/lib/time.js'
import type { DriverKind } from '../../src/model/driver-kind.js'
import type { MachineId } from '../../src/model/machine.js'
import type { Instance, Service } from '../../src/model/service.js'
import type { UnitExit, UnitName, UnitReport } from '../../src/model/unit.js'
import type { ServiceAction } from '../../src/service/actions.js'
import { ServicesToPlan } from '../../src/service/services-to-plan.js'
import { SimulatedCluster } from '../../src/simulate/cluster.js'
import { startedReport } from '../../src/simulate/started-report.js'
import { keys, putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { defaultSettings } from '../manifest/default-settings.js'

export const project = 'default'

/** The id of a machine by its name. */
export function idOf(name: string): MachineId {
  return name.padEnd(32, '0') as MachineId
}

/** How far apart the leases of machines end that are cut off at one moment. */
export const lossWindowMs = 10_000

/** How machines treat the units that they are to run. */
export interface Behaviour {
  /** Whether an instance becomes healthy once it runs. */
  readonly healthy: (instance: Instance) => boolean
}

export class World extends SimulatedCluster {
  /** How a program ends that is told to stop. */
  endsWhenStopped: Pick<UnitExit, 'code' | 'signal'> = { code: null, signal: 'SIGTERM' }
  /** What the planner has told of so far. */
  readonly told: string[] = []
  /** When the planner wants to look again at the service that it looked at last. */
  wakeAt: Instant | null = null
  /** Each pass plans all services, and tells of what one that plans only what has changed would miss. */
  readonly #toPlan = new ServicesToPlan(this.view)
  #jump: ClockJump | undefined

  constructor() {
    // Its scheduler is compared with others that know of no holds.
    super({ settings: defaultSettings, lossWindowMs, now: 1_000_000, holdsUnits: false })
    this.onChange((change) => this.#toPlan.note([change]))
  }

  machine(
    name: string,
    capacity: {
      memoryMb?: number
      cpus?: number
      drivers?: readonly DriverKind[]
      metadata?: Readonly<Record<string, string>>
      outside?: string
    } = {},
  ): MachineId {
    const id = idOf(name)
    this.apply([
      putOf('machine', {
        id,
        hostname: name,
        ip: '10.0.0.1',
        metadata: capacity.metadata ?? {},
        capacity: { cpus: capacity.cpus ?? 2, memoryMb: capacity.memoryMb ?? 4096, diskMb: 10_000 },
        drivers: capacity.drivers ?? ['process'],
        version: '0',
        bootedAt: 0,
        ...(capacity.outside !== undefined && { outside: capacity.outside }),
      }),
    ])
    return id
  }

  /** Another scheduler hears of what changes from now on. */
  followedBy(scheduler: Pick<Scheduler, 'note'>): void {
    this.onChange((change) => scheduler.note(change))
  }

  loseMachine(id: MachineId): void {
    this.apply([{ op: 'delete', key: keys.machine(id) }])
  }

  /** Deploys the service `web`; returns why not, where it is refused. */
  tryDeploy(text: string, options: Partial<DeployRequest> = {}): Problem | null {
    return this.attempt(
      decidePlaceable(
        this.view,
        { settings: defaultSettings, unitOf: this.unitOf, explainer: this.explainer },
        project,
        { sources: [{ file: 'web.yml', text, name: 'web' }], ...options },
        this.now,
        null,
      ),
    )
  }

  deploy(text: string, options: Partial<DeployRequest> = {}): void {
    this.#must(this.tryDeploy(text, options))
  }

  tryRevert(name: string, request: RevertRequest): Problem | null {
    return this.attempt(revertService(this.view, project, name, request, this.now))
  }

  reprovision(name: string, request: ReprovisionRequest = {}): Problem | null {
    return this.attempt(reprovisionService(this.view, project, name, request, this.now))
  }

  /** Sets a key of the project's metadata, or removes it with null. */
  meta(key: string, value: string | null): void {
    const noSeal = (secret: string): string => secret
    const change =
      value === null
        ? removeMeta(this.view, project, key, undefined)
        : setMeta(this.view, project, key, { value }, noSeal, this.now)
    this.#must(this.attempt(change))
  }

  scale(name: string, target: string | number, deadlineMs?: number): void {
    this.#must(this.tryScale(name, target, deadlineMs))
  }

  tryScale(name: string, target: string | number, deadlineMs?: number): Problem | null {
    return this.attempt(changeScales(this.view, project, { [name]: target }, this.now, deadlineMs))
  }

  stop(name: string): void {
    this.#must(this.tryStop(name))
  }

  tryStop(name: string, version?: string): Problem | null {
    return this.attempt(
      stopService(this.view, project, name, version === undefined ? {} : { version }, this.now),
    )
  }

  start(name: string, version?: string, deadlineMs?: number): Problem | null {
    return this.attempt(startService(this.view, project, name, version, this.now, deadlineMs))
  }

  delete(name: string, volumes = false): void {
    this.#must(this.attempt(deleteService(this.view, project, name, { force: true, volumes }, this.now)))
  }

  /** An operator holds a service, or with an empty name all of the project. */
  freeze(name: string): void {
    this.#must(this.attempt(freezeScope(this.view, project, name === '' ? undefined : name, this.now)))
  }

  /** An operator lets replacements go that are held back. */
  release(): void {
    this.#must(this.attempt(releaseScope(this.view, project, undefined, this.now)))
  }

  /** Makes a change, or returns why it is refused. */
  attempt(change: Change | Problem): Problem | null {
    if (isProblem(change)) return change
    this.apply(opsOfChange(change, null))
    return null
  }

  /** One pass of the service planner over all services; returns what it decided. */
  servicePass(): readonly ServiceAction[] {
    return [...this.view.services.values()].flatMap((service) => {
      const isDue = this.#isDue(service)
      const decided = this.decideService(service)
      if (decided === null) return []
      const { read, isWritten } = decided
      this.#toPlan.planned(serviceKey(service.project, service.name), read, isWritten)
      if (isWritten && !isDue) throw new Error(`nothing has led to what became of ${service.name}`)
      this.wakeAt = decided.plan.wakeAt
      this.told.push(...decided.told)
      return decided.plan.actions
    })
  }

  /** Whether a pass that plans only what has changed would plan a service. */
  #isDue({ project, name }: Service): boolean {
    const jump = this.jumps.at(-1)
    if (jump !== this.#jump) this.#toPlan.markAll()
    this.#jump = jump
    return this.#toPlan.isDue(serviceKey(project, name), this.now)
  }

  /** One pass of every machine's agent: units are started, become healthy, stop, each at once. */
  agentPass(behaviour: Behaviour): void {
    for (const machine of this.view.machines.keys()) {
      for (const name of this.view.placedOn(machine).keys()) this.#run(machine, name, behaviour)
      for (const name of this.view.reportsOf(machine).keys()) {
        if (!this.view.placedOn(machine).has(name))
          this.apply([{ op: 'delete', key: keys.report(machine, name) }])
      }
    }
  }

  /** Passes in turn until nothing changes any more, time going on by half a second a round. */
  settle(behaviour: Behaviour = { healthy: () => true }, rounds = 400): void {
    let quiet = 0
    for (let round = 0; round < rounds && quiet < 200; round++) {
      const before = this.revision
      this.servicePass()
      this.enginePass()
      this.agentPass(behaviour)
      this.now += 500
      quiet = this.revision === before ? quiet + 1 : 0
    }
  }

  live(name: string): readonly Instance[] {
    return this.view.instancesOf(serviceKey(project, name)).filter((instance) => instance.retired === null)
  }

  all(name: string): readonly Instance[] {
    return this.view.instancesOf(serviceKey(project, name))
  }

  report(instance: Instance): UnitReport | null {
    return this.view.reportOf(instance.unit)
  }

  /** Instances that serve: they run, and are healthy where that is known. */
  serving(name: string): readonly Instance[] {
    return this.live(name).filter((instance) => {
      const report = this.report(instance)
      const machine = this.view.placements.get(instance.unit)?.machine
      const present = machine !== undefined && this.view.machines.has(machine)
      return present && report?.active === 'active' && report.health !== 'unhealthy'
    })
  }

  /** Changes what a machine reports of an instance. */
  observe(instance: Instance, change: Partial<UnitReport>): void {
    const report = this.report(instance)
    if (report !== null) this.apply([putOf('report', { ...report, ...change })])
  }

  #must(problem: Problem | null): void {
    if (problem === null) return
    throw new Error(`${problem.code}: ${problem.message} ${JSON.stringify(problem.details ?? [])}`)
  }

  #run(machine: MachineId, name: UnitName, behaviour: Behaviour): void {
    const unit = this.view.units.get(name)
    const instance = this.view.instances.get(name)
    if (unit === undefined || instance === undefined) return
    const known = this.view.reportOf(name)
    if (unit.desired === 'launched' && (known === null || !known.launched)) {
      this.apply([putOf('report', startedReport(machine, name, this.now))])
    } else if (unit.desired === 'launched' && known?.active === 'active' && known.health === 'unknown') {
      if (behaviour.healthy(instance)) this.apply([putOf('report', { ...known, health: 'healthy' })])
    } else if (unit.desired === 'loaded' && known?.active !== 'inactive' && known?.active !== 'failed') {
      const report = known ?? startedReport(machine, name, this.now)
      const exit = { ...this.endsWhenStopped, oom: false, at: this.now }
      this.apply([
        putOf('report', {
          ...report,
          active: 'inactive',
          sub: 'dead',
          launched: false,
          exit,
          since: this.now,
        }),
      ])
    }
  }
}
