// Keeps every check of a machine's instances going: sends probes when they are due and tells what changed.
import { startLoop } from '../../lib/io/loop.js'
import { byKeys } from '../../lib/sort.js'
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
   * Called when the health of a unit changes, and only then; a unit begins as `unknown`, of which nothing is said.
   * May be called from within `follow`.
   */
  readonly onVerdict: (name: UnitName, verdict: Verdict) => void
  /** A fault of our own; an instance's fault is a verdict. */
  readonly onError: (error: unknown) => void
  /** Probes at the same time, over all units; default 64. */
  readonly concurrency?: number
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
  /** Unit and check: what spreads the probes over time. */
  readonly key: string
  readonly check: HealthCheck
  state: CheckState | null
  /** A check is never under way twice. */
  probing: boolean
}

/** Starts a checker that follows no unit yet. */
export function startChecker(options: CheckerOptions): Checker {
  const { clock, onVerdict, onError, concurrency = 64 } = options
  const followed = new Map<UnitName, Followed>()
  const underWay = new Set<Promise<void>>()

  const loop = startLoop({
    clock,
    intervalMs: 60_000,
    onError,
    pass: async (now) => {
      const { due, wakeAt } = dueProbes([...followed.values()], now)
      for (const { one, watched } of due.slice(0, concurrency - underWay.size)) send(one, watched)
      return { wakeAt }
    },
  })

  const send = (one: Followed, watched: Watched): void => {
    watched.probing = true
    const sent = probeOnce(one, watched, options)
      .catch(onError)
      .finally(() => {
        watched.probing = false
        underWay.delete(sent)
        loop.poke()
      })
    underWay.add(sent)
  }

  return {
    follow: (units) => {
      for (const one of leaving(followed, units)) one.gone.abort()
      const before = new Map(followed)
      followed.clear()
      for (const unit of units) followed.set(unit.name, followOne(before.get(unit.name), unit, onVerdict))
      loop.poke()
    },
    stop: async () => {
      await loop.stop()
      for (const one of followed.values()) one.gone.abort()
      followed.clear()
      await Promise.all(underWay)
    },
  }
}

/** Those whose probes are to end: gone, or begun anew. */
function leaving(
  followed: ReadonlyMap<UnitName, Followed>,
  units: readonly CheckedUnit[],
): readonly Followed[] {
  const stay = new Map(units.map((unit) => [unit.name, unit]))
  return [...followed.values()].filter((one) => !isSameRun(one.unit, stay.get(one.unit.name)))
}

function followOne(
  before: Followed | undefined,
  unit: CheckedUnit,
  onVerdict: CheckerOptions['onVerdict'],
): Followed {
  if (before !== undefined && isSameRun(before.unit, unit)) {
    before.unit = unit
    return before
  }
  const watched = unit.checks.map((check, index) => ({
    key: `${unit.name}#${index}`,
    check,
    state: null,
    probing: false,
  }))
  const fresh = { unit, watched, verdict: before?.verdict ?? summary([]), gone: new AbortController() }
  tell(fresh, onVerdict)
  return fresh
}

function isSameRun(before: CheckedUnit, now: CheckedUnit | undefined): boolean {
  if (now === undefined || now.startedAt !== before.startedAt) return false
  return now.checks === before.checks || JSON.stringify(now.checks) === JSON.stringify(before.checks)
}

interface DueProbes {
  /** The one that has waited longest first. */
  readonly due: readonly { readonly one: Followed; readonly watched: Watched; readonly at: Instant }[]
  /** When the next of the others is due. */
  readonly wakeAt: Instant | null
}

function dueProbes(followed: readonly Followed[], now: Instant): DueProbes {
  const waiting = followed.flatMap((one) =>
    one.watched
      .filter((watched) => !watched.probing)
      .map((watched) => ({
        one,
        watched,
        at: nextProbeAt(watched.state, watched.check, one.unit.startedAt, watched.key),
      })),
  )
  const later = waiting.filter(({ at }) => at > now)
  return {
    due: waiting
      .filter(({ at }) => at <= now)
      .sort(
        byKeys(
          (item) => item.at,
          (item) => item.watched.key,
        ),
      ),
    wakeAt: later.reduce<Instant | null>((soonest, { at }) => earlier(soonest, at), null),
  }
}

async function probeOnce(one: Followed, watched: Watched, options: CheckerOptions): Promise<void> {
  const { check } = watched
  const { startedAt, target } = one.unit
  const { signal } = one.gone
  const askedAt = options.clock.now()
  try {
    const failure = await probe(check, target, signal)
    if (signal.aborted) return
    const sample = { run: startedAt, askedAt, failure }
    watched.state = judge(watched.state, sample, check, startedAt, options.clock.now())
    tell(one, options.onVerdict)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function tell(one: Followed, onVerdict: CheckerOptions['onVerdict']): void {
  const verdict = summary(one.watched)
  if (verdict.health === one.verdict.health) return
  one.verdict = verdict
  onVerdict(one.unit.name, verdict)
}
