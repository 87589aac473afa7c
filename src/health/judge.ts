// Decides from the samples of a check whether an instance is healthy, and when to look again.
// An instance that has just begun has a start window in which failures do not count; afterwards `retries` failures
// in a row make it unhealthy (manifest seed: healthchecks; contract §3). Telemetry that cannot be read is no verdict.
import { spread } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import type { HealthCheck } from '../model/health-check.js'
import type { Health } from '../model/unit.js'
import { describeFailure, describeMs } from './describe.js'
import type { ProbeFailure, Sample } from './sample.js'

/** What is known of one check of one run of a program. `null` in its place: not probed yet. */
export interface CheckState {
  /** When the run began. */
  readonly run: Instant
  /** When its first probe was sent: the start window counts from here, so that a restarted daemon is as patient. */
  readonly firstAt: Instant
  /** When the last probe ended. */
  readonly lastAt: Instant
  readonly probes: number
  readonly health: Health
  readonly wasHealthy: boolean
  /** Failures in a row. */
  readonly failures: number
  readonly lastFailure: ProbeFailure | null
  /** Why the last probe says nothing about the instance; null when it does. */
  readonly unread: string | null
}

/** The state after one more sample. A sample of another run than the one begun at `startedAt` changes nothing. */
export function judge(
  state: CheckState | null,
  sample: Sample,
  policy: HealthCheck,
  startedAt: Instant,
  now: Instant,
): CheckState | null {
  const before = state?.run === startedAt ? state : null
  if (sample.run !== startedAt) return before
  const firstAt = before?.firstAt ?? sample.askedAt
  const probed = { run: startedAt, firstAt, lastAt: now, probes: (before?.probes ?? 0) + 1, unread: null }
  if (sample.failure?.kind === 'no-telemetry') {
    return { ...(before ?? unjudged), ...probed, unread: sample.failure.why }
  }
  if (sample.failure === null) {
    return { ...probed, health: 'healthy', wasHealthy: true, failures: 0, lastFailure: null }
  }
  const failures = (before?.failures ?? 0) + 1
  const health = healthAfterFailure(
    before?.health ?? 'unknown',
    failures,
    policy,
    now >= startWindowEnd(firstAt, policy),
  )
  return { ...probed, health, wasHealthy: before?.wasHealthy ?? false, failures, lastFailure: sample.failure }
}

const unjudged = { health: 'unknown', wasHealthy: false, failures: 0, lastFailure: null } as const

function healthAfterFailure(
  health: Health,
  failures: number,
  policy: HealthCheck,
  windowOver: boolean,
): Health {
  if (health === 'unknown') return windowOver ? 'unhealthy' : 'unknown'
  return failures >= policy.retries ? 'unhealthy' : health
}

/** How long an instance may take until its first success: as long as `retries` failures would take, at least 10 s. */
export function startWindowMs(policy: HealthCheck): number {
  return Math.max(policy.retries * policy.pollMs, shortestStartWindowMs)
}

const shortestStartWindowMs = 10_000

function startWindowEnd(firstAt: Instant, policy: HealthCheck): Instant {
  return firstAt + startWindowMs(policy)
}

/**
 * When to probe next. At once after the start; quickly, then ever slower, while the instance is not up; and
 * afterwards every `pollMs`, at a phase that derives from `key` (unit and check), so that instances that were started
 * together are not probed together.
 */
export function nextProbeAt(
  state: CheckState | null,
  policy: HealthCheck,
  startedAt: Instant,
  key: string,
): Instant {
  if (state === null || state.run !== startedAt) return startedAt
  if (state.health === 'unknown') return nextStartProbeAt(state, policy)
  return nextSlotAfter(state.lastAt, startedAt + spread(key, policy.pollMs), policy.pollMs)
}

/** The last probe of the start phase is sent when its window ends, not a whole interval later. */
function nextStartProbeAt(state: CheckState, policy: HealthCheck): Instant {
  const interval = Math.min(firstIntervalMs * intervalGrowth ** (state.probes - 1), policy.pollMs)
  const next = state.lastAt + Math.ceil(interval)
  const end = startWindowEnd(state.firstAt, policy)
  return state.lastAt < end ? Math.min(next, end) : next
}

const firstIntervalMs = 250
const intervalGrowth = 1.5

/** The first instant after `after` that lies a whole number of periods from `phase`. */
function nextSlotAfter(after: Instant, phase: Instant, periodMs: number): Instant {
  return phase + (Math.floor((after - phase) / periodMs) + 1) * periodMs
}

/** What is said of an instance as a whole. */
export interface Verdict {
  readonly health: Health
  /** Why it is unhealthy, in one line; null while it is not. */
  readonly reason: string | null
  /** What could not be found out about it, in one line; null when nothing is wrong with that. */
  readonly notice: string | null
}

/** One check and what is known of it. */
export interface CheckWithState {
  readonly check: HealthCheck
  readonly state: CheckState | null
}

/**
 * Healthy when all checks are; unhealthy when one is; else unknown, as an instance without checks is. ContainerPilot
 * counts beside the others from its first word on: what never spoke keeps nobody waiting.
 */
export function summary(checks: readonly CheckWithState[]): Verdict {
  const notice = noticeOf(checks)
  for (const { check, state } of checks) {
    if (state?.health === 'unhealthy')
      return { health: 'unhealthy', reason: describeUnhealthy(check, state), notice }
  }
  const counting = checks.filter(({ check, state }) => check.type !== 'containerpilot' || hasSpoken(state))
  const healthy = counting.length > 0 && counting.every(({ state }) => state?.health === 'healthy')
  return { health: healthy ? 'healthy' : 'unknown', reason: null, notice }
}

function hasSpoken(state: CheckState | null): boolean {
  return state !== null && state.health !== 'unknown'
}

/** A program that has just begun may not have opened its telemetry yet: that is told when its start window is over. */
function noticeOf(checks: readonly CheckWithState[]): string | null {
  for (const { check, state } of checks) {
    if (state === null || state.unread === null) continue
    const due = state.wasHealthy || state.lastAt >= startWindowEnd(state.firstAt, check)
    if (due)
      return `the telemetry at port ${'port' in check ? check.port : 0} cannot be read: ${state.unread}`
  }
  return null
}

function describeUnhealthy(check: HealthCheck, state: CheckState): string {
  const what = state.lastFailure === null ? check.type : describeFailure(check, state.lastFailure)
  if (!state.wasHealthy) return `${what}; not once healthy in ${describeMs(startWindowMs(check))}`
  return state.failures === 1 ? what : `${what}; ${state.failures} failures in a row`
}
