// Whether a service that ended is started again, and when.
import { dockerBackoffMs, steadyAfterMs } from '../lib/backoff.js'
import { assertNever } from '../lib/invariant.js'
import type { Instant } from '../lib/time.js'
import type { UnitExit } from '../model/unit.js'
import type { DockerRestart, ExitSet, Service, SystemdRestart } from './service.js'
import type { Result, UnitState } from './state.js'

interface Restart {
  readonly waitMs: number
  /** The exponent of the next wait. */
  readonly attempt: number
}

/** The restart that the unit's rule asks for after a run; null for none. A run that was asked to stop has none. */
export function decideRestart(service: Service, state: UnitState, now: Instant): Restart | null {
  const { restart, restartPrevent, type } = service
  if (state.stopAsked || state.result === 'start-limit-hit' || state.failure?.permanent === true) return null
  if (state.exit !== null && isIn(restartPrevent, state.exit)) return null
  if (state.result === 'unseen' && type === 'oneshot') return null
  if (restart.kind === 'systemd') {
    return systemdRestarts(restart.when, state.result) ? { waitMs: restart.waitMs, attempt: 0 } : null
  }
  if (!dockerRestarts(restart.when, state.result)) return null
  if (restart.max !== null && state.restarts >= restart.max) return null
  const attempt = isSteady(state, now) ? 0 : state.attempt
  return { waitMs: dockerBackoffMs(attempt), attempt: attempt + 1 }
}

/** How long the wait for the restart is that a unit has at most. */
export function restartWaitMs({ restart }: Service, { attempt }: UnitState): number {
  return restart.kind === 'systemd' ? restart.waitMs : dockerBackoffMs(Math.max(0, attempt - 1))
}

/** systemd.service(5), the table of `Restart=`. An end that nobody saw counts as a failure. */
function systemdRestarts(when: SystemdRestart, result: Result): boolean {
  switch (when) {
    case 'no':
    case 'on-watchdog':
      return false
    case 'always':
      return true
    case 'on-success':
      return result === 'success'
    case 'on-failure':
      return result !== 'success'
    case 'on-abnormal':
      return result === 'signal' || result === 'timeout' || result === 'oom-kill'
    case 'on-abort':
      return result === 'signal' || result === 'oom-kill'
    default:
      return assertNever(when)
  }
}

function dockerRestarts(when: DockerRestart, result: Result): boolean {
  switch (when) {
    case 'no':
      return false
    case 'on-failure':
      return result !== 'success'
    case 'always':
    case 'unless-stopped':
      return true
    default:
      return assertNever(when)
  }
}

function isSteady(state: UnitState, now: Instant): boolean {
  if (state.mainSince === null) return false
  const ranMs = (state.exit?.at ?? now) - state.mainSince
  // A run that ended before it began saw the clock set back: what it is worth nobody knows, and one try costs little.
  return ranMs >= steadyAfterMs || ranMs < 0
}

/** Whether an exit is one of a set of statuses and signals. */
export function isIn(set: ExitSet, exit: Pick<UnitExit, 'code' | 'signal'>): boolean {
  if (exit.code !== null) return set.codes.includes(exit.code)
  return exit.signal !== null && set.signals.includes(exit.signal)
}
