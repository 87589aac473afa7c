// How many instances to make and which to retire of a service whose instances have volumes of their own. Each has a slot,
// the smallest number below the scale that nobody has, and with it the volumes of that. Two that have one slot never run at
// the same time: the old one has to be seen gone before the new one is made, so that rollouts go slot by slot.
import type { Elapsed } from '../lib/elapsed.js'
import { earlier, type Instant } from '../lib/time.js'
import type { Instance, RetireCause, Service } from '../model/service.js'
import type { VolumeRecord, VolumeWork } from '../model/volume.js'
import { keys } from '../store/records.js'
import type { Retire } from './actions.js'
import type { Assessed } from './assess.js'
import { portion } from './changes-per-pass.js'
import { retireFailing } from './retire.js'
import { rolesOf } from './roles.js'
import { slotsToEmpty } from './rollout-width.js'
import { creations, heldUntil, nextInstanceAt, oneMore, type Scaling } from './scaling.js'
import { firstToGo, mayServe } from './select-surplus.js'
import type { ServiceSituation } from './situation.js'
import { hasNoPlace, surplusReasons, surplusReasonsFor } from './surplus.js'

/** Whether each instance that is made now has volumes of its own. */
export function hasSlots({ current }: Pick<ServiceSituation, 'current'>): boolean {
  return current?.slotVolumes !== undefined
}

/** As `planScale`, of a service with slots; `retired` are those too that are told to stop now. */
export function planSlots(
  situation: ServiceSituation,
  live: readonly Assessed[],
  retired: readonly Assessed[],
  failing: boolean,
  time: Elapsed,
): Scaling {
  const { service } = situation
  const surplus = surplusOf(situation, live, time)
  const kept = without(live, surplus)
  const given = replaceable(situation, kept, time)
  const left = without(kept, given.retires)
  const held = heldSlots(situation)
  const letGo = lettingGo(held, left)
  const [retires, isMore] = portion([...surplus, ...letGo, ...replacedNow(service, without(left, letGo))])
  const stay = without(left, retires)
  const slots = freeSlots(service, [...left, ...leaving(live, surplus)], retired, held)
  const missing = service.scale - left.length
  const notBefore = nextInstanceAt(failing ? { failures: oneMore(service, time.now) } : service, time)
  const now = notBefore === null ? slots.slice(0, Math.max(0, missing)) : []
  const made = creations(situation, now.length, live.length)
  const created = made.actions.flatMap((action, index) => {
    const slot = now[index]
    return action.kind === 'create' && slot !== undefined ? [{ ...action, slot }] : []
  })
  const again = isMore || (made.blocked === null && created.length < now.length) ? time.now : null
  return {
    actions: [...retires, ...given.retires, ...created],
    wakeAt: [again, missing > 0 ? notBefore : null, given.wakeAt].reduce(earlier, null),
    blocked: made.blocked,
    replacements: Math.min(given.retires.length, created.length),
    short: missing > 0 || stay.length < left.length || left.some(isAwayAndOld),
  }
}

/** It has to be replaced, and may still write: the rollout is not over without it. */
function isAwayAndOld({ state, outdated }: Assessed): boolean {
  return state === 'lost' && outdated
}

/** Those that none of the steps is about. */
export function without(items: readonly Assessed[], retires: readonly Retire[]): readonly Assessed[] {
  if (retires.length === 0) return items
  const gone = new Set(retires.map(({ instance }) => instance))
  return items.filter(({ instance }) => !gone.has(instance))
}

function leaving(items: readonly Assessed[], retires: readonly Retire[]): readonly Assessed[] {
  const gone = new Set(retires.map(({ instance }) => instance))
  return items.filter(({ instance }) => gone.has(instance))
}

