// The agent of one machine: brings what runs here in line with what is placed here, checks it, and reports it.

import type { MachineWord } from '../../health/condition.js'
import { startChecker } from '../../health/io/checker.js'
import { type OwnProbe, runNothing } from '../../health/io/own-probe.js'
import { InvariantError, invariant } from '../../lib/invariant.js'
import { type JumpWatch, watchForJumps } from '../../lib/io/clock.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { startLoop } from '../../lib/io/loop.js'
import { earlier, type Instant, type Time } from '../../lib/time.js'
import type { DriverKind } from '../../model/driver-kind.js'
import type { EventDraft } from '../../model/event.js'
import type { MachineId } from '../../model/machine.js'
import { addressOn } from '../../model/network.js'
import type { PolicyHere } from '../../model/policy.js'
import type { DesiredUnit, ObservedUnit, UnitName, UnitReport } from '../../model/unit.js'
import type { EventLog } from '../../store/io/event-log.js'
import type { Registry } from '../../store/io/registry.js'
import type { SecretBox } from '../../store/io/secret-box.js'
import { keys, kindOfKey, placedUnitOf, putOf, reportedUnitOf } from '../../store/records.js'
import { LeftPlaces, reportedElsewhere } from '../../store/still-elsewhere.js'
import { type Change, isOutOfReach, type Op } from '../../store/store.js'
import { mayBeStartedByOthers } from '../../unit/install.js'
import type { UnitReader } from '../../unit/reader.js'
import { chooseDriver } from '../choose-driver.js'
import type { Driver } from '../driver.js'
import { DriverNews } from '../driver-news.js'
import { type DriversHere, driversHere } from '../drivers-here.js'
import { isIdleEverywhere } from '../entry-idle.js'
import { type Leaving, leavingOf, nextStopInMs, stillServing } from '../leaving.js'
import { type PlacedUnit, planLocal, runs } from '../plan-local.js'
import { PullNews } from '../pull-news.js'
import {
  absentUnit,
  freshMemory,
  memoryOf,
  memoryOfFound,
  reportOf,
  type UnitMemory,
  unchecked,
} from '../report.js'
import { eventsBetween, machineEvent } from '../report-events.js'
import { StopsAsked } from '../stops-asked.js'
import { UnchangedInputs, type UnitInputs } from '../unchanged-inputs.js'
import { UnknownUnits } from '../unknown-units.js'
import { Chains } from './chains.js'
import { type CommandRunner, checkedUnit, runCommand } from './checked-unit.js'
import type { KeptLogs } from './kept-logs.js'
import { LeftVolumes } from './left-volumes.js'
import { LimitedStops } from './limited-stops.js'
import { Observation } from './observation.js'
import { refuseTakenPorts } from './port-check.js'
import { readOutput } from './read-output.js'

export interface AgentOptions {
  readonly machine: MachineId
  readonly registry: Registry
  readonly drivers: ReadonlyMap<DriverKind, Driver>
  readonly units: UnitReader
  readonly events: EventLog
  readonly secrets: SecretBox
  readonly clock: Time
  readonly log: Log
  /** How the machine itself is looked at; default: as it is. */
  readonly host?: HostLooks
  /** Whether what runs here was started for another cluster than the one of the store; default: no. */
  readonly isForeign?: boolean
  /** Called with units that run here and that the cluster knows nothing of, when they are found, and with none when all are gone or known. */
  readonly onUnknown?: (names: readonly UnitName[]) => void
  /** Called with what there is of drivers, when one has come, or answers no more or again. */
  readonly onDrivers?: (drivers: DriversHere) => Promise<void>
  /** Whether it begins without the cluster, with what was placed here when the store was last seen, until `join`. */
  readonly alone?: boolean
  /** What this agent, and those before it in this process, have asked to stop; default: nothing yet. */
  readonly stopsAsked?: StopsAsked
  /** Whether the store has space for what is told. */
  readonly space?: SpaceForReports
  /** What the operator of this machine lets units do; default: anything. */
  readonly policy?: () => PolicyHere | null
  /** Keeps what instances have written once they leave; default: it goes with them. */
  readonly keptLogs?: Pick<KeptLogs, 'keep' | 'note'>
  /** Where it is noted whose volumes are still to be deleted; default: an end of the agent forgets that. */
  readonly leftVolumesFile?: string
}

export interface SpaceForReports {
  /** Not null while nothing can be told for want of space. */
  full(): object | null
  /** Calls back whenever there is room again. Returns the way to end that. */
  onRoom(listener: () => void): () => void
}

/** What an agent finds out about its machine besides what drivers tell. */
export interface HostLooks {
  /** Throws PortTakenError for the first port that something holds. */
  readonly refuseTakenPorts: typeof refuseTakenPorts
  /** A program that does nothing: how slow the machine is. */
  readonly ownProbe: OwnProbe
  /** The time by which checks are made; default: the agent's. */
  readonly checkTime?: Time
}

