// The agent of one machine: brings what runs here in line with what is placed here, checks it, and reports it.
import { startChecker } from '../../health/io/checker.js'
import { type OwnProbe, runNothing } from '../../health/io/own-probe.js'
import { InvariantError } from '../../lib/invariant.js'
import type { JumpWatch } from '../../lib/io/clock.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { startLoop, tellPasses } from '../../lib/io/loop.js'
import { earlier, type Instant, type Time } from '../../lib/time.js'
import { DriverError } from '../../model/driver-error.js'
import type { DriverKind } from '../../model/driver-kind.js'
import { isPausedForBackup } from '../../model/instance-state.js'
import type { MachineId } from '../../model/machine.js'
import { addressOn } from '../../model/network.js'
import type { PolicyHere } from '../../model/policy.js'
import type { DesiredUnit, ObservedUnit, UnitName, UnitReport } from '../../model/unit.js'
import { hostnameOf } from '../../store/hostname.js'
import type { EventLog } from '../../store/io/event-log.js'
import type { Registry } from '../../store/io/registry.js'
import type { SecretBox } from '../../store/io/secret-box.js'
import { keys, kindOfKey, placedUnitOf, prefixes, reportedUnitOf } from '../../store/records.js'
import { LeftPlaces, reportedElsewhere } from '../../store/still-elsewhere.js'
import { type Change, isOutOfReach } from '../../store/store.js'
import { mayBeStartedByOthers } from '../../unit/install.js'
import type { UnitReader } from '../../unit/reader.js'
import { chooseDriver } from '../choose-driver.js'
import type { Driver, KeptVolume } from '../driver.js'
import { type DriversHere, driversHere } from '../drivers-here.js'
import { isIdleEverywhere } from '../entry-idle.js'
import { type Leaving, leavingOf, nextStopInMs, stillServing } from '../leaving.js'
import { isLostOn } from '../lost-here.js'
import { type PlacedUnit, planLocal, runs } from '../plan-local.js'
import { freshMemory, memoryOf, memoryOfFound, type UnitMemory, unchecked, withinReach } from '../report.js'
import { StopsAsked } from '../stops-asked.js'
import { UnknownUnits } from '../unknown-units.js'
import { Chains } from './chains.js'
import { type CommandRunner, checkedUnit, runCommand } from './checked-unit.js'
import { FileUpdates } from './file-updates.js'
import type { KeptLogs } from './kept-logs.js'
import { LeftVolumes } from './left-volumes.js'
import { LimitedStops } from './limited-stops.js'
import { listVolumes } from './local-volumes.js'
import { MovedVolumes } from './moved-volumes.js'
import { Observation } from './observation.js'
import { type Pause, Pauses } from './pauses.js'
import { refuseTakenPorts } from './port-check.js'
import { ReadyVolumes, whyFull } from './ready-volumes.js'
import { Reports } from './reports.js'
import { TimesFile } from './times-file.js'
import { VolumeQuotas } from './volume-quotas.js'

export interface AgentOptions {
  readonly machine: MachineId
  readonly registry: Registry
  readonly drivers: ReadonlyMap<DriverKind, Driver>
  readonly units: UnitReader
  readonly events: EventLog
  readonly secrets: SecretBox
  readonly clock: Time
  readonly clockWatch: Pick<JumpWatch, 'onJump' | 'noticing'>
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
  readonly keptLogs?: Pick<KeptLogs, 'keep' | 'note' | 'forget'>
  /** Where it is noted whose volumes are still to be deleted; default: an end of the agent forgets that. */
  readonly leftVolumesFile?: string
  /** Where it is noted which volumes moves have taken away from here; default: nowhere. */
  readonly movedVolumesDir?: string
  /** Where it is noted which units are frozen; default: an end of the daemon in the middle leaves them so. */
  readonly pausedUnitsFile?: string
  /** Where it is noted which instances leave and since when; default: a restart of the daemon begins their time anew. */
  readonly leavingFile?: string
  /** Where it is noted since when instances are stopped that may not take longer than so; default: as above. */
  readonly stoppingFile?: string
  /** Milliseconds since the machine was started; default: as the machine says. */
  readonly uptimeMs?: () => number
}

interface SpaceForReports {
  /** Not null while nothing can be told for want of space. */
  full(): object | null
  /** Calls back whenever there is room again. Returns the way to end that. */
  onRoom(listener: () => void): () => void
}

