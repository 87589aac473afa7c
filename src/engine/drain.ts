// Drains machines: their units move, with all that has to go along, as soon as another machine can take them. Instances of services stay until their service has replaced them; global units stay.
import { byKeys, byText } from '../lib/sort.js'
import type { PassDecisions } from './decisions.js'
import { isStopping } from './evictions.js'
import { evict, followTargets, place, type SchedulerState } from './moves.js'
import type { MachineIndex } from './state/machines.js'
import { byAge, type MachineState, type UnitState } from './state/model.js'
import type { FollowGraph, GroupRequirementsCache, PlacementGroup } from './state/placement-group.js'

/** Moves what can be moved off machines that are drained. Returns whether anything was. */
export function drainMachines(state: SchedulerState, pass: PassDecisions): boolean {
  let moved = false
  for (const machine of drainedMachines(state))
    for (const group of groupsOn(machine, state.index.units)) moved = moveGroup(state, group, pass) || moved
  return moved
}

function drainedMachines({ index: { view, machines } }: SchedulerState): readonly MachineState[] {
  const drained = [...view.orders.values()].filter(({ cordoned, drain }) => cordoned && drain !== undefined)
  return drained
    .map(({ id }) => id)
    .sort(byText)
    .flatMap((id) => machines.get(id) ?? [])
    .filter(({ id, record }) => record !== null && !view.isMachineHeld(id))
}

/**
 * What leaves a machine together: units that are bound by MachineOf=. Instances are among them only where they are bound
 * to a unit that no service replaces.
 */
export function groupsOn(machine: MachineState, graph: FollowGraph): readonly (readonly UnitState[])[] {
  const seen = new Set<UnitState>()
  const groups: (readonly UnitState[])[] = []
  for (const unit of [...machine.units].filter(isMovable).sort(byAge)) {
    if (seen.has(unit)) continue
    const group = groupAround(unit, machine, graph)
    for (const member of group) seen.add(member)
    groups.push(group)
  }
  return groups
}

function isMovable({ spec, eqClass }: UnitState): boolean {
  return spec.instance === null && !eqClass.requirements.needs.fleet.global
}

/** A unit and all that is bound to it on its machine. */
function groupAround(unit: UnitState, machine: MachineState, graph: FollowGraph): readonly UnitState[] {
  const group = new Set([unit])
  for (const member of group) {
    const targets = member.targets.flatMap((target) => graph.get(target) ?? [])
    for (const other of [...targets, ...(graph.followers(member.spec.name) ?? [])])
      if (other.machine === machine && !isStopping(other.spec)) group.add(other)
  }
  return [...group].sort(byName)
}

const byName = byKeys<UnitState>(({ spec }) => spec.name)

function moveGroup(state: SchedulerState, members: readonly UnitState[], pass: PassDecisions): boolean {
  const group = groupTogether(members, state.groupRequirements)
  if (members.some(({ spec }) => state.index.staysPut(spec.name))) return false
  const choice = withoutUnits(state.index.machines, members, () => state.chooser.choose(group))
  if (choice === null) return false
  for (const unit of members) evict(state, unit, { kind: 'drained' }, pass)
  for (const [at, member] of members.entries())
    place(state, member, choice.machine, choice.ports[at] ?? [], pass)
  followTargets(state, pass)
  return true
}

/** Units that leave together, as a group for another machine; their targets are among them. */
export function groupTogether(
  group: readonly UnitState[],
  groupRequirements: GroupRequirementsCache,
): PlacementGroup {
  return { members: group, requirements: groupRequirements.of(group), pins: [], missingTarget: null }
}

/** The result of `find` while some units are off their machines; puts them back. */
export function withoutUnits<T>(machines: MachineIndex, units: readonly UnitState[], find: () => T): T {
  const before = units.map((unit) => ({ unit, machine: unit.machine, ports: unit.ports }))
  for (const { unit } of before) machines.remove(unit)
  const found = find()
  for (const { unit, machine, ports } of before) if (machine !== null) machines.add(unit, machine, ports)
  return found
}
