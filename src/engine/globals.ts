// Global units go to each machine that can take them; that others cannot is nothing to wait for.
import { byKeys } from '../lib/sort.js'
import { tryOut } from './choose-machine.js'
import type { Round } from './decisions.js'
import { type Board, place } from './moves.js'
import type { Seat } from './state/model.js'
import type { Party } from './state/placement-group.js'
import type { GlobalUnit, Progress } from './state/unit-index.js'

/** Tries each global unit on the machines whose answer may have changed since it was tried there. */
export function placeGlobals(board: Board, round: Round): void {
  const globals = [...board.index.roster.globals.values()].sort(
    byKeys(
      ({ unit }) => unit.createdAt,
      ({ unit }) => unit.name,
    ),
  )
  for (const global of globals) {
    const now = progressOf(board, global)
    const seats = seatsToTry(board, global.tried, now)
    global.tried = now
    for (const seat of seats) if (!global.tenants.has(seat.id)) tryGlobal(board, global, seat, round)
  }
}

function progressOf({ index: { seating, roster }, shapes }: Board, global: GlobalUnit): Progress {
  const { present } = seating
  const { farReaching } = shapes.of([roster.globalTenant(global)])
  return {
    generation: present.length === 0 ? -1 : seating.generation,
    changed: seating.changes.end,
    farReaching: farReaching.reduce((sum, { version }) => sum + version, 0),
  }
}

/** Machines by id. */
function seatsToTry({ index: { seating } }: Board, tried: Progress | null, now: Progress): readonly Seat[] {
  const { present } = seating
  if (tried?.generation !== now.generation || tried.farReaching !== now.farReaching) return present
  const slots = seating.changes.since(tried.changed)
  if (slots === null) return present
  return [...new Set(slots)].sort((a, b) => a - b).flatMap((slot) => present[slot] ?? [])
}

function tryGlobal(board: Board, global: GlobalUnit, seat: Seat, round: Round): void {
  const tenant = board.index.roster.globalTenant(global)
  const members = [tenant]
  const party: Party = { members, shape: board.shapes.of(members), pins: [], missing: null }
  const choice = tryOut(party, seat)
  if (choice !== null) place(board, tenant, seat, choice.ports[0] ?? [], round)
}