/** What an agent finds out about its machine besides what drivers tell. */
interface HostLooks {
  /** Throws PortTakenError for the first port that something holds. */
  readonly refuseTakenPorts: typeof refuseTakenPorts
  /** Holds a volume to its size; default: by quotas of its file system. */
  readonly holdToSize?: VolumeQuotas['hold']
  /** Why there is no room in a directory, null where there is; default: as its file system says. */
  readonly whyFull?: (dir: string) => Promise<string | null>
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
  /**
   * Freezes all units of this machine that run with a volume of a driver, for at most so long, and keeps others from being started
   * with it.
   * Throws DriverError `volume/cannot-pause`, `volume/held`; then nothing is frozen.
   */
  pauseVolume(volume: KeptVolume, keeper: DriverKind, atMostMs: number, signal: AbortSignal): Promise<Pause>
  /** Notes that a move has taken a volume of this machine, by its uuid, to another one: to be done before its data are deleted. */
  noteMoved(volume: string, to: MachineId): Promise<void>
  /** Whether that was noted of a volume, and no driver has data of it that have come since. Throws DriverError. */
  hasMovedAway(volume: string, signal: AbortSignal): Promise<boolean>
  /** Ends the agent. What runs goes on running. */
  stop(): Promise<void>
}

/** How long a pass waits for what drivers are asked; what takes longer is seen by a later one, and holds up no other. */
const lookWithinMs = 500
/** How soon volumes that could not be deleted are tried again. */
const sweepAgainMs = 5000
/** The shortest time between two passes: what changes in a burst is told together. */
const restAfterPassMs = 5
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
  readonly #movedVolumes: MovedVolumes | null
  readonly #stopsAsked: StopsAsked
  readonly #unknown: UnknownUnits
  #hadUnknown = false
  readonly #reports: Reports
  readonly #leftVolumes: LeftVolumes
  readonly #limitedStops: LimitedStops
  readonly #fileUpdates: FileUpdates
  readonly #pauses: Pauses
  /** What was told of the drivers last. */
  #driversTold: string
  /** What was placed here when the last pass looked. */
  #placedNames: ReadonlySet<UnitName> = new Set()
  /** Units that are not started before another machine has let go of them. */
  #elsewhere: ReadonlySet<UnitName> = new Set()
  readonly #leftPlaces: LeftPlaces
  /** Instances that are to stop, and until when others may still be sent to them. */
  #leaving: Leaving = new Map()
  /** Those of the daemon before this one. */
  #leftBefore: Leaving = new Map()
  readonly #leavingFile: TimesFile<'since' | 'stopAt'>
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
  readonly #unsubscribeJumps: () => void

  constructor(given: AgentOptions) {
    this.#unsubscribeJumps = given.clockWatch.onJump((byMs) => this.#clockSet(byMs))
    const options = { ...given, clock: given.clockWatch.noticing(given.clock) }
    this.#options = options
    this.#startedAt = options.clock.now()
    this.#stopsAsked = options.stopsAsked ?? new StopsAsked()
    this.#unknown = new UnknownUnits(options.isForeign === true)
    this.#units = options.units
    this.#driversTold = JSON.stringify(driversHere(options.drivers.values()))
    this.#leavingFile = openLeavingFile(options)
    this.#leftVolumes = new LeftVolumes({ ...options, isHeld: (one) => this.#chains.holdsVolumeOf(one) })
    this.#leftPlaces = new LeftPlaces(options.machine)
    const { machine, registry, units, secrets, clock, log, host = thisHost } = options
    this.#pauses = new Pauses({
      ...{ drivers: options.drivers, clock, log, file: options.pausedUnitsFile },
      onChange: (driver, name) => this.#observation.noteChanged(driver, name),
    })
    const { movedVolumesDir } = options
    this.#movedVolumes =
      movedVolumesDir === undefined ? null : new MovedVolumes(movedVolumesDir, options.drivers)
    const quotas = new VolumeQuotas(log)
    this.#chains = new Chains({
      ...{ machine, registry, units, secrets, clock, log },
      stopsAsked: this.#stopsAsked,
      refuseTakenPorts: host.refuseTakenPorts,
      readyVolumes: new ReadyVolumes({
        ...{ machine, log, holdToSize: host.holdToSize ?? ((...args) => quotas.hold(...args)) },
        whyFull: host.whyFull ?? whyFull,
        tell: (event) => this.#reports.noteEvent(event),
      }),
      movedVolumes: this.#movedVolumes,
      policy: options.policy ?? (() => null),
      keptLogs: options.keptLogs,
      driverOf: (name) => this.driverOf(name),
      drivers: () => options.drivers.values(),
      runsOnce: (unit) => this.#isRun(unit),
      memoryOf: (name) => this.#memory.get(name) ?? freshMemory,
      remember: (name, change) => this.#remember(name, change),
      release: async (name) => await this.#pauses.release(name, `${name} is stopped`),
      onPull: (name, pulling) => {
        this.#reports.notePull(name, pulling)
        this.#remember(name, { pulling })
        this.#loop?.wake()
      },
      onPulled: (name, outcome) => {
        this.#reports.notePullEnd(name, outcome, clock.now())
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
      shown: (unit) => this.#pauses.shown(unit),
      wake: () => this.#loop?.wake(),
    })
    this.#reports = new Reports({
      ...{ machine, registry, clock, log, drivers: options.drivers, observation: this.#observation },
      events: options.events,
      driverOf: (name) => this.driverOf(name),
      runsOnce: (unit) => this.#isRun(unit),
      memoryOf: (name) => this.#memory.get(name) ?? freshMemory,
      remember: (name, change) => this.#remember(name, change),
      chainOf: (name) => this.#chains.of(name),
      wake: () => this.#loop?.wake(),
    })
    this.#limitedStops = new LimitedStops({
      ...{ clock, log, file: options.stoppingFile, uptimeMs: options.uptimeMs },
      driverOf: (name) => this.driverOf(name),
      isBegun: (name) => this.#chains.of(name)?.cause === 'to-stop',
    })
    this.#fileUpdates = this.#openFileUpdates(options)
    this.#checker = this.#openChecker(options, host)
  }

  #openChecker(
    options: AgentOptions & { readonly clock: Time },
    host: HostLooks,
  ): ReturnType<typeof startChecker> {
    return startChecker({
      clock: host.checkTime ?? options.clock,
      ownProbe: host.ownProbe,
      onVerdict: (name, { health, reason, notice }) => {
        this.#remember(name, { health, healthReason: reason, notice })
        this.#loop?.wake()
      },
      onMachine: (word) => {
        const event = this.#reports.noteMachine(word)
        if (word.isSick) options.log.warn('health', event.message)
        else options.log.info('health', event.message)
        this.#loop?.wake()
      },
      onError: (error) => {
        options.log.error('health', describeError(error))
        if (error instanceof InvariantError) throw error
      },
    })
  }

  #openFileUpdates({ machine, registry, units, clock, log }: AgentOptions): FileUpdates {
    return new FileUpdates({
      ...{ machine, registry, units, clock, log },
      driverOf: (name) => this.driverOf(name),
      observed: (name) => this.#observation.units.get(name) ?? null,
      prepare: (name, driver, some) => this.#chains.prepare(name, driver, some),
      tell: (event) => this.#reports.noteEvent(event),
      wake: () => this.#loop?.wake(),
    })
  }

  async start(): Promise<void> {
    const { registry, machine, clock, log } = this.#options
    const reports = registry.view.reportsOf(machine)
    for (const report of reports.values()) this.#recall(report.name, memoryOf(report))
    for (const { unit } of this.#placed()) this.#options.keptLogs?.note(unit)
    // What another cluster wanted is not for this one to do.
    if (this.#options.isForeign !== true) await this.#leftVolumes.open()
    if (this.#options.alone === true)
      this.#alone = new Set([...reports.values()].filter(ran).map(({ name }) => name))
    this.#leftBefore = await this.#leavingFile.read(clock.steady())
    await this.#limitedStops.open()
    // Before anything is made of what stands still.
    await this.#pauses.open()
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
      onPass: tellPasses(log, 'agent', 'units'),
    })
    this.#unsubscribeRoom = this.#options.space?.onRoom(() => this.#loop?.wake()) ?? null
    this.#unsubscribe = registry.onChange((kinds, changes) => {
      if (kinds.has('service')) {
        this.#leftVolumes.note(changes)
        if (this.#leftVolumes.isDue) this.#loop?.wake()
      }
      if (kinds.has('report')) this.#tellAgain(changes)
      this.#noteElsewhere(changes)
      if (kinds.has('file') || (kinds.has('meta') && this.#fileUpdates.isFollowing)) this.#loop?.wake()
      if (kinds.has('entryIdle') && this.#leaving.size > 0) this.#loop?.wake()
      if (kinds.has('waiting') && changes.some((change) => this.#waitsHere(change))) this.#loop?.wake()
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
    this.#reports.noteDiskPressure(name)
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

  async noteMoved(volume: string, to: MachineId): Promise<void> {
    const { registry, clock } = this.#options
    await this.#movedVolumes?.note(volume, hostnameOf(registry.view, to), clock.now())
  }

  async hasMovedAway(volume: string, signal: AbortSignal): Promise<boolean> {
    return (await this.#movedVolumes?.find(volume, signal)) != null
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.()
    this.#unsubscribeRoom?.()
    this.#unsubscribeJumps()
    await this.#loop?.stop()
    await this.#checker.stop()
    await this.#pauses.stop()
    this.#abort.abort()
    await Promise.all([
      this.#leftVolumes.stop(),
      this.#leavingFile.stop(),
      this.#limitedStops.stop(),
      this.#fileUpdates.stop(),
      this.#chains.stop(),
      this.#reports.stop(),
    ])
  }

  /** What waits goes on waiting for as long as it was to, by whatever clock. */
  #clockSet(byMs: number): void {
    for (const [name, memory] of this.#memory)
      if (memory.retryAt !== null) this.#memory.set(name, { ...memory, retryAt: memory.retryAt + byMs })
    this.#reports.clockSet(byMs)
    this.#observation.clockSet(byMs)
    this.#fileUpdates.clockSet(byMs)
    this.#loop?.wake()
  }

  async holdVolume(...args: Parameters<Agent['holdVolume']>): Promise<() => void> {
    return await this.#chains.holdVolume(...args)
  }

  async pauseVolume(
    volume: KeptVolume,
    keeper: DriverKind,
    atMostMs: number,
    signal: AbortSignal,
  ): Promise<Pause> {
    const letGo = this.#chains.keepFromStarting(
      volume,
      'a backup of it is read while its instances are paused',
    )
    try {
      const { drivers } = this.#options
      // Volumes of Docker are others than the directories that programs of the machine share, whoever runs those.
      const ofSort = [...drivers].filter(([kind]) => (kind === 'docker') === (keeper === 'docker'))
      const { volumes, silent } = await listVolumes(new Map(ofSort), signal)
      if (silent.length > 0)
        throw new DriverError(
          'volume/cannot-pause',
          `the users of the volume are not known: ${silent.join('; ')}`,
        )
      const users = volumes.find(({ uuid }) => uuid === volume.uuid)?.users ?? []
      const pause = await this.#pauses.begin(users, atMostMs, signal)
      return { ...pause, end: async () => await pause.end().finally(letGo) }
    } catch (error) {
      letGo()
      throw error
    }
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
   * what was done to them before the agent started; or they lost their place with this machine, which is back.
   */
  #held(): ReadonlySet<UnitName> {
    const { registry, machine } = this.#options
    const { view } = registry
    for (const name of this.#unsure) {
      if (view.unreadable.has(keys.report(machine, name))) continue
      this.#unsure.delete(name)
      const report = view.reportsOf(machine).get(name) ?? null
      if (report !== null) this.#recall(name, memoryOf(report))
    }
    const here = [...this.#observation.units.keys()]
    const all = [...here, ...view.placedOn(machine).keys()]
    const lost = here.filter((name) => isLostOn(view, machine, name))
    const unknown = this.#noteUnknown()
    const held = all.filter((name) => this.#unsure.has(name) || view.isUnitHeld(name))
    return new Set([...held, ...lost, ...unknown])
  }

  /** Whether a change says of a unit that is here what it waits for. */
  #waitsHere({ key }: Change): boolean {
    if (kindOfKey(key) !== 'waiting') return false
    return this.#observation.units.has(key.slice(prefixes.waiting.length) as UnitName)
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
      new Map([...this.#leftBefore, ...this.#leaving]),
      at,
    )
    // Who does not leave any more begins anew when it does.
    this.#leftBefore = new Map([...this.#leftBefore].filter(([name]) => this.#leaving.has(name)))
    this.#leavingFile.note(this.#leaving, at)
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
      return !this.#reports.isUnchanged(one, reports.get(name))
    })
    const busy = new Set([...this.#busy(open), ...held, ...stillServing(this.#leaving, at)])
    const undecided = new Set(this.#fileUpdates.units)
    const goneAt = this.#lookElsewhere(open, now)
    const all = this.#elsewhere.size === 0 ? placed : placed.map((one) => this.#withElsewhere(one))
    this.#tryWhatIsAllowed(placed)
    const holdsRuns = this.#lacksSpace()
    const { chains, wakeAt } = planLocal(
      {
        ...{
          placed: all,
          observed: this.#observation.units,
          memory: this.#memory,
          busy,
          bringBack: this.#alone,
        },
        holdsRuns,
      },
      now,
    )
    for (const chain of chains) this.#chains.begin(chain)
    const filesAt = this.#lookAtFiles(all, held, now)
    this.#checker.follow(this.#checked(placed))
    const leftInMs = nextStopInMs(this.#leaving, at)
    const leftAt = leftInMs === null ? null : now + leftInMs
    const killAt = this.#alone === null ? this.#limitedStops.look(this.#stopping(placed), now) : null
    this.#reports.noteDrivers(now)
    if (this.#alone === null) {
      this.#forgetGone(held)
      const findings = { open, placed: this.#placedNames, reported: reports, held, holdsRuns, undecided }
      await this.#reports.write({ ...findings, elsewhere: this.#elsewhere }, now)
    }
    await this.#tellDrivers(now)
    this.#leftVolumes.sweep(this.#abort.signal)
    const sweepAt = this.#leftVolumes.isDue ? now + sweepAgainMs : null
    const askAt = this.#observation.dueAt(now)
    return {
      wakeAt: [this.#reports.dueAt(now), askAt, sweepAt, killAt, goneAt, leftAt, filesAt].reduce(
        earlier,
        wakeAt,
      ),
    }
  }

  /** Without the cluster nobody knows what the metadata is by now. When the next look is due; null for never. */
  #lookAtFiles(placed: readonly PlacedUnit[], held: ReadonlySet<UnitName>, now: Instant): Instant | null {
    if (this.#alone !== null) return null
    const away = [...this.#observation.stale()]
    return this.#fileUpdates.look(placed, new Set([...held, ...this.#chains.units, ...away]), now)
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
      this.#recall(unit.name, { ...memory, launched })
    }
  }

  /** What a report says, of an agent before this one or of this one. */
  #recall(name: UnitName, memory: UnitMemory): void {
    this.#memory.set(name, withinReach(memory, this.#options.clock.now()))
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
    for (const name of [...this.#chains.units, ...this.#fileUpdates.units, ...this.#observation.stale()])
      busy.add(name)
    if (!this.#observation.hasUnlisted) return busy
    for (const name of [...this.#placedNames, ...this.#observation.units.keys()]) {
      const driver = this.driverOf(name)
      if (driver !== null && this.#observation.isUnlisted(driver)) busy.add(name)
    }
    return busy
  }

  /**
   * What runs was launched, whoever saw it start, unless that was another unit of the host; and how a program ended is told while
   * it runs again, when it was started after it has ended.
   */
  #noteRunning(): void {
    for (const [name, { active, exit, driver, since }] of this.#observation.units) {
      const { launched, output, lastExit, startedAt } = this.#memory.get(name) ?? freshMemory
      const runs = active === 'active' || active === 'activating'
      if (runs && (!launched || output !== null) && !this.#isOthers(name, driver))
        this.#remember(name, { launched: true, output: null })
      if (exit !== null && exit !== lastExit) this.#remember(name, { lastExit: exit })
      if (active === 'active' && since !== startedAt) this.#remember(name, { startedAt: since })
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

  /** Whether a unit runs once, as an instance of a service that is not continuous does, and one beside its service. */
  #isRun({ name, instance }: DesiredUnit): boolean {
    if (instance === null) return false
    const { view } = this.#options.registry
    if (view.instances.get(name)?.oneOff !== undefined) return true
    const type = view.versions.get(instance.version)?.type
    return type !== undefined && type !== 'continuous'
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
      // What stands still answers no check, and is well all the same.
      if (isPausedForBackup(observed)) return []
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
      if (driver === null) return Promise.reject(new Error(`no driver on this machine runs ${name}`))
      return runCommand(driver, name, argv, user, signal, onRunning)
    }
  }

  /** Forgets units that are neither here nor to be here. */
  #forgetGone(held: ReadonlySet<UnitName>): void {
    for (const name of this.#memory.keys()) {
      if (this.#placedNames.has(name) || this.#observation.units.has(name) || held.has(name)) continue
      if (this.#chains.of(name) !== undefined) continue
      this.#memory.delete(name)
      this.#reports.forget(name)
    }
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

function openLeavingFile({ leavingFile, log, uptimeMs }: AgentOptions): TimesFile<'since' | 'stopAt'> {
  const whose = 'instances that leave'
  return new TimesFile({ file: leavingFile, keys: ['since', 'stopAt'], whose, log, uptimeMs })
}
