// Schedules of services, how far each has come, and what became of its firings.
import type { Instant } from '../lib/time.js'
import type { NamedBody } from './call-body.js'
import type { RunVariables } from './run-variables.js'
import type { OutputLine, UnitExit } from './unit.js'

/** The schedule of a service version. */
export interface Schedule {
  readonly kind: 'interval' | 'cron'
  readonly expression: string
  /** How late a start may be. */
  readonly epsilonMs: number
  /** A name of the time zone database; null for UTC, or the offset that an interval's start has. */
  readonly timezone: string | null
  /** What happens to a firing while an instance of an earlier one still runs. */
  readonly overlap: 'skip' | 'allow' | 'replace'
}

/** How far a service's schedule has come. Written by the schedule pass alone, with what it started. */
export interface ScheduleState {
  readonly project: string
  readonly service: string
  /** uuid of the service. */
  readonly serviceUuid: string
  /** What it counts for: another one begins anew. */
  readonly schedule: Schedule
  /** Where an interval without a start begins: when the schedule was deployed. */
  readonly origin: Instant
  /** Firings up to here are dealt with. */
  readonly decidedUpTo: Instant
  /** A firing that waits until the instances before it have stopped. */
  readonly pending: Instant | null
  readonly started: number
  readonly skipped: number
  readonly missed: number
  /** Stretches that were passed over as missed, oldest first: when the clock is set back, they may still be to come. */
  readonly passedOver?: readonly MissedStretch[]
  /** Stretches later than `decidedUpTo` that were dealt with while the clock was ahead, in order. */
  readonly ahead?: readonly Stretch[]
}

/** The firings after one instant, up to and with another. */
export interface Stretch {
  readonly after: Instant
  readonly upTo: Instant
}

/** A stretch of missed firings. */
export interface MissedStretch extends Stretch {
  readonly count: number
  /** When the last of them was due: what the run that tells of them goes by. */
  readonly dueAt: Instant
}

/** Runs that are kept of a service; older ones are forgotten. */
export const runsKept = 100

/**
 * One firing and what came of it, or one instance that was asked for in another way. Begun by the schedule pass, or with
 * its instance; ended by the service pass.
 */
export interface Run {
  readonly project: string
  readonly service: string
  readonly serviceUuid: string
  /** What asked for it: a firing of the schedule, or `service start` and its like. */
  readonly by: 'schedule' | 'start'
  /** When it was due. */
  readonly dueAt: Instant
  readonly decidedAt: Instant
  /** `missed`: too late, and for how many firings it stands. `skipped`: an earlier instance still ran. */
  readonly outcome: 'started' | 'skipped' | 'missed'
  readonly count: number
  /** The instance that it started. */
  readonly instance: string | null
  /** uuid of the version that its instance is made of; absent while there is none, and where an earlier release made it. */
  readonly version?: string
  /** The variables that were set for it; absent for none. */
  readonly set?: RunVariables
  /** What it was given of the body of a call; absent for nothing. */
  readonly body?: NamedBody
  /** When that was seen to have ended, and how; null while it runs. */
  readonly endedAt: Instant | null
  readonly exit: UnitExit | null
  /** Why it was made to stop, where it did not end by itself: it has failed, whatever its exit says. */
  readonly failure?: string
  /** It was told to stop before its instance was made. */
  readonly withdrawn?: true
  /** The last lines that it wrote; absent for none. */
  readonly output?: readonly OutputLine[]
}
