// One service and its instances without store, scheduler or agents: what thousands of property runs can afford. The
// planner is the real one; machines do at once as they are told.
import { noJumps, withJump } from '../../src/lib/elapsed.js'
import type { MachineId } from '../../src/model/machine.js'
import type { Meta } from '../../src/model/meta.js'
import { madeOf } from '../../src/model/meta-fingerprints.js'
import type { RolloutOrder } from '../../src/model/order.js'
import { defaultDeadlineMs, noFilter } from '../../src/model/order.js'
import type { Instance, Service, ServiceVersion } from '../../src/model/service.js'
import { replacingOf, type Task, type TaskKind } from '../../src/model/task.js'
import type { Placement, UnitName, UnitReport, Waiting } from '../../src/model/unit.js'
import type { SlotVolume, VolumeRecord } from '../../src/model/volume.js'
import type { ServiceAction } from '../../src/service/actions.js'
import { applyOrder } from '../../src/service/orders.js'
import { planService } from '../../src/service/plan.js'
import { admitTask, settledAsIs, terminated } from '../../src/service/queue.js'
import { type RestartDue, restartDueOf } from '../../src/service/restarts.js'
import type { ServiceInstance } from '../../src/service/situation.js'
import { calm } from '../../src/service/storm.js'
import { startedReport } from '../../src/simulate/started-report.js'
import { keys } from '../../src/store/records.js'

export type Order = Parameters<typeof applyOrder>[0]

/** How many instances the machines can hold, how soon a program comes up, and which versions never do. */
export interface Surroundings {
  readonly room: number
  readonly bootMs: number
  readonly bad: ReadonlySet<number>
  /** Versions that no machine takes, however empty it is. */
  readonly huge?: ReadonlySet<number>
  /** For how long others may be sent to what has left the names; absent: nothing can be found by one. */
  readonly rememberedMs?: number
  /** What every version says of volumes that each slot has for itself. */
  readonly slotVolumes?: readonly SlotVolume[]
  /** What of the metadata restarts instances of every version, each key with how many at a time. */
  readonly restartOn?: Readonly<Record<string, number>>
}

interface Held {
  instance: Instance
  placement: Placement | null
  report: UnitReport | null
  /** By the steady time of machines. */
  startedAt: number
  stoppingUntil: number | null
  /** Once its machine has heard that it is to stop later. */
  servesUntil: number | null
  stopAfterMs: number
}

const machine = 'm'.padEnd(32, '0') as MachineId

export class SmallService {
  service: Service
  readonly versions: ServiceVersion[] = []
  readonly held = new Map<number, Held>()
  tasks: Task[] = []
  frozen = false
  /** The instances on a machine that is drained, so many of which may move at a time; others are elsewhere. */
  drained = new Set<number>()
  /** Instances on machines that are away. */
  readonly #away = new Set<number>()
  drainParallel = 1
  /** Where the volumes of slots are, by their keys. */
  readonly volumes = new Map<string, VolumeRecord>()
  /** How long programs take to stop; null: as long as to come up. */
  stopMs: number | null = null
  now = 1_000_000_000_000
  readonly meta = new Map<string, Meta>()
  /** What machines measure by: nobody sets it. */
  #steady = 0
  jumps = noJumps
  /** For how long the leader's store has been in touch. */
  inTouchForMs = Number.POSITIVE_INFINITY
  readonly #surroundings: Surroundings

  constructor(scale: number, surroundings: Surroundings) {
    this.#surroundings = surroundings
    this.addVersion()
    this.service = {
      uuid: 'service',
      project: 'default',
      name: 'web',
      type: 'continuous',
      scale,
      stoppedFrom: null,
      current: 'v1',
      lastOrdinal: 1,
      lastInstance: 0,
      createdAt: 0,
      starts: 0,
      stopping: null,
      deleting: false,
      rollout: null,
      failures: null,
      blocked: null,
      releasedAt: null,
    }
    this.#open('deploy')
  }

