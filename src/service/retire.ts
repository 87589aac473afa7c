// Which instances cannot go on, whatever the scale, and what becomes of those that have stopped.
import type { Elapsed } from '../lib/elapsed.js'
import { earlier, type Instant } from '../lib/time.js'
import { describeExit, endedByItself, exitFailed, hasStopped } from '../model/instance-state.js'
import type { Instance, RetireCause, Service } from '../model/service.js'
import type { LimitStop, Note, Retire, Settle } from './actions.js'
import { type Assessed, returnSettleMs } from './assess.js'
import type { ServiceInstance } from './situation.js'

/** How long an instance on a lost machine is waited for. After that its record goes; what runs there is stopped when
 * the machine is back. */
export const lostKeptMs = 60 * 60_000
/** Stopped instances that are kept; beyond that the oldest go. */
export const keptAtMost = 10
/** How long they are kept: with their containers they hold images, versions and space of a disk. */
export const keptForMs = 30 * 86_400_000

/** What failed so long ago, or lived so long before it did, is held against nobody. */
export const forgivenAfterMs = 60_000

/** Live instances that cannot go on, whatever the scale. */
export function retirements(service: Service, live: readonly Assessed[], time: Elapsed): readonly Retire[] {
  return live.flatMap((item) => {
    const { report, instance } = item
    if (service.deleting) return [retire(item, 'deleted', 'the service is being deleted')]
    if (isStopping(service, instance)) return [retire(item, 'stopped', 'it was told to stop')]
    if (item.unitGone) return [retire(item, 'failed', 'its unit is gone')]
    if (item.state === 'lost') {
      // With volumes of its own it is waited for: where its slot begins anew, another rule says so.
      if (instance.slot !== undefined) return []
      const waited = instance.lost !== null && time.left(instance.lost.since, lostKeptMs) <= 0
      return waited ? [retire(item, 'lost', 'its machine did not come back')] : []
    }
    if (item.returning) return []
    if (report?.health === 'unhealthy')
      return [retire(item, 'unhealthy', report.healthReason ?? 'its checks failed')]
    if (report !== null && endedByItself(report))
      return [retire(item, endCause(service, report), describeEnd(report))]
    const leftMs = runLeftMs(item, time)
    if (leftMs !== null && leftMs <= 0) return [retire(item, 'failed', describeTimeout(item))]
    return []
  })
}

/**
 * How long the program of a run may still take; null for any time. It is not counted from before its instance was made, whatever
 * the clock of its machine said then.
 */
export function runLeftMs(
  { instance, report, version }: Pick<Assessed, 'instance' | 'report' | 'version'>,
  time: Elapsed,
): number | null {
  const forMs = version?.runTimeoutMs
  if (forMs === undefined || report === null || report.active !== 'active' || report.since === null)
    return null
  return time.leftToReport(Math.max(report.since, instance.createdAt), forMs)
}

function describeTimeout({ version }: Assessed): string {
  return `it ran longer than its timeout of ${(version?.runTimeoutMs ?? 0) / 1000} s`
}

/** An instance that cannot come up has failed, whatever lets it go, so that `stop.preservestopped` can keep it. */
export function retireFailing(item: Assessed): readonly Retire[] {
  return item.failing === null ? [] : [retire(item, 'failed', item.failing)]
}

/** What a rollout that is over has replaced and could not reach: it would come back beside its replacement, or in its place. */
export function retireStranded(live: readonly Assessed[]): readonly Retire[] {
  return live
    .filter(({ state, outdated }) => state === 'lost' && outdated)
    .map((item) => retire(item, 'replaced', 'another version has taken its place while its machine was down'))
}

/**
 * What a machine has stopped and removed on its way out of the cluster, once others serve in its place: it would be
 * started again when the machine is back, and be one too many.
 */
export function retirePurged(service: Service, live: readonly Assessed[]): readonly Retire[] {
  if (service.type !== 'continuous' || service.rollout !== null) return []
  if (live.filter((item) => item.up && item.state !== 'lost').length < service.scale) return []
  return live
    .filter(({ state, report }) => state === 'lost' && report?.purged === true)
    .map((item) =>
      retire(item, 'lost', 'its machine stopped it when it left the cluster, and other instances replace it'),
    )
}

/** What is to be remembered of instances whose machine went away or came back. */
export function absences(instances: readonly Assessed[], time: Elapsed): readonly Note[] {
  return instances.flatMap((item): readonly Note[] => {
    const { instance, state } = item
    const { lost } = instance
    const note = (change: Instance['lost'], tells: Note['tells']): Note => {
      return { kind: 'note', instance: { ...instance, lost: change }, tells }
    }
    // Before the clock was set back, or by one that is ahead: how long ago it was nobody knows, and it is counted from now on.
    if (lost !== null && (state === 'lost') === (lost.backAt === null) && isToCome(lost, time))
      return [note(lost.backAt === null ? { ...lost, since: time.now } : { ...lost, backAt: time.now }, null)]
    if (state === 'lost') {
      if (lost?.backAt === null) return []
      return [note({ since: time.now, backAt: null }, 'instance-lost')]
    }
    if (lost === null) return []
    if (lost.backAt === null) return [note({ ...lost, backAt: time.now }, 'instance-returned')]
    return time.left(lost.backAt, returnSettleMs) <= 0 && item.report !== null ? [note(null, null)] : []
  })
}

/** Whether an instance is told to have been lost, or to have come back, later than now. */
function isToCome({ since, backAt }: NonNullable<Instance['lost']>, time: Elapsed): boolean {
  return time.since(backAt ?? since) < 0
}

