// How many instances to make and which to retire, so that the scale is met and a rollout goes on. Of a rollout's old
// instances one goes for each new one that is up; where a new one finds no room beside the old, one goes first. Those
// on machines that are drained are replaced likewise, but none goes first: its place would be no use to the new one.
import type { Elapsed } from '../lib/elapsed.js'
import { earlier, type Instant } from '../lib/time.js'
import { inputOf, type Service } from '../model/service.js'
import type { ServiceAction } from './actions.js'
import type { Assessed } from './assess.js'
import type { Hold } from './awaited.js'
import { portion } from './changes-per-pass.js'
import { rolesOf } from './roles.js'
import { missingInstances } from './rollout-width.js'
import { type ServiceSituation, versionIsGone } from './situation.js'
import type { StormGuard } from './storm.js'
import { planSurplus } from './surplus.js'

export interface Scaling {
  readonly actions: readonly ServiceAction[]
  readonly wakeAt: Instant | null
  /** Why what is missing cannot be made; null while it can. */
  readonly blocked: string | null
  /** How many of those made take the place of lost ones. */
  readonly replacements: number
  /** Instances are still to be made, now or later. */
  readonly short: boolean
}

/**
 * Instances made in one pass: few at first, so that the first ones start while the others are still being decided, and
 * as many again as there are from then on; so many at most, so that no write grows without bound.
 */
const createsAtFirst = 16
const createsPerPass = 250

export const settled: Scaling = { actions: [], wakeAt: null, blocked: null, replacements: 0, short: false }

/**
 * Decides for the live instances that go on; `retired` are those that are on their way out, and `failing` says whether
 * one fails now that slows down its replacement.
 */
export function planScale(
  situation: ServiceSituation,
  live: readonly Assessed[],
  retired: readonly Assessed[],
  failing: boolean,
  time: Elapsed,
): Scaling {
  const { service } = situation
  if (service.deleting) return settled
  if (service.type !== 'continuous') return planRuns(situation, [...live, ...retired])
  const there = live.filter(({ state }) => state !== 'lost')
  const roles = rolesOf(service, there)
  const [surplus, isMore] = portion(planSurplus(situation, roles, retired, time))
  const missing = missingInstances(service, roles, surplus.length)
  const again = isMore ? time.now : null
  if (missing <= 0) return { ...settled, actions: surplus, wakeAt: again }
  const pace = paceOf(situation, live, missing, failing, time)
  const made = creations(situation, pace.now, live.length)
  return {
    ...made,
    actions: [...surplus, ...made.actions],
    wakeAt: made.blocked === null && pace.now > made.actions.length ? time.now : earlier(again, pace.wakeAt),
    replacements: Math.min(pace.lost, made.actions.length),
    short: true,
  }
}

/** How many may be made now: what fails is replaced ever more slowly, what was lost at a limited rate. */
function paceOf(
  { service, storm }: ServiceSituation,
  live: readonly Assessed[],
  missing: number,
  failing: boolean,
  time: Elapsed,
): { readonly now: number; readonly lost: number; readonly wakeAt: Instant | null } {
  const notBefore = nextInstanceAt(failing ? { failures: oneMore(service, time.now) } : service, time)
  if (notBefore !== null) return { now: 0, lost: 0, wakeAt: notBefore }
  const away = live.filter(({ state }) => state === 'lost')
  const holds = away.flatMap((item) => heldUntil(item, service, storm, time) ?? [])
  // Those that are held are missing until they are back, whatever is made for the others.
  const wanted = Math.max(0, missing - holds.length)
  const lost = Math.min(wanted, away.length - holds.length)
  const replaced = Math.min(lost, storm.allowance)
  const limited = replaced < lost ? time.wakeAt(1000) : null
  const held = wanted < missing ? holds.reduce<Instant | null>(earlier, null) : null
  return { now: wanted - lost + replaced, lost: replaced, wakeAt: earlier(limited, held) }
}

/** Until when a lost instance is not replaced; null where it may be, or an operator has said so since it was lost. */
export function heldUntil(
  { instance, placement }: Assessed,
  { releasedAt }: Service,
  storm: StormGuard,
  time: Elapsed,
): Instant | null {
  const lostForMs = time.since(instance.lost?.since ?? time.now)
  const isReleased = releasedAt !== null && time.since(releasedAt) <= lostForMs
  return isReleased || placement === null ? null : storm.heldUntil(placement.machine)
}

/** The failures of a service when one more of its instances fails now. */
export function oneMore({ failures }: Service, now: Instant): NonNullable<Service['failures']> {
  return { count: (failures?.count ?? 0) + 1, lastAt: now }
}

/**
 * Replacing what fails is slowed down: at once (null), then after 1 s, doubled up to a minute. A failure that is told to
 * come later than now is from before the clock was set back, and holds up nothing.
 */
export function nextInstanceAt({ failures }: Pick<Service, 'failures'>, time: Elapsed): Instant | null {
  if (failures === null || failures.count < 2 || time.since(failures.lastAt) < 0) return null
  return time.wakeAt(time.left(failures.lastAt, Math.min(1000 * 2 ** (failures.count - 2), 60_000)))
}

/** Nothing is made before the services that it comes after are there. */
function heldBack({ reason }: Hold, count: number): Scaling {
  return count <= 0 ? settled : { ...settled, blocked: reason, short: true }
}

/** Makes those runs that were asked for, as many at a time as there may be. */
function planRuns(situation: ServiceSituation, instances: readonly Assessed[]): Scaling {
  const { service, current } = situation
  const wanted = service.starts - service.lastInstance - (service.passedOver?.length ?? 0)
  const most = current?.concurrency
  if (most === undefined || wanted <= 0) return creations(situation, wanted, 0)
  const running = instances.filter((item) => !isOverForGood(item)).length
  const now = Math.min(wanted, most - running)
  if (now > 0) return { ...creations(situation, now, 0), short: true }
  const many = `${running} of its runs ${running === 1 ? 'has' : 'have'} not ended, and concurrency allows no more than ${most}`
  return { ...settled, blocked: many, short: true }
}

/** What is told to stop, or lost, may run still. */
function isOverForGood({ instance, state, unloading }: Assessed): boolean {
  if (instance.retired === null) return false
  return instance.retired.kept || unloading || state === 'stopped' || state === 'failed'
}

/** Makes so many instances; none where the current version has no unit. */
export function creations(
  { service, current, unit, unitWith, hold }: ServiceSituation,
  count: number,
  there: number,
): Scaling {
  if (hold !== undefined) return heldBack(hold, count)
  if (count <= 0) return settled
  if (current === null || unit.kind === 'problem') {
    return { ...settled, blocked: unit.kind === 'problem' ? unit.message : versionIsGone, short: true }
  }
  const actions: ServiceAction[] = []
  const most = Math.min(count, Math.max(createsAtFirst, Math.min(there, createsPerPass)))
  for (let n = service.lastInstance + 1; actions.length < most; n += 1) {
    if (service.passedOver?.includes(n)) continue
    const input = inputOf(service, n)
    const made = input === null ? unit : unitWith(input)
    // What comes behind it keeps its turn.
    if (made.kind === 'problem') return { ...settled, actions, blocked: made.message, short: true }
    actions.push({ kind: 'create', n, version: current, unit: made })
  }
  return { ...settled, actions, short: true }
}
