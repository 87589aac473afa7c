// Gives seats to those that wait: again and again to the oldest that can have one, until there is none such. Whatever
// is known from before only spares tries that must fail, so that it makes no difference to what is decided.
import { byKeys } from '../lib/sort.js'
import { type Choice, tryOut } from './choose-machine.js'
import { takesPlaceOf } from './constraints.js'
import type { Round } from './decisions.js'
import { isStopping } from './evictions.js'
import { type Board, evict, followTargets, place } from './moves.js'
import { byAge, type Kind, type Seat, type Selector, type Tenant } from './state/model.js'
import { Queue } from './state/pending-queue.js'
import {
  joinedBy,
  type Party,
  partyOf,
  type Shape,
  waitingCircle,
  waitingFollowers,
} from './state/placement-group.js'
import type { GlobalUnit, Progress } from './state/unit-index.js'

/** Places who can be placed: of all that wait, or of some of them while the others are known to find nothing. */
export function placeWaiting(board: Board, who: 'all' | Iterable<Tenant>, round: Round): void {
  const { roster } = board.index
  const queue = new Queue(roster)
  if (who === 'all') queue.fill()
  else for (const tenant of who) queue.add(tenant)
  const hopeless = new Hopeless()
  for (let tenant = queue.next(); tenant !== null; tenant = queue.next()) {
    const found = findPlace(board, tenant, hopeless, round)
    if (found === null) continue
    const { party, choice, isTakenOver } = found
    const helped = seatParty(board, party, choice, round)
    if (helped.length > 0 || isTakenOver) hopeless.clear()
    if (isTakenOver) queue.fill()
    else for (const one of helpedBy(board, helped)) queue.add(one)
    for (const member of party.members)
      for (const follower of waitingFollowers(member, roster)) queue.add(follower)
    queue.addKind(tenant.kind)
  }
}

/** Shapes that found nothing since the last thing happened that might help one. */
class Hopeless {
  readonly #shapes = new Set<Shape>()

  has({ pins, missing, shape }: Party): boolean {
    return pins.length === 0 && missing === null && this.#shapes.has(shape)
  }

  add({ pins, missing, shape }: Party): void {
    if (pins.length === 0 && missing === null) this.#shapes.add(shape)
  }

  clear(): void {
    this.#shapes.clear()
  }
}

interface Place {
  readonly party: Party
  readonly choice: Choice
  /** Others had to leave it. */
  readonly isTakenOver: boolean
}

/**
 * A place for a unit with all that it follows, and with those that follow them where some machine takes them along: no
 * unit waits for its followers.
 */
function findPlace(board: Board, tenant: Tenant, hopeless: Hopeless, round: Round): Place | null {
  const { index, shapes } = board
  const own = partyOf(tenant, index.roster, shapes)
  const circle = waitingCircle(tenant, index.roster)
  if (circle.length <= own.members.length) return findFor(board, [own], hopeless, round)
  const all = joinedBy(own, circle, index.roster, shapes)
  const found = findFor(board, [all, own], hopeless, round)
  if (found === null || found.isTakenOver || found.party === all) return found
  return { ...takeAlong(board, found, hopeless), isTakenOver: false }
}

/** A place for the first party that gets one; one that takes the place of others comes first. */
function findFor(board: Board, parties: readonly Party[], hopeless: Hopeless, round: Round): Place | null {
  for (const party of parties) {
    const choice = hopeless.has(party) ? null : takeOver(board, party, round)
    if (choice !== null) return { party, choice, isTakenOver: true }
  }
  for (const party of parties) {
    const choice = hopeless.has(party) ? null : board.chooser.choose(party)
    if (choice !== null) return { party, choice, isTakenOver: false }
    hopeless.add(party)
  }
  return null
}

/** Each try asks all machines about one more kind of party. */
const triesAtMost = 16

type Seated = Omit<Place, 'isTakenOver'>

/** As many of those that follow a party as some machine takes along, older ones first. */
function takeAlong(board: Board, first: Seated, hopeless: Hopeless): Seated {
  const { roster } = board.index
  let best = first
  let triesLeft = triesAtMost
  const join = (followers: readonly Tenant[]): void => {
    const missing = followers.filter((one) => !best.party.members.includes(one))
    if (missing.length === 0 || triesLeft === 0) return
    triesLeft--
    const party = joinedBy(best.party, missing, roster, board.shapes)
    const choice = hopeless.has(party) ? null : board.chooser.choose(party)
    if (choice !== null) best = { party, choice }
    else hopeless.add(party)
    if (choice !== null || missing.length === 1) return
    const half = missing.length >> 1
    join(missing.slice(0, half))
    join(missing.slice(half))
  }
  const tried = new Set(best.party.members)
  for (;;) {
    const followers = best.party.members.flatMap((member) => waitingFollowers(member, roster))
    const next = [...new Set(followers)].filter((one) => !tried.has(one)).sort(byAge)
    if (next.length === 0) return best
    for (const one of next) tried.add(one)
    join(next)
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
function helpedBy({ index: { roster } }: Board, selectors: readonly Selector[]): readonly Tenant[] {
  if (selectors.length === 0) return []
  const isHelped = ({ profile }: Kind): boolean =>
    profile.rules.some(({ hard, near, selector }) => hard && near && selectors.includes(selector)) ||
    profile.replaces.some((selector) => selectors.includes(selector))
  const found = [...roster.waiting].filter(isHelped).flatMap(({ waiting }) => waiting.oldest() ?? [])
  for (const tenant of roster.bound) {
    if (isHelped(tenant.kind)) found.push(...waitingCircle(tenant, roster))
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
    const replaced = [...seat.tenants].flatMap((tenant) => {
      const by = replacerOf(tenant, party)
      return by === null ? [] : [{ tenant, by }]
    })
    if (
      replaced.length === 0 ||
      replaced.some(({ tenant }) => board.index.staysPut(tenant.unit.name)) ||
      followsAny(
        board,
        party,
        replaced.map(({ tenant }) => tenant),
      )
    )
      continue
    const choice = tryWithout(
      board,
      replaced.map(({ tenant }) => tenant),
      party,
      seat,
    )
    if (choice === null) continue
    for (const { tenant, by } of replaced) evict(board, tenant, { kind: 'replaced', by: by.unit.name }, round)
    followTargets(board, round)
    return choice
  }
  return null
}

const byLoad = byKeys<Seat>(
  ({ load }) => load,
  ({ slot }) => slot,
)

/**
 * The member of a party that a unit makes way for. It does so for younger ones alone, or units that replace each other in
 * a ring would never come to rest; and not while it stops, for it goes by itself.
 */
function replacerOf(tenant: Tenant, { members }: Party): Tenant | null {
  if (isStopping(tenant.unit)) return null
  return members.find((member) => takesPlaceOf(member, tenant) && byAge(tenant, member) < 0) ?? null
}

/** Whether a party is where it is to be because of one of these units, directly or not. */
function followsAny({ index: { roster } }: Board, { pins }: Party, tenants: readonly Tenant[]): boolean {
  const followed = new Set<string>(pins.flatMap((pin) => ('target' in pin ? [pin.target] : [])))
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
