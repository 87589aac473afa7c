// The units that Docker holds for us, kept current by its events: what an event names is inspected again when somebody
// asks, and all is listed anew when the stream of events was cut.
import { setMaxListeners } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type Docker from 'dockerode'
import { dockerBackoffMs } from '../../../lib/backoff.js'
import { abortable } from '../../../lib/io/abortable.js'
import { createLimit, type Limit } from '../../../lib/io/limit.js'
import { lineBatches } from '../../../lib/io/lines.js'
import { describeError, type Log } from '../../../lib/io/log.js'
import type { Instant, Time } from '../../../lib/time.js'
import { DriverError } from '../../../model/driver-error.js'
import type { ObservedUnit, UnitExit, UnitName } from '../../../model/unit.js'
import type { ContainerEvent, Inspected, RestartPolicy } from '../api.js'
import { machineLabel, readOwnership, unitLabel } from '../labels.js'
import {
  afterDeath,
  endedWithHost,
  hasEnded,
  isUp,
  mayBeDockers,
  observe,
  ownSteadyRestarts,
  type ReportedUnit,
  reportedEnd,
  restartsSince,
  steadyRestartsOf,
  withReportedEnd,
} from '../observe.js'
import { policyOfRun } from '../restart-policy.js'
import { asDriverError, statusOf } from './connection.js'
import { sharedAsk } from './shared-ask.js'

interface HeldUnitsOptions {
  readonly docker: Docker
  /** Containers of other machines' daemons on the same Docker are not ours. */
  readonly machineId: string
  /** Whether Docker takes a new connection and answers: one that is ending does not. */
  readonly answers: () => Promise<boolean>
  /** When the machine was started: what ran before that did not end by itself. */
  readonly bootedAt: Instant
  /** When Docker was started, as far as that is known. */
  readonly startedAt: Instant | null
  /** Whether Docker lets its containers live on when it ends. */
  readonly livesOn: boolean
  /** What an earlier daemon has reported of units. */
  readonly reported: ReadonlyMap<UnitName, ReportedUnit>
  readonly clock: Time
  readonly log: Log
}

/** A container as it was seen, and under which stream of events. */
interface Seen {
  readonly container: Inspected
  readonly stream: number
}

/** Called with the unit that may have changed; null: any. */
type Watcher = (name: UnitName | null) => void

/** Events that change what is observed; those of health checks and execs are not asked for. */
const events = ['create', 'start', 'restart', 'die', 'oom', 'stop', 'pause', 'unpause', 'destroy']
const inspectionsAtOnce = 8
/** An inspection that takes longer hangs, and holds up no others. */
const heldUpAfterMs = 10_000
const longestPauseMs = 5000
export class HeldUnits {
  readonly #options: HeldUnitsOptions
  readonly #filters: Record<string, string[]>
  readonly #inspections: Limit
  readonly #watchers = new Set<Watcher>()
  readonly #closed = new AbortController()
  readonly #stopAsked = new Set<UnitName>()
  /** By container, the exit status of its latest end that was told of: a look may come when it runs again already. */
  readonly #endedWith = new Map<string, number>()
  readonly #units = new Map<UnitName, ObservedUnit>()
  /** By container, what was seen of it last. */
  readonly #seen = new Map<string, Seen>()
  /** By container, when the run began that did not end by itself: Docker was stopped, and ended it. */
  readonly #interrupted = new Map<string, string>()
  /** Containers of runs that somebody stopped through Docker, as it tells after their end: they are not restarted. */
  readonly #halted = new Set<string>()
  /** By container, the latest event. */
  readonly #latest = new Map<string, ContainerEvent>()
  /** Containers of which the latest event told all there is: answers from before it are passed over. */
  readonly #told = new Set<string>()
  /** Containers that ran short of memory: whether that ended them, Docker has to be asked. */
  readonly #short = new Set<string>()
  /** By container that this driver restarts itself, how often it did. */
  readonly #ownRestarts = new Map<string, number>()
  /** By container, the end that a daemon before this one has reported, and when the run began that ended so. */
  readonly #reported = new Map<string, { readonly startedAt: string; readonly exit: UnitExit }>()
  /** Of restarts, those before the last steady run. */
  readonly #steadyRestarts = new Map<UnitName, number>()
  /** Containers that changed since they were inspected. */
  readonly #changed = new Set<string>()
  /** Counts the streams of events; which of them is open now, 0 for none. */
  #streams = 0
  #stream = 0
  /** The stream under which all was listed: while it is the open one, what is known stays true. */
  #listedUnder = -1
  #listing: Promise<void> | null = null
  /** Inspections under way, with their containers. */
  readonly #looks = new Map<Promise<void>, string>()
  readonly #answers: () => Promise<boolean>

