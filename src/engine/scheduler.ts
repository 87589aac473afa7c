// The scheduler: follows the view change by change and decides on what has changed. Started on a view it gives the
// same answer as one that has followed the view from the beginning.
import { byKeys } from '../lib/sort.js'
import type { Steps } from '../lib/steps.js'
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { Change } from '../store/store.js'
import type { ClusterView } from '../store/view.js'
import { Chooser } from './choose-machine.js'
import { ClusterIndex, type IsHeld } from './cluster-index.js'
import { type EnginePlan, Round } from './decisions.js'
import { drainMachines } from './drain.js'
import { type Removal, recheck } from './evictions.js'
import { type Board, bringTargets, evict, followTargets, placementOn } from './moves.js'
import { tellWaiting } from './pending-reasons.js'
import { placeGlobals, placeWaiting } from './place-pending.js'
import { Rankings } from './ranking-cache.js'
import type { Seat, Tenant } from './state/model.js'
import { Shapes } from './state/placement-group.js'
import type { NeedsOf } from './state/unit-index.js'

export class Scheduler {
  readonly #board: Board
  /** How far the changes of seats had come when the last step ended: then nobody who waited could have a seat. */
  #generation = -1
  #changed = -1

  /** `isHeld` is asked at each step; of which machine it says something else than before, `reconsider` has to be told. */
  constructor(view: ClusterView, needsOf: NeedsOf, isHeld?: IsHeld) {
    const index = new ClusterIndex(view, needsOf, isHeld)
    const chooser = new Chooser(index.seating, new Rankings(index.seating))
    this.#board = { index, shapes: new Shapes(), chooser }
  }

  /** Takes in what there is, so that the first step has the less to do: other work may have its turn between any two. */
  takeIn(atATime?: number): Steps<void> {
    return this.#board.index.takeIn(atATime)
  }

  /** Notes a change that the view has taken in. */
  note(change: Change): void {
    this.#board.index.note(change)
  }

  /** Looks again at what is on a machine that is gone: it is no longer held. */
  reconsider(machine: MachineId): void {
    this.#board.index.reconsider(machine)
  }

  /**
   * Decides what to do about what changed since the last step. It takes its decisions for done: where they could not be
   * written, a new scheduler has to start from the view.
   */
  step(now: Instant): EnginePlan {
    const { index } = this.#board
    if (index.isUpToDate) return { actions: [], wakeAt: null }
    const round = new Round(now)
    index.follow(round)
    bringTargets(this.#board, (seat) => this.#removals(seat).length === 0, round)
    followTargets(this.#board, round)
    for (const seat of [...round.suspects].sort(byId)) this.#recheck(seat, round)
    followTargets(this.#board, round)
    const touched = this.#isAsBefore() ? [...index.roster.circles(round.touched)] : []
    this.#place(touched, round)
    tellWaiting(this.#board, this.#isAsBefore() ? touched : 'all', round)
    this.#generation = index.seating.generation
    this.#changed = index.seating.changes.end
    return { actions: round.actions(), wakeAt: null }
  }

  /** A global unit can be what another one has to be near to, and the other way round. */
  #place(touched: readonly Tenant[], round: Round): void {
    const { seating } = this.#board.index
    placeGlobals(this.#board, round)
    let who: 'all' | readonly Tenant[] = this.#isAsBefore() ? touched : 'all'
    for (;;) {
      placeWaiting(this.#board, who, round)
      const changed = seating.changes.end
      placeGlobals(this.#board, round)
      const settled = seating.changes.end === changed
      if (!drainMachines(this.#board, round) && settled) return
      who = 'all'
    }
  }

  /** Whether no machine has changed since the last step, so that all that waited still do, for the same reasons. */
  #isAsBefore(): boolean {
    const { seating } = this.#board.index
    // Machines that came or went are numbered anew when somebody asks for them.
    const { present } = seating
    return (
      present.length >= 0 && this.#generation === seating.generation && this.#changed === seating.changes.end
    )
  }

  #recheck(seat: Seat, round: Round): void {
    const { index } = this.#board
    if (index.view.isMachineHeld(seat.id)) return
    for (const { tenant, cause } of this.#removals(seat))
      if (!index.staysPut(tenant.unit.name)) evict(this.#board, tenant, cause, round)
  }

  /** Those who cannot stay on a machine. */
  #removals(seat: Seat): readonly Removal[] {
    const { index, shapes } = this.#board
    const order = byKeys<Tenant>(
      ({ unit }) => placementOn(index, unit.name, seat)?.at ?? 0,
      ({ unit }) => unit.createdAt,
      ({ unit }) => unit.instance?.n ?? 0,
      ({ unit }) => unit.name,
    )
    return recheck(seat, index.seating, shapes, order)
  }
}

function byId(a: Seat, b: Seat): number {
  return a.id < b.id ? -1 : 1
}

/**
 * Decides what to change so that every desired unit sits on a machine that may run it. The machine with the fewest
 * units is preferred (seed: fleet-architecture, "least-loaded"), then the lowest id. A scheduler that follows the view
 * decides the same with less work.
 */
export function plan(view: ClusterView, needsOf: NeedsOf, now: Instant): EnginePlan {
  return new Scheduler(view, needsOf).step(now)
}
