// What becomes of one service: which instances to make, stop and remove so that the scale asked for is met, how a
// rollout goes on, and when tasks are over. A pure function of the service, its instances and the time.
import type { VersionUnit } from '../compile/version-unit.js'
import { earlier, type Instant } from '../lib/time.js'
import {
  describeExit,
  endedByItself,
  exitFailed,
  hasStopped,
  type InstanceSituation,
  instanceStateOf,
} from '../model/instance-state.js'
import type { Instance, InstanceState, RetireCause, Service, ServiceVersion } from '../model/service.js'
import type { Task } from '../model/task.js'
import type { Refusal, Waiting } from '../model/unit.js'
import { selectionOrder } from './select.js'

/** One instance with everything known of it. */
export interface ServiceInstance extends InstanceSituation {
  /** Its version; null when that was removed. */
  readonly version: ServiceVersion | null
  readonly waiting: Waiting | null
  /** Its unit is to leave its machine. */
  readonly unloading: boolean
  /** Some machine still has something of it. */
  readonly reported: boolean
}

export interface ServiceSituation {
  readonly service: Service
  readonly current: ServiceVersion
  /** What instances of the current version run that are made now. */
  readonly unit: VersionUnit
  readonly instances: readonly ServiceInstance[]
  /** Tasks that are not over. */
  readonly tasks: readonly Task[]
}

export type ServiceAction =
  | {
      readonly kind: 'create'
      readonly n: number
      readonly version: ServiceVersion
      readonly unit: Extract<VersionUnit, { kind: 'unit' }>
    }
  | {
      readonly kind: 'retire'
      readonly instance: Instance
      readonly cause: RetireCause
      readonly reason: string
    }
  | { readonly kind: 'keep'; readonly instance: Instance }
  /** Its unit is to leave its machine, with everything that was made for it there. */
  | { readonly kind: 'unload'; readonly instance: Instance }
  /** Nothing of it is left anywhere. */
  | { readonly kind: 'remove'; readonly instance: Instance }
  | {
      readonly kind: 'finish'
      readonly task: Task
      readonly state: 'completed' | 'failed'
      readonly error: string | null
    }

export interface ServicePlan {
  readonly actions: readonly ServiceAction[]
  /** The service's record after the actions; null: the service is gone. The same object when nothing changed. */
  readonly service: Service | null
  readonly wakeAt: Instant | null
}

/** An instance without checks counts as up when it has run for so long. */
export const settleMs = 1000
/** Instances made in one pass at most, so that no write grows without bound. */
export const createsPerPass = 50
/** A program that its driver restarted so often without coming up fails the task that waits for it. */
export const restartsUntilFailing = 3
/** Stopped instances that are kept; beyond that the oldest go. */
export const keptAtMost = 10

/** Decides the next steps for one service. */
export function planService(situation: ServiceSituation, now: Instant): ServicePlan {
  const assessed = situation.instances.map((item) => assess(item, situation.service, now))
  const failures = planFailures(situation, assessed)
  // A rollout that failed ends before anything else is decided: nothing more is made or replaced for it.
  const abandoned = failures.length > 0 && situation.service.rollout !== null
  if (abandoned) {
    const stopped = planInstances(
      endRollout(situation),
      assessed.map((item) => ({ ...item, outdated: false })),
      failures,
      now,
    )
    return { ...stopped, actions: [...stopped.actions, ...failures] }
  }
  const planned = planInstances(situation, assessed, failures, now)
  return { ...planned, actions: [...planned.actions, ...failures] }
}

function endRollout(situation: ServiceSituation): ServiceSituation {
  return { ...situation, service: { ...situation.service, rollout: null } }
}

/** What to make, stop and remove, and which tasks that completes. */
function planInstances(
  situation: ServiceSituation,
  instances: readonly Assessed[],
  failures: readonly Finish[],
  now: Instant,
): ServicePlan {
  const live = instances.filter((item) => item.instance.retired === null)
  const retired = instances.filter((item) => item.instance.retired !== null)
  const ending = retirements(situation, live)
  const left = live.filter((item) => !ending.some((action) => action.instance === item.instance))
  const scaling = planScale(situation, left, ending, now)
  const removals = planRemovals(situation.service, retired)
  const converged = isConverged(situation.service, live, retired, [...ending, ...scaling.actions], removals)
  const open = situation.tasks.filter((task) => !failures.some((failure) => failure.task === task))
  const isRemoved = removals.length === retired.length && removals.every(({ kind }) => kind === 'remove')
  const gone = situation.service.deleting && live.length === 0 && isRemoved
  return {
    actions: [...ending, ...scaling.actions, ...removals, ...(converged ? open.map(complete) : [])],
    service: gone ? null : nextService(situation, left, ending, scaling, now),
    wakeAt: [...instances.map((item) => item.upAt), scaling.wakeAt].reduce(earlier, null),
  }
}

