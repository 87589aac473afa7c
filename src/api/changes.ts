// Requests that change a service, as store writes: what is asked for becomes its record and a task; the service pass
// does the rest.
import { uuidOf } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import type { HistoryEvent } from '../model/event.js'
import type { Service } from '../model/service.js'
import type { Task, TaskKind } from '../model/task.js'
import { keyOf, putOf } from '../store/records.js'
import type { Compare, Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { instanceBodyOf } from './bodies.js'
import { noSuchService, type Problem } from './problem.js'

export type EventDraft = Omit<HistoryEvent, 'id' | 'at'>

/** A change to be written at once: it holds only if nothing that it was decided on has changed since. */
export interface Change {
  readonly compare: readonly Compare[]
  readonly ops: readonly Op[]
  readonly events: readonly EventDraft[]
  readonly tasks: readonly Task[]
}

/** At most this many instances of one service: beyond it a typing error is likelier than a wish. */
export const maxScale = 10_000

/** Sets the scales of several services as one change. */
export function changeScales(
  view: ClusterView,
  project: string,
  targets: Readonly<Record<string, string | number>>,
  now: Instant,
): Change | Problem {
  const changes: Change[] = []
  for (const [name, target] of Object.entries(targets)) {
    const service = view.services.get(serviceKey(project, name))
    if (service === undefined) return noSuchService(project, name)
    const scale = targetScale(service, target)
    if (typeof scale !== 'number') return scale
    const next: Service = { ...service, scale, stoppedFrom: null }
    changes.push(
      changeOf(
        view,
        service,
        next,
        'scale',
        `scale of ${name} is set from ${service.scale} to ${scale}`,
        now,
      ),
    )
  }
  if (changes.length === 0)
    return { status: 400, code: 'api/bad-request', message: 'no service is named to scale' }
  return merged(changes)
}

function targetScale(service: Service, target: string | number): number | Problem {
  if (service.type !== 'continuous') {
    return {
      status: 409,
      code: 'service/not-continuous',
      message: `${service.name} is of type ${service.type}: only continuous services have a scale`,
      hint: `mariposa service start ${service.name} runs one more instance`,
    }
  }
  const match = /^([+-]?)(\d{1,9})$/.exec(String(target))
  if (match === null) {
    return {
      status: 400,
      code: 'service/bad-scale',
      message: `"${target}" is no scale`,
      hint: 'write 3, +2 or -1',
    }
  }
  const amount = Number(match[2])
  const base = service.stoppedFrom === null ? service.scale : 0
  const scale = match[1] === '+' ? base + amount : match[1] === '-' ? base - amount : amount
  if (scale >= 0 && scale <= maxScale) return scale
  return {
    status: 400,
    code: 'service/bad-scale',
    message: `the scale of ${service.name} would be ${scale}: it has to be between 0 and ${maxScale}`,
    hint: `it is ${base} now`,
  }
}

/** Stops all instances of a service, or those of one version (contract §3). */
export function stopService(
  view: ClusterView,
  project: string,
  name: string,
  version: string | undefined,
  now: Instant,
): Change | Problem {
  const service = view.services.get(serviceKey(project, name))
  if (service === undefined) return noSuchService(project, name)
  if (version === undefined) {
    const stoppedFrom = service.stoppedFrom ?? (service.type === 'continuous' ? service.scale : 0)
    const next: Service =
      service.type === 'continuous'
        ? { ...service, scale: 0, stoppedFrom }
        : { ...service, starts: service.lastInstance, stopping: 'all' }
    return changeOf(view, service, next, 'stop', `${name} is stopped`, now)
  }
  const known = view
    .versionsOf(serviceKey(project, name))
    .find((one) => one.uuid === version || String(one.ordinal) === version)
  if (known === undefined) {
    return { status: 404, code: 'service/unknown-version', message: `${name} has no version "${version}"` }
  }
  const running = view
    .instancesOf(serviceKey(project, name))
    .filter((instance) => instance.retired === null && instance.version === known.uuid).length
  const scale = service.type === 'continuous' ? Math.max(0, service.scale - running) : service.scale
  const next: Service = { ...service, scale, stopping: known.uuid }
  return changeOf(view, service, next, 'stop', `version ${known.ordinal} of ${name} is stopped`, now)
}

/** Starts a stopped service at the scale it had, or one more instance of a service that is not continuous. */
export function startService(
  view: ClusterView,
  project: string,
  name: string,
  now: Instant,
): Change | Problem {
  const service = view.services.get(serviceKey(project, name))
  if (service === undefined) return noSuchService(project, name)
  if (service.type !== 'continuous') {
    const next: Service = { ...service, starts: Math.max(service.starts, service.lastInstance) + 1 }
    return changeOf(view, service, next, 'start', `one more instance of ${name} is started`, now)
  }
  const live = view.instancesOf(serviceKey(project, name)).filter((instance) => instance.retired === null)
  if (live.length > 0) {
    return {
      status: 409,
      code: 'service/already-running',
      message: `${name} is already running: it has ${live.length} instance${live.length === 1 ? '' : 's'}`,
      hint: `mariposa service scale ${name} +1 adds one`,
    }
  }
  const scale = service.stoppedFrom ?? (service.scale > 0 ? service.scale : 1)
  const next: Service = { ...service, scale: Math.max(1, scale), stoppedFrom: null, failures: null }
  return changeOf(view, service, next, 'start', `${name} is started at scale ${next.scale}`, now)
}

/** Deletes a service with its versions; refuses while instances run, unless it is forced. */
export function deleteService(
  view: ClusterView,
  project: string,
  name: string,
  force: boolean,
  now: Instant,
): Change | Problem {
  const key = serviceKey(project, name)
  const service = view.services.get(key)
  if (service === undefined) return noSuchService(project, name)
  const running = view
    .instancesOf(key)
    .map((instance) => instanceBodyOf(view, instance).state)
    .filter((state) => state === 'running' || state === 'starting' || state === 'stopping').length
  if (running > 0 && !force) {
    return {
      status: 409,
      code: 'service/still-running',
      message: `${name} still has ${running} running instance${running === 1 ? '' : 's'}`,
      hint: `stop it first (mariposa service stop ${name}), or add --force`,
    }
  }
  const next: Service = { ...service, scale: 0, deleting: true, rollout: null }
  return changeOf(view, service, next, 'delete', `${name} is to be deleted`, now)
}

/** The record, its task, and the end of tasks that it takes the place of. */
export function changeOf(
  view: ClusterView,
  before: Service,
  after: Service,
  kind: TaskKind,
  message: string,
  now: Instant,
): Change {
  const task = taskOf(after, kind, now)
  const key = serviceKey(after.project, after.name)
  const superseded = view.tasksOf(key).filter((other) => other.finishedAt === null)
  const error = `a newer ${kind} took its place`
  return {
    compare: [{ key: keyOf('service', before), modRevision: view.revisionOf(keyOf('service', before)) }],
    ops: [
      putOf('service', after),
      putOf('task', task),
      ...superseded.map((other) => putOf('task', { ...other, state: 'terminated', error, finishedAt: now })),
    ],
    events: [
      {
        kind: eventKinds[kind],
        project: after.project,
        service: after.name,
        instance: null,
        machine: null,
        message,
        data: {
          task: { uuid: task.uuid, kind, state: task.state },
          ...(before.scale !== after.scale && { scale: { from: before.scale, to: after.scale } }),
        },
      },
    ],
    tasks: [task],
  }
}

const eventKinds: Readonly<Record<TaskKind, HistoryEvent['kind']>> = {
  deploy: 'deploy',
  scale: 'scale',
  stop: 'stop',
  start: 'start',
  reprovision: 'deploy',
  delete: 'delete',
}

export function taskOf(service: Service, kind: TaskKind, now: Instant): Task {
  return {
    uuid: uuidOf('task', service.uuid, kind, String(now), service.current, String(service.scale)),
    project: service.project,
    service: service.name,
    kind,
    state: 'active',
    target: { scale: service.scale, version: service.current },
    createdAt: now,
    finishedAt: null,
    error: null,
  }
}

/** Several changes as one. */
export function merged(changes: readonly Change[]): Change {
  return {
    compare: changes.flatMap((change) => change.compare),
    ops: changes.flatMap((change) => change.ops),
    events: changes.flatMap((change) => change.events),
    tasks: changes.flatMap((change) => change.tasks),
  }
}
