// What happened to a unit while no supervisor was there: the events that bring its state up to now.
import type { Instant } from '../lib/time.js'
import type { UnitName } from '../model/unit.js'
import { isAlive, leaderOf, type ProcessTable } from './processes.js'
import { restartWaitMs } from './restart.js'
import type { CommandList, Service } from './service.js'
import { initialState, isAtRest, type Role, type UnitState } from './state.js'
import type { UnitEvent } from './unit-state-machine.js'

/** Where a look was taken: the supervisor's home, and whether the machine is still in the boot of the record. */
export interface Scene {
  readonly home: string
  readonly table: ProcessTable
  readonly sameBoot: boolean
  readonly now: Instant
}

/**
 * A process that is recorded and lives is taken over without an event. One that is gone has ended unseen. One that
 * was asked for and not recorded is found by its mark, or has come and gone, or was never started.
 */
export function recoveryEvents(unit: UnitName, state: UnitState, scene: Scene): readonly UnitEvent[] {
  const lives = (role: Role): boolean => {
    const process = state[role]
    return process !== null && scene.sameBoot && isAlive(scene.table, process)
  }
  const gone = (['control', 'main'] as const).filter((role) => state[role] !== null && !lives(role))
  return [...gone.map((role): UnitEvent => endedUnseen(role)), ...unrecorded(unit, state, scene)]
}

/**
 * The state of a unit that runs once, after its machine has gone down and come back; null where that changes nothing. What
 * waited for a restart had ended, and stays as it did.
 */
export function endedWithMachine(state: UnitState, now: Instant): UnitState | null {
  if (isAtRest(state)) return null
  const over = { ...state, deadlineAt: null, since: now, again: false }
  if (state.sub === 'auto-restart') return { ...over, sub: endOf(state) }
  const gone = { ...over, main: null, control: null, sessions: [], spawning: null, lingering: false }
  if (state.stopAsked) return { ...gone, sub: endOf(state) }
  const exit = { code: null, signal: null, oom: false, at: now, cutOff: true as const }
  return { ...gone, sub: 'failed', result: 'unseen', exit }
}

/**
 * A state that is waited for no longer than it was to be at most: the clock may have been set since it was written, or be wrong
 * after a start of the machine.
 */
export function withinReach(service: Service, state: UnitState, now: Instant): UnitState {
  const { deadlineAt } = state
  const mostMs = waitAtMostMs(service, state)
  return deadlineAt === null || mostMs === null || deadlineAt <= now + mostMs
    ? state
    : { ...state, deadlineAt: now + mostMs }
}

function waitAtMostMs(service: Service, state: UnitState): number | null {
  switch (state.sub) {
    case 'auto-restart':
      return restartWaitMs(service, state)
    case 'start-pre':
    case 'start':
    case 'start-post':
      return service.timeoutStartMs
    default:
      return service.timeoutStopMs
  }
}

function endOf({ result }: UnitState): 'dead' | 'failed' {
  return result === 'success' ? 'dead' : 'failed'
}

function unrecorded(
  unit: UnitName,
  state: UnitState,
  { home, table, sameBoot }: Scene,
): readonly UnitEvent[] {
  const role = state.spawning
  if (role === null) return []
  const mark = { home, unit, run: state.run, list: state.sub as CommandList, index: state.index }
  const process = sameBoot ? leaderOf(table, mark) : null
  return [process === null ? endedUnseen(role) : { kind: 'spawned', role, process }]
}

function endedUnseen(role: Role): UnitEvent {
  return { kind: 'exited', role, code: null, signal: null }
}

/**
 * The state of a unit of which a later run has processes than its record knows: a damaged journal. Null for all
 * others. Its main process is taken over if there is one; what is left of a run is cleared away.
 */
export function newerThan(
  unit: UnitName,
  state: UnitState,
  scene: Omit<Scene, 'sameBoot'>,
): UnitState | null {
  const { home, table, now } = scene
  const marks = [...table.values()].flatMap(({ mark }) =>
    mark?.unit === unit && mark.home === home ? [mark] : [],
  )
  const run = Math.max(0, ...marks.map((mark) => mark.run))
  if (run <= state.run) return null
  const commands = marks.filter((mark) => mark.run === run && mark.list === 'start')
  const index = Math.max(0, ...commands.map((mark) => mark.index))
  const main = leaderOf(table, { home, unit, run, list: 'start', index })
  const known = { ...initialState, run, index, since: now, failure: recordLost }
  if (main !== null) return { ...known, sub: 'running', main, sessions: [main], mainSince: now }
  return { ...known, sub: 'stop-sigterm', lingering: true, result: 'unseen', deadlineAt: now }
}

const recordLost = {
  code: 'process/state-unreadable',
  message: 'the journal of the supervisor was damaged: the state of this unit is lost',
  permanent: false,
} as const
