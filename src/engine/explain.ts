// Why units wait: the pending reasons that each pass records, and what people are told when they ask which machines would
// take a unit, and why the others refuse.

import type { Steps } from '../lib/sliced-work.js'
import { byKeys } from '../lib/sort.js'
import type { MachineId } from '../model/machine.js'
import type { DesiredUnit, Refusal, UnitName, Waiting } from '../model/unit.js'
import type { Change } from '../store/store.js'
import type { ClusterView } from '../store/view.js'
import type { Requirements } from '../unit/requirements.js'
import { tryOut } from './choose-machine.js'
import { ClusterIndex } from './cluster-index.js'
import { everyRefusal, refusalOf } from './constraints.js'
import { groupsOn, groupTogether, type SchedulerState, withoutUnits } from './moves.js'
import { PassDecisions } from './pass-decisions.js'
import { byAge, type EquivalenceClass, type MachineState, type UnitState } from './state/model.js'
import {
  type GroupRequirements,
  GroupRequirementsCache,
  groupOf,
  type PlacementGroup,
} from './state/placement-group.js'
import type { NeedsOf } from './state/unit-index.js'

/** Units that leave a machine together when it is drained, and what every other machine says to that. */
export interface Leaving {
  readonly units: readonly UnitName[]
  /** Some machine can take them, so that they are about to go. */
  readonly isGoing: boolean
  /** One machine for each kind of reason, and how many say the same. */
  readonly refusals: Waiting['refusals']
}

/** After so many changes without a question the index is given up: the next question makes another one. */
const keptForChanges = 10_000

/**
 * Explains which machines would take a unit, and why the others refuse. Follows the view as the scheduler does, from the
 * first question on and for as long as questions come.
 */
export class Explainer {
  readonly #view: ClusterView
  readonly #needsOf: NeedsOf
  #index: ClusterIndex | null = null
  /** Indexes that are being built in steps, and answer nothing yet. */
  readonly #building = new Set<ClusterIndex>()
  #changesSince = 0
  /** Cached refusals by equivalence class and the unit's own machine, until something changes. */
  #answers = new Map<EquivalenceClass, Map<MachineState | null, Map<MachineState, readonly Refusal[]>>>()

  constructor(view: ClusterView, needsOf: NeedsOf) {
    this.#view = view
    this.#needsOf = needsOf
  }

