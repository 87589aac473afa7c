// Keeps every check of a machine's instances going: sends probes when they are due and tells what changed.
import { type Loop, startLoop } from '../../lib/io/loop.js'
import { PriorityQueue } from '../../lib/priority-queue.js'
import { earlier, type Instant, steadyTime, type Time } from '../../lib/time.js'
import type { HealthCheck } from '../../model/health-check.js'
import type { UnitName } from '../../model/unit.js'
import type { MachineWord } from '../condition.js'
import { type CheckState, isCondemned, isHeld, judge, nextProbeAt, summary, type Verdict } from '../judge.js'
import { paced } from '../pace.js'
import type { ProbeFailure, Sample } from '../sample.js'
import type { Measurement } from './gauge.js'
import { MachineWatch } from './machine-watch.js'
import { type OwnProbe, runNothing } from './own-probe.js'
import { type ProbeTarget, probe } from './probe.js'

/** A unit that runs and is to be checked. */
export interface CheckedUnit {
  readonly name: UnitName
  /** When this run of its program began; another value begins its checks anew. */
  readonly startedAt: Instant
  readonly checks: readonly HealthCheck[]
  readonly target: ProbeTarget
}

interface CheckerOptions {
  readonly clock: Time
  /**
   * Called when the health of a unit changes, or what could not be found out of it, and only then; a unit begins as
   * `unknown`, of which nothing is said.
   * May be called from within `follow`.
   */
  readonly onVerdict: (name: UnitName, verdict: Verdict) => void
  /** Called when the machine itself is found to be sick, and when it is well again. */
  readonly onMachine?: (word: MachineWord) => void
  /** How the machine itself is asked; default: by running a program that does nothing. */
  readonly ownProbe?: OwnProbe
  /** A fault of our own; an instance's fault is a verdict. */
  readonly onError: (error: unknown) => void
  /** Commands that run at the same time, over all units; default 32. */
  readonly concurrency?: number
  /** Requests under way at the same time, over all units: instances that keep silent hold up no others. Default 512. */
  readonly requestsAtOnce?: number
}

export interface Checker {
  /** Checks these units and no others. Calling again with the same units changes nothing. */
  follow(units: readonly CheckedUnit[]): void
  /** Ends all checks; resolves when no probe is under way. */
  stop(): Promise<void>
}

/** One unit that is being checked. */
interface Followed {
  /** Replaced by each `follow`; its run and its checks stay the same for the life of this record. */
  unit: CheckedUnit
  /** Since when it is checked, by a clock that nobody sets. */
  readonly beganAt: Instant
  readonly watched: readonly Watched[]
  verdict: Verdict
  /** Aborts its probes when it is no longer followed. */
  readonly gone: AbortController
}

interface Watched {
  readonly of: Followed
  /** Unit and check: what spreads the probes over time. */
  readonly key: string
  readonly check: HealthCheck
  state: CheckState | null
}

/** Probes of one kind. Each check is either waiting here or under way, so that it is never under way twice. */
interface Lane {
  readonly most: number
  underWay: number
  readonly waiting: PriorityQueue<Watched>
}

/** Starts a checker that follows no unit yet. */
export function startChecker(options: CheckerOptions): Checker {
  const checker = new ProbingChecker(options)
  checker.start()
  return checker
}

class ProbingChecker implements Checker {
  readonly #options: CheckerOptions
  readonly #followed = new Map<UnitName, Followed>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #commands: Lane
  readonly #requests: Lane
  readonly #machine: MachineWatch
  #loop: Loop | null = null
  /** When the loop looks again by itself; null: when it is woken. */
  #wakesAt: Instant | null = null

  constructor(given: CheckerOptions) {
    const {
      concurrency = 32,
      requestsAtOnce = 512,
      ownProbe = runNothing,
      onMachine = () => {},
      onError,
    } = given
    // What is asked when, and how long ago what was seen, is no matter of what the clock on the wall is set to.
    const clock = steadyTime(given.clock)
    this.#options = { ...given, clock }
    this.#machine = new MachineWatch({ clock, ownProbe, onMachine, onError })
    this.#commands = { most: concurrency, underWay: 0, waiting: new PriorityQueue() }
    this.#requests = { most: requestsAtOnce, underWay: 0, waiting: new PriorityQueue() }
  }

