// What becomes of a schedule's firings: a pure state machine. Each firing is decided once, in order.
import { earlier, type Instant } from '../lib/time.js'
import type { Run, Schedule, ScheduleState } from '../model/schedule.js'
import type { Service } from '../model/service.js'
import { countedAtMost, dealtWith, nextDue, type SetBack, setBack } from './clock-set-back.js'
import type { Timetable } from './timetable.js'

/** What is to be done for a firing. `stop` makes room for one that waits. */
type FiringAction = 'start' | 'stop'

export interface Decision {
  /** The same object when nothing changed. */
  readonly state: ScheduleState
  readonly action: FiringAction | null
  readonly run: Run | null
  /** What was told and is not so, as the clock has been set back since; null for nothing. */
  readonly withdrawn: Pick<SetBack, 'withdrawn' | 'stillToCome'> | null
  /** When to look again though nothing happens. */
  readonly wakeAt: Instant | null
}

/**
 * The state of a schedule that begins: firings before it was deployed are none of it, and neither are those that the
 * service's schedule before it has dealt with, as the clock that says when it was deployed may be behind ours. One that is
 * deployed again as it was goes on.
 */
export function stateFor(
  { project, name, uuid }: Service,
  schedule: Schedule,
  deployedAt: Instant,
  before: ScheduleState | undefined,
  now: Instant,
): ScheduleState {
  const last = before?.serviceUuid === uuid ? before : null
  if (last !== null && JSON.stringify(last.schedule) === JSON.stringify(schedule)) return last
  // What lies ahead of us was dealt with by a clock that was set back since.
  const dealtWithUpTo = last !== null && last.decidedUpTo <= now ? last.decidedUpTo : 0
  return {
    project,
    service: name,
    serviceUuid: uuid,
    schedule,
    origin: deployedAt,
    decidedUpTo: Math.max(deployedAt - 1, dealtWithUpTo),
    // What the one before it has had stopped its instance for is not forgotten.
    pending: last?.pending ?? null,
    started: 0,
    skipped: 0,
    missed: 0,
  }
}

/**
 * Decides the next firing if it is due. `running`: whether an instance of the service runs, or is still stopping. `wasStarted`:
 * whether a firing of that instant has started one, also by a schedule that the service had before.
 */
export function decideFiring(
  state: ScheduleState,
  timetable: Timetable,
  running: boolean,
  now: Instant,
  wasStarted: (due: Instant) => boolean = () => false,
): Decision {
  const back = setBack(state, timetable, now)
  if (back !== null) return takenBack(back, now)
  if (state.pending !== null) {
    const isLate = now - state.pending > state.schedule.epsilonMs
    if (isLate) return waitedTooLong(state, state.pending, now)
    if (!running) return start({ ...state, pending: null }, state.pending, now)
  }
  const due = nextDue(state, timetable)
  if (due === null || due > now) {
    const lateAt = state.pending === null ? null : state.pending + state.schedule.epsilonMs + 1
    return { ...noDecision, state, wakeAt: earlier(due, lateAt) }
  }
  if (now - due > state.schedule.epsilonMs) return missed(state, timetable, due, now)
  const decided = dealtWith(state, due)
  // The clock was set back, and says an instant again that another schedule has seen.
  if (wasStarted(due)) return { ...noDecision, state: decided, wakeAt: now }
  if (!running || state.schedule.overlap === 'allow') return start(decided, due, now)
  if (state.schedule.overlap === 'replace') return waitsInstead(state, decided, due, now)
  return {
    ...noDecision,
    state: { ...decided, skipped: state.skipped + 1 },
    run: runOf(state, 'skipped', due, now),
    wakeAt: now,
  }
}

const noDecision = { action: null, run: null, withdrawn: null }

/** Nothing is started by it; what is due by now is decided next. */
function takenBack({ state, left, withdrawn, stillToCome }: SetBack, now: Instant): Decision {
  return {
    state,
    action: null,
    run: left === null ? null : { ...runOf(state, 'missed', left.dueAt, now), count: left.count },
    withdrawn: { withdrawn, stillToCome },
    wakeAt: now,
  }
}

/** What it waited for has not stopped in time: later than `epsilon` nothing is started. */
function waitedTooLong(state: ScheduleState, pending: Instant, now: Instant): Decision {
  return {
    ...noDecision,
    state: { ...state, pending: null, missed: state.missed + 1 },
    run: runOf(state, 'missed', pending, now),
    wakeAt: now,
  }
}

/** Of those that wait for what is being stopped, the newest is started; the one before it never was. */
function waitsInstead(state: ScheduleState, decided: ScheduleState, due: Instant, now: Instant): Decision {
  if (state.pending === null)
    return { ...noDecision, state: { ...decided, pending: due }, action: 'stop', wakeAt: now }
  return {
    ...noDecision,
    state: { ...decided, pending: due, skipped: state.skipped + 1 },
    run: runOf(state, 'skipped', state.pending, now),
    wakeAt: now,
  }
}

function start(state: ScheduleState, due: Instant, now: Instant): Decision {
  return {
    ...noDecision,
    state: { ...state, started: state.started + 1 },
    action: 'start',
    run: runOf(state, 'started', due, now),
    wakeAt: now,
  }
}

/** All firings that are too late, as one; where some were dealt with while the clock was ahead, those before them first. */
function missed(state: ScheduleState, timetable: Timetable, first: Instant, now: Instant): Decision {
  const others = state.ahead?.find(({ after }) => after >= first)?.after ?? Number.POSITIVE_INFINITY
  const latest = Math.min(now - state.schedule.epsilonMs, others + 1)
  let [last, count] = [first, 1]
  for (let next = timetable.nextAfter(first); next !== null && next < latest && count < countedAtMost; ) {
    last = next
    count += 1
    next = timetable.nextAfter(next)
  }
  const upTo = count < countedAtMost ? last : Math.max(last, latest - 1)
  return {
    ...noDecision,
    state: { ...dealtWith(state, upTo, timetable), missed: state.missed + count },
    run: { ...runOf(state, 'missed', last, now), count },
    wakeAt: now,
  }
}

function runOf(
  { project, service, serviceUuid }: ScheduleState,
  outcome: Run['outcome'],
  dueAt: Instant,
  now: Instant,
): Run {
  return {
    project,
    service,
    serviceUuid,
    by: 'schedule',
    dueAt,
    decidedAt: now,
    outcome,
    count: 1,
    instance: null,
    endedAt: null,
    exit: null,
  }
}
