import { steadyAfterMs } from '../lib/backoff.js'
import { type Instant, toIso, upcoming } from '../lib/time.js'
import { askDriverAgainMs } from './driver-kind.js'
import { describePull } from './pull.js'
import type { Instance, InstanceState } from './service.js'
import type { Placement, UnitExit, UnitReport } from './unit.js'

/** What is known of an instance beyond its own record. */
export interface InstanceSituation {
  readonly instance: Instance
  readonly placement: Placement | null
  readonly report: UnitReport | null
  /** Whether the machine that it is placed on is there. */
  readonly machinePresent: boolean
}

/** Where an instance is in its life (contract §2), from what its machine last reported. */
export function instanceStateOf(situation: InstanceSituation): InstanceState {
  const { instance, placement, report, machinePresent } = situation
  const isUnknown = report?.unknownSince !== undefined
  // Also of what is placed nowhere any more: it was not seen gone.
  if (isUnknown && (placement === null || machinePresent)) return 'unknown'
  if (placement === null) return instance.retired === null ? 'pending' : 'stopped'
  if (!machinePresent) return 'lost'
  if (report === null) return instance.retired === null ? 'starting' : 'stopping'
  if (instance.retired !== null) return retiredState(report)
  if (isPulling(report)) return 'pulling'
  switch (report.active) {
    case 'active':
    case 'reloading':
      return isPaused(report) ? 'paused' : 'running'
    case 'activating':
      return 'starting'
    case 'deactivating':
      return 'stopping'
    case 'failed':
      return 'failed'
    case 'inactive':
      return inactiveState(report)
  }
}

function retiredState(report: UnitReport): InstanceState {
  if (report.active === 'failed') return 'failed'
  return report.active === 'inactive' ? 'stopped' : 'stopping'
}

function inactiveState(report: UnitReport): InstanceState {
  if (report.failure !== null) return 'failed'
  return report.launched ? 'stopped' : 'starting'
}

/** Whether something of an instance is there, or on its way. */
export function isUnderWay(state: InstanceState): boolean {
  return ['running', 'paused', 'pulling', 'starting', 'stopping'].includes(state)
}

/** The sub state of a unit that is frozen while a backup of its volume is read, under every driver. */
export const pausedForBackup = 'paused-for-backup'

/** Whether a program is there and does nothing, until somebody lets it go on. */
export function isPaused({ driver, active, sub }: Pick<UnitReport, 'driver' | 'active' | 'sub'>): boolean {
  return active === 'active' && (sub === pausedForBackup || (driver === 'docker' && sub === 'paused'))
}

/** Whether it goes on by itself, once the backup has been read that it is frozen for. */
export function isPausedForBackup(report: Pick<UnitReport, 'active' | 'sub'>): boolean {
  return report.active === 'active' && report.sub === pausedForBackup
}

/** Whether the image of a unit that does not run is being fetched. */
export function isPulling(report: UnitReport): boolean {
  return report.pulling !== undefined && report.unknownSince === undefined && isDown(report)
}

/** Whether a program ended by itself and no local restart is due: what is left to do is the service's. */
export function endedByItself(report: UnitReport): boolean {
  if (!report.launched || report.unknownSince !== undefined) return false
  return report.active === 'failed' || report.active === 'inactive'
}

/** A program that its driver restarted so often without coming up is one that crashes again and again. */
export const restartsUntilFailing = 3

/** Whether a program crashes again and again: it waits for one more restart, or runs since a moment ago. */
export function isCrashLooping({ restarts, active, since, unknownSince }: UnitReport, now: Instant): boolean {
  if (restarts < restartsUntilFailing || unknownSince !== undefined) return false
  return active === 'activating' || (active === 'active' && (since ?? now) + steadyAfterMs > now)
}

/**
 * When something that does not run is tried again: restarted by its driver, or started by its agent. Null for never, for
 * what is being tried just now, and while its driver does not answer: what was due before is not tried then.
 */
export function nextTryAt(report: UnitReport, now: Instant): Instant | null {
  const { restartAt, attempts, retryAt, pulling, unknownSince } = report
  if (pulling !== undefined || unknownSince !== undefined) return null
  return upcoming(restartAt ?? (attempts > 0 ? retryAt : null), now)
}

/** Whether what is told of a report is the same at any time: nothing of it is due, and nothing has still to prove itself. */
export function isTimeless({ restarts, active, restartAt, attempts, retryAt }: UnitReport): boolean {
  const isDue = restartAt != null || (attempts > 0 && retryAt !== null)
  return !isDue && !(restarts >= restartsUntilFailing && active === 'active')
}

/** Why a unit is not up, or how it last ended; empty when all is well. */
export function describeTrouble(report: UnitReport, now: Instant): string {
  const { failure, active, exit, restarts, unknownSince } = report
  if (unknownSince !== undefined) return `unknown since ${toIso(unknownSince)}: ${describeSilence(report)}`
  if (report.pulling !== undefined && isPulling(report))
    return `${describePull(report.pulling)}${failure === null ? '' : `; before: ${failure.message}`}`
  if (isPausedForBackup(report))
    return 'it is paused while a backup of its volume is read (volume backup --consistency paused)'
  if (isPaused(report)) return 'it is paused on its machine: docker unpause resumes it'
  const nextAt = nextTryAt(report, now)
  if (failure !== null)
    return `${failure.message}${nextAt === null ? '' : `; tried again at ${toIso(nextAt)}`}`
  if (exit === null) return ''
  if (active === 'active') {
    return isCrashLooping(report, now) ? `restarted ${restarts} times, last ${describeExit(exit)}` : ''
  }
  const again = nextAt === null ? '' : `; restart ${restarts + 1} is due at ${toIso(nextAt)}`
  return `${describeExit(exit)}${again}`
}

function describeSilence({ driver, unseen }: UnitReport): string {
  if (unseen === true) return 'its machine was away, and its daemon has not looked at it since'
  const what = driver === 'process' ? 'the process supervisor' : driver
  return `${what} does not answer on that machine; retrying every ${askDriverAgainMs / 1000} s`
}

/** Whether nothing of a unit runs any more, nor is being started. */
export function hasStopped(report: UnitReport): boolean {
  return report.unknownSince === undefined && report.mayStart !== true && isDown(report)
}

function isDown({ active }: UnitReport): boolean {
  return active === 'inactive' || active === 'failed'
}

/**
 * Whether an exit counts as failed for `stop.preservestopped: on-failure`: a status other than 0, or none that anybody saw. What our own stop
 * signal ended counts as clean, as systemd has it: 143 is how a container's main program says the same.
 */
export function exitFailed(exit: UnitExit | null, stopped: boolean): boolean {
  if (exit === null) return false
  if (exit.oom) return true
  if (exit.signal !== null) return !(stopped && cleanSignals.has(exit.signal))
  // Nobody saw how it ended: what was not told to end is not taken for done.
  if (exit.code === null) return !stopped
  return exit.code !== 0 && !(stopped && exit.code === 143)
}

const cleanSignals: ReadonlySet<string> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGPIPE'])

/** How a program ended, for people. */
export function describeExit(exit: UnitExit): string {
  if (exit.oom) return 'killed: out of memory'
  if (exit.cutOff === true) return 'cut off: its machine or its driver went down'
  if (exit.signal !== null) return `ended by ${exit.signal}`
  return exit.code === null ? 'ended, exit status unknown' : `exited with status ${exit.code}`
}