  addVersion(): ServiceVersion {
    const ordinal = this.versions.length + 1
    const version: ServiceVersion = {
      uuid: `v${ordinal}`,
      project: 'default',
      service: 'web',
      ordinal,
      createdAt: 0,
      sha1: '',
      type: 'continuous',
      text: '',
      file: '',
      image: '',
      template: 'web@.service' as UnitName,
      hash: '',
      meta: [],
      scale: 1,
      preserve: 'no',
      checked: true,
      ...(this.#surroundings.restartOn && { restartOn: this.#surroundings.restartOn }),
      ...(this.#surroundings.slotVolumes && { slotVolumes: this.#surroundings.slotVolumes }),
    }
    this.versions.unshift(version)
    return version
  }

  /** Gives an order as the API does; false where it is refused. */
  order(order: Order, kind: TaskKind): boolean {
    if (this.frozen) return false
    const open = this.tasks.filter(({ finishedAt }) => finishedAt === null)
    const admission = admitTask(this.service, open, kind)
    if (admission.kind === 'rejected') return false
    const situation = { service: this.service, versions: this.versions, instances: this.instances() }
    const outcome = applyOrder(order, situation, this.now)
    const waits = admission.after.length > 0
    if (outcome.kind === 'refused' && !(waits && outcome.because === 'conflict')) return false
    const ended = new Set(admission.terminates)
    this.tasks = this.tasks.map((task) => (ended.has(task) ? terminated(task, 'newer', this.now) : task))
    if (!waits && outcome.kind === 'ordered') this.service = outcome.service
    else {
      for (const task of ended) if (task.state === 'active') this.service = settledAsIs(this.service, task)
    }
    this.#open(kind, waits ? order : null)
    return true
  }

  deploy(options: Partial<RolloutOrder>): boolean {
    const version = this.addVersion()
    const done = this.order({ ...rollout, version: version.uuid, ...options }, 'deploy')
    if (!done) this.versions.shift()
    return done
  }

  /** Ends the oldest open task, as `queue stop` does, or the one that follows after so many. */
  terminate(which = 0): void {
    const open = this.tasks.filter(({ finishedAt }) => finishedAt === null)
    const task = open[which % Math.max(1, open.length)]
    if (task === undefined || this.frozen) return
    if (task.state === 'active') this.service = settledAsIs(this.service, task)
    this.tasks = this.tasks.map((one) => (one === task ? terminated(one, 'asked', this.now) : one))
  }

  /** Another leader takes over: all that it has are the records. */
  reread(): void {
    const read = <T>(record: T): T => JSON.parse(JSON.stringify(record)) as T
    this.service = read(this.service)
    this.tasks = read(this.tasks)
    this.versions.splice(0, this.versions.length, ...read(this.versions))
    for (const [n, held] of [...this.held]) this.held.set(n, read(held))
  }

  /** The machines of these instances go away, or are back. */
  lose(numbers: readonly number[]): void {
    for (const n of numbers) this.#away.add(n)
  }

  giveBack(numbers: readonly number[]): void {
    for (const n of numbers) this.#away.delete(n)
  }

  /** An instance is found unhealthy. */
  sicken(n: number): void {
    const held = this.held.get(n)
    if (held?.report != null) held.report = { ...held.report, health: 'unhealthy' }
  }

  /** Somebody sets a key of the metadata. */
  set(key: string, value: string): void {
    this.meta.set(key, { project: 'default', key, value, casId: value, secret: false, updatedAt: this.now })
  }

  /** What is to be restarted for the metadata. */
  restartDue(): RestartDue | null {
    const current = this.versions.find(({ uuid }) => uuid === this.service.current) ?? null
    return restartDueOf(current, this.instances(), this.meta)
  }

  /** One pass of the planner; returns what it decided. */
  pass(): readonly ServiceAction[] {
    const current = this.versions.find(({ uuid }) => uuid === this.service.current)
    if (current === undefined) throw new Error('no current version')
    const decided = planService(
      {
        service: this.service,
        current,
        versions: this.versions,
        unit: { kind: 'unit', hash: '', text: null },
        unitWith: () => ({ kind: 'unit', hash: '', text: null }),
        instances: this.instances(),
        tasks: this.tasks.filter(({ finishedAt }) => finishedAt === null),
        frozen: this.frozen,
        storm: calm,
        makesRoom: (waiting, leaving) =>
          !this.isHuge(this.#ordinalOf(waiting)) &&
          this.#placed().length - leaving.length < this.#surroundings.room,
        rememberedMs: () => this.rememberedMs,
        jumps: this.jumps,
        volumes: this.volumes,
        connectedForMs: this.inTouchForMs,
        restartDue: this.restartDue(),
      },
      this.now,
    )
    for (const action of decided.actions) this.#carryOut(action)
    if (decided.service !== null) this.service = decided.service
    return decided.actions
  }

  /** Machines take in what has room, start it, find it healthy, and stop what is to stop; then time goes on. */
  machines(ms: number): void {
    for (const held of this.held.values()) if (!this.#away.has(held.instance.n)) this.#run(held)
    let free = this.#surroundings.room - this.#placed().length
    for (const held of this.held.values()) {
      if (held.placement !== null || held.instance.retired !== null || free <= 0) continue
      if (this.isHuge(held.instance.ordinal)) continue
      free--
      held.placement = { unit: held.instance.unit, machine, ports: [], cause: { kind: 'new' }, at: this.now }
      this.#makeVolumes(held.instance)
    }
    this.now += ms
    this.#steady += ms
  }

  /** Somebody sets the clock. */
  setClock(byMs: number): void {
    this.jumps = withJump(this.jumps, { byMs, before: this.now, after: this.now + byMs })
    this.now += byMs
  }

  live(): readonly Held[] {
    return [...this.held.values()].filter(({ instance }) => instance.retired === null)
  }

  up(): readonly Held[] {
    return this.live().filter(
      ({ report, instance }) =>
        !this.#away.has(instance.n) && report?.active === 'active' && report.health === 'healthy',
    )
  }

  instances(): readonly ServiceInstance[] {
    return [...this.held.values()].map((held) => ({
      instance: held.instance,
      placement: held.placement,
      report: held.report,
      machinePresent: held.placement !== null && !this.#away.has(held.instance.n),
      version: this.versions.find(({ uuid }) => uuid === held.instance.version) ?? null,
      waiting: this.#waiting(held),
      cordoned: this.drained.has(held.instance.n),
      drain: this.drained.has(held.instance.n) ? { since: 0, parallel: this.drainParallel } : null,
      unloading: false,
      unitGone: false,
      isLeaving: held.instance.retired !== null && held.stopAfterMs > 0,
      reported: held.report !== null,
      stop: null,
    }))
  }

  isHuge(ordinal: number): boolean {
    return this.#surroundings.huge?.has(ordinal) ?? false
  }

  get rememberedMs(): number {
    return this.#surroundings.rememberedMs ?? 0
  }

  /** Whether nothing more has a place. */
  get isFull(): boolean {
    return this.#placed().length >= this.#surroundings.room
  }

  isAway(n: number): boolean {
    return this.#away.has(n)
  }

  #ordinalOf(unit: UnitName): number {
    return [...this.held.values()].find(({ instance }) => instance.unit === unit)?.instance.ordinal ?? 0
  }

  #placed(): readonly Held[] {
    return [...this.held.values()].filter(({ placement }) => placement !== null)
  }

  #waiting({ instance, placement }: Held): Waiting | null {
    if (placement !== null || instance.retired !== null) return null
    const refusal = { kind: 'memory', needsMb: 1, freeMb: 0 } as const
    return { unit: instance.unit, since: this.now, refusals: [{ machine, refusal }] }
  }

  #open(kind: TaskKind, order: Order | null = null): void {
    this.tasks.push({
      uuid: `task-${this.tasks.length}`,
      project: 'default',
      service: 'web',
      kind,
      state: order === null ? 'active' : 'queued',
      target: { scale: this.service.scale, version: this.service.current },
      createdAt: this.now,
      finishedAt: null,
      error: null,
      order,
      by: null,
      ...(order === null && replacingOf(kind, this.service)),
    })
  }

