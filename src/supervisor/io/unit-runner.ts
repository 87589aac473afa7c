// One unit in the supervisor: keeps its state, writes it down, and does what the machine's effects say.
import type { ChildProcess } from 'node:child_process'
import { type Backoff, backoffMs } from '../../lib/backoff.js'
import { errorCode } from '../../lib/io/error-code.js'
import type { Log } from '../../lib/io/log.js'
import { describeError } from '../../lib/io/log.js'
import { inOwnTurn, ownTurn } from '../../lib/io/turns.js'
import { type Clock, longestTimerMs } from '../../lib/time.js'
import { DriverError } from '../../model/driver-error.js'
import type { ObservedUnit, UnitFailure } from '../../model/unit.js'
import type { Joining } from '../cgroup.js'
import { markVariables, type ProcessMark, type RunMark } from '../marker.js'
import { observeUnit } from '../observe.js'
import { endedSessions, type ProcessTable, processesOf } from '../processes.js'
import type { LoadedUnit } from '../protocol.js'
import { withinReach } from '../recovery.js'
import { isAtRest, type ProcessId, type Role, type UnitState } from '../state.js'
import { type Effect, step, type UnitEvent } from '../unit-state-machine.js'
import type { Home } from './home.js'
import { LaunchError, launch, spawnFailure } from './launch.js'
import { isProcessAlive, readStat } from './proc.js'
import { logPathsOf } from './unit-logs.js'

/** What a unit needs of the supervisor around it. */
interface RunnerHost {
  readonly home: Home
  /** Writes the unit's state down. Throws DriverError. */
  readonly write: (runner: UnitRunner) => void
  readonly clock: Clock
  readonly log: Log
  /** The cgroups that hold its limits, made for a command that is started now; null for none. Throws LaunchError. */
  readonly cgroup: (unit: LoadedUnit) => Joining | null
  /** Whether the kernel has killed it for its limit. */
  readonly hasKilled: (unit: LoadedUnit) => boolean
  /** The unit's state has changed. */
  readonly onChange: (runner: UnitRunner) => void
}

/** How soon a record that could not be written is written again. */
const writeAgain: Backoff = { firstMs: 1000, longestMs: 30_000 }

export class UnitRunner {
  readonly #host: RunnerHost
  #unit: LoadedUnit
  #state: UnitState
  #written: UnitState | null = null
  /** Why the record could not be written when that was last tried, and how often in a row. */
  #unwritten: string | null = null
  #writeFailures = 0
  /** Processes that we are the parent of: their end is told to us. */
  readonly #children = new Map<Role, ChildProcess>()
  /** What the latest look found besides main and control. */
  #leftovers: readonly ProcessId[] = []
  #timer: NodeJS.Timeout | null = null
  #writeTimer: NodeJS.Timeout | null = null
  readonly #waiters = new Set<() => void>()
  readonly #queue: UnitEvent[] = []
  #busy = false
  #closed = false
  /** How often it was asked to stop: what was to be started before that is not started any more. */
  #stops = 0

  constructor(host: RunnerHost, unit: LoadedUnit, state: UnitState) {
    this.#host = host
    this.#unit = unit
    this.#state = state
  }

  get unit(): LoadedUnit {
    return this.#unit
  }

  get state(): UnitState {
    return this.#state
  }