/** An instance with what the planner makes of it. */
interface Assessed extends ServiceInstance {
  readonly state: InstanceState
  /** Serving: healthy, or running for the settling time where nothing is checked. */
  readonly up: boolean
  /** When it counts as up if nothing happens; null when that is not a matter of time. */
  readonly upAt: Instant | null
  /** To be replaced by the running rollout. */
  readonly outdated: boolean
}

function assess(item: ServiceInstance, service: Service, now: Instant): Assessed {
  const state = instanceStateOf(item)
  const { rollout } = service
  const outdated =
    rollout !== null && (item.instance.version !== service.current || item.instance.n <= rollout.replaceUpTo)
  const base = { ...item, state, outdated }
  if (state !== 'running' || item.report === null) return { ...base, up: false, upAt: null }
  if (item.version?.checked === true) return { ...base, up: item.report.health === 'healthy', upAt: null }
  const upAt = (item.report.since ?? now) + settleMs
  return { ...base, up: upAt <= now, upAt: upAt > now ? upAt : null }
}

type Retire = ServiceAction & { readonly kind: 'retire' }
type Settle = ServiceAction & { readonly kind: 'keep' | 'unload' | 'remove' }

/** Live instances that cannot go on, whatever the scale. */
function retirements({ service }: ServiceSituation, live: readonly Assessed[]): readonly Retire[] {
  const retire = (item: Assessed, cause: RetireCause, reason: string): Retire => ({
    kind: 'retire',
    instance: item.instance,
    cause,
    reason,
  })
  return live.flatMap((item) => {
    const { report, instance } = item
    if (service.deleting) return [retire(item, 'deleted', 'the service is being deleted')]
    if (isStopping(service, instance)) return [retire(item, 'stopped', 'it was stopped')]
    if (item.state === 'lost') return [retire(item, 'lost', 'its machine was lost')]
    if (report?.health === 'unhealthy')
      return [retire(item, 'unhealthy', report.healthReason ?? 'its checks failed')]
    if (report !== null && endedByItself(report))
      return [retire(item, endCause(service, report), describeEnd(report))]
    return []
  })
}

function isStopping(service: Service, instance: Instance): boolean {
  return service.stopping === 'all' || instance.version === service.stopping
}

function endCause(service: Service, report: NonNullable<Assessed['report']>): RetireCause {
  return service.type !== 'continuous' && !exitFailed(report.exit, false) ? 'finished' : 'failed'
}

function describeEnd(report: NonNullable<Assessed['report']>): string {
  if (report.failure !== null) return report.failure.message
  return report.exit === null ? 'it ended' : describeExit(report.exit)
}

interface Scaling {
  readonly actions: readonly ServiceAction[]
  readonly wakeAt: Instant | null
  /** Why what is missing cannot be made; null while it can. */
  readonly blocked: string | null
}

/** Makes and retires instances until the scale is met by instances that a rollout leaves alone. */
function planScale(
  situation: ServiceSituation,
  live: readonly Assessed[],
  ending: readonly Retire[],
  now: Instant,
): Scaling {
  const { service } = situation
  if (service.deleting) return settled
  if (service.type !== 'continuous') return creations(situation, service.starts - service.lastInstance)
  const outdated = live.filter((item) => item.outdated)
  const fresh = live.filter((item) => !item.outdated)

  const surplus = live.length > service.scale ? planSurplus(service, outdated, fresh) : []
  const missing = missingInstances(service, outdated, fresh)
  if (missing <= 0) return { ...settled, actions: surplus }
  const notBefore = createNotBefore(service, ending.some(isFailure), now)
  if (notBefore > now) return { ...settled, actions: surplus, wakeAt: notBefore }
  const made = creations(situation, missing)
  return {
    ...made,
    actions: [...surplus, ...made.actions],
    wakeAt: made.blocked === null && missing > createsPerPass ? now : null,
  }
}

const settled: Scaling = { actions: [], wakeAt: null, blocked: null }

/** How many instances to make now: up to the scale, but at most `parallel` ahead of a rollout's old ones. */
function missingInstances(
  service: Service,
  outdated: readonly Assessed[],
  fresh: readonly Assessed[],
): number {
  const missing = service.scale - fresh.length
  if (outdated.length === 0 || service.rollout === null) return missing - outdated.length
  const plain = service.scale - fresh.length - outdated.length
  const coming = fresh.filter((item) => !item.up).length
  return Math.min(missing, Math.max(plain, service.rollout.parallel - coming))
}

