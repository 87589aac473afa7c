// How units move within a pass: a unit is placed or evicted, followers go with their targets, targets come to followers.
import type { Placement, PlacementCause, PortBinding, UnitName } from '../model/unit.js'
import { type MachineChooser, tryOut } from './choose-machine.js'
import type { ClusterIndex } from './cluster-index.js'
import type { EvictionCause, PassDecisions } from './decisions.js'
import { causeAfter, isStopping } from './evictions.js'
import { byAge, type MachineState, type UnitState } from './state/model.js'
import {
  type FollowGraph,
  type GroupRequirementsCache,
  groupOf,
  hasSlotVolume,
  joinGroup,
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
