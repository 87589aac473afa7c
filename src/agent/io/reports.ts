// What the agent reports of its machine: the state of each unit that is placed here, written when it has changed, and the
// events that belong to it. Decides nothing about units.
import type { MachineWord } from '../../health/condition.js'
import type { Log } from '../../lib/io/log.js'
import type { Instant, Time } from '../../lib/time.js'
import type { DriverKind } from '../../model/driver-kind.js'
import type { EventDraft } from '../../model/event.js'
import type { MachineId } from '../../model/machine.js'
import type { DesiredUnit, ObservedUnit, PullProgress, UnitName, UnitReport } from '../../model/unit.js'
import type { EventLog } from '../../store/io/event-log.js'
import type { Registry } from '../../store/io/registry.js'
import { keys, putOf } from '../../store/records.js'
import type { Compare, Op } from '../../store/store.js'
import type { Driver } from '../driver.js'
import { DriverNews } from '../driver-news.js'
import { type Chain, type PlacedUnit, runs } from '../plan-local.js'
import { PullNews, type PullOutcome } from '../pull-news.js'
import { absentUnit, freshMemory, reportOf, type UnitMemory, unchecked } from '../report.js'
import { eventsBetween, machineEvent } from '../report-events.js'
import { UnchangedInputs, type UnitInputs } from '../unchanged-inputs.js'
import type { Observation } from './observation.js'
import { readOutput } from './read-output.js'

interface ReportsOptions {
  readonly machine: MachineId
  readonly registry: Registry
  readonly events: EventLog
  readonly clock: Pick<Time, 'after'>
  readonly log: Log
  readonly drivers: ReadonlyMap<DriverKind, Driver>
  readonly observation: Observation
  /** The driver that holds, or would hold, a unit. */
  readonly driverOf: (name: UnitName) => Driver | null
  /** Whether a unit runs once, as an instance of a service that is not continuous does. */
  readonly runsOnce: (unit: DesiredUnit) => boolean
  readonly memoryOf: (name: UnitName) => UnitMemory
  readonly remember: (name: UnitName, change: Partial<UnitMemory>) => void
  /** What is under way for a unit. */
  readonly chainOf: (name: UnitName) => Chain | undefined
  /** Called when there is something to report that no pass waits for. */
  readonly wake: () => void
}

/** What a pass found, to be reported. */
interface PassFindings {
  /** Units placed here that may have changed. */
  readonly open: readonly PlacedUnit[]
  /** All that are placed here. */
  readonly placed: ReadonlySet<UnitName>
  /** The last report of each unit in the store. */
  readonly reported: ReadonlyMap<UnitName, UnitReport>
  /** Units that stay as they are. */
  readonly held: ReadonlySet<UnitName>
  /** Units that nothing was decided on while their files were written: they may be due as they are. */
  readonly undecided: ReadonlySet<UnitName>
  /** Units that another machine may still have. */
  readonly elsewhere: ReadonlySet<UnitName>
  /** Whether runs wait for space in the store. */
  readonly holdsRuns: boolean
}

/** How long a program has to be seen ended under systemd before that is told; other drivers say at once what follows. */
const endLastsMs = 50
/** Reports in one transaction at most: each may be a comparison, and etcd takes 128 of these and of writes beside them. */
const reportsPerWrite = 100

interface ReportWrite {
  /** What has to be as it was for the write to be made. */
  readonly compare?: readonly Compare[]
  readonly ops: readonly Op[]
}

const noWrite: ReportWrite = { ops: [] }

export class Reports {
  readonly #options: ReportsOptions
  /** Units that are to run and have ended, since when they were first seen so. */
  readonly #ended = new Map<UnitName, Instant>()
  /** Units whose last lines are being read. */
  readonly #reading = new Map<UnitName, Promise<void>>()
  readonly #unchanged = new UnchangedInputs()
  /** The unit whose container is the oldest that is kept on a disk that is nearly full. */
  #pressed: UnitName | null = null
  /** Events yet to be written: of images, of drivers, and of the machine itself. */
  readonly #news: EventDraft[] = []
  /** The writes of such events that were asked for, until it is known that they were made: asked for again, they are the same. */
  readonly #unconfirmed: Op[] = []
  readonly #pullNews: PullNews
  readonly #driverNews: DriverNews

