// How far a task has come: of the instances that it is about, how many are as it wants them.
import { type Elapsed, elapsedAt } from '../lib/elapsed.js'
import type { Instant } from '../lib/time.js'
import { hasStopped, isPaused } from '../model/instance-state.js'
import { isToBeReplaced } from '../model/rollout-scope.js'
import type { Instance, Service } from '../model/service.js'
import { isRollout, type Reached, type Task, type TaskKind } from '../model/task.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { isChecked, isLive, settlesInMs } from './assess.js'
import { isStopping, isStopUnseen } from './retire.js'
import { instancesOf, type ServiceInstance } from './situation.js'

/** How far a task has come; of one that is over, how far it came. */
export function progressOf(view: ClusterView, task: Task, now: Instant): Reached {
  return task.reached ?? reachedOf(view, task, now)
}

/** A task that ends now keeps how far it came: what its service does afterwards is not its doing. */
export function withReached(view: ClusterView, before: Task, over: Task, now: Instant): Task {
  const reached = reachedOf(view, before, now)
  return { ...over, reached: over.state === 'completed' ? { ...reached, done: reached.total } : reached }
}

function reachedOf(view: ClusterView, task: Task, now: Instant): Reached {
  // Nothing is waited for: it holds as soon as it is there.
  if (task.kind === 'freeze') return { done: 1, total: 1 }
  const key = serviceKey(task.project, task.service)
  const service = view.services.get(key)
  const instances = view.instancesOf(key)
  const live = instances.filter((one) => one.retired === null)
  const scale = service?.type === 'continuous' ? service.scale : live.length
  if (task.state === 'queued') return { done: 0, total: Math.max(1, countOf(task, live.length) ?? scale) }
  if (task.stops !== undefined && task.stops > 0) {
    const left = service === undefined ? 0 : leftToStop(task.kind, service, instancesOf(view, key))
    return { done: Math.max(0, task.stops - left), total: task.stops }
  }
  if (service === undefined || service.deleting || scale === 0) {
    // It counts nothing where there was nothing to stop.
    const isLeft = instances.some((one) => one.retired?.kept !== true)
    return { done: 0, total: isLeft ? 1 : 0 }
  }
  if (task.instance !== undefined)
    return { done: hasBegun(view, task.instance, service, live, now) ? 1 : 0, total: 1 }
  const total = picksOf(task, service) ?? scale
  const up = live.filter((one) => isPartOf(task, service, one) && isUp(view, one, now)).length
  return { done: Math.min(up, total), total }
}

/** Whether the instance of a start is up, or has come to its end. */
function hasBegun(
  view: ClusterView,
  n: number,
  { lastInstance }: Service,
  live: readonly Instance[],
  now: Instant,
): boolean {
  const instance = live.find((one) => one.n === n)
  return instance === undefined ? n <= lastInstance : isUp(view, instance, now)
}

/**
 * What a task has to stop that changes a service's record so as it begins; nothing of other tasks, and of a scale that is not
 * lowered. There may be ten thousand instances: others do not ask for them.
 */
export function stopsOf(
  kind: TaskKind,
  before: Service,
  after: Service,
  situation: { readonly instances: readonly ServiceInstance[] },
): Pick<Task, 'stops'> {
  if (kind === 'scale' ? after.scale >= before.scale : kind !== 'stop' && kind !== 'delete') return {}
  const { instances } = situation
  if (kind === 'scale' && instances.filter(isThere).length <= after.scale) return {}
  const stops = leftToStop(kind, after, instances)
  return stops === 0 ? {} : { stops }
}

/** How many instances have not been seen stopped, or gone, of those that are to stop. */
function leftToStop(kind: TaskKind, service: Service, instances: readonly ServiceInstance[]): number {
  const there = instances.filter(isThere)
  const leaving = instances.filter((item) => !isLive(item) && !isOver(item)).length
  if (kind === 'scale') return Math.max(0, there.length - service.scale) + leaving
  const all = service.deleting || (service.type === 'continuous' && service.scale === 0)
  return there.filter(({ instance }) => all || isStopping(service, instance)).length + leaving
}

/** Whether a stop of runs has only the ends left to wait for that nobody can see, as their machines are away. */
export function waitsForAway(
  task: Task,
  service: Service,
  instances: readonly ServiceInstance[],
  time: Elapsed,
): boolean {
  if (task.kind !== 'stop' || task.state !== 'active' || service.stopping !== null) return false
  const leaving = instances.filter((item) => !isLive(item) && !isOver(item))
  return leaving.length > 0 && leaving.every((item) => isStopUnseen(item, service, time))
}

/** Whether it has a part in the scale: what is lost with its machine has none. */
function isThere(item: ServiceInstance): boolean {
  return isLive(item) && (item.placement === null || item.machinePresent)
}

function isOver({ instance, placement, report, reported, unloading }: ServiceInstance): boolean {
  // What has been seen to stop is unloaded then; meanwhile its machine says nothing of it.
  if (instance.retired?.kept === true || unloading) return true
  return report === null ? placement === null && !reported : hasStopped(report)
}

/** How many a task picked, of those that there may be by now; null where it is about all. */
function picksOf({ replacing }: Task, { scale }: Service): number | null {
  return replacing == null || replacing.picks === null ? null : Math.min(replacing.picks, scale)
}

/** How many instances an order that waits is about, as far as it says: of a lower scale, those that are too many. */
function countOf({ order, target }: Task, live: number): number | null {
  if (order?.kind === 'scale' && target !== null)
    return target.scale < live ? live - target.scale : target.scale
  return order?.kind === 'rollout' ? (order.count ?? order.scale) : null
}

/** Whether an instance counts for a task once it is up: what a rollout left as it was does not. */
function isPartOf(task: Task, service: Service, instance: Instance): boolean {
  const { rollout, current } = service
  const { replacing } = task
  if (isRollout(task) && replacing?.picks != null) return instance.n > replacing.after
  if (rollout !== null) return !isToBeReplaced(instance, rollout, current)
  if (!isRollout(task)) return true
  // All are replaced, and it waits for the old ones to stop; of before tasks said what they replace, nobody knows.
  return instance.version === task.target?.version && (replacing !== undefined || isMadeSince(task, instance))
}

function isMadeSince(task: Task, { createdAt }: Instance): boolean {
  return createdAt >= task.createdAt
}

function isUp(view: ClusterView, instance: Instance, now: Instant): boolean {
  const report = view.reportOf(instance.unit)
  if (report?.active !== 'active' || isPaused(report)) return false
  const checked = isChecked(view.versions.get(instance.version), report)
  return checked ? report.health === 'healthy' : settlesInMs(report.since, elapsedAt(now)) <= 0
}
