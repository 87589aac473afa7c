// Places pending units: again and again the oldest that fits somewhere, until none does. Whatever is remembered only
// spares attempts that must fail, so that it makes no difference to the decisions.

import { byKeys } from '../lib/sort.js'
import { type Choice, tryOut } from './choose-machine.js'
import { takesPlaceOf } from './constraints.js'
import { isStopping } from './evictions.js'
import { evict, followTargets, place, type SchedulerState, withoutUnits } from './moves.js'
import type { PassDecisions } from './pass-decisions.js'
import {
  byAge,
  type EquivalenceClass,
  type MachineState,
  type Selector,
  type UnitState,
} from './state/model.js'
import {
  connectedPending,
  type GroupRequirements,
  groupOf,
  joinGroup,
  type PlacementGroup,
  pendingFollowers,
} from './state/placement-group.js'
import type { GlobalUnit, Progress, UnitIndex } from './state/unit-index.js'

/** Places the pending units that fit: all of them, or some while the others are known to fit nowhere. */
export function placePending(
  state: SchedulerState,
  who: 'all' | Iterable<UnitState>,
  pass: PassDecisions,
): void {
  const { units } = state.index
  const queue = new PendingQueue(units)
  if (who === 'all') queue.fill()
  else for (const unit of who) queue.add(unit)
  const unplaceable = new Unplaceable()
  for (let unit = queue.next(); unit !== null; unit = queue.next()) {
    const found = findPlace(state, unit, unplaceable, pass)
    if (found === null) continue
    const { group, choice, isTakenOver } = found
    const unblocking = placeGroup(state, group, choice, pass)
    if (unblocking.length > 0 || isTakenOver) unplaceable.clear()
    if (isTakenOver) queue.fill()
    else for (const one of unblockedBy(state, unblocking)) queue.add(one)
    for (const member of group.members)
      for (const follower of pendingFollowers(member, units)) queue.add(follower)
    queue.addClass(unit.eqClass)
  }
}

/** Requirements that no machine meets, until something happens that might change it. */
class Unplaceable {
  readonly #requirements = new Set<GroupRequirements>()

  has({ pins, missingTarget, requirements }: PlacementGroup): boolean {
    return pins.length === 0 && missingTarget === null && this.#requirements.has(requirements)
  }

  add({ pins, missingTarget, requirements }: PlacementGroup): void {
    if (pins.length === 0 && missingTarget === null) this.#requirements.add(requirements)
  }

  clear(): void {
    this.#requirements.clear()
  }
}

interface FoundPlace {
  readonly group: PlacementGroup
  readonly choice: Choice
  /** Others had to leave it. */
  readonly isTakenOver: boolean
}

/**
 * A place for a unit with all that it follows, and with those that follow them where some machine takes them along: no
 * unit waits for its followers.
 */
function findPlace(
  state: SchedulerState,
  unit: UnitState,
  unplaceable: Unplaceable,
  pass: PassDecisions,
): FoundPlace | null {
  const { index, groupRequirements } = state
  const own = groupOf(unit, index.units, groupRequirements)
  const group = connectedPending(unit, index.units)
  if (group.length <= own.members.length) return findFor(state, [own], unplaceable, pass)
  const all = joinGroup(own, group, index.units, groupRequirements)
  const found = findFor(state, [all, own], unplaceable, pass)
  if (found === null || found.isTakenOver || found.group === all) return found
  return { ...takeAlong(state, found, unplaceable), isTakenOver: false }
}

/** A place for the first group that gets one; one that takes the place of others comes first. */
function findFor(
  state: SchedulerState,
  groups: readonly PlacementGroup[],
  unplaceable: Unplaceable,
  pass: PassDecisions,
): FoundPlace | null {
  for (const group of groups) {
    const choice = unplaceable.has(group) ? null : takeOver(state, group, pass)
    if (choice !== null) return { group, choice, isTakenOver: true }
  }
  for (const group of groups) {
    const choice = unplaceable.has(group) ? null : state.chooser.choose(group)
    if (choice !== null) return { group, choice, isTakenOver: false }
    unplaceable.add(group)
  }
  return null
}

/** Each attempt asks all machines about one more kind of group. */
const triesAtMost = 16

type ChosenPlace = Omit<FoundPlace, 'isTakenOver'>