/** Which instances are too many. Old ones go only as far as new ones are up to take their place (contract §3). */
function planSurplus(
  service: Service,
  outdated: readonly Assessed[],
  fresh: readonly Assessed[],
): readonly Retire[] {
  if (service.rollout === null || outdated.length === 0 || service.scale === 0) {
    return firstToGo(service, [...outdated, ...fresh], outdated.length + fresh.length - service.scale).map(
      (item) => retireAs(item, service.stoppedFrom === null ? 'scale-down' : 'stopped'),
    )
  }
  const freshUp = fresh.filter((item) => item.up).length
  const idle = outdated.filter((item) => !item.up)
  const replaced = Math.max(0, freshUp + outdated.length - idle.length - service.scale)
  const blocking = makesRoom(service, outdated, fresh)
  return firstToGo(service, outdated, Math.max(replaced + Math.min(idle.length, freshUp), blocking)).map(
    (item) => retireAs(item, 'replaced'),
  )
}

/**
 * Old instances that must go first because they hold what the new ones wait for: a fixed host port, or memory, that
 * no machine has twice. Starting first is impossible then, so as many are stopped first as may be replaced at a time.
 */
function makesRoom(service: Service, outdated: readonly Assessed[], fresh: readonly Assessed[]): number {
  if (!outdated.some((item) => item.placement !== null)) return 0
  const blocked = fresh.filter((item) => item.waiting?.refusals.some(({ refusal }) => isAboutRoom(refusal)))
  return Math.min(blocked.length, service.rollout?.parallel ?? 1)
}