/** Slots that nobody has any more, or ever had, the smallest first. */
function freeSlots(
  { scale }: Service,
  live: readonly Assessed[],
  retired: readonly Assessed[],
  held: HeldSlots,
): readonly number[] {
  const taken = new Set<number | undefined>(live.map(({ instance }) => instance.slot))
  for (const item of retired) if (!isSeenGone(item)) taken.add(item.instance.slot)
  return Array.from({ length: scale }, (_, slot) => slot).filter(
    (slot) => !taken.has(slot) && !held.has(slot),
  )
}

/** Slots that stay empty while something is done with their volumes, and what that is. */
type HeldSlots = ReadonlyMap<number | undefined, VolumeWork>

/** Those of a service. */
export function heldSlots({ volumes = new Map<string, VolumeRecord>() }: ServiceSituation): HeldSlots {
  return new Map(
    [...volumes.values()].flatMap(({ slot, hold }) => (hold ? [[slot, hold.work] as const] : [])),
  )
}

/** Those whose slots are held; whatever the current version has, as others may be left of one with slots. */
export function lettingGo(held: HeldSlots, live: readonly Assessed[]): readonly Retire[] {
  return held.size === 0 ? [] : live.flatMap((item) => leaveHeld(item, held))
}

/** One whose volumes are held lets go of them. What is away is waited for, as it may still write. */
function leaveHeld(item: Assessed, held: HeldSlots): readonly Retire[] {
  const work = held.get(item.instance.slot)
  if (work === undefined || item.state === 'lost' || item.returning) return []
  return [retireAs(item, 'replaced', heldFor[work])]
}

const heldFor: Readonly<Record<VolumeWork, string>> = {
  backup: 'its volume is backed up while it is stopped',
  restore: 'a backup is restored into its volume',
  move: 'its volume moves to another machine',
}

/** Whether one that was told to stop was seen to have stopped: it never starts again. */
function isSeenGone({ instance, unloading }: Assessed): boolean {
  return instance.retired?.kept === true || unloading
}

/** What is too many: the highest slots, what has a slot that another one has, and then by the usual order. */
function surplusOf(situation: ServiceSituation, live: readonly Assessed[], time: Elapsed): readonly Retire[] {
  const { service, volumes } = situation
  const { scale } = service
  const cause = service.stoppedFrom === null ? 'scale-down' : 'stopped'
  const isThere = ({ state, returning }: Assessed): boolean => state !== 'lost' && (scale === 0 || !returning)
  const above = live.filter((item) => isThere(item) && (item.instance.slot ?? -1) >= scale)
  const twice = secondsOf(live, volumes).filter((item) => isThere(item) && !above.includes(item))
  const going = new Set([...above, ...twice])
  const rest = live.filter((item) => !going.has(item))
  // What is lost, or has just come back, is none too many: nobody who serves goes for it.
  const there = rest.filter(isThere)
  const more = unnumberedToGo(service, there, there.length - scale)
  return [
    ...above.map((item) => retireAs(item, cause, surplusReasons[cause])),
    ...more.map((item) =>
      // What has its slot may go with it, for the same rollout: then there are not too many that run.
      cause === 'scale-down' && service.rollout !== null && !mayServe(item)
        ? retireAs(item, 'replaced', hasNoPlace)
        : retireAs(item, cause, surplusReasonsFor(item, situation, time)[cause]),
    ),
    ...twice.map((item) => retireAs(item, 'replaced', 'another instance has its slot')),
  ]
}

/**
 * Of those from before there were slots as many as are too many; the highest slots instead, as far as they do not serve and
 * those from before do.
 */
function unnumberedToGo(service: Service, items: readonly Assessed[], count: number): readonly Assessed[] {
  const unnumbered = items.filter(({ instance }) => instance.slot === undefined)
  const first = firstToGo(service, unnumbered, count)
  const idle = items
    .filter((item) => item.instance.slot !== undefined && !mayServe(item))
    .sort((a, b) => (b.instance.slot ?? 0) - (a.instance.slot ?? 0))
  const spared = new Set(first.filter(mayServe).slice(0, idle.length))
  return [...first.filter((item) => !spared.has(item)), ...idle.slice(0, spared.size)]
}

