// How many instances to make and which to retire, so that the scale is met and a rollout goes on. Of a rollout's old
// instances one goes for each new one that is up; where a new one finds no room beside the old, one goes first. Those
// on machines that are drained are replaced likewise, but none goes first: its place would be no use to the new one.
import { earlier, type Instant } from '../lib/time.js'
import type { RetireCause, Rollout, Service } from '../model/service.js'
import type { Refusal } from '../model/unit.js'
import type { Retire, ServiceAction } from './actions.js'
import type { Assessed } from './assess.js'
import { retireFailing } from './retire.js'
import { selectionOrder } from './select.js'
import type { ServiceSituation } from './situation.js'

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
export const createsPerPass = 250

const settled: Scaling = { actions: [], wakeAt: null, blocked: null, replacements: 0, short: false }

/**
 * Decides for the live instances that go on; `retired` are those that are on their way out, and `failing` says whether
 * one fails now that slows down its replacement.
 */
export function planScale(
  situation: ServiceSituation,
  live: readonly Assessed[],
  retired: readonly Assessed[],
  failing: boolean,
  now: Instant,
): Scaling {
  const { service } = situation
  if (service.deleting) return settled
  if (service.type !== 'continuous') return creations(situation, service.starts - service.lastInstance, 0)
  const there = live.filter(({ state }) => state !== 'lost')
  const surplus = planSurplus(service, there, retired)
  const missing = missingInstances(service, there)
  if (missing <= 0) return { ...settled, actions: surplus }
  const pace = paceOf(situation, live, missing, failing, now)
  const made = creations(situation, pace.now, live.length)
  return {
    ...made,
    actions: [...surplus, ...made.actions],
    wakeAt: made.blocked === null && pace.now > made.actions.length ? now : pace.wakeAt,
    replacements: Math.min(pace.lost, made.actions.length),
    short: true,
  }
}

/** How many instances to make: up to the scale, but at most `parallel` ahead of a rollout's old ones. */
function missingInstances({ scale, rollout }: Service, there: readonly Assessed[]): number {
  const outdated = there.filter((item) => item.outdated)
  const plain = scale - there.length
  if (outdated.length === 0) return plain
  const parallel = rollout?.parallel ?? Math.max(...outdated.map(({ drain }) => drain?.parallel ?? 1))
  const coming = there.filter(isComing).length
  return Math.min(plain + outdated.length, Math.max(plain, parallel - coming))
}

/** How many may be made now: what fails is replaced ever more slowly, what was lost at a limited rate. */
function paceOf(
  { service, storm }: ServiceSituation,
  live: readonly Assessed[],
  missing: number,
  failing: boolean,
  now: Instant,
): { readonly now: number; readonly lost: number; readonly wakeAt: Instant | null } {
  const notBefore = createNotBefore(service, failing, now)
  if (notBefore > now) return { now: 0, lost: 0, wakeAt: notBefore }
  const away = live.filter(({ state }) => state === 'lost')
  const released = away.filter(({ instance }) => (instance.lost?.since ?? now) <= (service.releasedAt ?? 0))
  const lost = Math.min(missing, away.length)
  const free = storm.heldUntil === null ? lost : Math.min(lost, released.length)
  const replaced = Math.min(free, storm.allowance)
  const limited = replaced < free ? now + 1000 : null
  const held = free < lost ? storm.heldUntil : null
  return { now: missing - lost + replaced, lost: replaced, wakeAt: earlier(limited, held) }
}

function createNotBefore(service: Service, failsNow: boolean, now: Instant): Instant {
  const count = (service.failures?.count ?? 0) + 1
  return nextInstanceAt(failsNow ? { failures: { count, lastAt: now } } : service) ?? now
}

/** Replacing what fails is slowed down: at once (null), then after 1 s, doubled up to a minute. */
export function nextInstanceAt({ failures }: Pick<Service, 'failures'>): Instant | null {
  if (failures === null || failures.count < 2) return null
  return failures.lastAt + Math.min(1000 * 2 ** (failures.count - 2), 60_000)
}

/** Makes so many instances; none where the current version has no unit. */
function creations({ service, current, unit }: ServiceSituation, count: number, there: number): Scaling {
  if (count <= 0) return settled
  if (unit.kind === 'problem') return { ...settled, blocked: unit.message, short: true }
  const actions = Array.from(
    { length: Math.min(count, Math.max(createsAtFirst, Math.min(there, createsPerPass))) },
    (_, index): ServiceAction => ({
      kind: 'create',
      n: service.lastInstance + 1 + index,
      version: current,
      unit,
    }),
  )
  return { ...settled, actions, short: true }
}

