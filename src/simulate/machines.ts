// What the machines of a simulated cluster do: they start what is placed on them, find it healthy and stop it, all of it
// well, and each in the time that it takes.
import { PriorityQueue } from '../lib/priority-queue.js'
import type { Instant } from '../lib/time.js'
import { hasStopped } from '../model/instance-state.js'
import type { MachineId } from '../model/machine.js'
import type { DesiredUnit, Health, Placement, UnitName, UnitReport } from '../model/unit.js'
import { keys, kindOfKey, prefixes, putOf } from '../store/records.js'
import type { Change } from '../store/store.js'
import { stopTimeoutOf } from '../unit/stop-timeout.js'
import type { SimulatedCluster } from './cluster.js'
import { type Finding, findingsOf } from './health.js'
import { startedReport } from './started-report.js'

/** How long machines take. */
export interface Durations {
  /** From when a unit has a machine until its program does what it is there for. */
  readonly startMs: number
  /** How long a program takes to stop; null: all the time that it is given. */
  readonly stopMs: number | null
}

/** What a program takes to stop that is given no end, where nobody says. */
export const endlessStopMs = 60_000

/** What a machine is about to do with a unit. */
interface Task {
  readonly machine: MachineId
  readonly unit: UnitName
  readonly step: 'start' | 'stop' | 'forget' | Health
  /** Those that follow, counted from when this is done. */
  readonly next: readonly Finding[]
}

type Pair = `${string}/${string}`

export class SimulatedMachines {
  readonly #cluster: SimulatedCluster
  readonly #durations: Durations
  readonly #due = new PriorityQueue<Task>()
  readonly #pending = new Map<Pair, Task>()
  readonly #touched = new Map<Pair, { readonly machine: MachineId; readonly unit: UnitName }>()
  readonly #silent = new Set<MachineId>()
  /** What checks find, by the checks: units of one text have the same. */
  readonly #findings = new Map<string, readonly Finding[]>()

  constructor(cluster: SimulatedCluster, durations: Durations) {
    this.#cluster = cluster
    this.#durations = durations
    cluster.onChange((change) => this.#note(change))
  }

  /** A machine does nothing from now on, and nobody has noticed yet. */
  silence(machine: MachineId): void {
    this.#silent.add(machine)
  }

  isSilent(machine: MachineId): boolean {
    return this.#silent.has(machine)
  }

  /** When the next of them has done something; null for never. */
  get nextAt(): Instant | null {
    return this.#due.nextAt
  }

  /** Does what is done by now. */
  work(): void {
    const { now } = this.#cluster
    for (let task = this.#due.takeDue(now); task !== undefined; task = this.#due.takeDue(now)) {
      const pair = pairOf(task.machine, task.unit)
      if (this.#pending.get(pair) !== task) continue
      this.#pending.delete(pair)
      if (!this.#silent.has(task.machine)) this.#do(task)
    }
  }

  /** Begins what follows from what has changed. */
  look(): void {
    const { now } = this.#cluster
    for (const [pair, { machine, unit }] of this.#touched) {
      this.#touched.delete(pair)
      const next = this.#silent.has(machine) ? null : this.#nextFor(machine, unit)
      const before = this.#pending.get(pair)
      if (next === null) {
        if (before?.step !== 'healthy' || !this.#isUnhealthy(machine, unit)) this.#pending.delete(pair)
      } else if (before === undefined || kindOf(before) !== kindOf(next.task)) {
        this.#pending.set(pair, next.task)
        this.#due.push(now + next.afterMs, next.task)
      }
    }
  }

  /** What is late to answer its checks will pass them yet, while it runs. */
  #isUnhealthy(machine: MachineId, unit: UnitName): boolean {
    const { view } = this.#cluster
    const report = view.reportsOf(machine).get(unit)
    return view.units.get(unit)?.desired === 'launched' && report?.health === 'unhealthy'
  }

  #note({ key, ...change }: Change): void {
    const kind = kindOfKey(key)
    if (kind === 'unit') this.#touchUnit(key.slice(prefixes.unit.length) as UnitName)
    else if (kind === 'machine') this.#touchMachine(key.slice(prefixes.machine.length) as MachineId)
    else if (kind === 'report') {
      const [machine = '', unit = ''] = key.slice(prefixes.report.length).split('/')
      this.#touch(machine as MachineId, unit as UnitName)
    } else if (kind === 'placement') {
      for (const entry of [change.previous, change.type === 'put' ? change.entry : null]) {
        if (entry === null) continue
        const { machine, unit } = JSON.parse(entry.value) as Placement
        this.#touch(machine, unit)
      }
    }
  }

  #touch(machine: MachineId, unit: UnitName): void {
    this.#touched.set(pairOf(machine, unit), { machine, unit })
  }

  #touchUnit(unit: UnitName): void {
    const { view } = this.#cluster
    const placement = view.placements.get(unit)
    if (placement !== undefined) this.#touch(placement.machine, unit)
    for (const machine of view.globalPlacementsOf(unit).keys()) this.#touch(machine, unit)
  }

