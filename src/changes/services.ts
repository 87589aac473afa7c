// Requests that change a service, as store writes: what is asked for becomes its record and a task, or a task that waits
// its turn; the service pass does the rest.

import type { DeleteRequest, StopRequest } from '../contract/contract.js'
import { elapsedAt } from '../lib/elapsed.js'
import { uuidOf } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import type { Actor } from '../model/actor.js'
import type { EventData, EventDraft, HistoryEvent } from '../model/event.js'
import { isUnderWay } from '../model/instance-state.js'
import type { Order } from '../model/order.js'
import type { RunInput } from '../model/run-variables.js'
import type { Service, ServiceVersion } from '../model/service.js'
import { instanceOf, replacingOf, type Task, type TaskKind, takersOf } from '../model/task.js'
import {
  applyOrder,
  type OrderSituation,
  type Refused,
  scaleAfter,
  taskKindOf,
  versionNamed,
} from '../service/orders.js'
import { stopsOf, waitsForAway, withReached } from '../service/progress.js'
import { admitTask, isFrozen, settledAsIs, terminated } from '../service/queue.js'
import { instancesOf } from '../service/situation.js'
import { stateIn } from '../service/state-in.js'
import { endedEvent } from '../service/writes.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { withClaim } from './entry-claims.js'
import { isProblem, noSuchService, type Problem } from './problem.js'
import { variablesProblem } from './run-variables.js'

/**
 * A change to be written at once: it holds only if nothing that it was decided on has changed since
 * (`src/store/decision.ts`). Whatever changes something of a service writes its record, by which others notice.
 */
export interface Change {
  /** Keys of records that it was decided on beside those that it writes. */
  readonly decidedOn: readonly string[]
  /** The records that say there is nothing to do; for changes that come to nothing. */
  readonly seen?: readonly string[]
  readonly ops: readonly Op[]
  readonly events: readonly EventDraft[]
  /** Tasks that it begins, or puts into the queue; they are written with it. */
  readonly tasks: readonly Task[]
  /** Tasks that do it already. */
  readonly joined?: readonly Task[]
  /** Tasks that it ended, as they are now. */
  readonly ended?: readonly Task[]
  /** What whoever asks for it should know, one sentence each. */
  readonly notes?: readonly string[]
}

/** The writes of a change but for its events, with who asked for it. */
export function opsOf({ ops, tasks }: Change, by: Actor | null): readonly Op[] {
  return [...ops, ...tasks.map((task) => putOf('task', { ...task, by }))]
}

/** Sets the scales of several services as one change; `deadlineMs`: how long their instances may take until they are up. */
export function changeScales(
  view: ClusterView,
  project: string,
  targets: Readonly<Record<string, string | number>>,
  now: Instant,
  deadlineMs?: number,
): Change | Problem {
  const changes: Change[] = []
  for (const [name, target] of Object.entries(targets)) {
    const order: Order = { kind: 'scale', target, ...within(deadlineMs) }
    const change = orderOf(view, project, name, order, now)
    if (isProblem(change)) return change
    const note = outOfBounds(view, project, name, change)
    changes.push(note === null ? change : { ...change, notes: [note] })
  }
  if (changes.length === 0)
    return { status: 400, code: 'api/bad-request', message: 'no service to scale is given' }
  return merged(changes)
}

/** That a scale does not stay, as it is not within what autoscaling keeps a service to; null where it does. */
function outOfBounds(view: ClusterView, project: string, name: string, { tasks }: Change): string | null {
  const policy = view.versions.get(view.services.get(serviceKey(project, name))?.current ?? '')?.scaling
  const scale = tasks[0]?.state === 'active' ? tasks[0].target?.scale : undefined
  if (policy?.enable !== true || scale === undefined || scale === 0) return null
  const { min, max } = policy
  const isAbove = max !== null && scale > max
  if (!isAbove && scale >= min) return null
  const bound = isAbove ? `not above its autoscale.max of ${max}` : `not below its autoscale.min of ${min}`
  return `${name} is autoscaled, ${bound}: the autoscaler will soon change the scale of ${scale} to that bound; deploy it with another bound, or with enable: false`
}

/** With its project, in the order in which the services of that come up. */
interface InOrder {
  readonly inOrder?: true
}