/** Those whose slot another one has with more right to it: it is where the volumes are, or was there first. */
function secondsOf(
  live: readonly Assessed[],
  volumes: ServiceSituation['volumes'] = new Map(),
): readonly Assessed[] {
  const bySlot = new Map<number, Assessed[]>()
  for (const item of live) {
    const { slot } = item.instance
    if (slot !== undefined) bySlot.set(slot, [...(bySlot.get(slot) ?? []), item])
  }
  return [...bySlot].flatMap(([slot, items]) => {
    if (items.length === 1) return []
    const homes = new Set(
      [...volumes.values()].filter((one) => one.slot === slot).map(({ machine }) => machine),
    )
    const isHome = ({ placement }: Assessed): boolean => placement !== null && homes.has(placement.machine)
    const [, ...seconds] = items.toSorted(
      (a, b) => Number(isHome(b)) - Number(isHome(a)) || a.instance.n - b.instance.n,
    )
    return seconds
  })
}

/**
 * Old instances that go now. Each leaves its slot empty until a new one is up there, so that those which do not serve are
 * never more than the rollout's width; what is away, or has just come back, is waited for: it may still write.
 */
function replacedNow(service: Service, live: readonly Assessed[]): readonly Retire[] {
  const { rollout } = service
  if (rollout === null) return []
  const there = live.filter(({ state }) => state !== 'lost')
  const going = new Set(rolesOf(service, there).going)
  const isSeen = (item: Assessed): boolean =>
    item.state !== 'lost' && item.state !== 'unknown' && !item.returning
  // On a machine that takes nothing new, its slot would stay empty.
  const candidates = new Set(there.filter((item) => going.has(item) && isSeen(item) && !item.cordoned))
  const idle = live.filter((item) => !item.up && !candidates.has(item)).length
  const budget = slotsToEmpty(service, rollout, live.length, idle)
  const reason = 'a newer instance takes its slot, and starts once this one has released the volumes'
  return firstToGo(service, [...candidates], budget).map((item) => retireAs(item, 'replaced', reason))
}

/**
 * What is lost and need not be waited for, as its slot begins anew elsewhere: every volume of it may, or has been given up.
 * At most as many as the limits on replacements allow.
 */
function replaceable(
  { service, current, volumes, storm }: ServiceSituation,
  live: readonly Assessed[],
  time: Elapsed,
): { readonly retires: readonly Retire[]; readonly wakeAt: Instant | null } {
  const isWaitedFor = ({ instance: { project, service: name, slot = -1 }, placement }: Assessed): boolean =>
    (current?.slotVolumes ?? []).some((one) => {
      const home = volumes?.get(keys.volume(project, name, one.name, slot))
      return !one.fresh && home !== undefined && home.machine === placement?.machine
    })
  const lost = live.filter((item) => item.state === 'lost' && !isWaitedFor(item))
  const holds = lost.map((item) => heldUntil(item, service, storm, time))
  const free = lost.filter((_, index) => holds[index] === null)
  const now = free.slice(0, Math.max(0, storm.allowance))
  const limited = now.length < free.length ? time.wakeAt(1000) : null
  return {
    retires: now.map((item) => retireAs(item, 'lost', whyNotWaitedFor(item.instance))),
    wakeAt: holds.reduce(earlier, limited),
  }
}

/** One of a version that had no volumes of slots has no slot. */
function whyNotWaitedFor({ slot }: Instance): string {
  return slot === undefined
    ? 'its machine is lost, and it has no volumes that would be waited for'
    : 'its machine is lost, and its slot starts with empty volumes on another machine'
}

function retireAs(item: Assessed, cause: RetireCause, reason: string): Retire {
  const failed = cause === 'stopped' || cause === 'lost' ? [] : retireFailing(item)
  return failed[0] ?? { kind: 'retire', instance: item.instance, cause, reason }
}
