// What a service plan means in the store: records to write, and events to tell.
import { uuidOf } from '../lib/hash.js'
import { assertNever } from '../lib/invariant.js'
import type { Instant } from '../lib/time.js'
import type { EventData, EventDraft, HistoryEvent } from '../model/event.js'
import { shortScope } from '../model/rollout-scope.js'
import { type Instance, inputOf, type Service } from '../model/service.js'
import { type Task, takersOf } from '../model/task.js'
import type { DesiredUnit } from '../model/unit.js'
import { nameWithSlot, type VolumeRecord } from '../model/volume.js'
import { hostnameOf } from '../store/hostname.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { withInstance } from '../unit/name.js'
import type { ServiceAction, ServicePlan, Settle } from './actions.js'
import { unusedBodyOps } from './call-bodies.js'
import { cannotBeMade } from './failing.js'
import { forgotten } from './forget-volume.js'
import { withReached } from './progress.js'
import { runOps } from './runs.js'

interface ServiceWrites {
  readonly ops: readonly Op[]
  readonly events: readonly EventDraft[]
}

/** Finished tasks that are kept per service; older ones are forgotten. */
const tasksKept = 20

/** The store writes of a plan for one service. */
export function writesOf(
  view: ClusterView,
  service: Service,
  plan: ServicePlan,
  now: Instant,
): ServiceWrites {
  const parts = plan.actions.map((action) => writesOfAction(view, service, action, now))
  return {
    ops: [
      ...recordOps(view, service, plan.service),
      ...parts.flatMap((part) => part.ops),
      ...runOps(view, service, plan, now),
      ...unusedFileOps(view, service, plan),
      ...unusedBodyOps(view, service, plan),
    ],
    events: [
      ...parts.flatMap((part) => part.events),
      ...blockedEvents(service, plan.service),
      ...(plan.service === null ? [...leftEvents(view, service), deletedEvent(service)] : []),
    ],
  }
}

/**
 * Keys of machines whose absence a plan rests on: what was lost with one is given up only while that is away. One that comes back
 * in the meantime runs it still.
 */
export function absencesOf(view: ClusterView, { actions }: Pick<ServicePlan, 'actions'>): readonly string[] {
  const away = actions.flatMap((action) => {
    if (action.kind !== 'retire' || action.cause !== 'lost') return []
    const machine = view.placements.get(action.instance.unit)?.machine
    return machine === undefined || view.machines.has(machine) ? [] : [keys.machine(machine)]
  })
  return [...new Set(away)]
}

/** Keys of the services that take over from one whose deletion a plan begins: it would stay if they were deleted meanwhile. */
export function takersUnder(
  view: Pick<ClusterView, 'tasks'>,
  { actions }: Pick<ServicePlan, 'actions'>,
): readonly string[] {
  return actions.flatMap((action) => {
    const before = action.kind === 'begin' ? view.tasks.get(action.task.uuid) : undefined
    if (before === undefined) return []
    return (takersOf(before) ?? []).map((name) => keys.service(before.project, name))
  })
}

function recordOps(view: ClusterView, before: Service, after: Service | null): readonly Op[] {
  if (after === before) return []
  if (after !== null) return [putOf('service', after)]
  const key = serviceKey(before.project, before.name)
  return [
    { op: 'delete', key: keys.service(before.project, before.name) },
    { op: 'delete-prefix', prefix: keys.versionsOf(before.project, before.name) },
    { op: 'delete-prefix', prefix: keys.triggersOf(before.project, before.name) },
    { op: 'delete-prefix', prefix: keys.callBodiesOf(before.project, before.name) },
    { op: 'delete-prefix', prefix: keys.runsOf(before.project, before.name) },
    ...(before.deleteVolumes === true
      ? [
          ...volumesOf(view, before).map((one) => forgotten(one, isAway(view, one))),
          { op: 'delete-prefix' as const, prefix: keys.backupsOf(before.project, before.name) },
        ]
      : []),
    ...view.versionsOf(key).map((version): Op => ({ op: 'delete', key: keys.file(version.hash) })),
  ]
}

/** The volumes of slots that are somewhere. */
function volumesOf(view: ClusterView, { project, name }: Service): readonly VolumeRecord[] {
  return [...view.volumesOf(serviceKey(project, name)).values()].filter(({ machine }) => machine !== null)
}

function isAway(view: ClusterView, { machine }: VolumeRecord): boolean {
  return machine === null || !view.machines.has(machine)
}

/** A machine that is away keeps what it has: nobody else says so. */
function leftEvents(view: ClusterView, service: Service): readonly EventDraft[] {
  if (service.deleteVolumes !== true) return []
  return volumesOf(view, service)
    .filter((one) => isAway(view, one))
    .map((one) => {
      const where = one.machine === null ? '' : ` on ${hostnameOf(view, one.machine)}, which is away`
      return {
        ...deletedEvent(service),
        machine: one.machine,
        message: `the volume ${service.name}.${nameWithSlot(one)} is kept${where}`,
      }
    })
}

