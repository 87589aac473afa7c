// Requests about the queue: ending tasks, freezing and unfreezing, and letting go of replacements that are held.
import { uuidOf } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import type { Service } from '../model/service.js'
import type { Task } from '../model/task.js'
import { withReached } from '../service/progress.js'
import { cutShort, endedByFreeze, freezesOf, withoutMore } from '../service/queue.js'
import { endedEvent } from '../service/writes.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { isProblem, noSuchService, type Problem } from './problem.js'
import { servicesOfProject, unknownProject } from './projects.js'
import { type Change, emptyChange, eventOf, merged } from './services.js'

/** Ends a task early; what it asked for stays, and nothing more is done for it. With `freeze` nothing changes until it is unfrozen. */
export function terminateTask(
  view: ClusterView,
  uuid: string,
  freeze: boolean,
  now: Instant,
): Change | Problem {
  const task = view.tasks.get(uuid)
  if (task === undefined) return noSuchTask(uuid)
  if (task.finishedAt !== null) {
    const message = `the ${task.kind} is over: it is ${task.state}`
    return { status: 409, code: 'task/over', message, hint: 'mariposa queue list shows unfinished tasks' }
  }
  const ended = endTask(view, task, 'an operator ended it', now)
  if (!freeze || task.kind === 'freeze') return ended
  const frozen = freezeChange(view, task.project, task.service, now)
  return isProblem(frozen) ? ended : merged([ended, frozen])
}

/** Ends what runs in a service, or in all of the project, and holds it until it is unfrozen. */
export function freezeScope(
  view: ClusterView,
  project: string,
  service: string | undefined,
  now: Instant,
): Change | Problem {
  const services = servicesIn(view, project, service)
  if (isProblem(services)) return services
  const frozen = freezeChange(view, project, service ?? '', now)
  if (isProblem(frozen)) return frozen
  const ended = services.flatMap((one) => openTasks(view, one).map((task) => ({ one, task })))
  const over = endAll(view, ended, now)
  return {
    ...merged([...over.map(({ change }) => change), frozen]),
    ended: over.flatMap(({ tasks }) => tasks),
  }
}

/** Lifts the freeze of a service, or of the project with all freezes in it. */
export function unfreezeScope(
  view: ClusterView,
  project: string,
  service: string | undefined,
  now: Instant,
): Change | Problem {
  const scopes = service === undefined ? ['', ...namesIn(view, project)] : [service]
  const freezes = scopes.flatMap((name) =>
    freezesOf(view, project, name).filter((task) => task.service === name),
  )
  if (freezes.length === 0) {
    const services = servicesIn(view, project, service)
    return isProblem(services) ? services : notFrozen(view, project, service)
  }
  return {
    ...emptyChange,
    decidedOn: freezes.map(({ uuid }) => keys.task(uuid)),
    ops: [
      ...freezes.map((task) => putOf('task', { ...task, state: 'completed', finishedAt: now })),
      freezesChange(project, now),
    ],
    events: [
      eventOf({ project, name: service ?? '' }, 'unfreeze', `${scopeOf(project, service)} is unfrozen`),
    ],
  }
}

/** Lets instances be replaced that are held back because most machines vanished together. */
export function releaseScope(
  view: ClusterView,
  project: string,
  service: string | undefined,
  now: Instant,
): Change | Problem {
  const services = servicesIn(view, project, service)
  if (isProblem(services)) return services
  return merged(
    services.map((one) => ({
      ...emptyChange,
      ops: [putOf('service', { ...one, releasedAt: now })],
      events: [
        eventOf(
          one,
          'unfreeze',
          `lost instances of ${one.name} are replaced without waiting for their machines`,
        ),
      ],
    })),
  )
}

export function noSuchTask(uuid: string): Problem {
  return {
    status: 404,
    code: 'task/unknown',
    message: `there is no task ${JSON.stringify(uuid)}`,
    hint: 'mariposa queue list shows the tasks of a project',
  }
}

