// A machine with programs on it, and the driver through which a daemon there runs them. Programs outlive the daemon, and
// end with the machine.

import type { Driver, KillSignal, UnitStats, UnitToRun } from '../../src/agent/driver.js'
import type { VolumeFiles } from '../../src/agent/io/volume-files.js'
import type { Step } from '../../src/agent/plan-local.js'
import { readService } from '../../src/drivers/process/read-service.js'
import { DriverError } from '../../src/model/driver-error.js'
import type { MachineId } from '../../src/model/machine.js'
import type { ObservedUnit, UnitName } from '../../src/model/unit.js'
import { volumeKey } from '../../src/model/volume.js'
import { decideRestart } from '../../src/supervisor/restart.js'
import type { Service } from '../../src/supervisor/service.js'
import { initialState } from '../../src/supervisor/state.js'
import { optionsOf } from '../../src/unit/values.js'
import { Checks } from './checks.js'
import type { Clockwork, Dice, MachineTime } from './clockwork.js'
import { Hang } from './hang.js'
import { HostVolumes, type VolumesWatch } from './volumes.js'

/** How a program behaves, from the words of its command: `/sim ready=5000 exits=60000 sick=20000 ignores-term`. */
interface Behaviour {
  /** Ends by itself after so long, with a status; null: never. */
  readonly exits: { readonly afterMs: number; readonly code: number } | null
  /** Passes its health checks from then on. */
  readonly readyAfterMs: number
  /** Fails them from then on; null: never. */
  readonly sickAfterMs: number | null
  /** What it takes to end when it is told to; infinite: it does not. */
  readonly stopMs: number
  /** Cannot be started at all. */
  readonly isMissing: boolean
}

/** A program that runs, or ran. */
export interface Program {
  readonly unit: UnitName
  /** Instance and version, where it is one. */
  readonly instance: string | null
  readonly pid: number
  /** There is one on each machine. */
  readonly isGlobal: boolean
  readonly startedAt: number
  endedAt: number | null
  /** Of the time of processors, as last asked for. */
  readonly used: { ns: number; at: number }
}

/** Is told what happens here, at once. */
export interface HostWatch extends VolumesWatch {
  /** The cores that an instance of a service uses now. */
  readonly coresOf: (service: string) => number
  readonly onLoading: (unit: UnitToRun) => void
  /** A daemon has asked for a step of a unit. */
  readonly onStep: (step: Step) => void
  readonly onStarted: (program: Program, unit: UnitToRun) => void
  /** A program that does its work is told to stop. */
  readonly onStopping: (unit: UnitName) => void
  /** A check of a program has found how it is. */
  readonly onChecked: (unit: UnitName, isWell: boolean) => void
}

interface Held {
  unit: UnitToRun
  behaviour: Behaviour
  program: Program | null
  isStopping: boolean
  /** When it was told to stop, as time goes by. */
  toldAt: number
  /** When its state last changed. */
  since: number | null
  /** When its last run began. */
  ranSince: number | null
  exit: ObservedUnit['exit']
  restarts: number
  restartAt: number | null
  /** Restarts in a row without a steady run between them. */
  attempt: number
  service: Service
  /** So long after its start no failed check counts; null: it is not checked. */
  startPeriodMs: number | null
}

export class Host {
  readonly id: MachineId
  readonly volumes: HostVolumes
  readonly #clockwork: Clockwork
  /** What the machine says that it is: what it tells of its programs is by that. */
  readonly #time: MachineTime
  readonly #held = new Map<UnitName, Held>()
  readonly #watchers = new Set<(name: UnitName | null) => void>()
  readonly #running = new Set<Program>()
  readonly #checks = new Checks()
  readonly #dice: Dice
  /** Of what is done again and again, so that nothing else hangs on how often. */
  readonly #routine: Dice
  /** Of what is done or not once nobody waits for it any more. */
  readonly #late: Dice
  readonly #watch: HostWatch
  /** Until when instances did their work that do not any more, by uuid. */
  readonly #served = new Map<string, number>()
  /** What runs programs here does not answer until then. */
  #awayUntil = 0
  /** What runs programs here takes requests, and does not answer. */
  readonly #hang: Hang
  #pid = 100
  #boots = 0

  constructor(id: MachineId, clockwork: Clockwork, time: MachineTime, watch: HostWatch) {
    this.id = id
    this.#clockwork = clockwork
    this.#time = time
    this.#watch = watch
    this.#dice = clockwork.dice(`host ${id}`)
    this.#routine = clockwork.dice(`checks ${id}`)
    this.#late = clockwork.dice(`late ${id}`)
    this.#hang = new Hang(clockwork)
    this.volumes = new HostVolumes(id, clockwork, watch)
  }

