// Whose fault a failed probe is: the instance's, or that of a machine which is slow at everything. A machine says how
// slow it is by a trivial program of its own that runs beside the probe.
import type { HealthCheck } from '../model/health-check.js'
import type { ProbeFailure } from './sample.js'

/** What is taken for usual where a machine was never seen at rest, and what differs less than it is noise. */
const [restMs, noiseMs] = [20, 5]

/** The quickest answer of the machine's own probe so far: what it takes at rest. */
export function quickest(restSoFarMs: number | null, tookMs: number): number {
  return Math.max(noiseMs, Math.min(restSoFarMs ?? restMs, tookMs))
}

/** How many times longer than at rest the machine's own probe took; 1: as long. */
export function slownessOf(tookMs: number, atRestMs: number): number {
  return Math.max(1, tookMs / atRestMs)
}

/** A machine that is as slow as this is well. */
export const wellBelow = 2

/** What is definite is the machine's fault only where the machine is this slow. */
const slowBeyondDoubt = 4

/**
 * Whether the machine is to blame for a failure, as far as that was measured. A probe without an answer in time would
 * have had one from a machine that was `slowness` times slower, had the instance been well: the machine was looked at
 * in the second half of the time-out, so that twice the usual answer time fits into what it did then.
 */
export function isExcused(
  failure: ProbeFailure | null,
  { timeoutMs }: HealthCheck,
  usualMs: number | null,
  slowness: number | undefined,
): boolean {
  if (failure === null || slowness === undefined) return false
  if (failure.kind !== 'timeout') return slowness >= slowBeyondDoubt
  return slowness >= Math.max(wellBelow, timeoutMs / (4 * (usualMs ?? timeoutMs / supposedPart)))
}

/** An instance that never answered is supposed to need so small a part of its time-out. */
const supposedPart = 20

/** How long an instance takes to answer, from how long it took before and now: rather too long than too short. */
export function usualAfter(usualMs: number | null, tookMs: number): number {
  return Math.max(tookMs, usualMs === null ? 0 : usualMs + (tookMs - usualMs) * learning)
}

const learning = 0.1
