// Which placed units lose their place: because of what they or their machine are, and because of what else is on it.
import type { MachineId } from '../model/machine.js'
import type { DesiredUnit, Placement, PlacementCause, Refusal } from '../model/unit.js'
import type { ClusterView } from '../store/view.js'
import type { Requirements } from '../unit/requirements.js'
import { cannotStay, meetsFleet, refusalOf, takesPlaceOf } from './constraints.js'
import type { EvictionCause } from './pass-decisions.js'
import type { MachineIndex } from './state/machines.js'
import type { MachineState, UnitState } from './state/model.js'
import type { GroupRequirementsCache } from './state/placement-group.js'

export interface Removal {
  readonly unit: UnitState
  readonly cause: EvictionCause
}

/**
 * The units that cannot stay on a machine. Of two that cannot both stay, the one that was placed later goes (`order`), but
 * of one and what it follows (`MachineOf=`) the follower: without what it follows it could not stay either. The answer does not depend on which of them has changed. A stopping unit leaves by itself, and none is evicted for it.
 */
export function recheck(
  machine: MachineState,
  machines: MachineIndex,
  groupRequirements: GroupRequirementsCache,
  order: (a: UnitState, b: UnitState) => number,
): readonly Removal[] {
  if (machine.record === null || isSound(machine)) return []
  const there = [...machine.units].filter(({ active }) => active)
  const stopping = there.filter(({ spec }) => isStopping(spec))
  const units = there.filter(({ spec }) => !isStopping(spec)).sort(order)
  const removals = units.flatMap((unit) => replacedOn(machine, unit) ?? [])
  const gone = new Set(removals.map(({ unit }) => unit))
  const left = units.filter((unit) => !gone.has(unit))
  return [...removals, ...admitAgain(left, [...gone, ...stopping], machine, machines, groupRequirements)]
}

function isSound(machine: MachineState): boolean {
  if (machine.freeMb < 0 || machine.freeCpu < 0) return false
  for (const holders of machine.ports.values()) if (holders.length > 1) return false
  for (const unit of machine.units) if (unit.active && !isAtPeace(unit, machine)) return false
  return true
}

/** Whether a unit conflicts with nothing on its machine; conflicts of the others are checked with them. */
function isAtPeace({ eqClass }: UnitState, machine: MachineState): boolean {
  const { needs, conflicts, replaces: replaced } = eqClass.requirements
  if (!meetsFleet(needs.fleet, machine)) return false
  for (const selectors of [conflicts, replaced]) {
    for (const selector of selectors) {
      const itself = eqClass.pickedBy.includes(selector) ? 1 : 0
      if ((selector.machines.get(machine) ?? 0) > itself) return false
    }
  }
  return true
}

function replacedOn(machine: MachineState, unit: UnitState): Removal | null {
  for (const other of machine.units) {
    if (other.active && !isStopping(other.spec) && takesPlaceOf(other, unit))
      if (!leavesWith(other, unit, machine.units))
        return { unit, cause: { kind: 'replaced', by: other.spec.name } }
  }
  return null
}

/** Whether one of two has to leave with the other, and not the other way round (`MachineOf=`); `units` are all there. */
function leavesWith(one: UnitState, other: UnitState, units: Iterable<UnitState>): boolean {
  return boundTo(other, units).has(one) && !boundTo(one, units).has(other)
}

/** What follows a unit of those on its machine, or follows what does. */
function boundTo(unit: UnitState, units: Iterable<UnitState>): ReadonlySet<UnitState> {
  if (unit.followers === null) return new Set()
  const all = [...units]
  const bound = new Set([unit])
  for (const { spec } of bound) for (const one of all) if (one.targets.includes(spec.name)) bound.add(one)
  bound.delete(unit)
  return bound
}

/** Takes all units off the machine and checks them one by one as they are added again; all end where they were. */
function admitAgain(
  units: readonly UnitState[],
  others: readonly UnitState[],
  machine: MachineState,
  machines: MachineIndex,
  groupRequirements: GroupRequirementsCache,
): readonly Removal[] {
  const ports = new Map([...units, ...others].map((unit) => [unit, unit.ports]))
  const enter = (unit: UnitState): void => machines.add(unit, machine, ports.get(unit) ?? [])
  for (const unit of ports.keys()) machines.remove(unit)
  const refused: { unit: UnitState; refusal: Refusal }[] = []
  const admit = (unit: UnitState): void => {
    const requirements = groupRequirements.of([unit])
    const group = { members: [unit], requirements, pins: [], missingTarget: null }
    let kind = cannotStay(group, machine)
    // Who can be beside it nowhere and would leave with it.
    const bound = kind === null ? [] : [...boundTo(unit, units)].filter((one) => isAgainst(one, unit))
    for (const one of bound) machines.remove(one)
    if (bound.length > 0) kind = cannotStay(group, machine)
    if (kind === null) enter(unit)
    else refused.push({ unit, refusal: refusalOf(kind, group, machine) })
    for (const one of bound)
      if (kind === null) admit(one)
      else enter(one)
  }
  const isAgainst = (one: UnitState, unit: UnitState): boolean =>
    one.machine === machine &&
    groupRequirements.of([unit, one]).clash !== null &&
    leavesWith(one, unit, units)
  for (const unit of units) admit(unit)
  for (const { unit } of refused) enter(unit)
  for (const unit of others) enter(unit)
  return refused.map(({ unit, refusal }) => ({
    unit,
    cause: { kind: 'no-longer-fits', refusal },
  }))
}