/** Units that only instances had which are removed now: a version's own stays as long as the version. */
function unusedFileOps(view: ClusterView, service: Service, plan: ServicePlan): readonly Op[] {
  const removed = new Set(
    plan.actions.flatMap((action) => (action.kind === 'remove' ? [action.instance.unit] : [])),
  )
  if (removed.size === 0) return []
  const key = serviceKey(service.project, service.name)
  const kept = view.allInstancesOf(key).filter(({ unit }) => !removed.has(unit))
  const used = new Set([
    ...view.versionsOf(key).map(({ hash }) => hash),
    ...kept.flatMap(({ unit }) => view.units.get(unit)?.hash ?? []),
    ...plan.actions.flatMap((action) => (action.kind === 'create' ? [action.unit.hash] : [])),
  ])
  const free = new Set([...removed].flatMap((unit) => view.units.get(unit)?.hash ?? []))
  return [...free].filter((hash) => !used.has(hash)).map((hash) => ({ op: 'delete', key: keys.file(hash) }))
}

/** Told once, when it begins. */
function blockedEvents(before: Service, after: Service | null): readonly EventDraft[] {
  if (after === null || after.blocked === null || after.blocked === before.blocked) return []
  const message = cannotBeMade(after, after.blocked)
  const { project, name } = after
  return [{ kind: 'blocked', project, service: name, instance: null, machine: null, message }]
}

function writesOfAction(
  view: ClusterView,
  service: Service,
  action: ServiceAction,
  now: Instant,
): ServiceWrites {
  switch (action.kind) {
    case 'create':
      return create(view, service, action, now)
    case 'retire':
      return retire(view, action, now)
    case 'keep':
      return keep(action)
    case 'unload':
      return unload(view, service, action)
    case 'stop-at-once':
      return stopAtOnce(view, action)
    case 'limit-stop':
      return limitStop(view, action)
    case 'remove':
      return remove(view, action)
    case 'note':
      return note(action)
    case 'run': {
      const begun = begin(action)
      return { ...begun, ops: [putOf('service', action.service), ...begun.ops] }
    }
    case 'begin':
      return begin(action)
    case 'end':
      return {
        ops: [putOf('task', withReached(view, action.before, action.task, now))],
        events: [endedEvent(action.task)],
      }
    case 'finish':
      return finish(view, action.task, action.state, action.error, now)
    default:
      return assertNever(action)
  }
}

type Action<Kind extends ServiceAction['kind']> = ServiceAction & { readonly kind: Kind }

const nothing: ServiceWrites = { ops: [], events: [] }

function retire(view: ClusterView, action: Action<'retire'>, now: Instant): ServiceWrites {
  const { instance, cause, reason, stopAfterMs, stopWhenIdleAfterMs } = action
  const later = {
    ...(stopAfterMs !== undefined && { stopAfterMs }),
    ...(stopWhenIdleAfterMs !== undefined && { stopWhenIdleAfterMs }),
  }
  const retired: Instance = { ...instance, retired: { cause, at: now, kept: false } }
  const unit = view.units.get(instance.unit)
  return {
    ops: [
      putOf('instance', retired),
      ...(unit === undefined ? [] : [putOf('unit', { ...unit, desired: 'loaded', ...later })]),
    ],
    events: [
      eventOf(instance, 'instance-retired', `${instance.name} is to stop: ${reason}`, { cause, reason }),
    ],
  }
}

function keep({ instance }: Settle): ServiceWrites {
  if (instance.retired === null) return nothing
  return {
    ops: [putOf('instance', { ...instance, retired: { ...instance.retired, kept: true } })],
    events: [eventOf(instance, 'instance-kept', `${instance.name} has stopped and is kept`)],
  }
}

function unload(view: ClusterView, service: Service, { instance, reason }: Settle): ServiceWrites {
  const unit = view.units.get(instance.unit)
  const deletes = service.deleting && service.deleteVolumes === true
  const unloaded = { desired: 'inactive' as const, ...(deletes && { deleteVolumes: true as const }) }
  const message = `${instance.name} is no longer kept: ${reason ?? ''}`
  return {
    ops: unit === undefined ? [] : [putOf('unit', { ...unit, ...unloaded })],
    events: reason === undefined ? [] : [eventOf(instance, 'instance-discarded', message, { reason })],
  }
}

function stopAtOnce(view: ClusterView, { instance }: Action<'stop-at-once'>): ServiceWrites {
  const unit = view.units.get(instance.unit)
  if (unit === undefined) return nothing
  const { stopAfterMs: _, stopWhenIdleAfterMs: _idle, ...rest } = unit
  return { ops: [putOf('unit', rest)], events: [] }
}

function limitStop(view: ClusterView, { instance, withinMs }: Action<'limit-stop'>): ServiceWrites {
  const unit = view.units.get(instance.unit)
  if (unit === undefined) return nothing
  const { stopWithinMs: _before, ...rest } = unit
  const limit = withinMs === null ? {} : { stopWithinMs: withinMs }
  return { ops: [putOf('unit', { ...rest, ...limit })], events: [] }
}