const thisHost: HostLooks = { refuseTakenPorts, ownProbe: runNothing }

/** Carries out on its machine what was decided for it, and reports what it sees. */
export interface Agent {
  /** The cluster is there, and this machine is part of it: from now on all is done that is wanted, and told. */
  join(): void
  /** The driver that holds, or would hold, a unit; null when no driver here can run it. */
  driverOf(name: UnitName): Driver | null
  /** Units that run here, that the cluster knows nothing of, and that are left as they are. */
  unknownUnits(): readonly UnitName[]
  /** Stops and removes those. */
  stopUnknown(): void
  /** Tells of one unit that its container is the oldest that is kept on a disk that is nearly full; null: of none. */
  tellDiskPressure(name: UnitName | null): void
  /** Looks again: what units may do here has changed. */
  lookAgain(): void
  /** Keeps units of this machine from being started with a volume, until it is let go of. Throws DriverError. */
  holdVolume: Chains['holdVolume']
  /** Ends the agent. What runs goes on running. */
  stop(): Promise<void>
}

/** How long a program has to be seen ended under systemd before that is told; other drivers say at once what follows. */
const endLastsMs = 50
/** How long a pass waits for what drivers are asked; what takes longer is seen by a later one, and holds up no other. */
const lookWithinMs = 500
/** How soon volumes that could not be deleted are tried again. */
const sweepAgainMs = 5000
/** The shortest time between two passes: what changes in a burst is told together. */
const restAfterPassMs = 5
/** Reports in one transaction at most. */
const reportsPerWrite = 128

/** Starts the agent: finds what runs here already, then keeps it as it is desired. */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const agent = new LocalAgent(options)
  await agent.start()
  return agent
}

class LocalAgent implements Agent {
  readonly #options: AgentOptions
  readonly #units: UnitReader
  readonly #abort = new AbortController()
  readonly #observation: Observation
  readonly #memory = new Map<UnitName, UnitMemory>()
  readonly #chains: Chains
  /** Units that are to run and have ended, since when they were first seen so. */
  readonly #ended = new Map<UnitName, Instant>()
  /** Units whose last lines are being read. */
  readonly #reading = new Map<UnitName, Promise<void>>()
  readonly #unchanged = new UnchangedInputs()
  readonly #stopsAsked: StopsAsked
  readonly #unknown: UnknownUnits
  #hadUnknown = false
  /** The unit whose container is the oldest that is kept on a disk that is nearly full. */
  #pressed: UnitName | null = null
  /** What is yet to be told: of the images that are fetched, and what the checks found of the machine itself. */
  readonly #news: EventDraft[] = []
  readonly #pullNews: PullNews
  readonly #driverNews: DriverNews
  readonly #leftVolumes: LeftVolumes
  readonly #limitedStops: LimitedStops
  /** What was told of the drivers last. */
  #driversTold: string
  /** What was placed here when the last pass looked. */
  #placedNames: ReadonlySet<UnitName> = new Set()
  /** Units that are not started before another machine has let go of them. */
  #elsewhere: ReadonlySet<UnitName> = new Set()
  readonly #leftPlaces: LeftPlaces
  /** Instances that are to stop, and until when others may still be sent to them. */
  #leaving: Leaving = new Map()
  /** Without the cluster: what ran here when it was last seen. */
  #alone: ReadonlySet<UnitName> | null = null
  /** The metadata of this machine when it was last looked at. */
  #metadata: Readonly<Record<string, string>> = {}
  /** Units of which the last report could not be read when the agent started, and of which no driver knows a start. */
  readonly #unsure = new Set<UnitName>()
  readonly #startedAt: Instant
  readonly #checker: ReturnType<typeof startChecker>
  #loop: ReturnType<typeof startLoop> | null = null
  #unsubscribe: (() => void) | null = null
  #unsubscribeRoom: (() => void) | null = null
  readonly #watch: JumpWatch

