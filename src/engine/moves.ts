// The two moves of a step: a tenant leaves its seat, or gets one.
import type { Placement, PlacementCause, PortBinding, UnitName } from '../model/unit.js'
import { type Chooser, tryOut } from './choose-machine.js'
import type { ClusterIndex } from './cluster-index.js'
import type { EvictionCause, Round } from './decisions.js'
import { causeAfter, isStopping } from './evictions.js'
import { byAge, type Seat, type Tenant } from './state/model.js'
import { type Bonds, hasHome, joinedBy, partyOf, type Shapes } from './state/placement-group.js'

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

// A target that waits goes to where its follower runs, if that machine takes it: a unit that begins to follow another one
// (MachineOf=) is not sent away for a target that can come to it.

/**
 * Places the targets that wait of units that have a place, where those are; `isSound` says of a machine that all on it
 * can stay. Older followers come first.
 */
export function bringTargets(board: Board, isSound: (seat: Seat) => boolean, round: Round): void {
  const { roster, seating } = board.index
  // Machines that came or went are numbered anew when somebody asks for them.
  if (seating.present.length === 0) return
  const followers = [...round.moved].flatMap((name) => {
    const tenant = roster.tenant(name)
    return [...(tenant === undefined ? [] : [tenant]), ...(roster.followers(name) ?? [])]
  })
  for (const follower of [...new Set(followers)].sort(byAge)) {
    const { seat, unit } = follower
    if (seat === null || isStopping(unit) || board.index.staysPut(unit.name)) continue
    const lacks = lackedBy(board, follower, seat)
    if (lacks.length > 0 && isSound(seat)) bring(board, lacks, seat, round)
  }
}

/** The targets that wait, where all others are on the machine of their follower. */
function lackedBy({ index: { roster } }: Board, { targets }: Tenant, seat: Seat): readonly Tenant[] {
  const all = targets.map((target) => roster.tenant(target))
  const waiting = all.flatMap((target) => (target?.seat === null ? [target] : []))
  return all.every((target) => target?.seat === seat || target?.seat === null) ? waiting : []
}

/** All that a unit lacks comes to it, or nothing does. */
function bring({ index, ...board }: Board, lacks: readonly Tenant[], seat: Seat, round: Round): void {
  const [first, ...parties] = lacks.map((target) => partyOf(target, index.roster, board.shapes))
  if (first === undefined || [first, ...parties].some(({ missing }) => missing !== null)) return
  const party = joinedBy(first, lacks, index.roster, board.shapes)
  const choice = tryOut(party, seat)
  if (choice === null) return
  for (const [at, member] of party.members.entries()) {
    place({ index, ...board }, member, seat, choice.ports[at] ?? [], round)
    round.moved.add(member.unit.name)
  }
}
