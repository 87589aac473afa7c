// All units of one data directory: their runners, and what they share (looks at processes, logs, memory).
import { invariant } from '../../lib/invariant.js'
import { readBootId } from '../../lib/io/boot-id.js'
import { type JumpWatch, watchForJumps } from '../../lib/io/clock.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { pageBytes } from '../../lib/io/page-size.js'
import type { Time } from '../../lib/time.js'
import { DriverError } from '../../model/driver-error.js'
import type { ObservedUnit, UnitName } from '../../model/unit.js'
import { type CgroupLimits, type Controller, controllersFor, type Joining } from '../cgroup.js'
import type { JournalEntry, UnitRecord } from '../journal.js'
import { judgeMemory } from '../memory-guard.js'
import { type ProcessTable, processesOf } from '../processes.js'
import type { DescribedUnit, LoadedUnit } from '../protocol.js'
import { endedWithMachine, newerThan, recoveryEvents, type Scene } from '../recovery.js'
import { initialState, isAtRest, type UnitState } from '../state.js'
import type { Home } from './home.js'
import { findJournal, type JournalFile } from './journal-file.js'
import { LaunchError } from './launch.js'
import type { LogLimits } from './log-keeper.js'
import { LogWatch } from './log-watch.js'
import { lookAtProcesses } from './proc.js'
import { type CgroupPlace, openUnitCgroups, type UnitCgroups } from './unit-cgroups.js'
import { logPathsOf, makeLogs, removeLogs, sweepLogs } from './unit-logs.js'
import { UnitRunner } from './unit-runner.js'

interface SupervisorOptions {
  readonly home: Home
  readonly clock: Time
  readonly log: Log
  readonly logLimits: LogLimits
  readonly onChange: (name: UnitName) => void
  /** Where cgroups are; null for nowhere. */
  readonly cgroups: CgroupPlace | null
}

/** What is left of a stopping unit is looked for at once, and then this often. */
const lookAgainMs = 50
/** How soon after a look the next one may be: units that end together are looked for together. */
const lookApartMs = 20
const memoryEveryMs = 5000
const adoptedEveryMs = 500
/** Far sooner than any system gives the number of a process to another one. */
const sessionsEveryMs = 2000