  constructor(given: AgentOptions) {
    this.#watch = watchForJumps(given.clock, (byMs) => this.#clockSet(byMs))
    const options = { ...given, clock: this.#watch.clock }
    this.#options = options
    this.#startedAt = options.clock.now()
    this.#stopsAsked = options.stopsAsked ?? new StopsAsked()
    this.#unknown = new UnknownUnits(options.isForeign === true)
    this.#units = options.units
    this.#driversTold = JSON.stringify(driversHere(options.drivers.values()))
    this.#pullNews = new PullNews(options.machine)
    this.#driverNews = new DriverNews(options.machine)
    this.#leftVolumes = new LeftVolumes(options)
    this.#leftPlaces = new LeftPlaces(options.machine)
    const { machine, registry, units, secrets, clock, log, host = thisHost } = options
    this.#chains = new Chains({
      ...{ machine, registry, units, secrets, clock, log },
      stopsAsked: this.#stopsAsked,
      refuseTakenPorts: host.refuseTakenPorts,
      policy: options.policy ?? (() => null),
      keptLogs: options.keptLogs,
      driverOf: (name) => this.driverOf(name),
      drivers: () => options.drivers.values(),
      runsOnce: (unit) => this.#isRun(unit),
      memoryOf: (name) => this.#memory.get(name) ?? freshMemory,
      remember: (name, change) => this.#remember(name, change),
      onPull: (name, pulling) => {
        const unit = registry.view.units.get(name)
        if (unit !== undefined) this.#note(this.#pullNews.note(unit, pulling))
        this.#remember(name, { pulling })
        this.#loop?.wake()
      },
      onPulled: (name, outcome) => {
        this.#note(this.#pullNews.end(name, outcome, clock.now()))
        this.#remember(name, { pulling: null })
      },
      onUnreachable: (driver, error) => this.#observation.noteAway(driver, error),
      onEnd: (name, driver) => {
        if (driver === null) this.#loop?.wake()
        else this.#observation.noteChanged(driver, name)
      },
    })
    this.#observation = new Observation({
      ...{ drivers: options.drivers, clock, log, signal: this.#abort.signal },
      driverOf: (name) => this.driverOf(name),
      onFirstList: (driver, found) => this.#noteFound(driver, found),
      wake: () => this.#loop?.wake(),
    })
    this.#limitedStops = new LimitedStops({
      clock,
      log,
      driverOf: (name) => this.driverOf(name),
      isBegun: (name) => this.#chains.of(name)?.cause === 'to-stop',
    })
    this.#checker = startChecker({
      clock: host.checkTime ?? options.clock,
      ownProbe: host.ownProbe,
      onVerdict: (name, { health, reason, notice }) => {
        this.#remember(name, { health, healthReason: reason, notice })
        this.#loop?.wake()
      },
      onMachine: (word) => {
        const event = this.#told(word)
        if (word.isSick) options.log.warn('health', event.message)
        else options.log.info('health', event.message)
        this.#note(event)
        this.#loop?.wake()
      },
      onError: (error) => {
        options.log.error('health', describeError(error))
        if (error instanceof InvariantError) throw error
      },
    })
  }

  async start(): Promise<void> {
    const { registry, machine, clock, log } = this.#options
    const reports = registry.view.reportsOf(machine)
    for (const report of reports.values()) this.#memory.set(report.name, memoryOf(report))
    for (const { unit } of this.#placed()) this.#options.keptLogs?.note(unit)
    // What another cluster wanted is not for this one to do.
    if (this.#options.isForeign !== true) await this.#leftVolumes.open()
    if (this.#options.alone === true)
      this.#alone = new Set([...reports.values()].filter(ran).map(({ name }) => name))
    await this.#observation.start()
    for (const key of registry.view.unreadable.keys()) this.#noteUnsure(key)
    this.#loop = startLoop({
      pass: (now) => this.#pass(now),
      clock,
      intervalMs: 30_000,
      restMs: restAfterPassMs,
      onError: (error) => {
        if (!isOutOfReach(error)) log.warn('agent', describeError(error))
      },
    })
    this.#unsubscribeRoom = this.#options.space?.onRoom(() => this.#loop?.wake()) ?? null
    this.#unsubscribe = registry.onChange((kinds, changes) => {
      if (kinds.has('service')) {
        this.#leftVolumes.note(changes)
        if (this.#leftVolumes.isDue) this.#loop?.wake()
      }
      if (kinds.has('report')) this.#tellAgain(changes)
      this.#noteElsewhere(changes)
      if (kinds.has('file')) this.#loop?.wake()
      if (kinds.has('entryIdle') && this.#leaving.size > 0) this.#loop?.wake()
      if (!kinds.has('placement') && !kinds.has('unit')) return
      if (changes.some(({ key }) => this.#isHere(placedUnitOf(key)))) this.#loop?.wake()
    })
  }

  join(): void {
    this.#alone = null
    this.#leftVolumes.follow()
    this.#loop?.wake()
  }

  unknownUnits(): readonly UnitName[] {
    const { view } = this.#options.registry
    const isKnown = (name: UnitName): boolean => view.units.has(name)
    return [...this.#unknown.now((name) => this.#observation.units.has(name), isKnown)].sort()
  }

  stopUnknown(): void {
    this.#unknown.release(this.unknownUnits())
    this.#loop?.wake()
  }

  lookAgain(): void {
    this.#loop?.wake()
  }

  tellDiskPressure(name: UnitName | null): void {
    if (name === this.#pressed) return
    for (const one of [name, this.#pressed]) if (one !== null) this.#unchanged.forget(one)
    this.#pressed = name
    this.#loop?.wake()
  }

  #noteUnknown(): readonly UnitName[] {
    const names = this.unknownUnits()
    if (this.#hadUnknown && names.length === 0) this.#options.onUnknown?.([])
    this.#hadUnknown = names.length > 0
    return names
  }

  #noteUnsure(key: string): void {
    const ours = keys.report(this.#options.machine, '' as UnitName)
    if (!key.startsWith(ours)) return
    const name = key.slice(ours.length) as UnitName
    if ((this.#observation.units.get(name)?.since ?? null) === null) this.#unsure.add(name)
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.()
    this.#unsubscribeRoom?.()
    this.#watch.end()
    await this.#loop?.stop()
    await this.#checker.stop()
    this.#abort.abort()
    await Promise.all([
      this.#leftVolumes.stop(),
      this.#limitedStops.stop(),
      this.#chains.stop(),
      ...this.#reading.values(),
    ])
  }

  /** What waits goes on waiting for as long as it was to, by whatever clock. */
  #clockSet(byMs: number): void {
    for (const [name, memory] of this.#memory)
      if (memory.retryAt !== null) this.#memory.set(name, { ...memory, retryAt: memory.retryAt + byMs })
    for (const [name, since] of this.#ended) this.#ended.set(name, since + byMs)
    this.#observation.clockSet(byMs)
    this.#loop?.wake()
  }

  async holdVolume(...args: Parameters<Agent['holdVolume']>): Promise<() => void> {
    return await this.#chains.holdVolume(...args)
  }

  driverOf(name: UnitName): Driver | null {
    const held = this.#observation.units.get(name)?.driver
    if (held !== undefined) return this.#options.drivers.get(held) ?? null
    const { registry } = this.#options
    const unit = registry.view.units.get(name)
    const kind =
      unit === undefined || registry.view.isUnitHeld(name)
        ? null
        : chooseDriver(this.#units.needs(unit), [...this.#options.drivers.keys()])
    return kind === null ? null : (this.#options.drivers.get(kind) ?? null)
  }

  /** A report of ours that cannot be read is told anew. */
  #tellAgain(changes: readonly Change[]): void {
    const { unreadable } = this.#options.registry.view
    if (unreadable.size === 0) return
    const ours = keys.report(this.#options.machine, '' as UnitName)
    if (changes.some(({ key }) => key.startsWith(ours) && unreadable.has(key))) this.#loop?.wake()
  }

  /**
   * Units that stay as they are: something of them cannot be read, so that nobody knows whether they are to be here, or
   * what was done to them before the agent started.
   */
  #held(): ReadonlySet<UnitName> {
    const { registry, machine } = this.#options
    const { view } = registry
    for (const name of this.#unsure) {
      if (view.unreadable.has(keys.report(machine, name))) continue
      this.#unsure.delete(name)
      const report = view.reportsOf(machine).get(name) ?? null
      if (report !== null) this.#memory.set(name, memoryOf(report))
    }
    const all = [...this.#observation.units.keys(), ...[...view.placedOn(machine).keys()]]
    const unknown = this.#noteUnknown()
    return new Set([...all.filter((name) => this.#unsure.has(name) || view.isUnitHeld(name)), ...unknown])
  }

  /** Takes in what other machines tell of units that wait for them, and which units left them. */
  #noteElsewhere(changes: readonly Change[]): void {
    const { registry, clock } = this.#options
    this.#leftPlaces.note(changes, registry.view, clock.steady())
    if (this.#elsewhere.size === 0) return
    const bears = changes.some(({ key }) => {
      const kind = kindOfKey(key)
      return kind === 'machine' || (kind === 'report' && this.#elsewhere.has(reportedUnitOf(key)))
    })
    if (bears) this.#loop?.wake()
  }

  /** Finds units that another machine may still have. When the next of those is due of which nothing was said; null: none. */
  #lookElsewhere(open: readonly PlacedUnit[], now: Instant): Instant | null {
    const { registry, machine, clock } = this.#options
    const { view } = registry
    const steady = clock.steady()
    const elsewhere = new Set<UnitName>()
    let dueAt: Instant | null = null
    for (const { unit, placement } of open) {
      const { name } = unit
      const observed = this.#observation.units.get(name)
      const isUp = observed !== undefined && runs(observed)
      if (placement.global === true || unit.desired !== 'launched' || isUp) continue
      const until = this.#leftPlaces.waitsUntil(name, view, steady)
      if (until !== null) dueAt = earlier(dueAt, now + until - steady)
      if (until !== null || reportedElsewhere(view, name, machine) !== null) elsewhere.add(name)
    }
    this.#elsewhere = elsewhere
    return dueAt
  }

  #noteLeaving(placed: readonly PlacedUnit[], at: number): void {
    const { registry, clock } = this.#options
    const now = clock.now()
    this.#leaving = leavingOf(
      placed.map(({ unit }) => unit),
      {
        activeOf: (name) => this.#observation.units.get(name)?.active ?? null,
        isIdle: (name) => isIdleEverywhere(registry.view, name, now),
      },
      this.#leaving,
      at,
    )
  }

  #withElsewhere(placed: PlacedUnit): PlacedUnit {
    return this.#elsewhere.has(placed.unit.name) ? { ...placed, isElsewhere: true } : placed
  }

  /** What is placed on other machines, or nowhere yet, is not looked at. */
  #isHere(name: UnitName | null): boolean {
    const { registry, machine } = this.#options
    if (name === null) return false
    return (
      registry.view.placedOn(machine).has(name) ||
      this.#placedNames.has(name) ||
      this.#observation.units.has(name)
    )
  }

  async #pass(now: Instant): Promise<{ wakeAt: Instant | null }> {
    await this.#observation.look(lookWithinMs)
    this.#observation.noteLate(now)
    this.#noteRunning()
    const held = this.#held()
    const placed = this.#placed().filter(({ unit }) => !held.has(unit.name))
    this.#noteInterrupted(placed, now)
    this.#placedNames = new Set(placed.map(({ unit }) => unit.name))
    this.#chains.abortBut(wantedHere(placed), held)
    const reports = this.#options.registry.view.reportsOf(this.#options.machine)
    const at = this.#options.clock.steady()
    this.#noteLeaving(placed, at)
    // What changed while the drivers were asked is seen by the next pass, which is due already: to decide on what was
    // known before could start a unit twice.
    const open = placed.filter((one) => {
      const { name } = one.unit
      if (this.#observation.unknownSince(name, now) !== null || this.#observation.isStale(name)) return true
      // Its time ends without anything else having changed.
      if (this.#leaving.has(name)) return true
      return !this.#unchanged.has(this.#inputsOf(one, reports.get(name)))
    })
    const busy = new Set([...this.#busy(open), ...held, ...stillServing(this.#leaving, at)])
    const goneAt = this.#lookElsewhere(open, now)
    const all = this.#elsewhere.size === 0 ? placed : placed.map((one) => this.#withElsewhere(one))
    this.#tryWhatIsAllowed(placed)
    const { chains, wakeAt } = planLocal(
      {
        ...{
          placed: all,
          observed: this.#observation.units,
          memory: this.#memory,
          busy,
          bringBack: this.#alone,
        },
        holdsRuns: this.#lacksSpace(),
      },
      now,
    )
    for (const chain of chains) this.#chains.begin(chain)
    this.#checker.follow(this.#checked(placed))
    const leftInMs = nextStopInMs(this.#leaving, at)
    const leftAt = leftInMs === null ? null : now + leftInMs
    const killAt = this.#alone === null ? this.#limitedStops.look(this.#stopping(placed), now) : null
    this.#noteDrivers(now)
    if (this.#alone === null) await this.#report(open, reports, held, now)
    await this.#tellDrivers(now)
    this.#leftVolumes.sweep(this.#abort.signal)
    const endingAt = [...this.#ended.values()].map((since) => since + endLastsMs).filter((at) => at > now)
    const sweepAt = this.#leftVolumes.isDue ? now + sweepAgainMs : null
    const askAt = this.#observation.dueAt(now)
    return {
      wakeAt: [...endingAt, askAt, sweepAt, killAt, goneAt, leftAt].reduce(earlier, wakeAt),
    }
  }

  /** What a policy refused is not tried again until it is another, or the unit is. */
  #tryWhatIsAllowed(placed: readonly PlacedUnit[]): void {
    for (const { unit } of placed) {
      const memory = this.#memory.get(unit.name)
      if (memory?.failure?.code.startsWith('policy/') !== true || memory.retryAt === null) continue
      if (!this.#chains.isRefused(unit.name)) this.#remember(unit.name, { retryAt: null })
    }
  }

  /** Instances here that are to stop and have not yet, but for those of which nothing is known now. */
  #stopping(placed: readonly PlacedUnit[]): readonly DesiredUnit[] {
    return placed
      .map(({ unit }) => unit)
      .filter(({ name, desired, instance }) => {
        const observed = this.#observation.units.get(name)
        if (desired === 'launched' || instance === null || observed === undefined) return false
        return runs(observed) && !this.#observation.isAway(observed.driver)
      })
  }

  #noteFound({ kind }: Driver, units: readonly ObservedUnit[]): void {
    const { registry, machine } = this.#options
    const unknown = this.#unknown.found(units, (name) => registry.view.units.has(name))
    if (unknown.length > 0) this.#options.onUnknown?.(unknown)
    const reports = registry.view.reportsOf(machine)
    for (const [name, memory] of this.#memory)
      if (reports.get(name)?.driver === kind) this.#memory.set(name, unchecked(memory))
    for (const unit of units) {
      const reported = reports.get(unit.name) ?? null
      const memory = memoryOfFound(unit, reported)
      const launched = this.#isOthers(unit.name, kind) ? reported?.launched === true : memory.launched
      this.#memory.set(unit.name, { ...memory, launched })
    }
  }

  /** That a driver answers no more, or again, belongs to the history. */
  #noteDrivers(now: Instant): void {
    this.#news.push(...this.#driverNews.note(this.#observation.silent(now), this.#hostname(), now))
  }

  async #tellDrivers(now: Instant): Promise<void> {
    const here = driversHere(this.#options.drivers.values(), (driver) =>
      this.#observation.isSilent(driver, now),
    )
    const text = JSON.stringify(here)
    if (text === this.#driversTold) return
    await this.#options.onDrivers?.(here)
    this.#driversTold = text
  }

  /**
   * Units that nothing is to be decided on now: their chain goes on, they have changed, their driver is away, or they
   * are not among the `open` ones.
   */
  #busy(open: readonly PlacedUnit[]): ReadonlySet<UnitName> {
    const busy = new Set(this.#placedNames)
    for (const { unit } of open) busy.delete(unit.name)
    for (const name of [...this.#chains.units, ...this.#observation.stale()]) busy.add(name)
    if (!this.#observation.hasUnlisted) return busy
    for (const name of [...this.#placedNames, ...this.#observation.units.keys()]) {
      const driver = this.driverOf(name)
      if (driver !== null && this.#observation.isUnlisted(driver)) busy.add(name)
    }
    return busy
  }

  /**
   * What runs was launched, whoever saw it start, unless that was another unit of the host; and how a program ended is told while
   * it runs again.
   */
  #noteRunning(): void {
    for (const [name, { active, exit, driver }] of this.#observation.units) {
      const { launched, output, lastExit } = this.#memory.get(name) ?? freshMemory
      const runs = active === 'active' || active === 'activating'
      if (runs && (!launched || output !== null) && !this.#isOthers(name, driver))
        this.#remember(name, { launched: true, output: null })
      if (exit !== null && exit !== lastExit) this.#remember(name, { lastExit: exit })
    }
  }

  /** Whether a unit that is loaded only may run all the same, with another one of its host. */
  #isOthers(name: UnitName, driver: DriverKind | undefined): boolean {
    const { registry, units } = this.#options
    const unit = registry.view.units.get(name)
    if (unit?.desired !== 'loaded' || unit.instance !== null || driver !== 'systemd') return false
    return registry.view.files.has(unit.hash) && mayBeStartedByOthers(units.file(unit.hash))
  }

  /**
   * What ended with its driver, or because an agent told it to, was not launched since, and so is started again where it is
   * to run; a run that was begun is over.
   */
  #noteInterrupted(placed: readonly PlacedUnit[], now: Instant): void {
    const reports = this.#options.registry.view.reportsOf(this.#options.machine)
    for (const { unit, runsOnce } of placed) {
      if (runsOnce === true) {
        this.#noteCutOff(unit, reports.get(unit.name), now)
        continue
      }
      if (this.#memory.get(unit.name)?.launched !== true) continue
      const observed = this.#observation.units.get(unit.name)
      if (observed?.interrupted !== true && !this.#hasStoppedIt(observed)) continue
      this.#remember(unit.name, { launched: false })
    }
  }

  /** Whether nothing can be told, for want of space. */
  #lacksSpace(): boolean {
    return (this.#options.space?.full() ?? null) !== null
  }

  /** Whether a unit has ended because it was told to: records that a restore brought back may say that it is to run. */
  #hasStoppedIt(observed: ObservedUnit | undefined): boolean {
    if (observed === undefined || runs(observed)) return false
    return observed.stopAsked === true || this.#stopsAsked.has(observed.name, this.#options.clock.steady())
  }

  /** A run of which nothing is left, as after a reboot, has ended: as was told, or unseen. */
  #noteCutOff({ name }: DesiredUnit, reported: UnitReport | undefined, now: Instant): void {
    if (reported === undefined || !reported.launched || !ran(reported)) return
    const isGone =
      !this.#observation.units.has(name) &&
      this.#observation.unknownSince(name, now) === null &&
      !this.#observation.isStale(name)
    if (!isGone || this.#memory.get(name)?.launched !== true || this.#chains.of(name) !== undefined) return
    this.#remember(name, { lastExit: { code: null, signal: null, oom: false, at: now } })
  }

  /** How a program ended that ran once for somebody is told by whom it was joined to: here only what held its place is seen. */
  #withoutJoined({ name, desired }: DesiredUnit, drafts: readonly EventDraft[]): readonly EventDraft[] {
    const isJoined = this.#options.registry.view.instances.get(name)?.oneOff !== undefined
    return isJoined && desired === 'inactive'
      ? drafts.filter(({ kind }) => kind !== 'instance-exited')
      : drafts
  }

  /** Whether a unit runs once, as an instance of a service that is not continuous does, and one beside its service. */
  #isRun({ name, instance }: DesiredUnit): boolean {
    if (instance === null) return false
    const { view } = this.#options.registry
    if (view.instances.get(name)?.oneOff !== undefined) return true
    const type = view.versions.get(instance.version)?.type
    return type !== undefined && type !== 'continuous'
  }

  #inputsOf({ unit, placement }: PlacedUnit, reported: UnitReport | undefined): UnitInputs {
    const { name } = unit
    const [observed, memory] = [this.#observation.units.get(name), this.#memory.get(name)]
    return { unit, placement, observed, memory, reported, chain: this.#chains.of(name) }
  }

  #placed(): readonly PlacedUnit[] {
    const { registry, machine } = this.#options
    return [...registry.view.placedOn(machine).values()].flatMap((placement) => {
      const unit = registry.view.units.get(placement.unit)
      if (unit === undefined) return []
      const isOthers = this.#isOthers(unit.name, this.#observation.units.get(unit.name)?.driver)
      return [
        { unit, placement, runsOnce: this.#isRun(unit), ...(isOthers && { mayBeStartedByOthers: true }) },
      ]
    })
  }

  #remember(name: UnitName, change: Partial<UnitMemory>): void {
    this.#memory.set(name, { ...(this.#memory.get(name) ?? freshMemory), ...change })
  }

  #checked(placed: readonly PlacedUnit[]) {
    return placed.flatMap(({ unit, placement }) => {
      const observed = this.#observation.units.get(unit.name)
      if (observed?.active !== 'active' || unit.desired !== 'launched') return []
      const own = this.#units.checks(unit)
      const checks = observed.imageCheck === undefined ? own : [...own, observed.imageCheck]
      if (checks.length === 0) return []
      if (this.#observation.isAway(observed.driver)) return []
      const addressOn = (network: string) => this.#addressOn(network)
      const where = { observed, placement, addressOn }
      return [checkedUnit(where, checks, this.#startedAt, this.#exec(unit.name))]
    })
  }

  /** While the machine's record is renewed after its lease ran out, what it said before holds. */
  #addressOn(network: string): string | null {
    const { registry, machine } = this.#options
    this.#metadata = registry.view.machines.get(machine)?.metadata ?? this.#metadata
    return addressOn(network, this.#metadata)
  }

  #exec(name: UnitName): CommandRunner {
    return (argv, user, signal, onRunning) => {
      const driver = this.driverOf(name)
      if (driver === null) return Promise.reject(new Error(`no driver here holds ${name}`))
      return runCommand(driver, name, argv, user, signal, onRunning)
    }
  }

  /** Writes what has changed since the last report, and forgets units that are neither here nor to be here. */
  async #report(
    open: readonly PlacedUnit[],
    before: ReadonlyMap<UnitName, UnitReport>,
    held: ReadonlySet<UnitName>,
    now: Instant,
  ): Promise<void> {
    const { registry, machine, events } = this.#options
    const wanted = this.#placedNames
    const news = [...this.#news]
    const writes: (readonly Op[])[] = news.map((event) => events.append([event]))
    for (const one of open) {
      const { unit } = one
      const { name } = unit
      const driver = this.driverOf(name)
      const unknownSince = this.#observation.unknownSince(name, now)
      if (unknownSince !== null) {
        const reported =
          before.get(name) ?? reportOf(machine, absentUnit(name, driver?.kind ?? 'process'), freshMemory)
        if (reported.unknownSince === undefined) writes.push([putOf('report', { ...reported, unknownSince })])
        continue
      }
      // What is known of it is old; a later pass tells.
      if (this.#observation.isStale(name) || (driver !== null && this.#observation.isUnlisted(driver)))
        continue
      if (this.#endsJustNow(unit, now) || this.#readsOutput(unit, driver)) continue
      const report = this.#reportOf(unit)
      const known = before.get(name)
      if (report === null || JSON.stringify(report) === JSON.stringify(known)) {
        // One that has yet to be seen lasting is a matter of time, and one that is still elsewhere, of others; a run may
        // wait for space.
        if (!this.#ended.has(name) && !this.#elsewhere.has(name) && !this.#lacksSpace())
          this.#unchanged.note(this.#inputsOf(one, known))
        continue
      }
      const drafts =
        unit.instance === null
          ? []
          : this.#withoutJoined(unit, eventsBetween(unit.instance, known ?? null, report))
      writes.push([putOf('report', report), ...events.append(drafts)])
    }
    for (const [name, reported] of before) {
      if (wanted.has(name) || held.has(name) || registry.view.isUnitHeld(name)) continue
      // What was not seen gone may be there still.
      if (!this.#observation.isAway(reported.driver)) {
        if (!this.#observation.units.has(name))
          writes.push([{ op: 'delete', key: keys.report(machine, name) }])
        continue
      }
      const unknownSince = this.#observation.silentSince(
        this.#options.drivers.get(reported.driver) ?? null,
        now,
      )
      if (unknownSince !== null && reported.unknownSince === undefined)
        writes.push([putOf('report', { ...reported, unknownSince })])
    }
    writes.push(...this.#leftovers(wanted).map((key): readonly Op[] => [{ op: 'delete', key }]))
    for (const name of this.#memory.keys()) {
      if (wanted.has(name) || this.#observation.units.has(name) || this.#chains.of(name) !== undefined)
        continue
      if (held.has(name)) continue
      this.#memory.delete(name)
      this.#ended.delete(name)
      this.#unchanged.forget(name)
    }
    this.#pullNews.keepOnly((name) => this.#memory.has(name))
    for (let from = 0; from < writes.length; from += reportsPerWrite) {
      const committed = await registry.commit([], writes.slice(from, from + reportsPerWrite).flat())
      invariant(committed, 'a write without comparisons was refused')
    }
    this.#news.splice(0, news.length)
  }

  /**
   * Reports of ours that cannot be read and are about what is neither here nor to be here: nobody else makes an end of
   * them, and what they hold up waits. While a driver does not answer, what they are about may be there still.
   */
  #leftovers(wanted: ReadonlySet<UnitName>): readonly string[] {
    const { registry, machine } = this.#options
    const { view } = registry
    if (view.unreadable.size === 0 || this.#observation.isUnsure) return []
    const ours = keys.report(machine, '' as UnitName)
    return [...view.unreadable.keys()].filter((key) => {
      if (!key.startsWith(ours)) return false
      const name = key.slice(ours.length) as UnitName
      const isHere = wanted.has(name) || view.placedOn(machine).has(name) || this.#observation.units.has(name)
      return !isHere && this.#chains.of(name) === undefined && !view.isUnitHeld(name)
    })
  }

  #note(event: EventDraft | null): void {
    if (event !== null) this.#news.push(event)
  }

  #told(word: MachineWord): EventDraft {
    return machineEvent(this.#options.machine, this.#hostname(), word)
  }

  #hostname(): string {
    const { registry, machine } = this.#options
    return registry.view.machines.get(machine)?.hostname ?? machine
  }

  /**
   * A unit that is to run and has ended is told of when it has been so for a moment: systemd calls a unit failed, and
   * then dead, on its way to a restart. Nobody is to replace it for that.
   */
  #endsJustNow({ name, desired }: DesiredUnit, now: Instant): boolean {
    const { active, driver } = this.#observation.units.get(name) ?? {}
    const launched = this.#memory.get(name)?.launched === true
    if (desired !== 'launched' || !launched || (active !== 'failed' && active !== 'inactive')) {
      this.#ended.delete(name)
      return false
    }
    // After a reboot, say: it is being started, and what comes of that is told.
    if (this.#chains.of(name) !== undefined) {
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
    const { log } = this.#options
    const observed = this.#observation.units.get(name)
    if (driver === null || observed === undefined || !this.#isRun(unit)) return false
    const isOver = observed.active === 'failed' || observed.active === 'inactive'
    if (!isOver || observed.exit === null || (this.#memory.get(name)?.output ?? null) !== null) return false
    if (!this.#reading.has(name)) {
      const read = readOutput(driver, name, log).then((output) => {
        this.#remember(name, { output })
        this.#reading.delete(name)
        this.#loop?.wake()
      })
      this.#reading.set(name, read)
    }
    return true
  }

  #reportOf(unit: DesiredUnit): UnitReport | null {
    const memory = this.#memory.get(unit.name) ?? freshMemory
    const observed = this.#observation.units.get(unit.name)
    if (observed !== undefined)
      return {
        ...reportOf(this.#options.machine, observed, this.#healthNow(memory, observed)),
        ...(this.#pressed === unit.name && { diskPressure: true }),
        ...this.#startable(unit),
      }
    // On its way: there is nothing to tell yet, unless it failed before or was never to start.
    if (this.#chains.of(unit.name) !== undefined && memory.failure === null && memory.pulling === null)
      return null
    const kind = this.driverOf(unit.name)?.kind ?? 'process'
    const exit = memory.launched && this.#isRun(unit) ? memory.lastExit : null
    return {
      ...reportOf(this.#options.machine, { ...absentUnit(unit.name, kind), exit }, memory),
      ...this.#startable(unit),
    }
  }

  /**
   * Whether an instance that does not run may run a moment later: by a start that is under way, or the next one. Who has it
   * retired meanwhile is not to take it for stopped before this agent has heard of it.
   */
  #startable({ name, instance, desired }: DesiredUnit): Pick<UnitReport, 'mayStart'> {
    const observed = this.#observation.units.get(name)
    if (instance === null || (observed !== undefined && runs(observed))) return {}
    const isStarting = this.#chains.of(name)?.steps.includes('start') === true
    const isDue = desired === 'launched' && this.#memory.get(name)?.launched !== true
    return isStarting || isDue ? { mayStart: true } : {}
  }

  /** What does not run has no health. */
  #healthNow(memory: UnitMemory, observed: ObservedUnit): UnitMemory {
    if (observed.active === 'active' || memory.health === 'unhealthy') return memory
    return unchecked(memory)
  }
}

/** Whether a unit ran, or was on its way, when it was last told of. */
function ran({ active }: UnitReport): boolean {
  return active !== 'inactive' && active !== 'failed'
}

/** What is to be done at least with each unit that is placed here. */
function wantedHere(placed: readonly PlacedUnit[]): ReadonlyMap<UnitName, 'start' | 'load'> {
  return new Map(placed.map(({ unit }) => [unit.name, unit.desired === 'launched' ? 'start' : 'load']))
}