  constructor(options: HeldUnitsOptions) {
    this.#options = options
    this.#inspections = createLimit(inspectionsAtOnce, { time: options.clock, heldUpAfterMs })
    this.#answers = sharedAsk(options.answers)
    this.#filters = { label: [`${machineLabel}=${options.machineId}`] }
  }

  /** Follows Docker's events until `close`, over every restart of the daemon. */
  async follow(): Promise<void> {
    const { log, clock } = this.#options
    for (let failures = 0; !this.#closed.signal.aborted; failures += 1) {
      try {
        const stream = await this.#openEvents(Math.floor(clock.now() / 1000) - 1)
        failures = 0
        this.#streams += 1
        this.#stream = this.#streams
        this.#tell(null)
        for await (const lines of lineBatches(stream))
          for (const line of lines) this.#take(JSON.parse(line) as ContainerEvent)
      } catch (error) {
        if (failures === 0 && !this.#closed.signal.aborted)
          log.warn('docker', `events are lost: ${describeError(error)}`)
      }
      this.#stream = 0
      // Whoever asks now learns that Docker does not answer, or, where it takes its time to end, after one of the next tries.
      this.#tell(null)
      await this.#pause(Math.min(dockerBackoffMs(failures), longestPauseMs))
    }
  }

  close(): void {
    this.#closed.abort()
    this.#watchers.clear()
  }

  watch(watcher: Watcher, signal: AbortSignal): void {
    if (signal.aborted) return
    this.#watchers.add(watcher)
    setMaxListeners(0, signal)
    signal.addEventListener('abort', () => this.#watchers.delete(watcher), { once: true })
  }

  /** All units, from what is known where that is still true. */
  async list(signal: AbortSignal): Promise<readonly ObservedUnit[]> {
    await this.#refresh(signal)
    return [...this.#units.values()]
  }

  /** One unit as it is now; null when there is no container of it. */
  async observe(name: UnitName, signal: AbortSignal): Promise<ObservedUnit | null> {
    const id = await this.idOf(name, signal)
    if (id === null) return null
    if (!this.#told.has(id)) await this.#inspect(id, signal)
    return this.#units.get(name) ?? null
  }

  /** The container of a unit; null when there is none. */
  async idOf(name: UnitName, signal: AbortSignal): Promise<string | null> {
    if (!this.#isListed || !this.#units.has(name)) await this.#refresh(signal, this.#others(name))
    return this.#units.get(name)?.containerId ?? null
  }

  /** What was seen last of the container of a unit; null where none was. */
  seen(name: UnitName): Inspected | null {
    const id = this.#units.get(name)?.containerId ?? null
    return id === null ? null : (this.#seen.get(id)?.container ?? null)
  }

  /** Takes note of the policy that a container was just given. */
  notePolicy(id: string, policy: RestartPolicy): void {
    const known = this.#seen.get(id)
    if (known === undefined) return
    const { container } = known
    const HostConfig = { ...container.HostConfig, RestartPolicy: policy }
    this.#seen.set(id, { ...known, container: { ...container, HostConfig } })
  }

  /** Takes note of a container that was just made, before its event arrives. */
  async add(id: string, signal: AbortSignal): Promise<void> {
    await this.#inspect(id, signal)
  }

  /** Takes note that a container may have changed, before its event arrives. */
  touch(id: string): void {
    this.#told.delete(id)
    this.#changed.add(id)
  }

  /** Takes note that a unit is to be down, or up again: a program that was asked to end has not failed. */
  markStopped(name: UnitName, stopped: boolean): void {
    if (stopped) this.#stopAsked.add(name)
    else this.#stopAsked.delete(name)
  }

  /** Whether a unit has ended and is to be restarted. */
  isDue(name: UnitName): boolean {
    return this.#units.get(name)?.restartIsDue === true
  }

  /** How often a container was restarted by this driver since it was started. */
  ownRestarts(id: string): number {
    return this.#ownRestarts.get(id) ?? 0
  }

  noteRestarts(id: string, count: number): void {
    this.#ownRestarts.set(id, count)
  }

  get #isListed(): boolean {
    return this.#listedUnder === this.#stream
  }

  /** Containers that are known to be other units': one that hangs holds up no unit but its own. */
  #others(name: UnitName): ReadonlySet<string> {
    return new Set(
      [...this.#units.values()].flatMap((unit) =>
        unit.name === name || unit.containerId === null ? [] : [unit.containerId],
      ),
    )
  }

  /** Looks at all that has changed, but for containers that do not matter. */
  async #refresh(signal: AbortSignal, others: ReadonlySet<string> = new Set()): Promise<void> {
    if (!this.#isListed) {
      this.#listing ??= this.#listAnew().finally(() => {
        this.#listing = null
      })
      return await abortable(this.#listing, signal)
    }
    const looks = [...this.#looks].filter(([, id]) => !others.has(id)).map(([look]) => look)
    const changed = [...this.#changed].filter((id) => !others.has(id))
    const all = Promise.all([...looks, ...changed.map((id) => this.#inspect(id, signal))])
    await abortable(
      all.then(() => {}),
      signal,
    )
  }

  /** Shared by all who wait for it; a container that is made meanwhile is not lost. */
  async #listAnew(): Promise<void> {
    const signal = this.#closed.signal
    const stream = this.#stream
    const known = [...this.#units.values()].map(({ containerId }) => containerId)
    const options = { all: true, filters: this.#filters, abortSignal: signal }
    const found = await this.#options.docker.listContainers(options).catch((error: unknown) => {
      throw asDriverError(error, 'Docker could not be asked for its containers')
    })
    await Promise.all(found.map(({ Id }) => this.#inspect(Id, signal)))
    for (const id of known) if (id !== null && !found.some(({ Id }) => Id === id)) this.#forget(id)
    this.#listedUnder = stream === 0 ? -1 : stream
  }

  /** Looks at a container. It no longer counts as changed from before the look, so that no change gets lost. */
  async #inspect(id: string, signal: AbortSignal): Promise<void> {
    this.#changed.delete(id)
    const look = this.#look(id, signal)
    const settled = look.catch(() => {})
    this.#looks.set(settled, id)
    await look.finally(() => this.#looks.delete(settled))
  }

  async #look(id: string, signal: AbortSignal): Promise<void> {
    const stream = this.#stream
    try {
      const container = await this.#inspections(() => this.#ask(id, signal), signal)
      if (container === null) return this.#forget(id)
      if (this.#told.has(id)) return
      const seen = withReportedEnd(container, this.#seen.get(id)?.container)
      if (!this.#isNewEnd(seen)) return this.#keep(seen)
      if (!(await this.#isCertain(stream))) {
        throw new DriverError('docker/unreachable', 'Docker is stopping, and its containers with it')
      }
      if (!this.#told.has(id)) this.#keep(seen)
    } catch (error) {
      this.#changed.add(id)
      throw error
    }
  }

  async #ask(id: string, signal: AbortSignal): Promise<Inspected | null> {
    try {
      return (await this.#options.docker.getContainer(id).inspect({ abortSignal: signal })) as Inspected
    } catch (error) {
      if (statusOf(error) === 404) return null
      throw asDriverError(error, 'Docker could not be asked for a container')
    }
  }

  /** Whether a container has ended that was not seen so before, and that nobody asked to end. */
  #isNewEnd(container: Inspected): boolean {
    const owner = readOwnership(container.Config.Labels)
    if (!hasEnded(container) || owner === null || this.#stopAsked.has(owner.unit)) return false
    const before = this.#seen.get(container.Id)?.container
    const isSame = before?.State.StartedAt === container.State.StartedAt && hasEnded(before)
    return !isSame
  }

  /**
   * Whether what was just seen under a stream of events is no part of Docker's own end: that stream is still open, and
   * Docker takes a new connection, which is the first thing that it ceases to do.
   */
  async #isCertain(stream: number): Promise<boolean> {
    return (await this.#answers()) && (this.#stream === stream || stream === 0)
  }

  #keep(container: Inspected): void {
    const { Id, RestartCount, State, Config, HostConfig, NetworkSettings } = container
    const owner = readOwnership(Config.Labels)
    if (owner === null) return
    if (!this.#seen.has(Id)) this.#recall(container, owner.unit)
    const reported = this.#reported.get(Id)
    const told = reported?.startedAt === State.StartedAt && hasEnded(container) ? reported.exit : null
    this.#noteInterruption(container, owner.unit, told !== null)
    const kept = { Id, RestartCount, State, Config, HostConfig, NetworkSettings }
    this.#seen.set(Id, { container: kept, stream: this.#stream })
    const stopAsked = this.#stopAsked.has(owner.unit)
    const endedWith = this.#endedWith.get(container.Id) ?? null
    const ownRestarts = this.ownRestarts(Id)
    const knownSteady = this.#steadyRestarts.get(owner.unit) ?? 0
    const steadyRestarts =
      policyOfRun(container) === null
        ? steadyRestartsOf(container, knownSteady)
        : ownSteadyRestarts(container, ownRestarts, knownSteady)
    this.#steadyRestarts.set(owner.unit, steadyRestarts)
    const interrupted = this.#interrupted.get(Id) === State.StartedAt
    const known = {
      stopAsked,
      endedWith,
      steadyRestarts,
      interrupted,
      ownRestarts,
      told,
      isHalted: this.#halted.has(Id),
    }
    this.#units.set(owner.unit, observe(container, owner, known))
  }

  /** What a daemon before this one has reported of a unit, whose container is found as that has left it. */
  #recall(container: Inspected, unit: UnitName): void {
    const reported = this.#options.reported.get(unit)
    if (reported?.containerId === container.Id)
      this.#ownRestarts.set(container.Id, restartsSince(container, reported))
    const exit = reportedEnd(container, reported)
    if (exit === null) return
    this.#reported.set(container.Id, { startedAt: container.State.StartedAt, exit })
    // It was asked to end, or has ended well.
    if (reported?.active === 'inactive') this.#stopAsked.add(unit)
  }

  /**
   * What ran under a stream of events that was cut, and has ended without being started since, Docker took with it; what is
   * found ended that was started before the machine was, the machine; and what ended before Docker was started, or as it was,
   * Docker again.
   */
  #noteInterruption(container: Inspected, unit: UnitName, isTold: boolean): void {
    const { Id, State } = container
    if (!hasEnded(container)) return void this.#interrupted.delete(Id)
    const before = this.#seen.get(Id)
    this.#noteWaiting(container, before)
    if (before === undefined) {
      const isInterrupted = isTold
        ? this.#options.reported.get(unit)?.interrupted === true
        : endedWithHost(State, this.#options) && this.#mayBeCutOff(container)
      if (isInterrupted) this.#interrupted.set(Id, State.StartedAt)
      return
    }
    if (before.stream === this.#stream || !isUp(before.container) || !this.#mayBeCutOff(container)) return
    this.#interrupted.set(Id, State.StartedAt)
  }

  /** A run that waited for its restart when Docker, or the machine, went down is not restarted any more. */
  #noteWaiting({ Id, State }: Inspected, before: Seen | undefined): void {
    const { livesOn, bootedAt, startedAt } = this.#options
    const endedAt = Date.parse(State.FinishedAt)
    const endedBeforeDocker =
      before === undefined
        ? startedAt !== null && endedAt < startedAt
        : hasEnded(before.container) && before.stream !== this.#stream
    if (endedAt < bootedAt || (endedBeforeDocker && !livesOn)) this.#halted.add(Id)
  }

  /** A run whose end can be told from that of Docker is told to have ended as it did; all else is started again anyway. */
  #mayBeCutOff(container: Inspected): boolean {
    const { livesOn, bootedAt } = this.#options
    if (policyOfRun(container) === null || Date.parse(container.State.StartedAt) < bootedAt) return true
    return mayBeDockers(container, livesOn)
  }

  #forget(id: string): void {
    const known = [this.#endedWith, this.#seen, this.#told, this.#short, this.#interrupted, this.#latest]
    for (const one of [...known, this.#ownRestarts, this.#reported, this.#halted]) one.delete(id)
    for (const [name, unit] of this.#units) {
      if (unit.containerId !== id) continue
      this.#units.delete(name)
      this.#stopAsked.delete(name)
      this.#steadyRestarts.delete(name)
    }
  }

  /** Events since a moment ago come too: the answer begins before Docker has noted that we listen. */
  async #openEvents(since: number): Promise<Readable> {
    const filters = { ...this.#filters, type: ['container'], event: events }
    const options = { since, filters: JSON.stringify(filters), abortSignal: this.#closed.signal }
    return (await this.#options.docker.getEvents(options)) as unknown as Readable
  }

  #take(event: ContainerEvent): void {
    const { Action, Actor } = event
    if (Action === 'oom') this.#short.add(Actor.ID)
    if (Action === 'die') this.#endedWith.set(Actor.ID, Number(Actor.Attributes['exitCode']))
    if (Action === 'stop') this.#halted.add(Actor.ID)
    if (Action === 'start') this.#halted.delete(Actor.ID)
    this.#latest.set(Actor.ID, event)
    const seen = this.#seen.get(Actor.ID)?.container
    const dead = Action === 'die' && seen !== undefined ? afterDeath(seen, event) : null
    this.touch(Actor.ID)
    const name = (Actor.Attributes[unitLabel] as UnitName | undefined) ?? null
    if (dead === null || this.#short.has(Actor.ID)) this.#tell(name)
    else
      this.#tellDeath(event, dead)
        .finally(() => this.#tell(name))
        .catch((error: unknown) => this.#options.log.warn('docker', describeError(error)))
  }

  /** Keeps what an event tells of a death, once it is certain that Docker itself is not ending. */
  async #tellDeath(event: ContainerEvent, dead: Inspected): Promise<void> {
    if (this.#isNewEnd(dead) && !(await this.#isCertain(this.#stream))) return
    if (this.#latest.get(dead.Id) !== event) return
    this.#keep(dead)
    this.#changed.delete(dead.Id)
    this.#told.add(dead.Id)
  }

  #tell(name: UnitName | null): void {
    for (const watcher of [...this.#watchers]) watcher(name)
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#closed.signal }).catch(() => {})
  }
}
