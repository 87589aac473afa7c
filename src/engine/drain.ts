// Empties machines that an operator drains: their units go to other machines, with all that has to go along, as soon as
// one can take them. Instances of services stay until their service has replaced them; global units stay.
import { byKeys, byText } from '../lib/sort.js'
import type { Round } from './decisions.js'
import { isStopping } from './evictions.js'
import { type Board, evict, followTargets, place } from './moves.js'
import type { Seating } from './state/machines.js'
import { byAge, type Seat, type Tenant } from './state/model.js'
import type { Bonds, Party, Shapes } from './state/placement-group.js'

/** Moves what can be moved off machines that are drained. Returns whether anything was. */
export function drainMachines(board: Board, round: Round): boolean {
  let moved = false
  for (const seat of drainedSeats(board))
    for (const circle of circlesOn(seat, board.index.roster))
      moved = moveCircle(board, circle, round) || moved
  return moved
}

function drainedSeats({ index: { view, seating } }: Board): readonly Seat[] {
  const drained = [...view.orders.values()].filter(({ cordoned, drain }) => cordoned && drain !== undefined)
  return drained
    .map(({ id }) => id)
    .sort(byText)
    .flatMap((id) => seating.get(id) ?? [])
    .filter(({ id, machine }) => machine !== null && !view.isMachineHeld(id))
}

/**
 * What leaves a machine together: units that are bound by MachineOf=. Instances are among them only where they are bound
 * to a unit that no service replaces.
 */
export function circlesOn(seat: Seat, bonds: Bonds): readonly (readonly Tenant[])[] {
  const seen = new Set<Tenant>()
  const circles: (readonly Tenant[])[] = []
  for (const tenant of [...seat.tenants].filter(isMovable).sort(byAge)) {
    if (seen.has(tenant)) continue
    const circle = circleOf(tenant, seat, bonds)
    for (const member of circle) seen.add(member)
    circles.push(circle)
  }
  return circles
}

function isMovable({ unit, kind }: Tenant): boolean {
  return unit.instance === null && !kind.profile.needs.fleet.global
}

/** A unit and all that is bound to it on its machine. */
function circleOf(tenant: Tenant, seat: Seat, bonds: Bonds): readonly Tenant[] {
  const circle = new Set([tenant])
  for (const member of circle) {
    const targets = member.targets.flatMap((target) => bonds.tenant(target) ?? [])
    for (const other of [...targets, ...(bonds.followers(member.unit.name) ?? [])])
      if (other.seat === seat && !isStopping(other.unit)) circle.add(other)
  }
  return [...circle].sort(byName)
}

const byName = byKeys<Tenant>(({ unit }) => unit.name)

function moveCircle(board: Board, circle: readonly Tenant[], round: Round): boolean {
  const party = partyTogether(circle, board.shapes)
  if (circle.some(({ unit }) => board.index.staysPut(unit.name))) return false
  const choice = withoutSeats(board.index.seating, circle, () => board.chooser.choose(party))
  if (choice === null) return false
  for (const tenant of circle) evict(board, tenant, { kind: 'drained' }, round)
  for (const [at, member] of circle.entries())
    place(board, member, choice.seat, choice.ports[at] ?? [], round)
  followTargets(board, round)
  return true
}

/** Units that leave together, as a party for another machine. Whom they follow is among them. */
export function partyTogether(circle: readonly Tenant[], shapes: Shapes): Party {
  return { members: circle, shape: shapes.of(circle), pins: [], missing: null }
}

/** What is found while some have no seats; leaves everyone where they were. */
export function withoutSeats<T>(seating: Seating, tenants: readonly Tenant[], find: () => T): T {
  const before = tenants.map((tenant) => ({ tenant, seat: tenant.seat, ports: tenant.ports }))
  for (const { tenant } of before) seating.leave(tenant)
  const found = find()
  for (const { tenant, seat, ports } of before) if (seat !== null) seating.enter(tenant, seat, ports)
  return found
}