/** Stops all instances of a service, or those of one version (contract §3). */
export function stopService(
  view: ClusterView,
  project: string,
  name: string,
  { version, join = false, inOrder }: StopRequest & InOrder,
  now: Instant,
): Change | Problem {
  const going = join ? stopThatCovers(view, project, name, version) : null
  if (going !== null) return joining(going)
  const order: Order = { kind: 'stop', version: version ?? null, ...(inOrder && { inOrder }) }
  return orderOf(view, project, name, order, now)
}

/** Starts a stopped service at the scale it had, or one more instance of a service that is not continuous. */
export function startService(
  view: ClusterView,
  project: string,
  name: string,
  version: string | undefined,
  now: Instant,
  deadlineMs?: number,
  inOrder: InOrder = {},
  { set = {}, body }: RunInput = {},
): Change | Problem {
  const problem = variablesProblem(view, project, name, set)
  if (problem !== null) return problem
  const variables = Object.keys(set).length === 0 ? {} : { set }
  const order: Order = {
    ...{ kind: 'start', version: version ?? null },
    ...within(deadlineMs),
    ...inOrder,
    ...variables,
    ...(body !== undefined && { body }),
  }
  const change = orderOf(view, project, name, order, now)
  const versions = view.versionsOf(serviceKey(project, name))
  const current = version === undefined ? null : versionNamed({ name }, versions, version)
  return current === null || 'kind' in current ? change : withClaim(view, change, current, now)
}

function within(deadlineMs: number | undefined): { readonly deadlineMs?: number } {
  return deadlineMs === undefined ? {} : { deadlineMs }
}

/** Deletes a service with its versions; refuses while instances run, unless it is forced. */
export function deleteService(
  view: ClusterView,
  project: string,
  name: string,
  { force = false, volumes = false, join = false }: DeleteRequest,
  now: Instant,
): Change | Problem {
  const going = join ? openTask(view, project, name, 'delete') : null
  if (going !== null) return leavesVolumes(view, going, volumes) ?? joining(going)
  const running = runningIn(view, { project, name })
  if (running > 0 && !force) {
    return {
      status: 409,
      code: 'service/still-running',
      message: `${name} still has ${running} running instance${running === 1 ? '' : 's'}`,
      hint: `stop it first (mariposa service stop ${name}), or add --force`,
    }
  }
  return orderOf(view, project, name, { kind: 'delete', ...(volumes && { volumes }) }, now)
}

/** Why a deletion that goes on is no answer to who asks for the volumes to go with it; null where it is one. */
function leavesVolumes(
  view: ClusterView,
  { project, service: name }: Task,
  volumes: boolean,
): Problem | null {
  if (!volumes || view.services.get(serviceKey(project, name))?.deleteVolumes === true) return null
  return {
    status: 409,
    code: 'service/deleting',
    message: `${name} is being deleted, and its volumes are kept`,
    hint: `mariposa service delete ${name} --now kills instances that do not stop; mariposa volume rm deletes a volume afterwards`,
  }
}

/** The task that stops, or deletes, at least what is to be stopped; null for none. */
function stopThatCovers(
  view: ClusterView,
  project: string,
  name: string,
  version: string | undefined,
): Task | null {
  const deleting = openTask(view, project, name, 'delete')
  const stop = openTask(view, project, name, 'stop')
  const service = view.services.get(serviceKey(project, name))
  if (deleting !== null || stop === null || service === undefined) return deleting
  const { stopping } = service
  if (stopping === 'all' || (stopping === null && service.type === 'continuous' && service.scale === 0))
    return stop
  const asked =
    version === undefined ? null : versionNamed(service, view.versionsOf(serviceKey(project, name)), version)
  return asked !== null && !('kind' in asked) && asked.uuid === stopping ? stop : null
}

/** The task of a kind that goes on for a service; null for none, and for a deletion that waits until others serve. */
export function openTask(view: ClusterView, project: string, name: string, kind: TaskKind): Task | null {
  const tasks = view.tasksOf(serviceKey(project, name))
  return (
    tasks.find((task) => task.kind === kind && task.finishedAt === null && takersOf(task) === null) ?? null
  )
}