/** When something about instances that are away changes with time alone. */
export function absenceWakeAt(instances: readonly Assessed[], time: Elapsed): Instant | null {
  return instances
    .flatMap(({ instance: { lost, slot } }) => {
      if (lost === null || (lost.backAt === null && slot !== undefined)) return []
      return lost.backAt === null
        ? [time.left(lost.since, lostKeptMs)]
        : [time.left(lost.backAt, returnSettleMs)]
    })
    .map(time.wakeAt)
    .reduce<Instant | null>(earlier, null)
}

/**
 * Retired instances that have stopped are kept, or unloaded and then removed, as `stop.preservestopped` says. Their
 * records go last: as long as a machine has something of an instance, it is listed.
 */
export function planRemovals(
  service: Service,
  retired: readonly Assessed[],
  time: Elapsed,
): readonly Settle[] {
  const kept = retired.filter(isKeptNow)
  const tooMany = new Set(kept.slice(0, Math.max(0, kept.length - keptAtMost)))
  const isOver = (item: Assessed): boolean => tooMany.has(item) || keptForLeftMs(item, time) <= 0
  const isPressed = ({ report }: Assessed): boolean => report?.diskPressure === true
  return retired.flatMap((item): readonly Settle[] => {
    const { instance, report, placement } = item
    if (isStopUnseen(item, service, time)) return []
    // A machine that is away cannot stop anything; its agent stops what is no longer wanted when it is back.
    if ((placement === null && !item.reported) || item.state === 'lost') return [{ kind: 'remove', instance }]
    if (item.unloading) return []
    const unload: Settle = { kind: 'unload', instance }
    if (instance.retired?.kept === true) {
      if (service.deleting || isOver(item)) return [unload]
      return isPressed(item) ? [{ ...unload, reason: diskFull }] : []
    }
    if (report === null || !hasStopped(report)) return []
    return isKept(item, service) ? [{ kind: 'keep', instance }] : [unload]
  })
}

/**
 * Whether a run was told to stop on a machine that is away: nobody has seen its end, which is told when the machine is
 * back, or has been away for so long that it is given up.
 */
export function isStopUnseen(item: ServiceInstance, service: Service, time: Elapsed): boolean {
  const { instance, placement, machinePresent, report } = item
  if (service.type === 'continuous' || service.deleting || instance.retired === null) return false
  const { cause, at, kept } = instance.retired
  if (kept || cause === 'lost' || placement === null || machinePresent) return false
  if (report !== null && hasStopped(report)) return false
  return time.left(instance.lost?.since ?? at, lostKeptMs) > 0
}

const diskFull = 'the disk of Docker on its machine is nearly full'

/**
 * What is stopping takes no longer than the version that is current now allows, nor than its own did: a smaller
 * `stop.timeout` is the way out of one that never ends.
 */
export function planStopLimits(
  retired: readonly Assessed[],
  removals: readonly Settle[],
): readonly LimitStop[] {
  const over = new Set(removals.map(({ instance }) => instance))
  return retired.flatMap(({ instance, stop }): readonly LimitStop[] => {
    if (stop === null || over.has(instance)) return []
    const withinMs = stop.currentMs < stop.ownMs ? stop.currentMs : null
    return withinMs === stop.withinMs ? [] : [{ kind: 'limit-stop', instance, withinMs }]
  })
}

/** When the next of the instances that are kept has been kept for long enough. */
export function keptWakeAt(retired: readonly Assessed[], time: Elapsed): Instant | null {
  return retired
    .filter(isKeptNow)
    .map((item) => time.wakeAt(keptForLeftMs(item, time)))
    .reduce<Instant | null>(earlier, null)
}

function isKeptNow({ instance }: Assessed): boolean {
  return instance.retired?.kept === true
}

function keptForLeftMs({ instance }: Assessed, time: Elapsed): number {
  return time.left(instance.retired?.at ?? time.now, keptForMs)
}

export function isStopping(service: Service, instance: Instance): boolean {
  return service.stopping === 'all' || instance.version === service.stopping
}

/**
 * Whether an instance slows down its replacement: it failed soon after it was made, as the next one may. What had lived
 * for a while is replaced at once, like a container that Docker restarts after a steady run.
 */
export function failedSoon({ cause, instance }: Retire, time: Elapsed): boolean {
  return (cause === 'failed' || cause === 'unhealthy') && time.left(instance.createdAt, forgivenAfterMs) > 0
}

function retire({ instance }: Assessed, cause: RetireCause, reason: string): Retire {
  return { kind: 'retire', instance, cause, reason }
}

function endCause(service: Service, report: NonNullable<Assessed['report']>): RetireCause {
  return service.type !== 'continuous' && !exitFailed(report.exit, false) ? 'finished' : 'failed'
}

function describeEnd(report: NonNullable<Assessed['report']>): string {
  if (report.failure !== null) return report.failure.message
  return report.exit === null ? 'it ended' : describeExit(report.exit)
}

function isKept(item: Assessed, service: Service): boolean {
  if (service.deleting) return false
  const policy = item.version?.preserve ?? 'no'
  if (policy === 'always') return true
  if (policy === 'no') return false
  const cause = item.instance.retired?.cause
  // However its program ended once it was told to: what it said before is what people look for.
  if (cause === 'failed' || cause === 'unhealthy') return true
  return exitFailed(item.report?.exit ?? null, true)
}
