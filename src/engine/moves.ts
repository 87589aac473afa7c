// How units move within a pass: a unit is placed or evicted, followers go with their targets, targets come to followers,
// and machines are drained.

import { byKeys, byText } from '../lib/sort.js'
import type { Placement, PlacementCause, PortBinding, UnitName } from '../model/unit.js'
import { type MachineChooser, tryOut } from './choose-machine.js'
import type { ClusterIndex } from './cluster-index.js'
import { causeAfter, isStopping } from './evictions.js'
import type { EvictionCause, PassDecisions } from './pass-decisions.js'
import type { MachineIndex } from './state/machines.js'
import { byAge, type MachineState, type UnitState } from './state/model.js'
import {
  type FollowGraph,
  type GroupRequirementsCache,
  groupOf,
  hasSlotVolume,
  joinGroup,
  type PlacementGroup,
} from './state/placement-group.js'

/** What the scheduler keeps from pass to pass. */
export interface SchedulerState {
  readonly index: ClusterIndex
  readonly groupRequirements: GroupRequirementsCache
  readonly chooser: MachineChooser
}

/** Ends a placement, or takes back one of this pass. */
export function evict(
  { index }: SchedulerState,
  unit: UnitState,
  cause: EvictionCause,
  pass: PassDecisions,
): void {
  const { machine, spec } = unit
  if (machine === null) return
  const placement = placementOn(index, spec.name, machine)
  if (!pass.takeBack(spec.name) && placement !== undefined) pass.evict(placement, cause)
  index.units.unassign(unit, placement === undefined ? unit.cause : causeAfter(placement, cause))
  pass.moved.add(spec.name)
}

/** Followers do not stay where their target is not (fleet's AbleToRun: "required peer is not scheduled locally"). */
export function followTargets(state: SchedulerState, pass: PassDecisions): void {
  const { units } = state.index
  for (const name of pass.moved) {
    pass.moved.delete(name)
    const unit = units.get(name)
    for (const one of [...(unit === undefined ? [] : [unit]), ...(units.followers(name) ?? [])]) {
      if (one.machine === null || isStopping(one.spec) || state.index.staysPut(one.spec.name)) continue
      const target = one.targets.find((wanted) => units.get(wanted)?.machine !== one.machine)
      if (target !== undefined) evict(state, one, { kind: 'target-moved', target }, pass)
    }
  }
}

/** Where the view says that a unit is, if that is this machine. */
export function placementOn(
  { view }: ClusterIndex,
  name: UnitName,
  machine: MachineState,
): Placement | undefined {
  return view.placedOn(machine.id).get(name)
}

/** Places a unit on a machine. */
export function place(
  { index }: SchedulerState,
  unit: UnitState,
  machine: MachineState,
  ports: readonly PortBinding[],
  pass: PassDecisions,
): void {
  const { global } = unit.eqClass.requirements.needs.fleet
  const cause = global ? forGlobal : causeOf(index.units, unit)
  index.units.assign(unit, machine, ports)
  const where = { unit: unit.spec.name, machine: machine.id, ports, cause, at: pass.now }
  pass.place(global ? { ...where, global } : where)
  unit.cause = forNew
}

/** A unit whose volume exists goes to that machine for no other reason. */
function causeOf(graph: FollowGraph, unit: UnitState): PlacementCause {
  if (unit.cause.kind !== 'new' || !hasSlotVolume(unit)) return unit.cause
  const [pin] = graph.volumePinsOf(unit)
  return pin === undefined || !('volume' in pin) ? unit.cause : { kind: 'new', volume: pin.volume }
}

const forGlobal = { kind: 'global' } as const
const forNew = { kind: 'new' } as const

/**
 * Places pending targets on the machine of their follower, if it takes them: a running unit that begins to follow another
 * one (`MachineOf=`) is not moved for a target that can come to it. `isSound` says that all units on a machine can stay.
 * Older followers come first.
 */
export function bringTargets(
  state: SchedulerState,
  isSound: (machine: MachineState) => boolean,
  pass: PassDecisions,
): void {
  const { units, machines } = state.index
  // Asking for the machines that are present numbers them anew after some came or went.
  if (machines.present.length === 0) return
  const followers = [...pass.moved].flatMap((name) => {
    const unit = units.get(name)
    return [...(unit === undefined ? [] : [unit]), ...(units.followers(name) ?? [])]
  })
  for (const follower of [...new Set(followers)].sort(byAge)) {
    const { machine, spec } = follower
    if (machine === null || isStopping(spec) || state.index.staysPut(spec.name)) continue
    const missing = missingTargets(state, follower, machine)
    if (missing.length > 0 && isSound(machine)) bring(state, missing, machine, pass)
  }
}

/** The pending targets of a unit, where all others are on its machine. */
function missingTargets(
  { index: { units } }: SchedulerState,
  { targets }: UnitState,
  machine: MachineState,
): readonly UnitState[] {
  const all = targets.map((target) => units.get(target))
  const waiting = all.flatMap((target) => (target?.machine === null ? [target] : []))
  return all.every((target) => target?.machine === machine || target?.machine === null) ? waiting : []
}

/** Places all missing targets of a unit on its machine, or none. */
function bring(
  { index, ...state }: SchedulerState,
  missing: readonly UnitState[],
  machine: MachineState,
  pass: PassDecisions,
): void {
  const [first, ...groups] = missing.map((target) => groupOf(target, index.units, state.groupRequirements))
  if (first === undefined || [first, ...groups].some(({ missingTarget }) => missingTarget !== null)) return
  const group = joinGroup(first, missing, index.units, state.groupRequirements)
  const choice = tryOut(group, machine)
  if (choice === null) return
  for (const [at, member] of group.members.entries()) {
    place({ index, ...state }, member, machine, choice.ports[at] ?? [], pass)
    pass.moved.add(member.spec.name)
  }
}

/**
 * Moves what can be moved off machines that are drained, with all that has to go along. Instances of services stay until
 * their service has replaced them; global units stay. Returns whether anything was moved.
 */
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