  start(): void {
    const { clock, onError } = this.#options
    this.#machine.begin().catch(onError)
    this.#loop = startLoop({
      clock,
      intervalMs: 60_000,
      onError,
      pass: async (now) => {
        const lanes = [this.#commands, this.#requests]
        for (const lane of lanes) this.#sendDue(lane, now)
        const next = lanes.filter((lane) => this.#hasRoom(lane)).map(({ waiting }) => waiting.nextAt)
        this.#wakesAt = [...next, this.#machine.pass(now)].reduce(earlier, null)
        return { wakeAt: this.#wakesAt }
      },
    })
  }

  follow(units: readonly CheckedUnit[]): void {
    const left = leaving(this.#followed, units)
    for (const one of left) one.gone.abort()
    if (left.length > 0) this.#dropGone()
    const before = new Map(this.#followed)
    this.#followed.clear()
    for (const unit of units) this.#followed.set(unit.name, this.#followOne(before.get(unit.name), unit))
    for (const lane of [this.#commands, this.#requests]) this.#wakeIfEarlier(lane)
  }

  async stop(): Promise<void> {
    await this.#loop?.stop()
    for (const one of this.#followed.values()) one.gone.abort()
    this.#followed.clear()
    await this.#machine.stop()
    await Promise.all(this.#underWay)
  }

  #followOne(before: Followed | undefined, unit: CheckedUnit): Followed {
    if (before !== undefined && isSameRun(before.unit, unit)) {
      before.unit = unit
      return before
    }
    const fresh = begin(unit, this.#options.clock.now(), before?.verdict ?? summary([]))
    for (const watched of fresh.watched) this.#wait(watched)
    tell(fresh, this.#options.onVerdict)
    return fresh
  }

  #dropGone(): void {
    for (const { waiting } of [this.#commands, this.#requests])
      waiting.keep(({ of }) => !of.gone.signal.aborted)
  }

  #sendDue(lane: Lane, now: Instant): void {
    while (this.#hasRoom(lane)) {
      const watched = lane.waiting.takeDue(now)
      if (watched === undefined) return
      this.#send(lane, watched)
    }
  }

  #send(lane: Lane, watched: Watched): void {
    lane.underWay += 1
    const sent = this.#probeOnce(watched)
      .catch(this.#options.onError)
      .finally(() => {
        lane.underWay -= 1
        this.#underWay.delete(sent)
        if (!watched.of.gone.signal.aborted) this.#wait(watched)
        this.#wakeIfEarlier(lane)
      })
    this.#underWay.add(sent)
  }

  #wait(watched: Watched): void {
    const { check, key, state, of } = watched
    const lane = check.type === 'command' ? this.#commands : this.#requests
    const at = nextProbeAt(state, check, of.beganAt, key)
    lane.waiting.push(state === null ? at : paced(at, state.lastAt, this.#machine.pace), watched)
  }

  /** What times out together is asked by fewer at a time too. */
  #hasRoom({ underWay, most }: Lane): boolean {
    return underWay < Math.max(1, Math.floor(most / this.#machine.pace.factor))
  }

  async #probeOnce(watched: Watched): Promise<void> {
    const { check, of } = watched
    const { signal } = of.gone
    try {
      const sample = await this.#sampleOf(watched)
      if (signal.aborted) return
      const { slowness, failure } = sample
      const { name } = of.unit
      this.#machine.probed(name, isLate(failure), this.#followed.size)
      watched.state = judge(watched.state, sample, check, of.beganAt, this.#options.clock.now())
      if (slowness !== undefined && isHeld(watched.state, check)) this.#machine.excused(slowness)
      tell(of, this.#options.onVerdict)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  /** Asks once; the machine is measured while the answer is late, and where so many fail that it may be the machine. */
  async #sampleOf(watched: Watched): Promise<Sample> {
    const { check, of, state } = watched
    const { clock } = this.#options
    const { unit, gone } = of
    const askedAt = clock.now()
    const late = new LateAnswer(this.#machine, clock)
    const failure = await probe(check, unit.target, gone.signal, late, clock).finally(() => late.over())
    const { tookMs } = late
    const sample = { run: of.beganAt, askedAt, failure, ...(failure === null && { tookMs }) }
    if (failure?.kind === 'timeout') return { ...sample, slowness: await late.slowness() }
    if (!isCondemned(state, judge(state, sample, check, of.beganAt, clock.now()))) return sample
    const slowness = await this.#machine.wordOn(unit.name)
    return slowness === undefined ? sample : { ...sample, slowness }
  }

  /** A thousand probes a second wake the loop when something is due, not each for itself. */
  #wakeIfEarlier({ waiting }: Lane): void {
    if (waiting.nextAt !== null && (this.#wakesAt === null || waiting.nextAt < this.#wakesAt))
      this.#loop?.wake()
  }
}

/** Times one probe, and measures the machine from when the answer is late. */
class LateAnswer {
  readonly #machine: MachineWatch
  readonly #time: Time
  #from: number
  #measurement: Measurement | null = null
  #isOver = false
  #tookMs = 0

  constructor(machine: MachineWatch, time: Time) {
    this.#machine = machine
    this.#time = time
    this.#from = time.steady()
  }

  readonly onAsked = (): void => {
    this.#from = this.#time.steady()
  }

  readonly onHalf = (): void => {
    if (!this.#isOver) this.#measurement = this.#machine.measure()
  }

  /** How long the answer took, once it is there. */
  get tookMs(): number {
    return this.#tookMs
  }

  over(): void {
    this.#isOver = true
    this.#tookMs = this.#time.steady() - this.#from
    this.#measurement?.pause()
  }

  async slowness(): Promise<number> {
    return (await this.#measurement?.end()) ?? 1
  }
}

function isLate(failure: ProbeFailure | null): boolean {
  return failure?.kind === 'timeout' || failure?.kind === 'not-asked'
}

/** Those whose probes are to end: gone, or begun anew. */
function leaving(
  followed: ReadonlyMap<UnitName, Followed>,
  units: readonly CheckedUnit[],
): readonly Followed[] {
  const stay = new Map(units.map((unit) => [unit.name, unit]))
  return [...followed.values()].filter((one) => !isSameRun(one.unit, stay.get(one.unit.name)))
}

function begin(unit: CheckedUnit, beganAt: Instant, verdict: Verdict): Followed {
  const watched: Watched[] = []
  const fresh = { unit, beganAt, watched, verdict, gone: new AbortController() }
  unit.checks.forEach((check, index) => {
    watched.push({ of: fresh, key: `${unit.name}#${index}`, check, state: null })
  })
  return fresh
}

function isSameRun(before: CheckedUnit, now: CheckedUnit | undefined): boolean {
  if (now === undefined || now.startedAt !== before.startedAt) return false
  return now.checks === before.checks || JSON.stringify(now.checks) === JSON.stringify(before.checks)
}

function tell(one: Followed, onVerdict: CheckerOptions['onVerdict']): void {
  const verdict = summary(one.watched)
  if (verdict.health === one.verdict.health && verdict.notice === one.verdict.notice) return
  one.verdict = verdict
  onVerdict(one.unit.name, verdict)
}