/** Which instances are too many. Old ones go only as far as new ones are up to take their place (contract §3). */
function planSurplus(
  service: Service,
  there: readonly Assessed[],
  retired: readonly Assessed[],
): readonly Retire[] {
  const { rollout, scale } = service
  const outdated = there.filter((item) => item.outdated)
  if (outdated.length === 0 || scale === 0) return plainSurplus(service, there)
  const replaced = there.length - there.filter(isComing).length - scale
  if (replaced > 0) {
    const anyFresh = there.some((item) => item.fresh && item.up)
    const cause = anyFresh ? (rollout === null ? 'drained' : 'replaced') : 'scale-down'
    return firstToGo(service, outdated, replaced).map((item) => retireAs(item, cause))
  }
  return rollout === null ? [] : makeRoom(service, rollout, there, retired)
}

/** Above the scale with nothing to replace. Who has just come back may be gone in truth, and nobody goes for it. */
function plainSurplus(service: Service, there: readonly Assessed[]): readonly Retire[] {
  const candidates = service.scale === 0 ? there : there.filter((item) => !item.returning)
  const cause = service.stoppedFrom === null ? 'scale-down' : 'stopped'
  return firstToGo(service, candidates, candidates.length - service.scale).map((item) =>
    retireAs(item, cause),
  )
}

/**
 * Old instances that go before their replacements are up, because they hold what those wait for: a fixed host port, or
 * memory, that no machine has twice. Never more than the rollout's width are missing from the scale for it.
 */
function makeRoom(
  service: Service,
  rollout: Rollout,
  there: readonly Assessed[],
  retired: readonly Assessed[],
): readonly Retire[] {
  const blocked = there.filter((item) => isComing(item) && roomRefusal(item) !== null)
  const leaving = retired.filter((item) => item.placement !== null && isLeaving(item)).length
  const wanted = Math.min(blocked.length, rollout.parallel) - leaving
  if (wanted <= 0) return []
  const spare = there.filter((item) => item.up).length - (service.scale - rollout.parallel)
  const holders = there.filter((item) => item.outdated && item.placement !== null)
  const ordered = firstToGo(service, holders, holders.length).toSorted(
    (a, b) => Number(a.cordoned) - Number(b.cordoned),
  )
  const idle = ordered.filter((item) => !item.up)
  const up = ordered.filter((item) => item.up).slice(0, Math.max(0, spare))
  const needed = blocked.map(roomRefusal).find((refusal) => refusal !== null) ?? null
  const reason = `no machine has room for its replacement beside it${describeNeed(needed)}`
  return [...idle, ...up]
    .slice(0, wanted)
    .map(({ instance }) => ({ kind: 'retire', instance, cause: 'replaced', reason }))
}

/** Made by the rollout and not up yet; of a service without one, all that are not up, for a drain waits for them. */
export function isComing(item: Assessed): boolean {
  return item.fresh && !item.up
}

function isLeaving({ state }: Assessed): boolean {
  return state !== 'stopped' && state !== 'failed' && state !== 'lost'
}

/** What a machine lacks that it would have once an old instance has left it. */
function roomRefusal({ waiting }: Assessed): Refusal | null {
  return waiting?.refusals.find(({ refusal }) => isAboutRoom(refusal))?.refusal ?? null
}

function isAboutRoom({ kind }: Refusal): boolean {
  return kind === 'port' || kind === 'memory' || kind === 'cpu' || kind === 'conflict' || kind === 'far'
}

function describeNeed(refusal: Refusal | null): string {
  if (refusal?.kind === 'port') return ` (host port ${refusal.port})`
  if (refusal?.kind === 'memory') return ` (${refusal.needsMb} MiB of memory)`
  return ''
}

/**
 * The selection policy for surplus: what does not serve yet goes first, in trouble before on its way, the newest
 * first; then what serves, oldest version and oldest instance first (contract §3).
 */
function firstToGo(service: Service, candidates: readonly Assessed[], count: number): readonly Assessed[] {
  const order = selectionOrder(service.current)
  return [...candidates]
    .sort(
      (a, b) =>
        usefulness(a) - usefulness(b) || (a.up ? order(a.instance, b.instance) : b.instance.n - a.instance.n),
    )
    .slice(0, Math.max(0, count))
}

function usefulness(item: Assessed): number {
  if (item.up) return 2
  const { report } = item
  const inTrouble = report === null || report.restarts > 0 || report.attempts > 0 || report.failure !== null
  return inTrouble ? 0 : 1
}

const reasons: Readonly<Partial<Record<RetireCause, string>>> = {
  'scale-down': 'the scale was lowered',
  stopped: 'the service was stopped',
  replaced: 'a newer instance takes its place',
  drained: 'its machine is drained, and another instance has taken its place',
}

function retireAs(item: Assessed, cause: RetireCause): Retire {
  const failed = cause === 'stopped' ? [] : retireFailing(item)
  return failed[0] ?? { kind: 'retire', instance: item.instance, cause, reason: reasons[cause] ?? cause }
}