/** Whether a machine could say otherwise once an old instance has left it. */
function isAboutRoom({ kind }: Refusal): boolean {
  return kind === 'port' || kind === 'memory' || kind === 'cpu' || kind === 'conflict' || kind === 'far'
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

function retireAs(item: Assessed, cause: RetireCause): Retire {
  const reasons: Readonly<Partial<Record<RetireCause, string>>> = {
    'scale-down': 'the scale was lowered',
    stopped: 'the service was stopped',
    replaced: 'a newer instance takes its place',
  }
  return { kind: 'retire', instance: item.instance, cause, reason: reasons[cause] ?? cause }
}

/** Makes so many instances; none where the current version has no unit. */
function creations({ service, current, unit }: ServiceSituation, count: number): Scaling {
  if (count <= 0) return settled
  if (unit.kind === 'problem') return { ...settled, blocked: unit.message }
  const actions = Array.from(
    { length: Math.min(count, createsPerPass) },
    (_, index): ServiceAction => ({
      kind: 'create',
      n: service.lastInstance + 1 + index,
      version: current,
      unit,
    }),
  )
  return { ...settled, actions }
}

/** Replacing what fails is slowed down: at once, then after 1 s, doubled up to a minute. */
function createNotBefore(service: Service, failsNow: boolean, now: Instant): Instant {
  const count = (service.failures?.count ?? 0) + (failsNow ? 1 : 0)
  if (count < 2) return now
  const lastAt = failsNow ? now : (service.failures?.lastAt ?? now)
  return lastAt + Math.min(1000 * 2 ** (count - 2), 60_000)
}

function isFailure(action: Retire): boolean {
  return action.cause === 'failed' || action.cause === 'unhealthy'
}

/**
 * Retired instances that have stopped are kept, or unloaded and then removed, as `stop.preservestopped` says. Their
 * records go last: as long as a machine has something of an instance, it is listed.
 */
function planRemovals(service: Service, retired: readonly Assessed[]): readonly Settle[] {
  const kept = retired.filter((item) => item.instance.retired?.kept === true)
  const tooMany = new Set(kept.slice(0, Math.max(0, kept.length - keptAtMost)))
  return retired.flatMap((item): readonly Settle[] => {
    const { instance, report, placement } = item
    // A machine that is away cannot stop anything; its agent stops what is no longer wanted when it is back.
    if ((placement === null && !item.reported) || item.state === 'lost') return [{ kind: 'remove', instance }]
    if (item.unloading) return []
    const unload: Settle = { kind: 'unload', instance }
    if (instance.retired?.kept === true) return service.deleting || tooMany.has(item) ? [unload] : []
    if (report === null || !hasStopped(report)) return []
    return isKept(item, service) ? [{ kind: 'keep', instance }] : [unload]
  })
}

function isKept(item: Assessed, service: Service): boolean {
  if (service.deleting) return false
  const policy = item.version?.preserve ?? 'no'
  if (policy === 'always') return true
  if (policy === 'no') return false
  const cause = item.instance.retired?.cause
  return exitFailed(item.report?.exit ?? null, cause !== 'failed')
}

/** The record with what this plan changes in it. */
function nextService(
  { service, current }: ServiceSituation,
  live: readonly Assessed[],
  ending: readonly Retire[],
  scaling: Scaling,
  now: Instant,
): Service {
  const created = scaling.actions.filter((action) => action.kind === 'create').length
  const failing = ending.some(isFailure)
  const steady = live.length === service.scale && live.every((item) => item.up)
  const rolledOut =
    service.rollout !== null && !live.some((item) => item.outdated) && current.uuid === service.current
  const forgiven = steady && service.failures !== null && now - service.failures.lastAt > 60_000
  const stopped = service.stopping !== null && !live.some((item) => isStopping(service, item.instance))
  const same = created === 0 && !failing && !rolledOut && !forgiven && !stopped
  if (same && scaling.blocked === service.blocked) return service
  return {
    ...service,
    lastInstance: service.lastInstance + created,
    rollout: rolledOut ? null : service.rollout,
    failures: failing
      ? { count: (service.failures?.count ?? 0) + 1, lastAt: now }
      : forgiven
        ? null
        : service.failures,
    stopping: stopped ? null : service.stopping,
    blocked: scaling.blocked,
  }
}

type Finish = ServiceAction & { readonly kind: 'finish' }

function complete(task: Task): Finish {
  return { kind: 'finish', task, state: 'completed', error: null }
}

/** Tasks that cannot end well, with the reason. */
function planFailures(situation: ServiceSituation, instances: readonly Assessed[]): readonly Finish[] {
  return situation.tasks.flatMap((task): readonly Finish[] => {
    const error = failureOf(task, situation, instances)
    return error === null ? [] : [{ kind: 'finish', task, state: 'failed', error }]
  })
}

function isConverged(
  service: Service,
  live: readonly Assessed[],
  retired: readonly Assessed[],
  actions: readonly ServiceAction[],
  removals: readonly Settle[],
): boolean {
  if (actions.length > 0 || live.some((item) => item.outdated)) return false
  const settled = new Set(removals.filter(({ kind }) => kind !== 'unload').map(({ instance }) => instance))
  if (
    retired.some(
      ({ instance, unloading }) => (unloading || instance.retired?.kept !== true) && !settled.has(instance),
    )
  )
    return false
  if (service.deleting) return live.length === 0
  if (service.type !== 'continuous')
    return live.every((item) => item.up) && service.lastInstance >= service.starts
  return live.length === service.scale && live.every((item) => item.up)
}

/** Why a task cannot end well; null while it can. Only instances made since the task began count. */
function failureOf(task: Task, situation: ServiceSituation, instances: readonly Assessed[]): string | null {
  if (task.kind === 'stop' || task.kind === 'delete') return null
  const { service, unit } = situation
  if (unit.kind === 'problem' && isShort(service, instances)) return cannotBeMade(service, unit.message)
  const fresh = instances.filter((item) => item.instance.createdAt >= task.createdAt)
  for (const { instance, cause, reason } of retirements(
    situation,
    fresh.filter((item) => item.instance.retired === null),
  )) {
    if (cause === 'unhealthy') return `${instance.name} is unhealthy: ${reason}`
    if (cause === 'failed') return `${instance.name} failed: ${reason}`
  }
  const waitedFor = service.rollout === null ? instances : fresh
  for (const item of waitedFor) {
    const reason = item.up || item.instance.retired !== null ? null : failingReason(item)
    if (reason !== null) return `${item.instance.name}: ${reason}`
  }
  return null
}

/** Why an instance of a service is not made, for people. */
export function cannotBeMade({ name }: Service, problem: string): string {
  return `no instance of ${name} can be made: ${problem}`
}

/** Whether there are fewer instances of what is current than there are to be. */
function isShort(service: Service, instances: readonly Assessed[]): boolean {
  if (service.deleting) return false
  if (service.type !== 'continuous') return service.starts > service.lastInstance
  return instances.filter((item) => item.instance.retired === null && !item.outdated).length < service.scale
}

/** Why an instance that is not up will not come up by waiting; null while it may. */
function failingReason({ report }: Assessed): string | null {
  if (report === null) return null
  if (report.failure !== null && (report.failure.permanent || report.attempts >= restartsUntilFailing)) {
    return report.failure.message
  }
  if (report.restarts >= restartsUntilFailing) {
    return `restarted ${report.restarts} times, last ${report.exit === null ? 'ended' : describeExit(report.exit)}`
  }
  return null
}