  get mark(): RunMark {
    return { home: this.#host.home.id, unit: this.#unit.name, run: this.#state.run }
  }

  observe(): ObservedUnit {
    return observeUnit(this.#unit, this.#state)
  }

  /** Takes up a state that was found on disk, and the events that bring it up to now. */
  recover(events: readonly UnitEvent[]): void {
    this.#state = withinReach(this.#unit.service, this.#state, this.#host.clock.now())
    for (const event of events) this.dispatch(event)
    this.#armTimer()
  }

  /** Gives a unit at rest another text; both are written down already. */
  replace(unit: LoadedUnit, state: UnitState): void {
    this.#unit = unit
    this.#state = state
    this.#written = state
    this.#host.onChange(this)
  }

  /**
   * Starts it; resolves when its first process is there, or it was asked to stop before its turn has come, throws why there is none.
   * Of many units that are started together each has a turn of its own: to make a process takes long on a busy machine, and others
   * are answered in between.
   */
  async start(): Promise<void> {
    const stops = this.#stops
    await ownTurn()
    if (this.#stops !== stops) return
    const before = this.#state.run
    this.dispatch({ kind: 'start' })
    const started = this.#state.run
    await this.#until(() => this.#state.spawning === null || this.#state.run !== started)
    const { failure, sub } = this.#state
    const isOurs = this.#state.run === started && (started !== before || sub === 'failed')
    if (isOurs && failure !== null)
      throw new DriverError(failure.code, failure.message, { permanent: failure.permanent })
  }

  /** Stops it; resolves when nothing of it runs. */
  async stop(): Promise<void> {
    this.#stops += 1
    this.dispatch({ kind: 'stop' })
    await this.#until(() => isAtRest(this.#state))
  }

  /** Lets go of timers and heeds nothing any more; what runs goes on. */
  close(): void {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#writeTimer !== null) clearTimeout(this.#writeTimer)
  }

  /** Something happened. Effects may cause further events at once; they wait until this one is done. */
  dispatch(event: UnitEvent): void {
    if (this.#closed) return
    this.#queue.push(event)
    if (this.#busy) return
    this.#busy = true
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#apply(next)
    } finally {
      this.#busy = false
    }
    this.#armTimer()
    this.#host.onChange(this)
    for (const waiter of [...this.#waiters]) waiter()
  }

  #apply(event: UnitEvent): void {
    // Asked first: where the clock was set it changes the state.
    const now = this.#host.clock.now()
    const { state, effects } = step(this.#unit.service, this.#state, event, now)
    this.#state = state
    const written = this.#write()
    for (const effect of effects) {
      if (effect.kind === 'signal') this.#signal(effect)
      else if (written === null) this.#spawn(effect)
      // Without a record of the intent a crash could lead to a second copy: rather no process than two.
      else this.#queue.push({ kind: 'spawn-failed', role: effect.role, failure: written })
    }
  }

  // Records.

  /** Writes the state down; what went wrong, if anything. */
  #write(): UnitFailure | null {
    if (this.#written === this.#state) return null
    try {
      this.#host.write(this)
      this.#written = this.#state
      this.#unwritten = null
      this.#writeFailures = 0
      return null
    } catch (error) {
      const why = describeError(error)
      if (why !== this.#unwritten)
        this.#host.log.error('process', 'cannot write a record', { unit: this.#unit.name, why })
      this.#unwritten = why
      if (this.#writeTimer === null) this.#writeFailures += 1
      this.#writeTimer ??= setTimeout(
        () => {
          this.#writeTimer = null
          this.#write()
        },
        backoffMs(this.#writeFailures, writeAgain),
      )
      const code = error instanceof DriverError ? error.code : 'process/record-not-written'
      return { code, message: describeError(error), permanent: false }
    }
  }

  // Processes.

  #spawn({ role, list, index }: Extract<Effect, { kind: 'spawn' }>): void {
    const command = this.#unit.service.commands[list][index]
    if (command === undefined) return
    const { paths } = this.#host.home
    const { name } = this.#unit
    const mark: ProcessMark = { ...this.mark, list, index }
    const variables = { ...markVariables(mark), ...this.#circumstances() }
    try {
      const logs = logPathsOf(paths, name)
      const cgroup = this.#host.cgroup(this.#unit)
      this.#adopt(role, command.path, launch({ unit: this.#unit, command, variables, logs, cgroup }))
    } catch (error) {
      const failure = error instanceof LaunchError ? error.failure : spawnFailure(command.path, error)
      this.#queue.push({ kind: 'spawn-failed', role, failure })
    }
  }

  /** What systemd tells a command about the run that it belongs to. */
  #circumstances(): Readonly<Record<string, string>> {
    const { main, exit, sub, result } = this.#state
    if (sub === 'start-pre' || sub === 'start') return {}
    if (sub === 'start-post' || main !== null) return main === null ? {} : { MAINPID: String(main.pid) }
    return {
      SERVICE_RESULT: result,
      ...(exit === null ? {} : { EXIT_CODE: exit.signal === null ? 'exited' : 'killed' }),
      ...(exit === null ? {} : { EXIT_STATUS: exit.signal?.slice(3) ?? String(exit.code ?? '') }),
    }
  }

  #adopt(role: Role, path: string, child: ChildProcess): void {
    const { pid } = child
    if (pid === undefined) {
      child.once('error', (error) =>
        this.dispatch({ kind: 'spawn-failed', role, failure: spawnFailure(path, error) }),
      )
      return
    }
    child.on('error', (error) =>
      this.#host.log.warn('process', describeError(error), { unit: this.#unit.name }),
    )
    this.#children.set(role, child)
    // The supervisor's socket keeps it alive, not what it supervises.
    child.unref()
    child.once('exit', (code, signal) => {
      if (this.#children.get(role) === child) this.#children.delete(role)
      if (signal === 'SIGKILL' && this.#host.hasKilled(this.#unit)) this.dispatch({ kind: 'over-memory' })
      this.dispatch({ kind: 'exited', role, code, signal })
    })
    // A process that has ended already still has its entry, since we have not waited for it yet.
    this.#queue.push({ kind: 'spawned', role, process: { pid, ticks: readStat(pid)?.ticks ?? 0 } })
  }

  /** Processes that another supervisor started: nobody tells us of their end, so it is looked for. */
  adopted(): readonly Role[] {
    return (['main', 'control'] as const).filter(
      (role) => this.#state[role] !== null && !this.#children.has(role),
    )
  }

  /** Looks whether what was adopted still lives. */
  checkAdopted(): void {
    for (const role of this.adopted()) {
      const process = this.#state[role]
      if (process !== null && !isProcessAlive(process))
        this.dispatch({ kind: 'exited', role, code: null, signal: null })
    }
  }

  /** Whether somebody must look for what is left of the run. */
  wantsLook(): boolean {
    const { lingering, main, control, spawning, sub } = this.#state
    return lingering && main === null && control === null && spawning === null && /-sig(term|kill)$/.test(sub)
  }

  /** Tells the machine what a look found. */
  looked(table: ProcessTable): void {
    this.#leftovers = processesOf(table, this.mark, this.#state.sessions).map(({ pid, ticks }) => ({
      pid,
      ticks,
    }))
    this.dispatch({ kind: 'leftovers', count: this.#leftovers.length })
  }

  /** Whether there are sessions whose first process has ended, and in which something may be left. */
  hasOrphanedSessions(): boolean {
    const { sessions, main, control, spawning } = this.#state
    return sessions.length > (main === null ? 0 : 1) + (control === null ? 0 : 1) && spawning === null
  }

  /** Lets go of sessions that a look found to have ended, before another's may have their numbers. */
  checkSessions(table: ProcessTable): void {
    const sessions = endedSessions(table, this.#state.sessions)
    if (sessions.length > 0) this.dispatch({ kind: 'sessions-ended', sessions })
  }

  #signal({ target, signal }: Extract<Effect, { kind: 'signal' }>): void {
    if (target === 'leftovers') {
      for (const process of this.#leftovers) if (isProcessAlive(process)) this.#kill(process.pid, signal)
      return
    }
    const role = target === 'main' || target === 'main-group' ? 'main' : 'control'
    const process = this.#state[role]
    if (process === null || !(this.#children.has(role) || isProcessAlive(process))) return
    this.#kill(target === role ? process.pid : -process.pid, signal)
  }

  #kill(pid: number, signal: string): void {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (errorCode(error) === 'ESRCH') return
      this.#host.log.warn('process', 'a signal was not delivered', {
        unit: this.#unit.name,
        signal,
        why: describeError(error),
      })
    }
  }

  // Waiting.

  /** The clock was set: what is waited for comes as soon as it was to. */
  clockSet(byMs: number): void {
    const { deadlineAt } = this.#state
    if (deadlineAt === null) return
    this.#state = { ...this.#state, deadlineAt: deadlineAt + byMs }
    this.#armTimer()
  }

  #armTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const { deadlineAt } = this.#state
    if (deadlineAt === null) return
    const waitMs = Math.min(Math.max(0, deadlineAt - this.#host.clock.now()), longestTimerMs)
    this.#timer = setTimeout(() => this.#onTimer(), waitMs)
  }

  #onTimer(): void {
    // Those that have failed together are started again together.
    if (this.#state.sub === 'auto-restart') inOwnTurn(() => this.#lookAtDeadline())
    else this.#lookAtDeadline()
  }

  #lookAtDeadline(): void {
    const { deadlineAt } = this.#state
    if (deadlineAt !== null && deadlineAt <= this.#host.clock.now()) this.dispatch({ kind: 'deadline' })
    else this.#armTimer()
  }

  #until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve()
    return new Promise((resolve) => {
      const waiter = (): void => {
        if (!holds()) return
        this.#waiters.delete(waiter)
        resolve()
      }
      this.#waiters.add(waiter)
    })
  }
}
