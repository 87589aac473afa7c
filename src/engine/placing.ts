// Gives seats to those that wait: again and again to the oldest that can have one, until there is none such. Whatever
// is known from before only spares tries that must fail, so that it makes no difference to what is decided.
import { byKeys } from '../lib/sort.js'
import type { Kind, Seat, Selector, Tenant } from './cast.js'
import { type Choice, tryOut } from './choose.js'
import { takesPlaceOf } from './fit.js'
import { byAge } from './line.js'
import { type Board, evict, followTargets, place } from './moves.js'
import { type Party, partyOf, type Shape } from './party.js'
import { Queue } from './queue.js'
import type { Round } from './round.js'

/** Places who can be placed: of all that wait, or of some of them while the others are known to find nothing. */
export function placeWaiting(board: Board, who: 'all' | Iterable<Tenant>, round: Round): void {
  const { roster } = board.index
  const queue = new Queue(roster)
  if (who === 'all') queue.fill()
  else for (const tenant of who) queue.add(tenant)
  /** Shapes that found nothing since the last thing happened that might help one. */
  const hopeless = new Set<Shape>()
  for (let tenant = queue.next(); tenant !== null; tenant = queue.next()) {
    const party = partyOf(tenant, roster, board.shapes)
    const anywhere = party.pins.length === 0 && party.missing === null
    if (anywhere && hopeless.has(party.shape)) continue
    const taken = takeOver(board, party, round)
    const choice = taken ?? board.chooser.choose(party)
    if (choice === null) {
      if (anywhere) hopeless.add(party.shape)
      continue
    }
    const helped = seatParty(board, party, choice, round)
    if (helped.length > 0 || taken !== null) hopeless.clear()
    if (taken !== null) queue.fill()
    else for (const one of helpedBy(board, helped)) queue.add(one)
    queue.addKind(tenant.kind)
  }
}

/** Returns the selectors that pick something now that somebody may have waited for. */
function seatParty(
  board: Board,
  { members }: Party,
  { seat, ports }: Choice,
  round: Round,
): readonly Selector[] {
  let helped: Selector[] | null = null
  for (const [index, member] of members.entries()) {
    place(board, member, seat, ports[index] ?? [], round)
    for (const selector of member.kind.pickedBy) {
      // Only the first of those that something wants to be near to makes a place for it.
      if (!selector.isReplaced && !(selector.draws && selector.total === 1)) continue
      helped ??= []
      helped.push(selector)
    }
  }
  return helped ?? none
}

const none: readonly Selector[] = []

/** Those that wait with a rule about what one of these selectors picks, with all that are bound to them. */
function helpedBy({ index: { roster }, shapes }: Board, selectors: readonly Selector[]): readonly Tenant[] {
  if (selectors.length === 0) return []
  const isHelped = ({ profile }: Kind): boolean =>
    profile.rules.some(({ hard, near, selector }) => hard && near && selectors.includes(selector)) ||
    profile.replaces.some((selector) => selectors.includes(selector))
  const found = [...roster.waiting].filter(isHelped).flatMap(({ waiting }) => waiting.oldest() ?? [])
  for (const tenant of roster.bound) {
    if (isHelped(tenant.kind)) found.push(...partyOf(tenant, roster, shapes).members)
  }
  return found
}

/**
 * The place of a unit that a member replaces (`Replaces=`), freed for it: fleet moves the replaced unit elsewhere.
 * Null when there is none that would do.
 */
function takeOver(board: Board, party: Party, round: Round): Choice | null {
  const { replaces } = party.shape
  if (replaces.length === 0) return null
  const seats = new Set(replaces.flatMap(({ on }) => [...on.keys()]))
  for (const seat of [...seats].sort(byLoad)) {
    const replaced = [...seat.tenants].filter((tenant) => makesWay(tenant, party))
    if (replaced.length === 0 || followsAny(board, party, replaced)) continue
    const choice = tryWithout(board, replaced, party, seat)
    const [by] = party.members
    if (choice === null || by === undefined) continue
    for (const tenant of replaced) evict(board, tenant, { kind: 'replaced', by: by.unit.name }, round)
    followTargets(board, round)
    return choice
  }
  return null
}

const byLoad = byKeys<Seat>(
  ({ load }) => load,
  ({ slot }) => slot,
)

/** A unit makes way for younger ones alone, or units that replace each other in a ring would never come to rest. */
function makesWay(tenant: Tenant, { members }: Party): boolean {
  return members.some((member) => takesPlaceOf(member, tenant) && byAge(tenant, member) < 0)
}

/** Whether a party is where it is to be because of one of these units, directly or not. */
function followsAny({ index: { roster } }: Board, { pins }: Party, tenants: readonly Tenant[]): boolean {
  const followed = new Set<string>(pins.map(({ target }) => target))
  for (const name of followed) for (const target of roster.tenant(name)?.targets ?? []) followed.add(target)
  return tenants.some(({ unit }) => followed.has(unit.name))
}

/** What a machine would say if some were not there; leaves everyone where they were. */
function tryWithout({ index }: Board, tenants: readonly Tenant[], party: Party, seat: Seat): Choice | null {
  const { seating } = index
  const ports = new Map(tenants.map((tenant) => [tenant, tenant.ports]))
  for (const tenant of tenants) seating.leave(tenant)
  const choice = tryOut(party, seat)
  for (const tenant of tenants) seating.enter(tenant, seat, ports.get(tenant) ?? [])
  return choice
}