  get running(): ReadonlySet<Program> {
    return this.#running
  }

  /** Whether a program of a unit runs here. */
  runs(unit: UnitName): boolean {
    return this.#isRunning(unit)
  }

  /** The text that a unit was made ready with here; null where it is not. */
  hashOf(unit: UnitName): string | null {
    return this.#held.get(unit)?.unit.hash ?? null
  }

  /** When an instance last did its work here: past its start, not sick, and not told to end; null for never. */
  servedAt(instance: string): number | null {
    for (const held of this.#held.values()) {
      if (held.program?.instance !== instance) continue
      const until = this.#servedUntil(held)
      if (until !== null) return until
    }
    return this.#served.get(instance) ?? null
  }

  /** How many instances of a service do their work here now. */
  serving(service: string): number {
    return [...this.#held.values()].filter(
      (held) => held.unit.instance?.service === service && this.#servedUntil(held) === this.#clockwork.now,
    ).length
  }

  /** For how long an instance has done its work here without a break; 0 where it does not. */
  servesForMs(instance: string): number {
    for (const held of this.#held.values()) {
      if (held.program?.instance !== instance || this.#servedUntil(held) !== this.#clockwork.now) continue
      return this.#clockwork.now - held.program.startedAt - held.behaviour.readyAfterMs
    }
    return 0
  }

  /** What runs programs here is away for so long, as Docker is while it is restarted; the programs go on. */
  driverAway(ms: number): void {
    this.#awayUntil = this.#clockwork.now + ms
    this.#clockwork.after(ms, () => this.#tellAll())
  }

  /** What runs programs here hangs for so long; the programs go on, and what has to be done to them is not done. */
  driverHangs(ms: number): void {
    this.#hang.begin(ms)
    this.#hang.whenItGoesOn(() => this.#tellAll())
  }

  driverBack(): void {
    this.#awayUntil = Math.min(this.#awayUntil, this.#clockwork.now)
    this.#hang.end()
  }

  /** When what runs programs here last did not answer; 0 for never. */
  get awayAt(): number {
    return Math.min(Math.max(this.#awayUntil, this.#hang.until), this.#clockwork.now)
  }

  /** Whether what runs programs here answers. */
  get isThere(): boolean {
    return this.#clockwork.now >= this.#awayUntil && !this.#hang.isOn
  }

  /** Whether the checks of its programs would find what they have found, for as long as nothing happens. */
  get isSettled(): boolean {
    const { now } = this.#clockwork
    for (const { unit, program, startPeriodMs } of this.#held.values()) {
      if (startPeriodMs === null || program?.endedAt !== null) continue
      const { startedAt } = program
      if (!this.#checks.isSettled({ unit: unit.name, startedAt, startPeriodMs }, now)) return false
    }
    return true
  }

  /** Since when what runs programs here hangs; null where it does not. */
  get hangsSince(): number | null {
    return this.#hang.since
  }

  /** Programs that were told to stop and still run, with since when. */
  *stopping(): Iterable<{ readonly unit: UnitName; readonly since: number }> {
    for (const [unit, { isStopping, toldAt, program }] of this.#held)
      if (isStopping && program?.endedAt === null) yield { unit, since: toldAt }
  }

  get boots(): number {
    return this.#boots
  }

  /** Everything on it is gone in this moment. */
  powerOff(): void {
    for (const held of this.#held.values()) {
      this.#noteServed(held)
      if (held.program !== null) held.program.endedAt ??= this.#clockwork.now
    }
    this.#held.clear()
    this.volumes.powerOff()
    this.#running.clear()
    this.#watchers.clear()
    this.#hang.powerOff()
    this.#boots += 1
  }

  /** A program dies, as by the hand of the kernel. */
  kill(n: number): void {
    const running = [...this.#held.values()].filter(({ program }) => program?.endedAt === null)
    const one = running[n % running.length]
    if (one !== undefined) this.#ended(one, { code: null, signal: 'SIGKILL' })
  }

  /** A daemon's driver; it ends with `gone`. */
  driver(gone: AbortSignal, files: VolumeFiles): Driver {
    this.#checks.forget(null)
    const line = this.#hang.line(this.#time, gone, () => this.#tellAll())
    const carryOut = async <T>(
      mostMs: number,
      what: () => T,
      dice: Dice,
      isWaited: () => boolean,
    ): Promise<T> => {
      await this.#clockwork.sleep(dice.between(1, mostMs))
      const { isOn } = this.#hang
      if (isOn && !gone.aborted) {
        await this.#hang.over()
        // Of what nobody waits for any more some is done all the same.
        if ((gone.aborted || !isWaited()) && this.#late.chance(0.5)) return new Promise<T>(() => {})
      } else if (gone.aborted) {
        // A daemon that is gone learns nothing more, and what it had not asked for yet is not done.
        return new Promise<T>(() => {})
      }
      if (this.#clockwork.now < this.#awayUntil)
        throw new DriverError('process/unreachable', 'what runs programs here does not answer')
      const done = what()
      return gone.aborted ? new Promise<T>(() => {}) : done
    }
    const act = async <T>(
      signal: AbortSignal | null,
      mostMs: number,
      what: () => T,
      dice = this.#dice,
    ): Promise<T> => await line.ask((isWaited) => carryOut(mostMs, what, dice, isWaited), signal)
    return {
      kind: 'process',
      list: (signal) =>
        act(signal, 5, () => [...this.#held.keys()].flatMap((name) => this.#observed(name) ?? [])),
      observe: (name, signal) => act(signal, 3, () => this.#observed(name)),
      load: (unit, signal) => {
        this.#watch.onStep('load')
        this.#watch.onLoading(unit)
        return act(signal, 10, () => this.#load(unit))
      },
      start: (name, signal) => {
        this.#watch.onStep('start')
        return act(signal, 60, () => this.#start(name))
      },
      stop: async (name, signal) => {
        this.#watch.onStep('stop')
        await act(signal, 3, () => this.#stop(name))
        // A start that nobody waits for any more may come after it.
        while (this.#isRunning(name)) await act(signal, 40, () => this.#stop(name))
      },
      kill: (name, how, signal) => act(signal, 3, () => this.#killUnit(name, how)),
      unload: async (name, signal) => {
        this.#watch.onStep('unload')
        await act(signal, 3, () => this.#stop(name))
        // What was started meanwhile stays: it is stopped first.
        while (this.#held.has(name) && !(await act(signal, 3, () => this.#unload(name))))
          await act(signal, 40, () => this.#stop(name))
      },
      watch: (onChange, signal) => {
        const watcher = (name: UnitName | null): void => {
          this.#clockwork.after(this.#dice.between(1, 5), () => {
            if (!signal.aborted && !gone.aborted) onChange(name)
          })
        }
        this.#watchers.add(watcher)
        gone.addEventListener('abort', () => this.#watchers.delete(watcher), { once: true })
        signal.addEventListener('abort', () => this.#watchers.delete(watcher), { once: true })
      },
      logs: async function* () {},
      exec: (name, request, signal) =>
        act(
          signal,
          20,
          () => {
            request.onRunning?.()
            const isWell = this.#isWell(name)
            this.#checks.note(name, isWell)
            this.#watch.onChecked(name, isWell)
            return { code: isWell ? 0 : 1 }
          },
          // However many there are of them, all else takes the same time.
          this.#routine,
        ),
      stats: (name, signal) => act(signal, 5, () => this.#stats(name), this.#routine),
      volumePath: (volume) => `/volumes/${volumeKey(volume)}`,
      listVolumes: (signal) => act(signal, 5, () => this.volumes.list()),
      volumeData: (volume, signal) => act(signal, 3, () => this.volumes.dataOf(volume, files)),
      makeVolume: (volume, signal) => act(signal, 10, () => void this.volumes.make(volume, this.#time.now())),
      deleteVolume: (volume, signal) => act(signal, 40, () => this.volumes.delete(volume)),
      deleteVolumesOf: async (service, signal) => await act(signal, 40, () => this.volumes.deleteOf(service)),
      close: async () => {},
    }
  }

  /** What a program has used: as much as it has had to do since this was last asked for. */
  #stats(name: UnitName): UnitStats {
    const held = this.#held.get(name)
    const { program, unit } = held ?? {}
    const none = { memoryBytes: null, memoryLimitBytes: null, processes: null }
    if (held === undefined || program == null || program.endedAt !== null) return { cpuNs: null, ...none }
    const { now } = this.#clockwork
    const cores = unit?.instance == null ? 0 : this.#watch.coresOf(unit.instance.service)
    program.used.ns += Math.round(cores * (now - program.used.at) * 1e6)
    program.used.at = now
    return { cpuNs: program.used.ns, ...none }
  }

  #load(unit: UnitToRun): void {
    const { service } = readService(unit.file, { name: unit.name, machine: { id: this.id, hostname: 'sim' } })
    const words = service.commands.start[0]?.argv ?? []
    const behaviour = behaviourOf(words)
    const before = this.#held.get(unit.name)
    if (before?.program?.endedAt === null) {
      if (before.unit.hash !== unit.hash) throw new DriverError('process/running', `${unit.name} runs`)
      return
    }
    this.volumes.load(unit, this.#time.now())
    if (before !== undefined && before.unit.hash === unit.hash) return
    this.#held.set(unit.name, {
      ...{ unit, behaviour, service, program: null, isStopping: false, toldAt: 0 },
      startPeriodMs: startPeriodOf(unit),
      ...{ since: null, ranSince: null, exit: null, restarts: 0, restartAt: null, attempt: 0 },
    })
    this.#tell(unit.name)
  }

  #start(name: UnitName): void {
    const held = this.#held.get(name)
    if (held === undefined) throw new DriverError('process/unknown-unit', `${name} is not loaded`)
    if (held.program?.endedAt === null) return
    if (held.behaviour.isMissing)
      throw new DriverError('process/not-executable', `${name}: there is no such program`, {
        permanent: true,
      })
    held.restarts = 0
    held.attempt = 0
    this.#spawn(held)
  }

  #spawn(held: Held): void {
    const { unit, behaviour } = held
    this.#pid += 1
    const instance = unit.instance === null ? null : `${unit.instance.uuid}`
    this.#noteServed(held)
    const program: Program = {
      ...{ unit: unit.name, instance, pid: this.#pid, startedAt: this.#clockwork.now, endedAt: null },
      isGlobal: optionsOf(unit.file, 'X-Fleet', 'Global').length > 0,
      used: { ns: 0, at: this.#clockwork.now },
    }
    this.#running.add(program)
    held.program = program
    held.isStopping = false
    held.since = this.#time.now()
    held.ranSince = held.since
    held.exit = null
    held.restartAt = null
    const { exits } = behaviour
    if (exits !== null)
      this.#clockwork.after(exits.afterMs, () => {
        if (held.program === program && program.endedAt === null)
          this.#ended(held, { code: exits.code, signal: null })
      })
    this.#forgetChecks(unit.name)
    // From then on its checks find something else: time does not leap over that.
    for (const ms of [behaviour.readyAfterMs, behaviour.sickAfterMs])
      if (ms !== null && ms > 0) this.#clockwork.after(ms, () => this.#forgetChecks(unit.name))
    this.volumes.begin(unit, program)
    this.#watch.onStarted(program, unit)
    this.#tell(unit.name)
  }

  #stop(name: UnitName): void {
    const held = this.#held.get(name)
    if (held === undefined) return
    held.restartAt = null
    const { program } = held
    if (program === null || program.endedAt !== null || held.isStopping) return
    this.#noteServed(held)
    if (this.#servedUntil(held) === this.#clockwork.now) this.#watch.onStopping(name)
    held.isStopping = true
    held.toldAt = this.#clockwork.now
    const { stopMs } = held.behaviour
    const mostMs = held.service.timeoutStopMs ?? Number.POSITIVE_INFINITY
    const isIt = (): boolean => held.program === program && program.endedAt === null
    if (stopMs <= mostMs)
      this.#clockwork.after(stopMs, () => {
        if (isIt()) this.#ended(held, { code: 0, signal: null })
      })
    else if (mostMs < Number.POSITIVE_INFINITY)
      // What hangs kills nothing.
      this.#clockwork.after(mostMs, () =>
        this.#hang.whenItGoesOn(() => {
          if (isIt()) this.#ended(held, { code: null, signal: 'SIGKILL' })
        }),
      )
    this.#tell(name)
  }

  #killUnit(name: UnitName, how: KillSignal): boolean {
    const held = this.#held.get(name)
    if (held?.program?.endedAt !== null) return false
    if (how === 'SIGKILL' || held.behaviour.stopMs < Number.POSITIVE_INFINITY)
      this.#ended(held, { code: null, signal: how })
    return true
  }

  /** Whether it is gone: what runs is not. */
  #unload(name: UnitName): boolean {
    if (this.#isRunning(name)) return false
    this.#held.delete(name)
    this.volumes.unload(name)
    this.#tell(name)
    return true
  }

  #ended(
    held: Held,
    { code, signal }: { readonly code: number | null; readonly signal: string | null },
  ): void {
    const { program } = held
    if (program === null) return
    const at = this.#time.now()
    this.#noteServed(held)
    program.endedAt = this.#clockwork.now
    this.#running.delete(program)
    held.exit = { code, signal, oom: false, at }
    held.since = at
    const result = signal !== null ? 'signal' : code === 0 ? 'success' : 'exit-code'
    const run = { result, exit: held.exit, mainSince: held.ranSince, stopAsked: held.isStopping } as const
    const restart = decideRestart(
      held.service,
      { ...initialState, ...run, restarts: held.restarts, attempt: held.attempt },
      at,
    )
    if (restart !== null) {
      const due = at + restart.waitMs
      held.restartAt = due
      held.attempt = restart.attempt
      const again = (): void => {
        if (held.restartAt !== due || this.#held.get(held.unit.name) !== held) return
        held.restarts += 1
        this.#spawn(held)
      }
      this.#clockwork.after(restart.waitMs, () => this.#hang.whenItGoesOn(again))
    }
    this.#tell(held.unit.name)
  }

  /** What its checks find may be something else from now on. */
  #forgetChecks(unit: UnitName): void {
    this.#checks.forget(unit)
    this.#time.unsettle()
  }

  /** Keeps until when a program did its work, before what happens to it now. */
  #noteServed(held: Held): void {
    const until = this.#servedUntil(held)
    if (until !== null && held.program !== null && held.program.instance !== null)
      this.#served.set(held.program.instance, until)
  }

  /** Until when the program of a unit has done its work: now, while it does; null where it does not run, or never did. */
  #servedUntil({ program, behaviour, isStopping }: Held): number | null {
    if (program === null || program.endedAt !== null || isStopping) return null
    const { now } = this.#clockwork
    const [from, to] = [
      program.startedAt + behaviour.readyAfterMs,
      program.startedAt + (behaviour.sickAfterMs ?? Number.POSITIVE_INFINITY),
    ]
    return now < from || to <= from ? null : Math.min(now, to)
  }

  #isRunning(name: UnitName): boolean {
    return this.#held.get(name)?.program?.endedAt === null
  }

  #isWell(name: UnitName): boolean {
    const held = this.#held.get(name)
    if (held?.program == null || held.program.endedAt !== null) return false
    const { readyAfterMs, sickAfterMs } = held.behaviour
    const ageMs = this.#clockwork.now - held.program.startedAt
    return ageMs >= readyAfterMs && (sickAfterMs === null || ageMs < sickAfterMs)
  }

  #observed(name: UnitName): ObservedUnit | null {
    const held = this.#held.get(name)
    if (held === undefined) return null
    const { unit, program, since, exit, restarts, restartAt, isStopping } = held
    const runs = program?.endedAt === null
    const state = runs
      ? isStopping
        ? (['deactivating', 'stop-sigterm'] as const)
        : (['active', 'running'] as const)
      : restartAt !== null
        ? (['activating', 'auto-restart'] as const)
        : exit !== null && exit.code !== 0
          ? (['failed', 'failed'] as const)
          : (['inactive', 'dead'] as const)
    return {
      name,
      hash: unit.hash,
      driver: 'process',
      load: 'loaded',
      active: state[0],
      sub: state[1],
      since,
      pid: runs ? (program?.pid ?? null) : null,
      containerId: null,
      address: '127.0.0.1',
      restarts,
      ...(restartAt !== null && { restartAt }),
      exit,
      failure: null,
    }
  }

  /** Anything may have changed. */
  #tellAll(): void {
    for (const watcher of this.#watchers) watcher(null)
  }

  #tell(name: UnitName): void {
    // What hangs tells all of it at once when it goes on.
    if (this.#hang.isOn) return
    for (const watcher of this.#watchers) watcher(name)
  }
}

/** So long after the start of a unit's program no failed check counts; null where nothing is checked. */
function startPeriodOf({ file }: UnitToRun): number | null {
  const checks = optionsOf(file, 'X-Mariposa', 'HealthCheck')
  if (checks.length === 0) return null
  // As `manifest.ts` has it.
  return checks.some(({ value }) => value.includes('start_period=')) ? 3_600_000 : 0
}

function behaviourOf(words: readonly string[]): Behaviour {
  const of = (name: string): number | null => {
    const word = words.find((one) => one.startsWith(`${name}=`))
    return word === undefined ? null : Number(word.slice(name.length + 1))
  }
  const exits = of('exits')
  return {
    exits: exits === null ? null : { afterMs: exits, code: of('code') ?? 0 },
    readyAfterMs: of('ready') ?? 0,
    sickAfterMs: of('sick'),
    stopMs: words.includes('ignores-term') ? Number.POSITIVE_INFINITY : (of('stops') ?? 20),
    isMissing: words[0] !== '/sim' || words.includes('missing'),
  }
}