/** As many followers of a group as some machine takes along, older ones first. */
function takeAlong(state: SchedulerState, first: ChosenPlace, unplaceable: Unplaceable): ChosenPlace {
  const { units } = state.index
  let best = first
  let triesLeft = triesAtMost
  const join = (followers: readonly UnitState[]): void => {
    const missing = followers.filter((one) => !best.group.members.includes(one))
    if (missing.length === 0 || triesLeft === 0) return
    triesLeft--
    const group = joinGroup(best.group, missing, units, state.groupRequirements)
    const choice = unplaceable.has(group) ? null : state.chooser.choose(group)
    if (choice !== null) best = { group, choice }
    else unplaceable.add(group)
    if (choice !== null || missing.length === 1) return
    const half = missing.length >> 1
    join(missing.slice(0, half))
    join(missing.slice(half))
  }
  const tried = new Set(best.group.members)
  for (;;) {
    const followers = best.group.members.flatMap((member) => pendingFollowers(member, units))
    const next = [...new Set(followers)].filter((one) => !tried.has(one)).sort(byAge)
    if (next.length === 0) return best
    for (const one of next) tried.add(one)
    join(next)
  }
}

/** Returns the selectors that pick a unit now which pending units may have waited for. */
function placeGroup(
  state: SchedulerState,
  { members }: PlacementGroup,
  { machine, ports }: Choice,
  pass: PassDecisions,
): readonly Selector[] {
  let unblocking: Selector[] | null = null
  for (const [index, member] of members.entries()) {
    place(state, member, machine, ports[index] ?? [], pass)
    for (const selector of member.eqClass.pickedBy) {
      // Of the units that another one has to be near to, only the first opens machines to it.
      if (!selector.isReplaced && !(selector.isRequiredNear && selector.total === 1)) continue
      unblocking ??= []
      unblocking.push(selector)
    }
  }
  return unblocking ?? none
}

const none: readonly Selector[] = []

/** Pending units with a hard term about what one of these selectors picks, with their groups. */
function unblockedBy(
  { index: { units } }: SchedulerState,
  selectors: readonly Selector[],
): readonly UnitState[] {
  if (selectors.length === 0) return []
  const mayBeUnblocked = ({ requirements }: EquivalenceClass): boolean =>
    requirements.affinityTerms.some(
      ({ hard, near, selector }) => hard && near && selectors.includes(selector),
    ) || requirements.replaces.some((selector) => selectors.includes(selector))
  const found = [...units.pendingClasses]
    .filter(mayBeUnblocked)
    .flatMap(({ pending }) => pending.oldest() ?? [])
  for (const unit of units.pendingGrouped) {
    if (mayBeUnblocked(unit.eqClass)) found.push(...connectedPending(unit, units))
  }
  return found
}

/**
 * The place of a unit that a member replaces (`Replaces=`), freed for it: fleet moves the replaced unit elsewhere.
 * Null when there is none that would do.
 */
function takeOver(state: SchedulerState, group: PlacementGroup, pass: PassDecisions): Choice | null {
  const { replaces } = group.requirements
  if (replaces.length === 0) return null
  const machines = new Set(replaces.flatMap(({ machines: on }) => [...on.keys()]))
  for (const machine of [...machines].sort(byLoad)) {
    const replaced = [...machine.units].flatMap((unit) => {
      const by = replacerOf(unit, group)
      return by === null ? [] : [{ unit, by }]
    })
    if (replaced.length === 0) continue
    const units = replaced.map(({ unit }) => unit)
    const mustStay =
      units.some(({ spec }) => state.index.staysPut(spec.name)) || followsAny(state, group, units)
    if (mustStay) continue
    const choice = withoutUnits(state.index.machines, units, () => tryOut(group, machine))
    if (choice === null) continue
    for (const { unit, by } of replaced) evict(state, unit, { kind: 'replaced', by: by.spec.name }, pass)
    followTargets(state, pass)
    return choice
  }
  return null
}

const byLoad = byKeys<MachineState>(
  ({ load }) => load,
  ({ position }) => position,
)

/**
 * The member of a party that a unit makes way for. It does so for younger ones alone, or units that replace each other in
 * a ring would never come to rest; and not while it stops, for it goes by itself.
 */
function replacerOf(unit: UnitState, { members }: PlacementGroup): UnitState | null {
  if (isStopping(unit.spec)) return null
  return members.find((member) => takesPlaceOf(member, unit) && byAge(unit, member) < 0) ?? null
}

/** Whether the machine of a group depends on one of these units, directly or not. */
function followsAny(
  { index: { units: unitIndex } }: SchedulerState,
  { pins }: PlacementGroup,
  units: readonly UnitState[],
): boolean {
  const followed = new Set<string>(pins.flatMap((pin) => ('target' in pin ? [pin.target] : [])))
  for (const name of followed) for (const target of unitIndex.get(name)?.targets ?? []) followed.add(target)
  return units.some(({ spec }) => followed.has(spec.name))
}

/** Tries each global unit on the machines whose answer may have changed since it was tried there. */
export function placeGlobals(state: SchedulerState, pass: PassDecisions): void {
  const globals = [...state.index.units.globals.values()].sort(
    byKeys(
      ({ spec }) => spec.createdAt,
      ({ spec }) => spec.name,
    ),
  )
  for (const global of globals) {
    const now = progressOf(state, global)
    const machines = machinesToTry(state, global.tried, now)
    global.tried = now
    for (const machine of machines) if (!global.units.has(machine.id)) tryGlobal(state, global, machine, pass)
  }
}