function openTasks(view: ClusterView, { project, name }: Service): readonly Task[] {
  return view
    .tasksOf(serviceKey(project, name))
    .filter(({ finishedAt, kind }) => finishedAt === null && kind !== 'freeze')
}

function endTask(view: ClusterView, task: Task, reason: string, now: Instant): Change {
  const over = withReached(view, task, cutShort(task, reason, now), now)
  const service = view.services.get(serviceKey(task.project, task.service))
  const drafts = { ops: [putOf('task', over)], events: [endedEvent(over)] }
  if (task.kind === 'freeze') {
    const decidedOn = [keys.task(task.uuid)]
    return { ...emptyChange, ...drafts, decidedOn, ops: [...drafts.ops, freezesChange(task.project, now)] }
  }
  if (service === undefined) return { ...emptyChange, ...drafts, decidedOn: [keys.task(task.uuid)] }
  const waits = task.state === 'queued'
  const settled = waits ? service : withoutMore(service, task, reason)
  return {
    ...emptyChange,
    ops: [putOf('service', settled), ...drafts.ops],
    events: drafts.events,
  }
}

/** Ends all tasks of several services; a service's record is written once. */
function endAll(
  view: ClusterView,
  open: readonly { readonly one: Service; readonly task: Task }[],
  now: Instant,
): readonly { readonly change: Change; readonly tasks: readonly Task[] }[] {
  const services = [...new Set(open.map(({ one }) => one))]
  return services.map((one) => {
    const tasks = open.filter((item) => item.one === one).map(({ task }) => task)
    const { service: settled, over: cut } = endedByFreeze(one, tasks, now)
    const over = cut.map(({ before, task }) => withReached(view, before, task, now))
    const change = {
      ...emptyChange,
      ops: [putOf('service', settled), ...over.map((task) => putOf('task', task))],
      events: over.map(endedEvent),
    }
    return { change, tasks: over }
  })
}

function freezeChange(view: ClusterView, project: string, name: string, now: Instant): Change | Problem {
  if (freezesOf(view, project, name).some((task) => task.service === name)) {
    const message = `${scopeOf(project, name === '' ? undefined : name)} is frozen already`
    return { status: 409, code: 'queue/frozen-already', message, hint: 'mariposa queue unfreeze lifts it' }
  }
  const task: Task = {
    uuid: uuidOf('task', project, name, 'freeze', String(now)),
    project,
    service: name,
    kind: 'freeze',
    state: 'active',
    target: null,
    createdAt: now,
    finishedAt: null,
    error: null,
    order: null,
    by: null,
  }
  const told = `${scopeOf(project, name === '' ? undefined : name)} is frozen`
  return {
    ...emptyChange,
    ops: [freezesChange(project, now)],
    events: [eventOf({ project, name }, 'freeze', told)],
    tasks: [task],
  }
}

/** Whatever was decided before a freeze, or before its end, is decided anew: it compares this key. */
function freezesChange(project: string, now: Instant): Op {
  return { op: 'put', key: keys.freezes(project), value: JSON.stringify({ at: now }) }
}

function notFrozen(view: ClusterView, project: string, service: string | undefined): Problem {
  const whole = service !== undefined && freezesOf(view, project, '').length > 0
  return {
    status: 409,
    code: 'queue/not-frozen',
    message: whole
      ? `all of project ${project} is frozen, not ${service} alone`
      : `${scopeOf(project, service)} is not frozen`,
    hint: whole ? 'leave --service out' : 'mariposa queue list shows each freeze with its scope',
  }
}

function servicesIn(
  view: ClusterView,
  project: string,
  service: string | undefined,
): readonly Service[] | Problem {
  if (service === undefined) return unknownProject(view, project) ?? servicesOfProject(view, project)
  const one = view.services.get(serviceKey(project, service))
  return one === undefined ? noSuchService(view, project, service) : [one]
}

function namesIn(view: ClusterView, project: string): readonly string[] {
  return servicesOfProject(view, project).map(({ name }) => name)
}

function scopeOf(project: string, service: string | undefined): string {
  return service === undefined ? `project ${project}` : service
}
