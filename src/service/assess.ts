// What the planner makes of each instance.
import type { Elapsed } from '../lib/elapsed.js'
import { type Instant, toIso } from '../lib/time.js'
import { describeExit, instanceStateOf, restartsUntilFailing } from '../model/instance-state.js'
import { defaultDeadlineMs } from '../model/order.js'
import { isToBeReplaced } from '../model/rollout-scope.js'
import type { Instance, InstanceState, Rollout, Service, ServiceVersion } from '../model/service.js'
import type { Task } from '../model/task.js'
import type { UnitReport } from '../model/unit.js'
import type { ServiceInstance } from './situation.js'

/** An instance with what the planner makes of it. */
export interface Assessed extends ServiceInstance {
  readonly state: InstanceState
  /** Serving: healthy, or running for the settling time where nothing is checked. */
  readonly up: boolean
  /** When it counts as up if nothing happens; null when that is not a matter of time. */
  readonly upAt: Instant | null
  /** To be replaced, by the running rollout or because its machine is drained. */
  readonly outdated: boolean
  /** Made by the running rollout, or since it began; without one, all that no drain replaces. */
  readonly fresh: boolean
  /** Its machine was away and is back: what is reported of it may be from before. */
  readonly returning: boolean
  /** Why it will not come up by waiting; null while it may, or is up. */
  readonly failing: string | null
}

/** An instance without checks counts as up when it has run for so long. */
export const settleMs = 1000
/** How long an instance whose machine was away has to be seen again before it counts as up. */
export const returnSettleMs = 5000

/** `tasks`: those of the service that are not over. */
export function assess(
  item: ServiceInstance,
  service: Service,
  tasks: readonly Task[],
  time: Elapsed,
): Assessed {
  const state = instanceStateOf(item)
  const { up, upAt } = servingOf(item, state, time)
  // Written out: spreading what is known of ten thousand instances takes most of the time of a pass.
  const known = {
    instance: item.instance,
    placement: item.placement,
    report: item.report,
    machinePresent: item.machinePresent,
    version: item.version,
    waiting: item.waiting,
    cordoned: item.cordoned,
    drain: item.drain,
    unloading: item.unloading,
    reported: item.reported,
    unitGone: item.unitGone,
    isLeaving: item.isLeaving,
    stop: item.stop,
    outdated: isOutdated(item, service),
    fresh: isFresh(item, service),
    returning: item.instance.lost !== null && state !== 'lost',
    state,
    up,
    upAt,
    failing: null as string | null,
  }
  if (!up) known.failing = failingReason(known, service, tasks, time)
  return known
}

export function isLive({ instance }: ServiceInstance): boolean {
  return instance.retired === null
}

function servingOf(
  { instance, report, version }: ServiceInstance,
  state: InstanceState,
  time: Elapsed,
): Pick<Assessed, 'up' | 'upAt'> {
  if (state !== 'running' || report === null) return { up: false, upAt: null }
  if (instance.lost !== null)
    return { up: false, upAt: time.wakeAt(time.left(instance.lost.backAt ?? time.now, returnSettleMs)) }
  if (isChecked(version, report)) return { up: report.health === 'healthy', upAt: null }
  const leftMs = settlesInMs(report.since, time)
  return { up: leftMs <= 0, upAt: time.wakeAt(leftMs) }
}

/** How long what runs since then has still to run to count as up. A start far ahead of us was told by a clock that is: how long ago it was nobody knows, and nobody waits for that clock. */
export function settlesInMs(since: Instant | null, time: Elapsed): number {
  const leftMs = time.left(since ?? time.now, settleMs)
  return leftMs > 2 * settleMs ? 0 : leftMs
}

/** Whether an instance has to be healthy to serve: its manifest has checks, or its image brings one. */
export function isChecked(
  version: Pick<ServiceVersion, 'checked'> | null | undefined,
  report: Pick<UnitReport, 'checked'> | null,
): boolean {
  return version?.checked === true || report?.checked === true
}

/** Why an instance that is not up will not come up by waiting; null while it may. */
function failingReason(
  item: Omit<Assessed, 'failing'>,
  service: Service,
  tasks: readonly Task[],
  time: Elapsed,
): string | null {
  const { rollout } = service
  const { report } = item
  const isHeldUp = waitsOut(item, rollout, tasks, time)
  if (report?.failure != null && !isHeldUp) {
    const tries = Math.max(report.attempts, report.restarts)
    if (report.failure.permanent || tries >= restartsUntilFailing) return report.failure.message
  }
  if (report !== null && report.restarts >= restartsUntilFailing && !isHeldUp) {
    return `restarted ${report.restarts} times, last ${report.exit === null ? 'ended' : describeExit(report.exit)}`
  }
  const leftMs = deadlineLeftMs(item, service, time)
  if (rollout === null || leftMs === null || leftMs > 0) return null
  return describeLate(item, rollout.deadlineMs)
}

/** What is wrong with an instance that was not up by its deadline. */
export function describeLate(
  item: Pick<Assessed, 'state' | 'waiting' | 'report'>,
  deadlineMs: number,
): string {
  return `it was not up after ${deadlineMs / 1000} s: ${describeStage(item)}`
}

