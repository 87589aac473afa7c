// What the engine's actions mean in the store: placements to write, events, and the comparisons that guard them.
import type { EventDraft, HistoryEvent } from '../model/event.js'
import type { MachineId } from '../model/machine.js'
import type { DesiredUnit, UnitName } from '../model/unit.js'
import { comparesOf } from '../store/decision.js'
import { hostnameOf } from '../store/hostname.js'
import { keyOf, keys, putOf } from '../store/records.js'
import type { Compare, Op } from '../store/store.js'
import type { ClusterView } from '../store/view.js'
import { describeEviction, describePlacementCause, describeWaiting } from './describe.js'
import type { EngineAction } from './pass-decisions.js'
import { abandonedMachines, volumeOps } from './slot-volumes.js'

/** The store writes of one action. */
export function opsOf(view: ClusterView, action: EngineAction): readonly Op[] {
  switch (action.kind) {
    case 'place': {
      const { placement } = action
      const waited = view.waiting.has(placement.unit)
      return [
        putOf('placement', placement),
        ...volumeOps(view, placement),
        ...(waited ? [forget(placement.unit)] : []),
      ]
    }
    case 'evict':
      return [{ op: 'delete', key: keyOf('placement', action.placement) }]
    case 'wait':
      return [putOf('waiting', action.waiting)]
    case 'stop-waiting':
      return [forget(action.unit)]
  }
}

function forget(unit: DesiredUnit['name']): Op {
  return { op: 'delete', key: keys.waiting(unit) }
}

/** The events of an action. */
export function eventsOf(view: ClusterView, action: EngineAction): readonly EventDraft[] {
  switch (action.kind) {
    case 'place': {
      const { unit, machine, cause } = action.placement
      const hostname = hostnameOf(view, machine)
      const reason = describePlacementCause(cause)
      const message = `${nameOf(view, unit)} is placed on ${hostname}: ${reason}`
      return [about(view, unit, 'placed', message, machine, reason)]
    }
    case 'evict': {
      const { placement, cause } = action
      const { unit, machine } = placement
      // The event of a removed unit is written by whoever removed it.
      if (cause.kind === 'unit-gone' || cause.kind === 'unloaded' || cause.kind === 'port-taken') return []
      const why = describeEviction(cause)
      return [about(view, unit, 'evicted', `${nameOf(view, unit)} leaves its machine: ${why}`, machine, why)]
    }
    case 'wait': {
      const { unit, refusals } = action.waiting
      const why = describeWaiting(refusals, (machine) => hostnameOf(view, machine))
      return [
        about(view, unit, 'unplaceable', `no machine can take ${nameOf(view, unit)}: ${why}`, null, why),
      ]
    }
    case 'stop-waiting':
      return []
  }
}

function about(
  view: ClusterView,
  unit: DesiredUnit['name'],
  kind: HistoryEvent['kind'],
  message: string,
  machine: HistoryEvent['machine'],
  reason: string,
): EventDraft {
  const instance = view.instances.get(unit)
  return {
    kind,
    project: instance?.project ?? null,
    service: instance?.service ?? null,
    instance: instance?.name ?? null,
    machine,
    message,
    data: { reason, ...(instance === undefined && { unit }) },
  }
}

function nameOf(view: ClusterView, unit: DesiredUnit['name']): string {
  return view.instances.get(unit)?.name ?? unit
}

/** Comparisons for each machine that a placement depends on: it takes no effect where one has changed since. */
export type MachineGuards = ReadonlyMap<MachineId, readonly Compare[]>

/**
 * The comparisons that hold placements to the machines that they were decided on: what a machine says of itself, that it is
 * not away, and what is ordered of it, that it is not cordoned. A volume that begins anew elsewhere is held to it that its
 * machine is away. To be asked for in the turn in which they were decided.
 */
export function guardsOf(view: ClusterView, actions: Iterable<EngineAction>): MachineGuards {
  const guards = new Map<MachineId, readonly Compare[]>()
  for (const action of actions) {
    for (const machine of machinesOf(view, action)) {
      if (guards.has(machine)) continue
      const decidedOn = [keys.machine(machine), keys.order(machine)]
      guards.set(machine, comparesOf(view, { decidedOn, ops: [] }))
    }
  }
  return guards
}

/** The comparison for each unit that is placed and is no instance. */
export type UnitGuards = ReadonlyMap<UnitName, Compare>

/**
 * The comparisons that hold placements to the texts that they were decided by: one that is replaced meanwhile may ask for
 * another machine. The text of an instance stays as it is. To be asked for in the turn in which they were decided.
 */
export function unitGuardsOf(view: ClusterView, actions: Iterable<EngineAction>): UnitGuards {
  const guards = new Map<UnitName, Compare>()
  for (const action of actions) {
    if (action.kind !== 'place') continue
    const { unit } = action.placement
    if (view.units.get(unit)?.instance !== null) continue
    const key = keys.unit(unit)
    guards.set(unit, { key, modRevision: view.revisionOf(key) })
  }
  return guards
}

/** Comparisons for each volume that is written with a placement: what was done with one meanwhile is not undone by that. */
export type VolumeGuards = ReadonlyMap<string, Compare>

/** The comparisons that hold volumes to what they were in the turn in which placements were decided. */
export function volumeGuardsOf(view: ClusterView, actions: Iterable<EngineAction>): VolumeGuards {
  const decidedOn: string[] = []
  for (const action of actions)
    if (action.kind === 'place')
      for (const op of volumeOps(view, action.placement)) if (op.op === 'put') decidedOn.push(op.key)
  return new Map(comparesOf(view, { decidedOn, ops: [] }).map((compare) => [compare.key, compare]))
}

/** The machine that an action places something on, and those that have to be away for that. */
export function machinesOf(view: ClusterView, action: EngineAction): readonly MachineId[] {
  if (action.kind !== 'place') return []
  const { placement } = action
  return [placement.machine, ...abandonedMachines(view, placement)]
}

/** The machine that an action places something on. */
function machineTaken(action: EngineAction): MachineId | null {
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