  constructor(options: ReportsOptions) {
    this.#options = options
    this.#pullNews = new PullNews(options.machine)
    this.#driverNews = new DriverNews(options.machine)
  }

  /** Whether a unit has nothing new to decide on or to report since a pass found nothing. */
  isUnchanged(one: PlacedUnit, reported: UnitReport | undefined): boolean {
    return this.#unchanged.has(this.#inputsOf(one, reported))
  }

  /** Notes how far the pull is that a unit waits for. */
  notePull(name: UnitName, progress: PullProgress): void {
    const unit = this.#options.registry.view.units.get(name)
    if (unit !== undefined) this.#note(this.#pullNews.note(unit, progress))
  }

  notePullEnd(name: UnitName, outcome: PullOutcome, now: Instant): void {
    this.#note(this.#pullNews.end(name, outcome, now))
  }

  /** Notes what the checks found of the machine itself. */
  noteMachine(word: MachineWord): EventDraft {
    const event = machineEvent(this.#options.machine, this.#hostname(), word)
    this.#note(event)
    return event
  }

  /** Notes what belongs to the history, of files and volumes of a unit. */
  noteEvent(event: EventDraft): void {
    this.#note(event)
  }

  /** Notes which drivers do not answer: that one stops or starts answering belongs to the history. */
  noteDrivers(now: Instant): void {
    const silent = this.#options.observation.silent(now)
    this.#news.push(...this.#driverNews.note(silent, this.#hostname(), now))
  }

  /** Notes the unit whose container is the oldest that is kept on a disk that is nearly full; null: none. */
  noteDiskPressure(name: UnitName | null): void {
    if (name === this.#pressed) return
    for (const one of [name, this.#pressed]) if (one !== null) this.#unchanged.forget(one)
    this.#pressed = name
    this.#options.wake()
  }

  /** Forgets a unit that is neither here nor to be here. */
  forget(name: UnitName): void {
    this.#ended.delete(name)
    this.#unchanged.forget(name)
    this.#pullNews.forget(name)
  }

  clockSet(byMs: number): void {
    for (const [name, since] of this.#ended) this.#ended.set(name, since + byMs)
  }

  /** When a unit that has just ended is reported at the earliest; null for none. */
  dueAt(now: Instant): Instant | null {
    const due = [...this.#ended.values()].map((since) => since + endLastsMs).filter((at) => at > now)
    return due.length === 0 ? null : Math.min(...due)
  }

  /** Waits for what is being read. */
  async stop(): Promise<void> {
    await Promise.all(this.#reading.values())
  }

  /** Writes what has changed since the last report. Throws StoreError; what was not written is written later. */
  async write(pass: PassFindings, now: Instant): Promise<void> {
    const { registry, wake } = this.#options
    const news = this.#newsToWrite()
    const writes: readonly ReportWrite[] = [
      ...news.map((op) => ({ ops: [op] })),
      ...pass.open.map((one) => this.#writeOf(one, pass, now)),
      ...this.#opsOfGone(pass, now).map((ops) => ({ ops })),
      ...this.#leftovers(pass.placed).map((key) => ({ ops: [{ op: 'delete' as const, key }] })),
    ].filter(({ ops }) => ops.length > 0)
    for (let from = 0; from < writes.length; from += reportsPerWrite) {
      const batch = writes.slice(from, from + reportsPerWrite)
      const compare = batch.flatMap((one) => one.compare ?? [])
      const ops = batch.flatMap((one) => one.ops)
      // One of an earlier pass was made after all, and the view has it by now.
      if (!(await registry.commit(compare, ops))) return wake()
      // Those of this batch are the first ones: events come before reports.
      this.#unconfirmed.splice(0, reportsPerWrite)
    }
  }

  /** The events that are noted and that the view does not have. */
  #newsToWrite(): readonly Op[] {
    const { registry, events } = this.#options
    const open = this.#unconfirmed.filter((op) => op.op === 'put' && registry.entryAt(op.key) === null)
    const asked = this.#news.splice(0).flatMap((event) => events.append([event]))
    this.#unconfirmed.splice(0, this.#unconfirmed.length, ...open, ...asked)
    return [...this.#unconfirmed]
  }

  /** What is to be written of one unit that is placed here; nothing where nothing has changed. */
  #writeOf(
    one: PlacedUnit,
    { reported, elsewhere, holdsRuns, undecided }: PassFindings,
    now: Instant,
  ): ReportWrite {
    const { observation, machine, events, registry } = this.#options
    const { unit } = one
    const { name } = unit
    const driver = this.#options.driverOf(name)
    const known = reported.get(name)
    const unknownSince = observation.unknownSince(name, now)
    if (unknownSince !== null) {
      const last = known ?? reportOf(machine, absentUnit(name, driver?.kind ?? 'process'), freshMemory)
      return { ops: opsOfSilence(last, unknownSince) }
    }
    // What is known of it is old; a later pass tells.
    if (observation.isStale(name) || (driver !== null && observation.isUnlisted(driver))) return noWrite
    if (this.#endsJustNow(unit, now) || this.#readsOutput(unit, driver)) return noWrite
    const report = this.#reportOf(unit)
    if (report === null || JSON.stringify(report) === JSON.stringify(known)) {
      // One that has yet to be seen lasting is a matter of time, and one that is still elsewhere, of others; a run may
      // wait for space.
      const mayBeDue = this.#ended.has(name) || elsewhere.has(name) || undecided.has(name) || holdsRuns
      if (!mayBeDue) this.#unchanged.note(this.#inputsOf(one, known))
      return noWrite
    }
    const { unheld } = observation.units.get(name) ?? {}
    const drafts = unit.instance === null ? [] : eventsBetween(unit.instance, known ?? null, report, unheld)
    const told = events.append(this.#withoutJoined(unit, drafts))
    if (told.length === 0) return { ops: [putOf('report', report)] }
    // The events are what came after the report that was read: if a later one was written, as by a request that nobody got
    // an answer to, they are told already.
    const key = keys.report(machine, name)
    const compare = [{ key, modRevision: registry.view.revisionOf(key) }]
    return { compare, ops: [putOf('report', report), ...told] }
  }

  /** What is to be written of units that were reported and are not placed here any more. */
  #opsOfGone({ reported, placed, held }: PassFindings, now: Instant): readonly (readonly Op[])[] {
    const { registry, machine, observation, drivers } = this.#options
    return [...reported].map(([name, report]) => {
      if (placed.has(name) || held.has(name) || registry.view.isUnitHeld(name)) return []
      // What was not seen gone may be there still.
      if (!observation.isAway(report.driver))
        return observation.units.has(name) ? [] : [{ op: 'delete', key: keys.report(machine, name) }]
      const unknownSince = observation.silentSince(drivers.get(report.driver) ?? null, now)
      return unknownSince === null ? [] : opsOfSilence(report, unknownSince)
    })
  }

  /**
   * Reports of ours that cannot be read and are about what is neither here nor to be here: nobody else makes an end of
   * them, and what they hold up waits. While a driver does not answer, what they are about may be there still.
   */
  #leftovers(placed: ReadonlySet<UnitName>): readonly string[] {
    const { registry, machine, observation, chainOf } = this.#options
    const { view } = registry
    if (view.unreadable.size === 0 || observation.isUnsure) return []
    const ours = keys.report(machine, '' as UnitName)
    return [...view.unreadable.keys()].filter((key) => {
      if (!key.startsWith(ours)) return false
      const name = key.slice(ours.length) as UnitName
      const isHere = placed.has(name) || view.placedOn(machine).has(name) || observation.units.has(name)
      return !isHere && chainOf(name) === undefined && !view.isUnitHeld(name)
    })
  }

  #note(event: EventDraft | null): void {
    if (event !== null) this.#news.push(event)
  }

  #hostname(): string {
    const { registry, machine } = this.#options
    return registry.view.machines.get(machine)?.hostname ?? machine
  }

  #inputsOf({ unit, placement }: PlacedUnit, reported: UnitReport | undefined): UnitInputs {
    const { name } = unit
    const { observation, memoryOf, chainOf } = this.#options
    const observed = observation.units.get(name)
    return { unit, placement, observed, memory: memoryOf(name), reported, chain: chainOf(name) }
  }

  /** How a program ended that ran once for somebody is told by whom it was joined to: here only what held its place is seen. */
  #withoutJoined({ name, desired }: DesiredUnit, drafts: readonly EventDraft[]): readonly EventDraft[] {
    const isJoined = this.#options.registry.view.instances.get(name)?.oneOff !== undefined
    return isJoined && desired === 'inactive'
      ? drafts.filter(({ kind }) => kind !== 'instance-exited')
      : drafts
  }

  /**
   * A unit that is to run and has ended is told of when it has been so for a moment: systemd calls a unit failed, and
   * then dead, on its way to a restart. Nobody is to replace it for that.
   */
  #endsJustNow({ name, desired }: DesiredUnit, now: Instant): boolean {
    const { observation, memoryOf, chainOf } = this.#options
    const { active, driver } = observation.units.get(name) ?? {}
    const { launched } = memoryOf(name)
    if (desired !== 'launched' || !launched || (active !== 'failed' && active !== 'inactive')) {
      this.#ended.delete(name)
      return false
    }
    // After a reboot, say: it is being started, and what comes of that is told.
    if (chainOf(name) !== undefined) {
      this.#ended.delete(name)
      return true
    }
    if (driver !== 'systemd') return false
    const since = this.#ended.get(name) ?? now
    this.#ended.set(name, since)
    return now < since + endLastsMs
  }

  /** The last lines of a run that is over are read before its end is told: who is told may have them removed. */
  #readsOutput(unit: DesiredUnit, driver: Driver | null): boolean {
    const { name } = unit
    const { clock, log, observation, memoryOf, remember, runsOnce, wake } = this.#options
    const observed = observation.units.get(name)
    if (driver === null || observed === undefined || !runsOnce(unit)) return false
    const isOver = observed.active === 'failed' || observed.active === 'inactive'
    if (!isOver || observed.exit === null || memoryOf(name).output !== null) return false
    if (!this.#reading.has(name)) {
      const read = readOutput(driver, name, { clock, log }).then((output) => {
        remember(name, { output })
        this.#reading.delete(name)
        wake()
      })
      this.#reading.set(name, read)
    }
    return true
  }

  #reportOf(unit: DesiredUnit): UnitReport | null {
    const { name } = unit
    const { machine, observation, chainOf, driverOf, runsOnce } = this.#options
    const memory = this.#options.memoryOf(name)
    const observed = observation.units.get(name)
    if (observed !== undefined)
      return {
        ...reportOf(machine, observed, healthNow(memory, observed)),
        ...(this.#pressed === name && { diskPressure: true }),
        ...this.#startable(unit),
      }
    // On its way: there is nothing to tell yet, unless it failed before or was never to start.
    if (chainOf(name) !== undefined && memory.failure === null && memory.pulling === null) return null
    const kind = driverOf(name)?.kind ?? 'process'
    const exit = memory.launched && runsOnce(unit) ? memory.lastExit : null
    return { ...reportOf(machine, { ...absentUnit(name, kind), exit }, memory), ...this.#startable(unit) }
  }

  /**
   * Whether an instance that does not run may run a moment later: by a start that is under way, or the next one. Who has it
   * retired meanwhile is not to take it for stopped before this agent has heard of it.
   */
  #startable({ name, instance, desired }: DesiredUnit): Pick<UnitReport, 'mayStart'> {
    const { observation, memoryOf, chainOf } = this.#options
    const observed = observation.units.get(name)
    if (instance === null || (observed !== undefined && runs(observed))) return {}
    const isStarting = chainOf(name)?.steps.includes('start') === true
    const isDue = desired === 'launched' && !memoryOf(name).launched
    return isStarting || isDue ? { mayStart: true } : {}
  }
}

/** Tells once that nothing is known of a unit for its driver. */
function opsOfSilence({ unseen, ...report }: UnitReport, unknownSince: Instant): readonly Op[] {
  const isTold = report.unknownSince !== undefined && unseen === undefined
  return isTold ? [] : [putOf('report', { ...report, unknownSince })]
}

/** What does not run has no health. */
function healthNow(memory: UnitMemory, observed: ObservedUnit): UnitMemory {
  if (observed.active === 'active' || memory.health === 'unhealthy') return memory
  return unchecked(memory)
}
