// Pending reasons: records why units wait.
import { byKeys } from '../lib/sort.js'
import type { Waiting } from '../model/unit.js'
import type { PassDecisions } from './decisions.js'

import type { SchedulerState } from './moves.js'
import { refusalOf } from './refusals.js'
import type { EquivalenceClass, UnitState } from './state/model.js'
import { type GroupRequirements, groupOf, type PlacementGroup } from './state/placement-group.js'

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

/** Records that a unit waits, unless the store says so for the same kinds of reasons already. */
function record({ index }: SchedulerState, unit: UnitState, refusals: Refusals, pass: PassDecisions): void {
  const { name } = unit.spec
  const known = index.view.waiting.get(name)
  unit.cause = forNew
  if (known !== undefined && kindsOf(known.refusals) === kindsOf(refusals)) return
  pass.wait({ unit: name, since: known?.since ?? pass.now, refusals })
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
