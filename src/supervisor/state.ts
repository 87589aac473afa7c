// What the supervisor knows of a unit from one event to the next. It is kept on disk as it is.
import type { Instant } from '../lib/time.js'
import type { ActiveState, UnitExit, UnitFailure } from '../model/unit.js'

/** A process that cannot be mistaken for a later one with the same pid. */
export interface ProcessId {
  readonly pid: number
  /** Field 22 of /proc/<pid>/stat: clock ticks from boot to its start. */
  readonly ticks: number
}

/** The main process is what the unit is about; a control process is one of the commands around it. */
export type Role = 'main' | 'control'

/** systemd's sub states of a service, as far as the supported types have them. */
export type SubState = keyof typeof activeBySub

const activeBySub = {
  dead: 'inactive',
  failed: 'failed',
  'start-pre': 'activating',
  start: 'activating',
  'start-post': 'activating',
  'auto-restart': 'activating',
  running: 'active',
  exited: 'active',
  stop: 'deactivating',
  'stop-sigterm': 'deactivating',
  'stop-sigkill': 'deactivating',
  'stop-post': 'deactivating',
  'final-sigterm': 'deactivating',
  'final-sigkill': 'deactivating',
} as const satisfies Record<string, ActiveState>

/** Whether both are one process: a number alone may have been given to another since. */
export function isSameProcess(one: ProcessId, other: ProcessId): boolean {
  return one.pid === other.pid && one.ticks === other.ticks
}

/** What a run came to, in systemd's words where it has one; `unseen` is an end that nobody saw. */
export type Result =
  | 'success'
  | 'exit-code'
  | 'signal'
  | 'timeout'
  | 'oom-kill'
  | 'resources'
  | 'start-limit-hit'
  | 'unseen'

export interface UnitState {
  readonly sub: SubState
  /** When the active state last changed; null before the first start. */
  readonly since: Instant | null
  /** Counts the runs, each of which has its own invocation id; 0 before the first. */
  readonly run: number
  readonly main: ProcessId | null
  readonly control: ProcessId | null
  /** The processes that were started for this run, each of which leads a session of its own, while something is in that. */
  readonly sessions: readonly ProcessId[]
  /** A process was asked for and it is not known yet whether it came to be. */
  readonly spawning: Role | null
  /** Which command of the list that the sub state runs. */
  readonly index: number
  /** Something of this run may be left besides the main and control processes: it must be looked for. */
  readonly lingering: boolean
  /** What was left has been sent the stop signal. */
  readonly leftoversSignalled: boolean
  readonly deadlineAt: Instant | null
  readonly result: Result
  readonly exit: UnitExit | null
  readonly failure: UnitFailure | null
  /** The memory guard has killed the main process. */
  readonly overMemory: boolean
  /** When the main process of this run was started. */
  readonly mainSince: Instant | null
  /** Restarts by the restart rule since the unit was started. */
  readonly restarts: number
  /** Restarts in a row without a steady run between them: the exponent of Docker's wait. */
  readonly attempt: number
  /** Instants of the latest starts, for the start limit. */
  readonly starts: readonly Instant[]
  /** It was asked to stop since it was last asked to start. */
  readonly stopAsked: boolean
  /** It was asked to start while it was stopping. */
  readonly again: boolean
}

/** A unit that was never started. */
export const initialState: UnitState = {
  sub: 'dead',
  since: null,
  run: 0,
  main: null,
  control: null,
  sessions: [],
  spawning: null,
  index: 0,
  lingering: false,
  leftoversSignalled: false,
  deadlineAt: null,
  result: 'success',
  exit: null,
  failure: null,
  overMemory: false,
  mainSince: null,
  restarts: 0,
  attempt: 0,
  starts: [],
  stopAsked: false,
  again: false,
}

/** systemd's active state for a sub state. */
export function activeOf(sub: SubState): ActiveState {
  return activeBySub[sub]
}

/** Nothing of the unit runs and nothing is going to happen by itself. */
export function isAtRest({ sub }: UnitState): boolean {
  return sub === 'dead' || sub === 'failed'
}
