// The two moves of a step: a tenant leaves its seat, or gets one.
import type { Placement, PlacementCause, PortBinding, UnitName } from '../model/unit.js'
import type { EvictionCause } from './actions.js'
import type { Chooser } from './choose-machine.js'
import type { ClusterIndex } from './cluster-index.js'
import type { Round } from './decisions.js'
import { causeAfter, isStopping } from './evict.js'
import type { Seat, Tenant } from './state/model.js'
import { type Bonds, hasHome, type Shapes } from './state/placement-group.js'

/** What the scheduler works on, step after step. */
export interface Board {
  readonly index: ClusterIndex
  readonly shapes: Shapes
  readonly chooser: Chooser
}

/** Ends a placement, or takes back one of this round. */
export function evict({ index }: Board, tenant: Tenant, cause: EvictionCause, round: Round): void {
  const { seat, unit } = tenant
  if (seat === null) return
  const placement = placementOn(index, unit.name, seat)
  if (!round.takeBack(unit.name) && placement !== undefined) round.evict(placement, cause)
  index.roster.unseat(tenant, placement === undefined ? tenant.cause : causeAfter(placement, cause))
  round.moved.add(unit.name)
}

/** Followers do not stay where their target is not (fleet's AbleToRun: "required peer is not scheduled locally"). */
export function followTargets(board: Board, round: Round): void {
  const { roster } = board.index
  for (const name of round.moved) {
    round.moved.delete(name)
    const tenant = roster.tenant(name)
    for (const one of [...(tenant === undefined ? [] : [tenant]), ...(roster.followers(name) ?? [])]) {
      if (one.seat === null || isStopping(one.unit) || board.index.staysPut(one.unit.name)) continue
      const target = one.targets.find((wanted) => roster.tenant(wanted)?.seat !== one.seat)
      if (target !== undefined) evict(board, one, { kind: 'target-moved', target }, round)
    }
  }
}

/** Where the view says that a unit is, if that is this machine. */
export function placementOn({ view }: ClusterIndex, name: UnitName, seat: Seat): Placement | undefined {
  return view.placedOn(seat.id).get(name)
}

/** Gives a tenant a seat. */
export function place(
  { index }: Board,
  tenant: Tenant,
  seat: Seat,
  ports: readonly PortBinding[],
  round: Round,
): void {
  const { global } = tenant.kind.profile.needs.fleet
  const cause = global ? forGlobal : causeOf(index.roster, tenant)
  index.roster.seat(tenant, seat, ports)
  const where = { unit: tenant.unit.name, machine: seat.id, ports, cause, at: round.now }
  round.place(global ? { ...where, global } : where)
  tenant.cause = forNew
}

/** One whose volume is somewhere goes there for no other reason. */
function causeOf(bonds: Bonds, tenant: Tenant): PlacementCause {
  if (tenant.cause.kind !== 'new' || !hasHome(tenant)) return tenant.cause
  const [home] = bonds.homesOf(tenant)
  return home === undefined || !('volume' in home) ? tenant.cause : { kind: 'new', volume: home.volume }
}

const forGlobal = { kind: 'global' } as const
const forNew = { kind: 'new' } as const