/** Nothing is changed: it is being done. */
export function joining(task: Task): Change {
  return { ...emptyChange, seen: [keys.task(task.uuid)], joined: [task] }
}

/** How many instances of a service run, or are on their way to it or from it. */
export function runningIn(view: ClusterView, { project, name }: Pick<Service, 'project' | 'name'>): number {
  return view
    .allInstancesOf(serviceKey(project, name))
    .map((instance) => stateIn(view, instance))
    .filter(isUnderWay).length
}

function orderOf(
  view: ClusterView,
  project: string,
  name: string,
  order: Order,
  now: Instant,
): Change | Problem {
  const service = view.services.get(serviceKey(project, name))
  if (service === undefined) return noSuchService(view, project, name)
  return changeOf(view, service, order, taskKindOf(order), now)
}

/** An order to a service that exists: carried out at once, or put into the queue (`src/service/queue.ts`). */
export function changeOf(
  view: ClusterView,
  service: Service,
  order: Order,
  kind: TaskKind,
  now: Instant,
  /** A version that comes with it: its record, and what of the service's changes whether the order waits or not. */
  made: { readonly version: ServiceVersion; readonly record: Service } | null = null,
): Change | Problem {
  const refusal = refusalOf(view, service.project, service.name, service)
  if (refusal !== null) return refusal
  const key = serviceKey(service.project, service.name)
  const open = view.tasksOf(key).filter((task) => task.finishedAt === null)
  const isForAway = (task: Task): boolean =>
    waitsForAway(task, service, instancesOf(view, key), elapsedAt(now))
  const admission = admitTask(service, open, kind, isForAway)
  if (admission.kind === 'rejected') return busy(service, admission.by, kind)
  const record = made?.record ?? service
  const versions = [...(made === null ? [] : [made.version]), ...view.versionsOf(key)]
  let known: OrderSituation['instances'] | null = null
  const situation: OrderSituation = {
    service: record,
    versions,
    // Many orders are carried out without a look at them, and there may be ten thousand.
    get instances() {
      known ??= instancesOf(view, key)
      return known
    },
  }
  const outcome = applyOrder(order, situation, now)
  const waits = admission.after.length > 0 || (order.kind === 'delete' && order.handsOver !== undefined)
  // What waits is judged when its turn comes; but what can never be right is refused at once.
  if (outcome.kind === 'refused' && !(waits && outcome.because === 'conflict')) return problemOf(outcome)
  // What ends for an order that waits is over at once.
  const settled = admission.terminates.filter(({ state }) => state === 'active').reduce(withoutTask, record)
  const after = waits || outcome.kind === 'refused' ? settled : outcome.service
  const told = outcome.kind === 'refused' || waits ? toldOfWait(order, kind, service) : outcome.told
  const task = {
    ...unlike(view, taskOf(after, kind, waits ? order : null, now)),
    ...((order.kind === 'scale' || order.kind === 'start') && within(order.deadlineMs)),
    ...(!waits && instanceOf(kind, after)),
    ...(order.kind === 'stop' && order.inOrder && { inOrder: order.inOrder }),
    ...(!waits && stopsOf(kind, service, after, situation)),
  }
  const ended = admission.terminates.map((one) =>
    withReached(view, one, terminated(one, `a newer ${kind} took its place`, now), now),
  )
  return {
    ...emptyChange,
    decidedOn: [keys.freezes(service.project)],
    ops: [putOf('service', after), ...ended.map((one) => putOf('task', one))],
    events: [
      { ...eventOf(service, eventKinds[kind], told), data: dataOf(task, service, after) },
      ...ended.map((one) => endedEvent(one)),
    ],
    tasks: [task],
  }
}

function toldOfWait(order: Order, kind: TaskKind, { name }: Service): string {
  return order.kind === 'delete' && order.handsOver !== undefined
    ? `${name} is to be deleted once ${order.handsOver.join(', ')} can serve in its place`
    : `${kind} of ${name} waits its turn`
}

/** Two orders of one instant that change nothing yet are alike, and are two all the same. */
function unlike({ tasks }: Pick<ClusterView, 'tasks'>, task: Task): Task {
  let one = task
  for (let n = 1; tasks.has(one.uuid); n++) one = { ...task, uuid: uuidOf('task', task.uuid, String(n)) }
  return one
}

