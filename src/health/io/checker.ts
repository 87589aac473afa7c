// Keeps every check of a machine's instances going: sends probes when they are due and tells what changed.
import { type Loop, startLoop } from '../../lib/io/loop.js'
import { PriorityQueue } from '../../lib/priority-queue.js'
import { type Clock, earlier, type Instant } from '../../lib/time.js'
import type { HealthCheck } from '../../model/health-check.js'
import type { UnitName } from '../../model/unit.js'
import { type CheckState, judge, nextProbeAt, summary, type Verdict } from '../judge.js'
import { type ProbeTarget, probe } from './probe.js'

/** A unit that runs and is to be checked. */
export interface CheckedUnit {
  readonly name: UnitName
  /** When this run of its program began; another value begins its checks anew. */
  readonly startedAt: Instant
  readonly checks: readonly HealthCheck[]
  readonly target: ProbeTarget
}

export interface CheckerOptions {
  readonly clock: Clock
  /**
   * Called when the health of a unit changes, or what could not be found out of it, and only then; a unit begins as
   * `unknown`, of which nothing is said.
   * May be called from within `follow`.
   */
  readonly onVerdict: (name: UnitName, verdict: Verdict) => void
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
  #loop: Loop | null = null
  /** When the loop looks again by itself; null: when it is poked. */
  #wakesAt: Instant | null = null

  constructor(options: CheckerOptions) {
    const { concurrency = 32, requestsAtOnce = 512 } = options
    this.#options = options
    this.#commands = { most: concurrency, underWay: 0, waiting: new PriorityQueue() }
    this.#requests = { most: requestsAtOnce, underWay: 0, waiting: new PriorityQueue() }
  }

  start(): void {
    const { clock, onError } = this.#options
    this.#loop = startLoop({
      clock,
      intervalMs: 60_000,
      onError,
      pass: async (now) => {
        const lanes = [this.#commands, this.#requests]
        for (const lane of lanes) this.#sendDue(lane, now)
        const next = lanes.filter(hasRoom).map(({ waiting }) => waiting.nextAt)
        this.#wakesAt = next.reduce(earlier, null)
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
    for (const lane of [this.#commands, this.#requests]) this.#pokeIfEarlier(lane)
  }

  async stop(): Promise<void> {
    await this.#loop?.stop()
    for (const one of this.#followed.values()) one.gone.abort()
    this.#followed.clear()
    await Promise.all(this.#underWay)
  }

  #followOne(before: Followed | undefined, unit: CheckedUnit): Followed {
    if (before !== undefined && isSameRun(before.unit, unit)) {
      before.unit = unit
      return before
    }
    const fresh = begin(unit, before?.verdict ?? summary([]))
    for (const watched of fresh.watched) this.#wait(watched)
    tell(fresh, this.#options.onVerdict)
    return fresh
  }

  #dropGone(): void {
    for (const { waiting } of [this.#commands, this.#requests])
      waiting.keep(({ of }) => !of.gone.signal.aborted)
  }

  #sendDue(lane: Lane, now: Instant): void {
    while (hasRoom(lane)) {
      const watched = lane.waiting.takeDue(now)
      if (watched === undefined) return
      this.#send(lane, watched)
    }
  }

  #send(lane: Lane, watched: Watched): void {
    lane.underWay += 1
    const sent = probeOnce(watched, this.#options)
      .catch(this.#options.onError)
      .finally(() => {
        lane.underWay -= 1
        this.#underWay.delete(sent)
        if (!watched.of.gone.signal.aborted) this.#wait(watched)
        this.#pokeIfEarlier(lane)
      })
    this.#underWay.add(sent)
  }

  #wait(watched: Watched): void {
    const { check, key, state, of } = watched
    const lane = check.type === 'command' ? this.#commands : this.#requests
    lane.waiting.push(nextProbeAt(state, check, of.unit.startedAt, key), watched)
  }

  /** A thousand probes a second wake the loop when something is due, not each for itself. */
  #pokeIfEarlier({ waiting }: Lane): void {
    if (waiting.nextAt !== null && (this.#wakesAt === null || waiting.nextAt < this.#wakesAt))
      this.#loop?.poke()
  }
}

function hasRoom({ underWay, most }: Lane): boolean {
  return underWay < most
}

/** Those whose probes are to end: gone, or begun anew. */
function leaving(
  followed: ReadonlyMap<UnitName, Followed>,
  units: readonly CheckedUnit[],
): readonly Followed[] {
  const stay = new Map(units.map((unit) => [unit.name, unit]))
  return [...followed.values()].filter((one) => !isSameRun(one.unit, stay.get(one.unit.name)))
}

function begin(unit: CheckedUnit, verdict: Verdict): Followed {
  const watched: Watched[] = []
  const fresh = { unit, watched, verdict, gone: new AbortController() }
  unit.checks.forEach((check, index) => {
    watched.push({ of: fresh, key: `${unit.name}#${index}`, check, state: null })
  })
  return fresh
}

function isSameRun(before: CheckedUnit, now: CheckedUnit | undefined): boolean {
  if (now === undefined || now.startedAt !== before.startedAt) return false
  return now.checks === before.checks || JSON.stringify(now.checks) === JSON.stringify(before.checks)
}

async function probeOnce(watched: Watched, options: CheckerOptions): Promise<void> {
  const { check, of } = watched
  const { startedAt, target } = of.unit
  const { signal } = of.gone
  const askedAt = options.clock.now()
  try {
    const failure = await probe(check, target, signal)
    if (signal.aborted) return
    const sample = { run: startedAt, askedAt, failure }
    watched.state = judge(watched.state, sample, check, startedAt, options.clock.now())
    tell(of, options.onVerdict)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function tell(one: Followed, onVerdict: CheckerOptions['onVerdict']): void {
  const verdict = summary(one.watched)
  if (verdict.health === one.verdict.health && verdict.notice === one.verdict.notice) return
  one.verdict = verdict
  onVerdict(one.unit.name, verdict)
}
