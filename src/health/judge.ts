// Decides from the samples of a check whether an instance is healthy, and when to look again.
// An instance that has just begun has a start window in which failures do not count; afterwards `retries` failures
// in a row make it unhealthy (manifest seed: healthchecks; contract §3). No verdict is what could not be asked or read,
// and a failure that the machine is to blame for.
import { spread } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import type { HealthCheck } from '../model/health-check.js'
import type { Health } from '../model/unit.js'
import { describeFailure, describeMs, describeUnasked } from './describe.js'
import type { ProbeFailure, Sample, Unread } from './sample.js'
import { isExcused, usualAfter } from './slowness.js'

/** What is known of one check of one run of a program. `null` in its place: not probed yet. */
export interface CheckState {
  /** When the run began. */
  readonly run: Instant
  /**
   * When its first probe was sent: the start window counts from here, so that a restarted daemon is as patient. Time in
   * which it could not be asked, or its machine was sick, does not count.
   */
  readonly firstAt: Instant
  /** When the last probe ended. */
  readonly lastAt: Instant
  readonly probes: number
  readonly health: Health
  readonly wasHealthy: boolean
  /** Failures in a row. */
  readonly failures: number
  readonly lastFailure: ProbeFailure | null
  /** Probes since it was first known to be healthy or not. */
  readonly known: number
  /** How long an answer takes; null before the first. */
  readonly usualMs: number | null
  /** Why the last probe says nothing about the instance; null when it does. */
  readonly unread: Unread | null
  /** Probes in a row that could not be made. */
  readonly unasked: number
  /** Failures since it last passed that the machine is to blame for. */
  readonly excused: number
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
  const probed = {
    ...(before ?? unjudged),
    run: startedAt,
    firstAt: before?.firstAt ?? sample.askedAt,
    lastAt: now,
    probes: (before?.probes ?? 0) + 1,
    usualMs: usualOf(before, sample, policy),
    unread: null,
    unasked: sample.failure?.kind === 'not-asked' ? (before?.unasked ?? 0) : 0,
  }
  const judged = judgeFailure(probed, sample, policy, now, before?.lastAt ?? sample.askedAt)
  return { ...judged, known: judged.health === 'unknown' ? 0 : judged.known + 1 }
}

const unjudged = {
  health: 'unknown',
  wasHealthy: false,
  failures: 0,
  lastFailure: null,
  known: 0,
  unasked: 0,
  excused: 0,
} as const

function usualOf(before: CheckState | null, { tookMs }: Sample, { timeoutMs }: HealthCheck): number | null {
  const usual = before?.usualMs ?? null
  return tookMs === undefined ? usual : usualAfter(usual, Math.min(tookMs, timeoutMs))
}

function judgeFailure(
  probed: CheckState,
  { failure, slowness }: Sample,
  policy: HealthCheck,
  now: Instant,
  lastAt: Instant,
): CheckState {
  if (failure === null)
    return { ...probed, health: 'healthy', wasHealthy: true, failures: 0, excused: 0, lastFailure: null }
  if (failure.kind === 'no-telemetry') return { ...probed, unread: failure }
  const waiting = { ...probed, firstAt: probed.firstAt + now - lastAt }
  if (failure.kind === 'not-asked') return { ...waiting, unread: failure, unasked: probed.unasked + 1 }
  if (isExcused(failure, policy, probed.usualMs, slowness)) return { ...waiting, excused: probed.excused + 1 }
  const windowOver = now >= startWindowEnd(probed.firstAt, policy)
  const uncounted = policy.startPeriodMs !== undefined && probed.health === 'unknown' && !windowOver
  const failures = uncounted ? 0 : probed.failures + 1
  const health = healthAfterFailure(probed.health, failures, policy, windowOver)
  return { ...probed, health, failures, lastFailure: failure }
}

/** Whether an instance that was not unhealthy is so now. */
export function isCondemned(before: CheckState | null, after: CheckState | null): boolean {
  return after?.health === 'unhealthy' && before?.health !== 'unhealthy'
}

/** Whether an instance would be unhealthy by now, were it not for its machine. */
export function isHeld(state: CheckState | null, policy: HealthCheck): boolean {
  return state !== null && state.excused > 0 && state.excused + state.failures >= policy.retries
}

function healthAfterFailure(
  health: Health,
  failures: number,
  policy: HealthCheck,
  windowOver: boolean,
): Health {
  // Without a period of its own, `retries` failures have gone by in the window.
  if (health === 'unknown' && policy.startPeriodMs === undefined) return windowOver ? 'unhealthy' : 'unknown'
  return failures >= policy.retries ? 'unhealthy' : health
}

/**
 * How long an instance may take until its first success before failures count: what the check says; without that as long
 * as `retries` failures would take, at least 10 s.
 */
export function startWindowMs(policy: HealthCheck): number {
  return policy.startPeriodMs ?? Math.max(policy.retries * policy.pollMs, shortestStartWindowMs)
}

const shortestStartWindowMs = 10_000

function startWindowEnd(firstAt: Instant, policy: HealthCheck): Instant {
  return firstAt + startWindowMs(policy)
}

/**
 * When to probe next. At once after the start; quickly, then ever slower, while the instance is not up; and
 * afterwards `pollMs` after the last probe ended. The first of those comes at a phase that derives from `key` (unit and
 * check), so that instances that were started together are not probed together.
 */
export function nextProbeAt(
  state: CheckState | null,
  policy: HealthCheck,
  startedAt: Instant,
  key: string,
): Instant {
  if (state === null || state.run !== startedAt) return startedAt
  if (state.health === 'unknown') return nextStartProbeAt(state, policy)
  if (state.known > 1) return state.lastAt + policy.pollMs
  return nextSlotAfter(state.lastAt, startedAt + spread(key, policy.pollMs), policy.pollMs)
}

/** The last probe of the start phase is sent when its window ends, not a whole interval later. */
function nextStartProbeAt(state: CheckState, policy: HealthCheck): Instant {
  const { pollMs, startPeriodMs, startIntervalMs } = policy
  const end = startWindowEnd(state.firstAt, policy)
  if (startPeriodMs !== undefined && state.lastAt >= end) return state.lastAt + pollMs
  const interval = startIntervalMs ?? Math.min(firstIntervalMs * intervalGrowth ** (state.probes - 1), pollMs)
  const next = state.lastAt + Math.ceil(interval)
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
interface CheckWithState {
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

/**
 * A program that has just begun may not have opened its telemetry yet: that is told when its start window is over. A
 * probe that could not be made is told when it is not the first: `retries` of them in a row.
 */
function noticeOf(checks: readonly CheckWithState[]): string | null {
  for (const { check, state } of checks) {
    if (state === null || state.unread === null) continue
    if (state.unread.kind === 'not-asked') {
      if (state.unasked >= check.retries) return describeUnasked(check, state.unread.why)
    } else if (state.wasHealthy || state.lastAt >= startWindowEnd(state.firstAt, check))
      return `the telemetry at port ${'port' in check ? check.port : 0} cannot be read: ${state.unread.why}`
  }
  return null
}

function describeUnhealthy(check: HealthCheck, state: CheckState): string {
  const what = state.lastFailure === null ? check.type : describeFailure(check, state.lastFailure)
  if (!state.wasHealthy) return `${what}; not once healthy in ${describeMs(startWindowMs(check))}`
  return state.failures === 1 ? what : `${what}; ${state.failures} failures in a row`
}