  #touchMachine(machine: MachineId): void {
    const { view } = this.#cluster
    for (const unit of view.placedOn(machine).keys()) this.#touch(machine, unit)
    for (const unit of view.reportsOf(machine).keys()) this.#touch(machine, unit)
  }

  /** What a machine has to do with a unit, and how long that takes; null for nothing. */
  #nextFor(machine: MachineId, name: UnitName): { readonly task: Task; readonly afterMs: number } | null {
    const { view } = this.#cluster
    if (!view.machines.has(machine) || view.isUnitHeld(name)) return null
    const report = view.reportsOf(machine).get(name)
    // Whoever does not know what runs does nothing about it.
    if (report?.unknownSince !== undefined) return null
    const unit = view.units.get(name)
    const task = { machine, unit: name, next: [] }
    if (!view.placedOn(machine).has(name)) {
      if (report === undefined) return null
      if (hasStopped(report)) return { task: { ...task, step: 'forget' }, afterMs: 0 }
      return { task: { ...task, step: 'stop' }, afterMs: this.#stopMs(unit) }
    }
    if (unit?.desired === 'launched') return this.#towardsRunning(task, unit, report)
    if (report === undefined) return { task: { ...task, step: 'stop' }, afterMs: 0 }
    if (hasStopped(report)) return null
    // What others may still be sent to serves them first.
    const servesMs = report.active === 'active' ? (unit?.stopAfterMs ?? 0) : 0
    return { task: { ...task, step: 'stop' }, afterMs: servesMs + this.#stopMs(unit) }
  }

  #towardsRunning(
    task: Omit<Task, 'step'>,
    unit: DesiredUnit,
    report: UnitReport | undefined,
  ): { readonly task: Task; readonly afterMs: number } | null {
    const { startMs } = this.#durations
    // What is in trouble stays so: nobody knows what would help.
    if (report?.failure != null) return null
    const findings = this.#findingsFor(unit)
    if (report === undefined || !report.launched)
      return findings.length === 0
        ? { task: { ...task, step: 'start' }, afterMs: startMs }
        : { task: { ...task, step: 'start', next: findings }, afterMs: 0 }
    const [first, ...next] = findings
    if (report.active !== 'active' || report.health !== 'unknown' || first === undefined) return null
    return { task: { ...task, step: first.health, next: later(first, next) }, afterMs: first.afterMs }
  }

  #findingsFor(unit: DesiredUnit): readonly Finding[] {
    const checks = this.#cluster.units.checks(unit)
    if (checks.length === 0) return []
    const key = JSON.stringify(checks)
    const known = this.#findings.get(key) ?? findingsOf(checks, this.#durations.startMs)
    this.#findings.set(key, known)
    return known
  }

  /** How long the stop of a unit takes. */
  #stopMs(unit: DesiredUnit | undefined): number {
    const { stopMs } = this.#durations
    const text = unit === undefined ? undefined : this.#cluster.view.files.get(unit.hash)
    const own =
      unit === undefined || text === undefined ? 0 : stopTimeoutOf(this.#cluster.units.file(unit.hash))
    const given = Math.min(own, unit?.stopWithinMs ?? Number.POSITIVE_INFINITY)
    return Number.isFinite(given) ? Math.min(given, stopMs ?? given) : (stopMs ?? endlessStopMs)
  }

  #do({ machine, unit, step, next }: Task): void {
    const { view, now } = this.#cluster
    const report = view.reportsOf(machine).get(unit)
    if (step === 'forget') this.#cluster.apply([{ op: 'delete', key: keys.report(machine, unit) }])
    else if (step === 'start') this.#report(this.#started(machine, unit))
    else if (step === 'stop') this.#report(stoppedReport(report ?? this.#started(machine, unit), now))
    else if (report !== undefined) this.#report({ ...report, health: step, ...reasonFor(step) })
    const [first] = next
    if (first === undefined) return
    const task = { machine, unit, step: first.health, next: later(first, next.slice(1)) }
    this.#pending.set(pairOf(machine, unit), task)
    this.#due.push(now + first.afterMs, task)
  }

  #report(report: UnitReport): void {
    this.#cluster.apply([putOf('report', report)])
  }

  #started(machine: MachineId, name: UnitName): UnitReport {
    const { view, units, now } = this.#cluster
    const unit = view.units.get(name)
    const drivers = unit === undefined ? [] : units.needs(unit).drivers
    const driver = drivers.find((one) => view.machines.get(machine)?.drivers.includes(one)) ?? 'process'
    return { ...startedReport(machine, name, now), driver, pid: null }
  }
}

function pairOf(machine: MachineId, unit: UnitName): Pair {
  return `${machine}/${unit}`
}

/** Findings replace each other; any other step stands for itself. */
function kindOf({ step }: Task): 'start' | 'stop' | 'forget' | 'check' {
  return step === 'start' || step === 'stop' || step === 'forget' ? step : 'check'
}

/** Findings, counted from the first of them. */
function later(first: Finding, next: readonly Finding[]): readonly Finding[] {
  return next.map(({ afterMs, health }) => ({ afterMs: afterMs - first.afterMs, health }))
}

function reasonFor(health: Health): Pick<UnitReport, 'healthReason'> {
  return { healthReason: health === 'unhealthy' ? 'it has not answered its checks in time' : null }
}

function stoppedReport(report: UnitReport, now: Instant): UnitReport {
  const exit = { code: null, signal: 'SIGTERM', oom: false, at: now }
  return { ...report, active: 'inactive', sub: 'dead', launched: false, exit, since: now }
}