/**
 * Why a placement ends, or null; `needs` are those of its unit, null when it is not to be anywhere. `isHeld` tells of a
 * machine that is gone whether it may only be out of our sight.
 */
export function evictionCause(
  view: ClusterView,
  placement: Placement,
  spec: DesiredUnit | undefined,
  needs: Requirements | null,
  isHeld: (machine: MachineId) => boolean,
): EvictionCause | null {
  if (spec === undefined) return { kind: 'unit-gone' }
  if (spec.desired === 'inactive' || needs === null) return { kind: 'unloaded' }
  if (needs.fleet.global !== (placement.global ?? false)) return { kind: 'scope-changed' }
  if (isStopping(spec)) return null
  // An instance of a lost machine is replaced by a new instance (contract §3); a plain unit moves (seed: fleet).
  const { machine } = placement
  // One of a global unit takes no other machine, and waits for its own: what still runs there when that is back runs on.
  const isLost = needs.fleet.global ? !view.knownMachines.has(machine) : !isHeld(machine)
  if (!view.machines.has(machine) && spec.instance === null && isLost) return { kind: 'machine-lost' }
  if (!havePorts(placement, needs)) return { kind: 'ports-changed' }
  const port = takenPort(view, placement, needs)
  return port === null ? null : { kind: 'port-taken', port }
}

/**
 * Whether a unit is an instance that is not to run any more, and is there only until it has stopped, or for as long as it
 * is kept. It stays where it is: nothing would be gained by moving it, and it is never placed anew.
 */
export function isStopping({ instance, desired }: DesiredUnit): boolean {
  return instance !== null && desired === 'loaded'
}

/** Whether a placement has just the ports that its unit asks for. */
function havePorts({ ports }: Placement, needs: Requirements): boolean {
  if (ports.length !== needs.ports.length) return false
  return needs.ports.every(({ ip, host, container, protocol }, index) => {
    const binding = ports[index]
    if (binding?.container !== container || binding.protocol !== protocol || binding.ip !== ip) return false
    return host === null || host === binding.host
  })
}

/** The chosen port of a placement that its machine found taken; a port that the unit fixes itself cannot be changed. */
function takenPort(
  view: ClusterView,
  { unit, machine, ports }: Placement,
  needs: Requirements,
): number | null {
  const port = view.reportsOf(machine).get(unit)?.failure?.port ?? null
  if (port === null || !ports.some((binding) => binding.host === port)) return null
  return needs.ports.some((need) => need.host === port) ? null : port
}

/** Why a unit that has lost its place is placed anew. */
export function causeAfter({ machine }: Placement, cause: EvictionCause): PlacementCause {
  switch (cause.kind) {
    case 'machine-lost':
      return { kind: 'machine-lost', from: machine }
    case 'port-taken':
      return { kind: 'port-taken', port: cause.port }
    case 'target-moved':
    case 'replaced':
    case 'no-longer-fits':
    case 'drained':
      return { kind: 'moved', from: machine, because: cause.kind }
    case 'unit-gone':
    case 'unloaded':
    case 'scope-changed':
    case 'ports-changed':
      return { kind: 'new' }
  }
}

/**
 * Whether a unit takes up room and counts for rules. An instance that is not to run does so only until it has
 * stopped, for it never starts again; a unit of its own keeps what it needs while it is loaded. What no machine has told
 * of yet may have been started a moment ago, and so may what its machine last told of before it knew of the stop.
 */
export function isActive(view: ClusterView, spec: DesiredUnit, placement: Placement | null): boolean {
  if (spec.desired === 'launched' || spec.instance === null) return true
  if (placement === null) return false
  const report = view.reportsOf(placement.machine).get(spec.name)
  if (report === undefined || report.mayStart === true) return true
  return report.active !== 'inactive' && report.active !== 'failed'
}