export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #bootId = readBootId() ?? 'unknown'
  readonly #runners = new Map<UnitName, UnitRunner>()
  readonly #logs: LogWatch
  readonly #chores: { readonly memory: Chore; readonly adopted: Chore; readonly sessions: Chore }
  #journal: JournalFile | null = null
  /** The journal has lost something, perhaps a whole unit. */
  #damaged = false
  #suspects: ReadonlySet<UnitName> = new Set()
  #lookTimer: NodeJS.Timeout | null = null
  #lookedAt = 0
  readonly #watch: JumpWatch
  readonly #clock: Time
  #chorePlan: NodeJS.Immediate | null = null
  /** Looked for when the first unit with a limit is started. */
  #cgroups: UnitCgroups | null = null

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#watch = watchForJumps(options.clock)
    this.#clock = this.#watch.noticing(options.clock)
    this.#watch.onJump((byMs) => {
      for (const runner of this.#runners.values()) runner.clockSet(byMs)
    })
    this.#logs = new LogWatch(options.logLimits, options.log)
    this.#chores = {
      memory: new Chore(memoryEveryMs, () => this.#guardMemory()),
      adopted: new Chore(adoptedEveryMs, () => this.#checkAdopted()),
      sessions: new Chore(sessionsEveryMs, () => this.#checkSessions()),
    }
  }

  /** Takes over the units of the journal, with what runs of them. */
  recover(): void {
    const { home, clock, log } = this.#options
    const found = findJournal(home.paths.journal)
    this.#damaged = found.damaged.length > 0
    if (this.#damaged) {
      const fields = { lines: found.damaged.join(','), kept: found.keptAside }
      log.error('process', 'the journal is damaged; taking over running units anyway', fields)
    }
    this.#journal = found.open()
    sweepLogs(home.paths, found.records.keys())
    if (found.records.size === 0) return
    const scene = { home: home.id, table: lookAtProcesses(true), now: clock.now() }
    for (const record of found.records.values()) this.#recoverUnit(record, scene)
    this.#planChores()
  }

  #recoverUnit({ unit, state, boot }: UnitRecord, scene: Omit<Scene, 'sameBoot'>): void {
    const newer = newerThan(unit.name, state, scene)
    if (newer !== null) {
      this.#options.log.error('process', 'found a running unit that is not in the journal', {
        unit: unit.name,
      })
    }
    const sameBoot = boot === this.#bootId
    const over = unit.runsOnce === true && !sameBoot ? endedWithMachine(state, scene.now) : null
    const known = newer ?? over
    const runner = this.#add(unit, known ?? state)
    // When that was found is when it ended, whoever looks again.
    if (known !== null && known === over) this.#writeFound(runner)
    runner.recover(known === null ? recoveryEvents(unit.name, state, { ...scene, sameBoot }) : [])
    this.#tendLogs(runner)
  }

  #writeFound({ unit: { name }, state }: UnitRunner): void {
    try {
      this.#write({ kind: 'state', name, state, boot: this.#bootId })
    } catch (error) {
      this.#options.log.warn('process', `cannot record the running unit ${name}: ${describeError(error)}`)
    }
  }

  #add(unit: LoadedUnit, state: UnitState): UnitRunner {
    const { home, log } = this.#options
    const host = {
      home,
      clock: this.#clock,
      log,
      write: (runner: UnitRunner) =>
        this.#write({ kind: 'state', name: runner.unit.name, state: runner.state, boot: this.#bootId }),
      cgroup: (unit: LoadedUnit) => this.#cgroupFor(unit),
      hasKilled: ({ name }: LoadedUnit) => this.#cgroups?.hasKilled(name) === true,
      onChange: (changed: UnitRunner) => this.#changed(changed),
    }
    const runner = new UnitRunner(host, unit, state)
    this.#runners.set(unit.name, runner)
    return runner
  }

  /** Throws LaunchError where a limit would not be held that nothing but the kernel holds. */
  #cgroupFor({ name, service }: LoadedUnit): Joining | null {
    const limits = limitsOf(service)
    const asked = controllersFor(limits)
    if (asked.length === 0) return null
    const cgroups = this.#openCgroups()
    for (const controller of asked) {
      const why = cgroups.whyNot(controller)
      if (why !== null && controller !== 'memory') throw cannotLimit(controller, why)
    }
    try {
      return cgroups.prepare(name, limits)
    } catch (error) {
      const [needed] = asked.filter((one) => one !== 'memory')
      if (needed !== undefined) throw cannotLimit(needed, describeError(error))
      const fields = { unit: name, why: describeError(error) }
      this.#options.log.warn('process', 'the memory of a unit is only looked at every 5 s', fields)
      return null
    }
  }

  #findCgroups(): UnitCgroups {
    const { cgroups, home, log } = this.#options
    const found = openUnitCgroups(cgroups ?? [], home.id)
    const why = found.whyNot('memory')
    if (why === null)
      log.info('process', 'the kernel holds units to their memory', { cgroups: found.dirs.join(' ') })
    else log.info('process', 'the memory of units is looked at every 5 s', { why })
    return found
  }

  #openCgroups(): UnitCgroups {
    this.#cgroups ??= this.#findCgroups()
    return this.#cgroups
  }

  #write(entry: JournalEntry): void {
    invariant(this.#journal !== null, 'the supervisor has recovered before it changes anything')
    this.#journal.append(entry)
  }

  /** What a short journal says. */
  *#records(): Generator<UnitRecord> {
    for (const { unit, state } of this.#runners.values()) yield { unit, state, boot: this.#bootId }
  }

  /** Whether nothing runs and nothing is going to run by itself. */
  isIdle(): boolean {
    return [...this.#runners.values()].every(({ state }) => isAtRest(state))
  }

  list(): readonly ObservedUnit[] {
    return [...this.#runners.values()].map((runner) => runner.observe())
  }

  observe(name: UnitName): ObservedUnit | null {
    return this.#runners.get(name)?.observe() ?? null
  }

  async load(unit: LoadedUnit): Promise<void> {
    await makeLogs(logPathsOf(this.#options.home.paths, unit.name))
    const known = this.#runners.get(unit.name)
    if (known !== undefined && !isAtRest(known.state)) {
      if (known.unit.hash === unit.hash) return
      throw new DriverError(
        'process/still-running',
        `${unit.name} still runs with another text: stop it first`,
      )
    }
    const state = this.#stateOfLoaded(unit, known)
    this.#write({ kind: 'unit', unit, state, boot: this.#bootId })
    if (known === undefined) this.#add(unit, state).recover([])
    else known.replace(unit, state)
    this.#options.onChange(unit.name)
  }

  /** Another text begins anew. A unit that a damaged journal has lost may run already. */
  #stateOfLoaded(unit: LoadedUnit, known: UnitRunner | undefined): UnitState {
    if (known !== undefined) {
      return known.unit.hash === unit.hash ? known.state : { ...initialState, run: known.state.run }
    }
    if (!this.#damaged) return initialState
    const { home, clock } = this.#options
    const scene = { home: home.id, table: lookAtProcesses(true), now: clock.now() }
    return newerThan(unit.name, initialState, scene) ?? initialState
  }

  /** What those need who deal with a unit's processes themselves; null for a unit that is not loaded. */
  describe(name: UnitName): DescribedUnit | null {
    const runner = this.#runners.get(name)
    return runner === undefined
      ? null
      : { unit: runner.unit, run: runner.state.run, sessions: runner.state.sessions }
  }

  async start(name: UnitName): Promise<void> {
    const runner = this.#runners.get(name)
    if (runner === undefined)
      throw new DriverError('process/unknown-unit', `${name} is not loaded`, { permanent: true })
    await runner.start()
  }

  async stop(name: UnitName): Promise<void> {
    await this.#runners.get(name)?.stop()
  }

  async unload(name: UnitName): Promise<void> {
    const runner = this.#runners.get(name)
    if (runner === undefined) return
    await runner.stop()
    if (this.#runners.get(name) !== runner) return
    // Where that cannot be written it is there as before.
    this.#write({ kind: 'forgotten', name })
    runner.close()
    this.#runners.delete(name)
    const logs = logPathsOf(this.#options.home.paths, name)
    this.#logs.remove(logs)
    removeLogs(logs, this.#options.logLimits)
    this.#options.onChange(name)
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#runners.values()].map((runner) => runner.stop()))
  }

  /** Ends the supervisor's own work; what runs goes on. */
  close(): void {
    if (this.#chorePlan !== null) clearImmediate(this.#chorePlan)
    for (const chore of Object.values(this.#chores)) chore.stop()
    if (this.#lookTimer !== null) clearTimeout(this.#lookTimer)
    for (const runner of this.#runners.values()) runner.close()
    this.#cgroups?.close()
    this.#watch.end()
    this.#logs.close()
    this.#journal?.close()
  }

  #changed(runner: UnitRunner): void {
    const { name } = runner.unit
    this.#options.onChange(name)
    this.#tendLogs(runner)
    if (isAtRest(runner.state)) this.#cgroups?.remove(name)
    this.#planChores()
    if (runner.wantsLook()) this.#planLook(this.#lookedAt + lookApartMs - this.#options.clock.steady())
  }

  #tendLogs({ unit, state }: UnitRunner): void {
    const logs = logPathsOf(this.#options.home.paths, unit.name)
    if (isAtRest(state)) this.#logs.end(logs)
    else this.#logs.begin(logs)
  }

  /** Chores are done only while a unit needs them; what changes in one turn is looked at together. */
  #planChores(): void {
    this.#chorePlan ??= setImmediate(() => {
      this.#chorePlan = null
      this.#startAndStopChores()
      this.#journal?.compactIfLong(() => this.#records())
    })
  }

  #startAndStopChores(): void {
    const busy = [...this.#runners.values()].filter(({ state }) => !isAtRest(state))
    this.#chores.memory.need(busy.some(({ unit }) => unit.service.memoryBytes !== null))
    this.#chores.adopted.need(busy.some((runner) => runner.adopted().length > 0))
    this.#chores.sessions.need([...this.#runners.values()].some((runner) => runner.hasOrphanedSessions()))
  }

  #planLook(waitMs: number): void {
    this.#lookTimer ??= setTimeout(
      () => {
        this.#lookTimer = null
        this.#look()
      },
      Math.max(0, waitMs),
    )
  }

  #look(): void {
    const waiting = [...this.#runners.values()].filter((runner) => runner.wantsLook())
    if (waiting.length === 0) return
    const table = lookAtProcesses(true)
    this.#lookedAt = this.#options.clock.steady()
    for (const runner of waiting) runner.looked(table)
    if (waiting.some((runner) => runner.wantsLook())) this.#planLook(lookAgainMs)
  }

  #checkAdopted(): void {
    for (const runner of this.#runners.values()) runner.checkAdopted()
  }

  #checkSessions(): void {
    const orphaned = [...this.#runners.values()].filter((runner) => runner.hasOrphanedSessions())
    const table = lookAtProcesses(false)
    for (const runner of orphaned) runner.checkSessions(table)
  }

  #guardMemory(): void {
    const table = lookAtProcesses(false)
    const cgroups = this.#openCgroups()
    const samples = [...this.#runners.values()].flatMap((runner) => {
      const limitBytes = runner.unit.service.memoryBytes
      if (limitBytes === null || isAtRest(runner.state) || cgroups.holds(runner.unit.name)) return []
      return [{ unit: runner.unit.name, usedBytes: residentBytes(table, runner), limitBytes }]
    })
    const { over, suspects } = judgeMemory(samples, this.#suspects)
    this.#suspects = suspects
    // Version 1 kills one process of a unit, and leaves the others.
    const killedInPart = [...this.#runners].flatMap(([name, { state }]) =>
      !isAtRest(state) && cgroups.hasKilled(name) ? [name] : [],
    )
    for (const unit of [...over, ...killedInPart]) {
      this.#options.log.warn('process', 'unit killed: it exceeded its memory limit', { unit })
      this.#runners.get(unit)?.dispatch({ kind: 'over-memory' })
    }
  }
}

function limitsOf({ memoryBytes, cpuPercent, tasks }: LoadedUnit['service']): CgroupLimits {
  return { memoryBytes, cpuPercent: cpuPercent ?? null, tasks: tasks ?? null }
}

function cannotLimit(controller: Controller, why: string): LaunchError {
  const [option, key] = controller === 'cpu' ? ['CPUQuota=', 'cpu'] : ['TasksMax=', 'pids']
  const message = `this machine cannot enforce ${option} (${key}): ${why}`
  return new LaunchError({ code: 'process/cannot-limit', message, permanent: true })
}

function residentBytes(table: ProcessTable, runner: UnitRunner): number {
  const pages = processesOf(table, runner.mark, runner.state.sessions).reduce(
    (sum, { rssPages }) => sum + rssPages,
    0,
  )
  return pages * pageBytes()
}

/** Work that is done again and again while there is a need for it. */
class Chore {
  readonly #everyMs: number
  readonly #work: () => void
  #timer: NodeJS.Timeout | null = null

  constructor(everyMs: number, work: () => void) {
    this.#everyMs = everyMs
    this.#work = work
  }

  need(needed: boolean): void {
    if (!needed) this.stop()
    else this.#timer ??= setInterval(this.#work, this.#everyMs)
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }
}