  #carryOut(action: ServiceAction): void {
    switch (action.kind) {
      case 'create': {
        const { uuid, ordinal } = action.version
        const instance: Instance = {
          uuid: `i${action.n}`,
          name: `web-${action.n}`,
          n: action.n,
          project: 'default',
          service: 'web',
          version: uuid,
          ordinal,
          unit: `web@${action.n}.service` as UnitName,
          createdAt: this.now,
          retired: null,
          lost: null,
          ...(action.slot !== undefined && { slot: action.slot }),
          ...(action.version.restartOn && {
            madeOf: madeOf(Object.keys(action.version.restartOn), this.meta),
          }),
        }
        this.held.set(action.n, {
          instance,
          placement: null,
          report: null,
          startedAt: 0,
          stoppingUntil: null,
          servesUntil: null,
          stopAfterMs: 0,
        })
        return
      }
      case 'retire': {
        const { cause, instance, stopAfterMs = 0 } = action
        const held = this.held.get(instance.n)
        if (held !== undefined) held.stopAfterMs = stopAfterMs
        this.#change(instance.n, { ...instance, retired: { cause, at: this.now, kept: false } })
        return
      }
      case 'keep': {
        const { retired } = action.instance
        if (retired !== null)
          this.#change(action.instance.n, { ...action.instance, retired: { ...retired, kept: true } })
        return
      }
      case 'note':
        this.#change(action.instance.n, action.instance)
        return
      case 'stop-at-once': {
        const held = this.held.get(action.instance.n)
        if (held !== undefined) Object.assign(held, { stopAfterMs: 0, servesUntil: null })
        return
      }
      case 'limit-stop':
      case 'run':
        return
      case 'unload':
      case 'remove':
        this.held.delete(action.instance.n)
        return
      case 'begin': {
        const known = this.tasks.some(({ uuid }) => uuid === action.task.uuid)
        this.tasks = known
          ? this.tasks.map((one) => (one.uuid === action.task.uuid ? action.task : one))
          : [...this.tasks, action.task]
        return
      }
      case 'end': {
        const over = action.task
        this.tasks = this.tasks.map((one) => (one.uuid === over.uuid ? over : one))
        return
      }
      case 'finish': {
        const { state, error, task } = action
        const over = { ...task, state, error, finishedAt: this.now }
        this.tasks = this.tasks.map((one) => (one.uuid === task.uuid ? over : one))
      }
    }
  }

  #makeVolumes({ project, service, slot }: Instance): void {
    if (slot === undefined) return
    for (const { name } of this.#surroundings.slotVolumes ?? []) {
      const key = keys.volume(project, service, name, slot)
      const made = { project, service, name, slot, machine, generation: 0, createdAt: this.now }
      this.volumes.set(key, this.volumes.get(key) ?? { uuid: key, ...made })
    }
  }

  #change(n: number, instance: Instance): void {
    const held = this.held.get(n)
    if (held !== undefined) held.instance = instance
  }

  #run(held: Held): void {
    const { instance, placement, report } = held
    if (placement === null) return
    if (instance.retired !== null) {
      held.servesUntil ??= this.#steady + held.stopAfterMs
      if (report?.active === 'active' && held.servesUntil > this.#steady) return
      held.stoppingUntil ??= this.#steady + (this.stopMs ?? this.#surroundings.bootMs)
      const stopped = held.stoppingUntil <= this.#steady
      held.report = {
        ...(report ?? startedReport(machine, held.instance.unit, this.now)),
        active: stopped ? 'inactive' : 'deactivating',
      }
      return
    }
    if (report === null) {
      held.report = startedReport(machine, held.instance.unit, this.now)
      held.startedAt = this.#steady
      return
    }
    const age = this.#steady - held.startedAt
    if (report.active !== 'active' || report.health !== 'unknown' || age < this.#surroundings.bootMs) return
    const isBad = this.#surroundings.bad.has(instance.ordinal)
    held.report = { ...report, health: isBad ? 'unhealthy' : 'healthy' }
  }
}

export const rollout: RolloutOrder = {
  kind: 'rollout',
  version: null,
  scale: null,
  rolling: null,
  count: null,
  filter: noFilter,
  deadlineMs: defaultDeadlineMs,
  autoRevert: false,
}