function remove(view: ClusterView, { instance }: Settle): ServiceWrites {
  return {
    ops: [
      { op: 'delete', key: keys.instance(instance.project, instance.service, instance.n) },
      { op: 'delete', key: keys.unit(instance.unit) },
    ],
    events: [eventOf(instance, 'instance-removed', removal(view, instance))],
  }
}

function note({ instance, tells }: Action<'note'>): ServiceWrites {
  return {
    ops: [putOf('instance', instance)],
    events: tells === null ? [] : [eventOf(instance, tells, `${instance.name} ${absenceWords[tells]}`)],
  }
}

function begin({ task, told }: Action<'begin'> | Action<'run'>): ServiceWrites {
  const about = { project: task.project, service: task.service, instance: null, machine: null }
  const data = { task: { uuid: task.uuid, kind: task.kind, state: task.state } }
  return {
    ops: [putOf('task', task)],
    events: [{ kind: 'task-begun', ...about, message: told, data }],
  }
}

/** Of what is on a machine that is down nobody knows whether it has stopped. */
function removal(view: ClusterView, { name, unit }: Instance): string {
  const placement = view.placements.get(unit)
  return placement === undefined || view.machines.has(placement.machine)
    ? `${name} is removed`
    : `${name} is given up: its machine is down, and stops it when it returns`
}

const absenceWords = {
  'instance-lost': 'is lost with its machine',
  'instance-returned': 'is back with its machine',
} as const

function create(
  view: ClusterView,
  service: Service,
  { n, version, unit: made, slot }: Action<'create'>,
  now: Instant,
): ServiceWrites {
  const uuid = uuidOf('instance', service.uuid, String(n))
  const name = `${service.name}-${n}`
  const unit = withInstance(version.template, String(n))
  const body = inputOf(service, n)?.body
  const instance: Instance = {
    uuid,
    name,
    n,
    project: service.project,
    service: service.name,
    version: version.uuid,
    ordinal: version.ordinal,
    unit,
    createdAt: now,
    retired: null,
    lost: null,
    ...(made.madeOf !== undefined && { madeOf: made.madeOf }),
    ...(body !== undefined && { body: body.id }),
    ...(slot !== undefined && { slot }),
  }
  const desired: DesiredUnit = {
    name: unit,
    hash: made.hash,
    desired: 'launched',
    instance: {
      ...{ project: service.project, service: service.name, name, n, uuid, version: version.uuid },
      ...(service.rollout !== null && { rollout: shortScope(service.rollout) }),
      ...(slot !== undefined && { slot }),
    },
    createdAt: now,
  }
  const isNew = made.text !== null && !view.files.has(made.hash)
  const file = isNew ? [putOf('file', { hash: made.hash, text: made.text ?? '' })] : []
  return { ops: [...file, putOf('instance', instance), putOf('unit', desired)], events: [] }
}

function finish(
  view: ClusterView,
  task: Task,
  state: 'completed' | 'failed',
  error: string | null,
  now: Instant,
): ServiceWrites {
  const over = view
    .tasksOf(serviceKey(task.project, task.service))
    .filter((other) => other.finishedAt !== null)
    .slice(0, -tasksKept)
  const words = state === 'completed' ? `${task.kind} is done` : `${task.kind} failed: ${error ?? ''}`
  return {
    ops: [
      putOf('task', withReached(view, task, { ...task, state, error, finishedAt: now }, now)),
      ...over.map((old): Op => ({ op: 'delete', key: keys.task(old.uuid) })),
    ],
    events: [
      {
        kind: state === 'completed' ? 'task-completed' : 'task-failed',
        project: task.project,
        service: task.service,
        instance: null,
        machine: null,
        message: words,
        ...(task.by !== null && { by: task.by }),
        data: { task: { uuid: task.uuid, kind: task.kind, state }, ...(error !== null && { reason: error }) },
      },
    ],
  }
}

/** What is told of a task that was ended early. */
export function endedEvent(task: Task): EventDraft {
  const { uuid, kind, state, error, project, service } = task
  return {
    kind: 'task-terminated',
    ...{ project, service: service === '' ? null : service, instance: null, machine: null },
    message: `${kind} was ended: ${error ?? ''}`,
    data: { task: { uuid, kind, state }, ...(error !== null && { reason: error }) },
  }
}

function eventOf(
  instance: Instance,
  kind: HistoryEvent['kind'],
  message: string,
  data?: EventData,
): EventDraft {
  return {
    kind,
    project: instance.project,
    service: instance.service,
    instance: instance.name,
    machine: null,
    message,
    ...(data !== undefined && { data }),
  }
}

function deletedEvent(service: Service): EventDraft {
  return {
    kind: 'delete',
    project: service.project,
    service: service.name,
    instance: null,
    machine: null,
    message: `${service.name} is deleted`,
  }
}
