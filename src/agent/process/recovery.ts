// What happened to a unit while no supervisor was there: the events that bring its state up to now.
import type { UnitName } from '../../model/unit.js'
import type { UnitEvent } from './machine.js'
import { isAlive, leaderOf, type ProcessTable } from './processes.js'
import type { CommandList } from './service.js'
import { initialState, type Role, type UnitState } from './state.js'

/** Where a look was taken: the supervisor's home, and whether the machine is still in the boot of the record. */
export interface Scene {
  readonly home: string
  readonly table: ProcessTable
  readonly sameBoot: boolean
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
 * The state of a unit whose record cannot be read, from what runs: its main process if there is one. So that
 * it is not started a second time, the run counts on from the highest that any process carries.
 */
export function stateFromProcesses(unit: UnitName, { home, table }: Scene): UnitState {
  const marks = [...table.values()].flatMap(({ mark }) =>
    mark?.unit === unit && mark.home === home ? [mark] : [],
  )
  const run = Math.max(0, ...marks.map((mark) => mark.run))
  const indexes = marks.filter((mark) => mark.run === run && mark.list === 'start').map(({ index }) => index)
  const index = Math.max(0, ...indexes)
  const main = leaderOf(table, { home, unit, run, list: 'start', index })
  if (main === null) return { ...initialState, run, failure: recordLost, sub: 'failed', result: 'resources' }
  return { ...initialState, run, index, main, sessions: [main], sub: 'running', mainSince: null }
}

const recordLost = {
  code: 'process/state-unreadable',
  message: 'the record of this unit cannot be read; it was kept aside, and nothing of the unit runs',
  permanent: false,
} as const
