// Tells those that wait why they do.
import { byKeys } from '../lib/sort.js'
import type { Waiting } from '../model/unit.js'
import type { Round } from './decisions.js'

import type { Board } from './moves.js'
import { refusalOf } from './refusals.js'
import type { Kind, Tenant } from './state/model.js'
import { type Party, partyOf, type Shape } from './state/placement-group.js'

type Refusals = Waiting['refusals']

/** Says why units wait: of all that do, or of some of them while for the others nothing can have changed. */
export function tellWaiting(board: Board, who: 'all' | Iterable<Tenant>, round: Round): void {
  const known = new Map<Shape, Refusals>()
  const ask = (tenant: Tenant): Refusals => askAll(board, tenant, known)
  if (who === 'all') {
    for (const kind of board.index.roster.waiting) tellKind(board, kind, ask, round)
    for (const tenant of board.index.roster.bound) tell(board, tenant, ask(tenant), round)
    return
  }
  for (const tenant of who) if (tenant.seat === null) tell(board, tenant, ask(tenant), round)
}

function tellKind(board: Board, kind: Kind, ask: (tenant: Tenant) => Refusals, round: Round): void {
  const oldest = kind.waiting.oldest()
  if (oldest === null) return
  const refusals = ask(oldest)
  for (const tenant of kind.waiting) tell(board, tenant, refusals, round)
}

/** Says that a unit waits, unless the store says so for the same kinds of reasons already. */
function tell({ index }: Board, tenant: Tenant, refusals: Refusals, round: Round): void {
  const { name } = tenant.unit
  const known = index.view.waiting.get(name)
  tenant.cause = forNew
  if (known !== undefined && kindsOf(known.refusals) === kindsOf(refusals)) return
  round.wait({ unit: name, since: known?.since ?? round.now, refusals })
}

const forNew = { kind: 'new' } as const

function kindsOf(refusals: Refusals): string {
  return [...new Set(refusals.map(({ refusal }) => refusal.kind))].sort().join(' ')
}

/** The same answer for parties of one shape that may go anywhere. */
function askAll(board: Board, tenant: Tenant, known: Map<Shape, Refusals>): Refusals {
  const party = partyOf(tenant, board.index.roster, board.shapes)
  if (party.missing !== null || party.pins.length > 0) return refusalsOf(board, party)
  const before = known.get(party.shape)
  if (before !== undefined) return before
  const refusals = refusalsOf(board, party)
  known.set(party.shape, refusals)
  return refusals
}

/** One machine for each kind of reason, and how many say so. */
function refusalsOf({ chooser }: Board, party: Party): Refusals {
  const told = [...chooser.tally(party)].map(([kind, { seat, machines }]) => {
    return { machine: seat.id, refusal: refusalOf(kind, party, seat), machines }
  })
  return told.sort(
    byKeys(
      ({ machine }) => machine,
      ({ refusal }) => refusal.kind,
    ),
  )
}