function withoutTask(service: Service, task: Task): Service {
  return settledAsIs(service, task)
}

/** What programs may want to know of a change. */
export function dataOf(task: Task, before: Service, after: Service): EventData {
  const { uuid, kind, state } = task
  const moved = before.scale !== after.scale
  return { task: { uuid, kind, state }, ...(moved && { scale: { from: before.scale, to: after.scale } }) }
}

/** Why nothing is to be changed about a service now, whatever it is. */
export function refusalOf(
  view: ClusterView,
  project: string,
  name: string,
  service: Service | null,
): Problem | null {
  if (isFrozen(view, project, name)) {
    return {
      status: 409,
      code: 'service/frozen',
      message: `${name} is frozen`,
      hint: `mariposa queue list shows the freeze and its scope; mariposa queue unfreeze lifts it`,
    }
  }
  if (service?.deleting !== true) return null
  return {
    status: 409,
    code: 'service/deleting',
    message: `${name} is being deleted`,
    hint: `wait until it is gone; mariposa service delete ${name} --now kills instances that do not stop`,
  }
}

function busy({ name }: Service, by: Task, kind: TaskKind): Problem {
  return {
    status: 409,
    code: 'service/busy',
    message: `${name} is busy: a ${by.kind} is ${by.state}, and a ${kind} cannot run beside it`,
    hint: `wait until it is over, ${killHint(name, by)}or end it: mariposa queue stop ${by.uuid}`,
  }
}

/** A stop may have no end: what it waits for can be killed. */
function killHint(name: string, { kind }: Task): string {
  return kind === 'stop' || kind === 'delete'
    ? `kill instances that do not stop (mariposa service ${kind} ${name} --now, or mariposa unit kill UNIT), `
    : ''
}

/** What an order is refused with. */
export function problemOf({ because, code, message, hint }: Refused): Problem {
  const status = { invalid: 400, unknown: 404, conflict: 409 } as const
  return { status: status[because], code, message, ...(hint !== undefined && { hint }) }
}

export const emptyChange: Change = { decidedOn: [], ops: [], events: [], tasks: [] }

const eventKinds: Readonly<Record<TaskKind, HistoryEvent['kind']>> = {
  deploy: 'deploy',
  revert: 'revert',
  reprovision: 'reprovision',
  scale: 'scale',
  stop: 'stop',
  start: 'start',
  delete: 'delete',
  replace: 'task-begun',
  freeze: 'freeze',
}

export function eventOf(
  { project, name }: Pick<Service, 'project' | 'name'>,
  kind: HistoryEvent['kind'],
  message: string,
): EventDraft {
  return { kind, project, service: name === '' ? null : name, instance: null, machine: null, message }
}

/** A task on a service as its record is now; with an order it waits its turn. */
export function taskOf(service: Service, kind: TaskKind, order: Order | null, now: Instant): Task {
  return {
    uuid: uuidOf('task', service.uuid, kind, String(now), JSON.stringify([service, order])),
    project: service.project,
    service: service.name,
    kind,
    state: order === null ? 'active' : 'queued',
    target: targetOf(service, order),
    createdAt: now,
    finishedAt: null,
    error: null,
    order,
    by: null,
    ...(order === null && replacingOf(kind, service)),
  }
}

/** What a task works towards. Of one that waits, what its order says: what is relative counts from now. */
function targetOf(service: Service, order: Order | null): Task['target'] {
  const { scale, current } = service
  switch (order?.kind) {
    case 'scale':
      return { scale: scaleAfter(service, order.target) ?? scale, version: current }
    case 'rollout':
      return { scale: order.scale ?? scale, version: order.version ?? current }
    case 'start':
      return { scale, version: order.version ?? current }
    default:
      return { scale, version: current }
  }
}

/** Several changes as one. */
export function merged(changes: readonly Change[]): Change {
  return {
    decidedOn: changes.flatMap((change) => change.decidedOn),
    seen: changes.flatMap((change) => change.seen ?? []),
    ops: changes.flatMap((change) => change.ops),
    events: changes.flatMap((change) => change.events),
    tasks: changes.flatMap((change) => change.tasks),
    joined: changes.flatMap((change) => change.joined ?? []),
    notes: changes.flatMap((change) => change.notes ?? []),
  }
}
