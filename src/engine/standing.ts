// Machines as they were when units were placed on them: what was decided on one that has changed since takes no effect.
import type { MachineId } from '../model/machine.js'
import { comparesOf } from '../store/decision.js'
import { keys } from '../store/records.js'
import type { Compare } from '../store/store.js'
import type { ClusterView } from '../store/view.js'
import type { EngineAction } from './actions.js'

/** What holds each machine that something is placed on to how it was. */
export type Standing = ReadonlyMap<MachineId, readonly Compare[]>

/**
 * The comparisons that hold placements to the machines that they were decided on: what a machine says of itself, that it is
 * not away, and what is ordered of it, that it is not cordoned. To be asked for in the turn in which they were decided.
 */
export function standingOf(view: ClusterView, actions: Iterable<EngineAction>): Standing {
  const standing = new Map<MachineId, readonly Compare[]>()
  for (const action of actions) {
    const machine = machineTaken(action)
    if (machine === null || standing.has(machine)) continue
    const decidedOn = [keys.machine(machine), keys.order(machine)]
    standing.set(machine, comparesOf(view, { decidedOn, ops: [] }))
  }
  return standing
}

/** The machine that an action places something on. */
export function machineTaken(action: EngineAction): MachineId | null {
  return action.kind === 'place' ? action.placement.machine : null
}

/**
 * The same actions, those that place on one machine beside each other as far as nothing is evicted in between: each
 * transaction then has few machines to compare, however many there are.
 */
export function* machineByMachine(actions: Iterable<EngineAction>): Iterable<EngineAction> {
  let stretch = new Map<MachineId | null, EngineAction[]>()
  for (const action of actions) {
    if (action.kind === 'evict') {
      for (const taken of stretch.values()) yield* taken
      stretch = new Map()
      yield action
      continue
    }
    const machine = machineTaken(action)
    const beside = stretch.get(machine)
    if (beside === undefined) stretch.set(machine, [action])
    else beside.push(action)
  }
  for (const taken of stretch.values()) yield* taken
}