function progressOf(
  { index: { machines, units }, groupRequirements }: SchedulerState,
  global: GlobalUnit,
): Progress {
  const { present } = machines
  const { farReaching } = groupRequirements.of([units.globalCopy(global)])
  return {
    generation: present.length === 0 ? -1 : machines.generation,
    changed: machines.changes.end,
    farReaching: farReaching.reduce((sum, { version }) => sum + version, 0),
  }
}

/** Machines by id. */
function machinesToTry(
  { index: { machines } }: SchedulerState,
  tried: Progress | null,
  now: Progress,
): readonly MachineState[] {
  const { present } = machines
  if (tried?.generation !== now.generation || tried.farReaching !== now.farReaching) return present
  const positions = machines.changes.since(tried.changed)
  if (positions === null) return present
  return [...new Set(positions)].sort((a, b) => a - b).flatMap((position) => present[position] ?? [])
}

function tryGlobal(
  state: SchedulerState,
  global: GlobalUnit,
  machine: MachineState,
  pass: PassDecisions,
): void {
  const unit = state.index.units.globalCopy(global)
  const members = [unit]
  const group: PlacementGroup = {
    members,
    requirements: state.groupRequirements.of(members),
    pins: [],
    missingTarget: null,
  }
  const choice = tryOut(group, machine)
  if (choice !== null) place(state, unit, machine, choice.ports[0] ?? [], pass)
}

/**
 * The pending units that may be placed in this pass, oldest first. The oldest of an equivalence class stands for all of
 * it: where no machine takes it, none takes the others.
 */
class PendingQueue {
  readonly #units: UnitIndex
  /** A unit that is older than all in the heap: after the oldest of a class mostly comes the next of it. */
  #front: UnitState | null = null
  /** A binary heap: each is older than the two at twice its place. */
  readonly #heap: UnitState[] = []
  /** Marks the classes whose oldest unit is in here; a new one after each `fill`, so that no class carries it. */
  #mark: object = {}
  readonly #grouped = new Set<UnitState>()

  constructor(units: UnitIndex) {
    this.#units = units
  }

  /** Adds all pending units. */
  fill(): void {
    this.#front = null
    this.#heap.length = 0
    this.#mark = {}
    this.#grouped.clear()
    for (const eqClass of this.#units.pendingClasses) this.addClass(eqClass)
    for (const unit of this.#units.pendingGrouped) this.#addGrouped(unit)
  }

  add(unit: UnitState): void {
    if (unit.machine !== null) return
    if (this.#units.isGrouped(unit)) this.#addGrouped(unit)
    else this.addClass(unit.eqClass)
  }

  /** Adds the oldest unit of a class that is placed by itself, if there is one. */
  addClass(eqClass: EquivalenceClass): void {
    const oldest = eqClass.queued === this.#mark ? null : eqClass.pending.oldest()
    if (oldest === null) return
    eqClass.queued = this.#mark
    this.#insert(oldest)
  }

  /** Takes the oldest out; null when there is none left. */
  next(): UnitState | null {
    for (;;) {
      const unit = this.#front ?? this.#pop()
      if (unit === null) return null
      this.#front = null
      if (this.#units.isGrouped(unit)) this.#grouped.delete(unit)
      else unit.eqClass.queued = null
      // One of a group may have been placed with another one.
      if (unit.machine === null) return unit
    }
  }

  #addGrouped(unit: UnitState): void {
    if (this.#grouped.has(unit)) return
    this.#grouped.add(unit)
    this.#insert(unit)
  }

  #insert(unit: UnitState): void {
    const oldest = this.#front ?? this.#heap[0]
    if (oldest !== undefined && byAge(oldest, unit) < 0) {
      this.#push(unit)
      return
    }
    if (this.#front !== null) this.#push(this.#front)
    this.#front = unit
  }

  #push(unit: UnitState): void {
    const heap = this.#heap
    let offset = heap.length
    while (offset > 0) {
      const above = (offset - 1) >> 1
      const other = heap[above]
      if (other === undefined || byAge(other, unit) < 0) break
      heap[offset] = other
      offset = above
    }
    heap[offset] = unit
  }

  #pop(): UnitState | null {
    const heap = this.#heap
    const first = heap[0] ?? null
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return first
    let offset = 0
    for (;;) {
      const left = heap[2 * offset + 1]
      const right = heap[2 * offset + 2]
      if (left === undefined) break
      const isRight = right !== undefined && byAge(right, left) < 0
      const older = isRight ? right : left
      if (byAge(last, older) < 0) break
      heap[offset] = older
      offset = 2 * offset + (isRight ? 2 : 1)
    }
    heap[offset] = last
    return first
  }
}
