// What becomes of a schedule's firings: a pure state machine. Each firing is decided once, in order.
import type { Instant } from '../lib/time.js'
import type { Run, Schedule, ScheduleState } from '../model/schedule.js'
import type { Service } from '../model/service.js'
import type { Timetable } from './timetable.js'

/** What is to be done for a firing. `stop` makes room for one that waits. */
export type FiringAction = 'start' | 'stop'

export interface Decision {
  /** The same object when nothing changed. */
  readonly state: ScheduleState
  readonly action: FiringAction | null
  readonly run: Run | null
  /** When to look again though nothing happens. */
  readonly wakeAt: Instant | null
}

/** Firings that were missed are counted one by one up to here. */
const countedAtMost = 1000

/**
 * The state of a schedule that begins: firings before it was deployed are none of it. One that is deployed again as it
 * was goes on.
 */
export function stateFor(
  { project, name, uuid }: Service,
  schedule: Schedule,
  deployedAt: Instant,
  before: ScheduleState | undefined,
): ScheduleState {
  const same =
    before !== undefined &&
    before.serviceUuid === uuid &&
    JSON.stringify(before.schedule) === JSON.stringify(schedule)
  if (same) return before
  return {
    project,
    service: name,
    serviceUuid: uuid,
    schedule,
    origin: deployedAt,
    decidedUpTo: deployedAt - 1,
    pending: null,
    started: 0,
    skipped: 0,
    missed: 0,
  }
}

/** Decides the next firing if it is due. `running`: whether an instance of the service runs, or is still stopping. */
export function decideFiring(
  state: ScheduleState,
  timetable: Timetable,
  running: boolean,
  now: Instant,
): Decision {
  if (state.pending !== null && !running) return start({ ...state, pending: null }, state.pending, now)
  const due = timetable.nextAfter(state.decidedUpTo)
  if (due === null || due > now) return { state, action: null, run: null, wakeAt: due }
  if (now - due > state.schedule.epsilonMs) return missed(state, timetable, due, now)
  const decided: ScheduleState = { ...state, decidedUpTo: due }
  if (!running || state.schedule.overlap === 'allow') return start(decided, due, now)
  if (state.schedule.overlap === 'replace' && state.pending === null)
    return { state: { ...decided, pending: due }, action: 'stop', run: null, wakeAt: now }
  return {
    state: { ...decided, skipped: state.skipped + 1 },
    action: null,
    run: runOf(state, 'skipped', due, now),
    wakeAt: now,
  }
}

function start(state: ScheduleState, due: Instant, now: Instant): Decision {
  return {
    state: { ...state, started: state.started + 1 },
    action: 'start',
    run: runOf(state, 'started', due, now),
    wakeAt: now,
  }
}

/** All firings that are too late, as one. */
function missed(state: ScheduleState, timetable: Timetable, first: Instant, now: Instant): Decision {
  const latest = now - state.schedule.epsilonMs
  let [last, count] = [first, 1]
  for (let next = timetable.nextAfter(first); next !== null && next < latest && count < countedAtMost; ) {
    last = next
    count += 1
    next = timetable.nextAfter(next)
  }
  return {
    state: {
      ...state,
      decidedUpTo: count < countedAtMost ? last : Math.max(last, latest - 1),
      missed: state.missed + count,
    },
    action: null,
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