/**
 * How long an instance that stays may still take to be up while a rollout runs; null for ever. One that was there before
 * it has its time from the rollout's beginning on, or from when it was started last.
 */
export function deadlineLeftMs(
  { instance, report, fresh, outdated }: Pick<Assessed, 'instance' | 'report' | 'fresh' | 'outdated'>,
  { rollout }: Service,
  time: Elapsed,
): number | null {
  if (rollout === null || outdated) return null
  const { startedAt, deadlineMs } = rollout
  if (fresh) return time.leftToReport(instance.createdAt, deadlineMs)
  return Math.max(
    time.leftToReport(startedAt, deadlineMs),
    time.leftToReport(report?.since ?? startedAt, deadlineMs),
  )
}

/** Whether something is in its way that passes by itself, such as a registry that is away: it has its time until then. */
function waitsOut(
  { report, instance }: ServiceInstance,
  rollout: Rollout | null,
  tasks: readonly Task[],
  time: Elapsed,
): boolean {
  const failure = report?.failure ?? null
  if (failure === null || failure.permanent || !passing.has(failure.code)) return false
  const deadlineMs = rollout?.deadlineMs ?? defaultDeadlineMs
  if (time.leftToReport(instance.createdAt, deadlineMs) > 0) return true
  // What was there before a rollout has its time from the rollout's beginning on.
  if (rollout !== null && time.leftToReport(rollout.startedAt, deadlineMs) > 0) return true
  return tasks.some(
    (task) =>
      task.state === 'active' &&
      task.deadlineMs !== undefined &&
      leftForTask(instance, task, task.deadlineMs, time) > 0,
  )
}

/**
 * For how long what is in the way of an instance may still be waited out, where nothing else says so; null where nothing is in
 * its way.
 */
export function heldUpLeftMs({ report, instance, up }: Assessed, time: Elapsed): number | null {
  if (up || report?.failure == null) return null
  return time.leftToReport(instance.createdAt, defaultDeadlineMs)
}

/** The instances that a task is about: a start of a run is about that alone. */
export function aboutTask<T extends { readonly instance: Pick<Instance, 'n'> }>(
  { instance: n }: Pick<Task, 'instance'>,
  instances: readonly T[],
): readonly T[] {
  return n === undefined ? instances : instances.filter(({ instance }) => instance.n === n)
}

/**
 * Whether an instance is the run that a task starts, and was not seen to begin before its machine was lost. Nobody knows whether it
 * has: it is not begun elsewhere, and begins when the machine is back.
 */
export function isLostUnbegun({ instance: n }: Pick<Task, 'instance'>, item: ServiceInstance): boolean {
  if (item.instance.n !== n || !isLive(item) || item.report?.launched === true) return false
  return instanceStateOf(item) === 'lost'
}

/** Whether all that a start of a run waits for is a machine that is away: it holds up nobody until that is back. */
export function waitsForItsMachine(
  task: Pick<Task, 'instance'>,
  instances: readonly ServiceInstance[],
): boolean {
  return instances.some((item) => isLostUnbegun(task, item))
}

/** How long an instance may still take for a task: what was there before has its time from the task's beginning on. */
export function leftForTask(
  { createdAt }: Pick<Instance, 'createdAt'>,
  task: Pick<Task, 'createdAt'>,
  deadlineMs: number,
  time: Elapsed,
): number {
  return Math.max(time.leftToReport(createdAt, deadlineMs), time.leftToReport(task.createdAt, deadlineMs))
}

const passing: ReadonlySet<string> = new Set([
  'docker/image-missing',
  'docker/unreachable',
  'process/unreachable',
  'systemd/unreachable',
  'docker/disk-full',
  'process/disk-full',
  'docker/port-taken',
  'agent/port-taken',
  'volume/in-use',
  'volume/held',
])

/** Whether an instance is not up and something of its own has gone wrong, so that to try it anew may help. */
export function isInTrouble({ up, failing, report }: Pick<Assessed, 'up' | 'failing' | 'report'>): boolean {
  return !up && (failing !== null || report?.failure != null)
}

/** How far an instance has come that is not up. */
function describeStage({ state, waiting, report }: Pick<Assessed, 'state' | 'waiting' | 'report'>): string {
  if (waiting !== null) return 'no machine can take it'
  if (state === 'lost') return 'its machine was lost before it was reported as started'
  if (report?.unseen === true) return 'its machine was away, and its daemon has not looked at it since'
  if (report?.unknownSince !== undefined)
    return `${report.driver} on its machine has not answered since ${toIso(report.unknownSince)}`
  if (report?.failure != null) return report.failure.message
  return state === 'running' ? 'it runs but is not healthy' : `it is ${state}`
}

function isOutdated(item: ServiceInstance, { type, rollout, current }: Service): boolean {
  if (rollout !== null) return isToBeReplaced(item.instance, rollout, current)
  // One with volumes of its own stays where they are.
  return type === 'continuous' && item.drain !== null && item.instance.slot === undefined
}

function isFresh(item: ServiceInstance, service: Service): boolean {
  const { rollout } = service
  return rollout === null ? !isOutdated(item, service) : item.instance.n > rollout.after
}