  /** Gets ready for the first question, which takes long where there is much: else that makes its index in one go. */
  *takeIn(atATime?: number): Steps<void> {
    if (this.#index !== null) return
    const index = new ClusterIndex(this.#view, this.#needsOf)
    this.#building.add(index)
    try {
      yield* index.takeIn(atATime)
      this.#index ??= index
      this.#changesSince = 0
    } finally {
      this.#building.delete(index)
    }
  }

  /** Notes a change that the view has taken in. */
  note(change: Change): void {
    this.#index?.note(change)
    for (const index of this.#building) index.note(change)
    this.#answers.clear()
    this.#changesSince++
    if (this.#changesSince > keptForChanges) this.#index = null
  }

  /**
   * The refusals of each machine for a unit, in the order in which constraints are checked; none for a machine that takes
   * it. What the unit itself takes up is left out of the count.
   */
  explain(spec: DesiredUnit): ReadonlyMap<MachineId, readonly Refusal[]> {
    const index = this.#upToDate()
    const known = this.#answersLike(index, spec)
    const own = index.units.get(spec.name)?.machine ?? null
    const ask = (machine: MachineState): readonly Refusal[] => {
      // On its own machine, other units of its class may be what is in its way.
      const before = machine === own ? undefined : known?.get(machine)
      const refusals = before ?? refusalsOn(index, spec, machine)
      if (before === undefined) known?.set(machine, refusals)
      return refusals
    }
    return new Map(index.machines.present.map((machine) => [machine.id, ask(machine)]))
  }

  /** The cached refusals of units like this one; null for a unit that is placed with others. */
  #answersLike({ units }: ClusterIndex, spec: DesiredUnit): Map<MachineState, readonly Refusal[]> | null {
    const unit = units.get(spec.name)
    if (unit === undefined || units.isGrouped(unit) || !unit.active) return null
    const bySeat =
      this.#answers.get(unit.eqClass) ?? new Map<MachineState | null, Map<MachineState, readonly Refusal[]>>()
    const known = bySeat.get(unit.machine) ?? new Map<MachineState, readonly Refusal[]>()
    this.#answers.set(unit.eqClass, bySeat)
    bySeat.set(unit.machine, known)
    return known
  }

  /**
   * The refusals of each machine for a unit that is not there yet, as if some other units had left; none for a machine
   * that takes it.
   */
  explainNew(
    spec: DesiredUnit,
    needs: Requirements,
    leaving: readonly UnitName[],
  ): ReadonlyMap<MachineId, readonly Refusal[]> {
    const { units, machines } = this.#upToDate()
    const unit = units.hypothetical(spec, needs)
    units.reclassify()
    const gone = leaving.flatMap((one) => units.get(one) ?? [])
    return withoutUnits(machines, gone, () => {
      const group = groupOf(unit, units, new GroupRequirementsCache())
      return new Map(machines.present.map((machine) => [machine.id, everyRefusal(group, machine)]))
    })
  }

  /**
   * Whether there are machines, and each refuses a unit that is not there yet for a reason that `lasts`, as if some others
   * had left theirs. It looks no further than the first that does not: what every machine says, `explainNew` tells.
   */
  isRefusedByAll(
    spec: DesiredUnit,
    needs: Requirements,
    leaving: readonly UnitName[],
    lasts: (refusal: Refusal) => boolean,
  ): boolean {
    const { units, machines } = this.#upToDate()
    const unit = units.hypothetical(spec, needs)
    units.reclassify()
    const group = groupOf(unit, units, new GroupRequirementsCache())
    const refuses = (machine: MachineState): boolean => everyRefusal(group, machine).some(lasts)
    const { present } = machines
    // Who leaves takes reasons away and brings none: a machine that could take it beside them needs nobody to leave.
    if (present.length === 0 || !present.every(refuses)) return false
    const gone = leaving.flatMap((one) => units.get(one) ?? [])
    return withoutUnits(machines, gone, () => present.every(refuses))
  }

  /**
   * Whether a machine takes a unit that waits once others have left theirs, and not before. Nobody leaves for a unit
   * whose place would go to one that has waited for longer.
   */
  makesRoom(name: UnitName, leaving: readonly UnitName[]): boolean {
    const { units, machines: machineIndex } = this.#upToDate()
    const unit = units.get(name)
    const gone = leaving.flatMap((one) => units.get(one) ?? [])
    if (unit === undefined || unit.machine !== null || gone.length === 0) return false
    const groupRequirements = new GroupRequirementsCache()
    const group = groupOf(unit, units, groupRequirements)
    const left = new Set(gone.map(({ machine }) => machine))
    // Rules about other machines can open any of them.
    const isNear = (machine: MachineState): boolean =>
      group.requirements.farReaching.length > 0 || left.has(machine)
    const machines = machineIndex.present.filter(isNear)
    if (machines.some((machine) => tryOut(group, machine) !== null)) return false
    const isFirst = (machine: MachineState): boolean =>
      ahead(unit, units, gone).every(
        (one) => tryOut(groupOf(one, units, groupRequirements), machine) === null,
      )
    return withoutUnits(machineIndex, gone, () =>
      machines.some((machine) => tryOut(group, machine) !== null && isFirst(machine)),
    )
  }

  /** What of a machine that is drained the engine moves by itself: everything but instances and global units. */
  leaving(id: MachineId): readonly Leaving[] {
    const index = this.#upToDate()
    const machine = index.machines.get(id)
    if (machine === undefined) return []
    return groupsOn(machine, index.units).map((group) => leavingOf(index, group, machine))
  }

  #upToDate(): ClusterIndex {
    this.#changesSince = 0
    this.#index ??= new ClusterIndex(this.#view, this.#needsOf)
    this.#index.follow(new PassDecisions(0))
    return this.#index
  }
}

/** Pending units that are older than this one: the oldest of each class stands for all of it. */
function ahead(
  unit: UnitState,
  units: ClusterIndex['units'],
  gone: readonly UnitState[],
): readonly UnitState[] {
  const oldest = [...units.pendingClasses].flatMap(({ pending }) => pending.oldest() ?? [])
  const isSibling = ({ spec }: UnitState): boolean =>
    spec.instance !== null &&
    spec.instance.service === unit.spec.instance?.service &&
    spec.instance.project === unit.spec.instance.project
  return [...oldest, ...units.pendingGrouped].filter(
    (one) => byAge(one, unit) < 0 && !isSibling(one) && !gone.includes(one),
  )
}

function refusalsOn(
  { units, machines }: ClusterIndex,
  spec: DesiredUnit,
  machine: MachineState,
): readonly Refusal[] {
  const unit =
    units.globals.get(spec.name)?.units.get(machine.id) ?? units.get(spec.name) ?? hypotheticalOn(units, spec)
  return withoutUnits(machines, [unit], () =>
    everyRefusal(groupOf(unit, units, new GroupRequirementsCache()), machine),
  )
}

/** A unit that is not pending or placed, or global: its selectors have to count before constraints are checked. */
function hypotheticalOn(units: ClusterIndex['units'], spec: DesiredUnit): UnitState {
  const unit = units.hypothetical(spec)
  units.reclassify()
  return unit
}

function leavingOf({ machines }: ClusterIndex, members: readonly UnitState[], from: MachineState): Leaving {
  const group = groupTogether(members, new GroupRequirementsCache())
  const others = machines.present.filter((machine) => machine !== from)
  const told = withoutUnits(machines, members, () =>
    others.map((machine) => ({ machine: machine.id, refusal: everyRefusal(group, machine)[0] ?? null })),
  )
  return {
    units: members.map(({ spec }) => spec.name),
    isGoing: told.some(({ refusal }) => refusal === null),
    refusals: tallied(
      told.flatMap(({ machine, refusal }) => (refusal === null ? [] : [{ machine, refusal }])),
    ),
  }
}

/** The first machine for each kind of reason, with how many there are of it. */
function tallied(told: Waiting['refusals']): Waiting['refusals'] {
  const kinds = new Set(told.map(({ refusal }) => refusal.kind))
  return [...kinds]
    .flatMap((kind) => {
      const [first, ...more] = told.filter(({ refusal }) => refusal.kind === kind)
      return first === undefined ? [] : [{ ...first, machines: 1 + more.length }]
    })
    .sort(
      byKeys(
        ({ machine }) => machine,
        ({ refusal }) => refusal.kind,
      ),
    )
}

type Refusals = Waiting['refusals']

/** Records why units wait: all that do, or some while for the others nothing can have changed. */
export function recordPendingReasons(
  state: SchedulerState,
  who: 'all' | Iterable<UnitState>,
  pass: PassDecisions,
): void {
  const known = new Map<GroupRequirements, Refusals>()
  const ask = (unit: UnitState): Refusals => reasonsOf(state, unit, known)
  if (who === 'all') {
    for (const eqClass of state.index.units.pendingClasses) recordClass(state, eqClass, ask, pass)
    for (const unit of state.index.units.pendingGrouped) record(state, unit, ask(unit), pass)
    return
  }
  for (const unit of who) if (unit.machine === null) record(state, unit, ask(unit), pass)
}

function recordClass(
  state: SchedulerState,
  eqClass: EquivalenceClass,
  ask: (unit: UnitState) => Refusals,
  pass: PassDecisions,
): void {
  const oldest = eqClass.pending.oldest()
  if (oldest === null) return
  const refusals = ask(oldest)
  for (const unit of eqClass.pending) record(state, unit, refusals, pass)
}

/** Records that a unit waits, unless the store says so already, for the same kinds of reasons. */
function record({ index }: SchedulerState, unit: UnitState, refusals: Refusals, pass: PassDecisions): void {
  const { name } = unit.spec
  const known = index.view.waiting.get(name)
  const from = unit.cause.kind === 'machine-lost' ? unit.cause.from : known?.lostOn
  const lostOn = from === undefined || index.view.machines.has(from) ? undefined : from
  unit.cause = forNew
  const isSame = known !== undefined && kindsOf(known.refusals) === kindsOf(refusals)
  if (isSame && known.lostOn === lostOn) return
  const waiting = { unit: name, since: known?.since ?? pass.now, refusals }
  pass.wait(lostOn === undefined ? waiting : { ...waiting, lostOn })
}

const forNew = { kind: 'new' } as const

function kindsOf(refusals: Refusals): string {
  return [...new Set(refusals.map(({ refusal }) => refusal.kind))].sort().join(' ')
}

/** The same reasons for all groups with the same requirements that may go anywhere. */
function reasonsOf(
  state: SchedulerState,
  unit: UnitState,
  known: Map<GroupRequirements, Refusals>,
): Refusals {
  const group = groupOf(unit, state.index.units, state.groupRequirements)
  if (group.missingTarget !== null || group.pins.length > 0) return refusalsOf(state, group)
  const before = known.get(group.requirements)
  if (before !== undefined) return before
  const refusals = refusalsOf(state, group)
  known.set(group.requirements, refusals)
  return refusals
}

/** One machine for each kind of reason, and how many give it. */
function refusalsOf({ chooser }: SchedulerState, group: PlacementGroup): Refusals {
  const reasons = [...chooser.tally(group)].map(([kind, { machine, machines }]) => {
    return { machine: machine.id, refusal: refusalOf(kind, group, machine), machines }
  })
  return reasons.sort(
    byKeys(
      ({ machine }) => machine,
      ({ refusal }) => refusal.kind,
    ),
  )
}
