// The scheduler: follows the view change by change and decides on what has changed. Started on a view it gives the
// same answer as one that has followed the view from the beginning.

import type { Steps } from '../lib/sliced-work.js'
import { byKeys } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { Change } from '../store/store.js'
import type { ClusterView } from '../store/view.js'
import { MachineChooser } from './choose-machine.js'
import { ClusterIndex, type IsHeld } from './cluster-index.js'
import { type Removal, recheck } from './evictions.js'
import { recordPendingReasons } from './explain.js'
import { RankingCache } from './least-loaded.js'
import {
  bringTargets,
  drainMachines,
  evict,
  followTargets,
  placementOn,
  type SchedulerState,
} from './moves.js'
import { type EnginePlan, PassDecisions } from './pass-decisions.js'
import { placeGlobals, placePending } from './place-pending.js'
import { takeBackReturns } from './returns.js'
import type { MachineState, UnitState } from './state/model.js'
import { GroupRequirementsCache } from './state/placement-group.js'
import type { NeedsOf } from './state/unit-index.js'

/** Follows the view change by change and decides where units go. */
export class Scheduler {
  readonly #state: SchedulerState
  /** How far the log of changes was when the last step ended: then no pending unit fitted anywhere. */
  #generation = -1
  #changed = -1

  /** `isHeld` is asked at each step; `reconsider` has to be called for each machine of which its answer changes. */
  constructor(view: ClusterView, needsOf: NeedsOf, isHeld?: IsHeld) {
    const index = new ClusterIndex(view, needsOf, isHeld)
    const chooser = new MachineChooser(index.machines, new RankingCache(index.machines))
    this.#state = { index, groupRequirements: new GroupRequirementsCache(), chooser }
  }

  /** Takes in the view in parts, so that the first step has less to do: other work may run between any two. */
  takeIn(atATime?: number): Steps<void> {
    return this.#state.index.takeIn(atATime)
  }

  /** Notes a change that the view has taken in. */
  note(change: Change): void {
    this.#state.index.note(change)
  }

  /** Looks again at what is on a machine that is gone: it is no longer held. */
  reconsider(machine: MachineId): void {
    this.#state.index.reconsider(machine)
  }

  /**
   * Decides what to do about what changed since the last step. It takes its decisions for done: where they could not be
   * written, a new scheduler has to start from the view.
   */
  step(now: Instant): EnginePlan {
    const { index } = this.#state
    if (index.isUpToDate) return { actions: [], wakeAt: null }
    const pass = new PassDecisions(now)
    index.follow(pass)
    bringTargets(this.#state, (machine) => this.#removals(machine).length === 0, pass)
    followTargets(this.#state, pass)
    for (const machine of [...pass.machinesToRecheck].sort(byId)) this.#recheck(machine, pass)
    followTargets(this.#state, pass)
    const touched = this.#isAsBefore() ? [...index.units.connectedPending(pass.unitsToRetry)] : []
    this.#place(touched, pass)
    takeBackReturns(this.#state, pass)
    recordPendingReasons(this.#state, this.#isAsBefore() ? touched : 'all', pass)
    this.#generation = index.machines.generation
    this.#changed = index.machines.changes.end
    return { actions: pass.actions(), wakeAt: null }
  }

  /** A global unit can be what another one has to be near to, and the other way round. */
  #place(touched: readonly UnitState[], pass: PassDecisions): void {
    const { machines } = this.#state.index
    placeGlobals(this.#state, pass)
    let who: 'all' | readonly UnitState[] = this.#isAsBefore() ? touched : 'all'
    for (;;) {
      placePending(this.#state, who, pass)
      const changed = machines.changes.end
      placeGlobals(this.#state, pass)
      const settled = machines.changes.end === changed
      if (!drainMachines(this.#state, pass) && settled) return
      who = 'all'
    }
  }

  /** Whether no machine has changed since the last step: all that were pending still are, for the same reasons. */
  #isAsBefore(): boolean {
    const { machines } = this.#state.index
    // Asking for the machines that are present numbers them anew after some came or went.
    const { present } = machines
    return (
      present.length >= 0 &&
      this.#generation === machines.generation &&
      this.#changed === machines.changes.end
    )
  }

  #recheck(machine: MachineState, pass: PassDecisions): void {
    const { index } = this.#state
    if (index.view.isMachineHeld(machine.id)) return
    for (const { unit, cause } of this.#removals(machine))
      if (!index.staysPut(unit.spec.name)) evict(this.#state, unit, cause, pass)
  }

  /** The units that cannot stay on a machine. */
  #removals(machine: MachineState): readonly Removal[] {
    const { index, groupRequirements } = this.#state
    const order = byKeys<UnitState>(
      ({ spec }) => placementOn(index, spec.name, machine)?.at ?? 0,
      ({ spec }) => spec.createdAt,
      ({ spec }) => spec.instance?.n ?? 0,
      ({ spec }) => spec.name,
    )
    return recheck(machine, index.machines, groupRequirements, order)
  }
}

function byId(a: MachineState, b: MachineState): number {
  return a.id < b.id ? -1 : 1
}
