// A target that waits goes to where its follower runs, if that machine takes it: a unit that begins to follow another one
// (MachineOf=) is not sent away for a target that can come to it.

import { tryOut } from './choose-machine.js'
import type { Round } from './decisions.js'
import { isStopping } from './evict.js'
import { byAge } from './line.js'
import { type Board, place } from './moves.js'
import type { Seat, Tenant } from './state/model.js'
import { joinedBy, partyOf } from './state/placement-group.js'

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
