// Projects as a whole: what there is of them, and stopping, starting and deleting all of one.
import { byKeys } from '../lib/sort.js'
import { type Instant, toIso } from '../lib/time.js'
import type { Service } from '../model/service.js'
import { freezesOf } from '../service/queue.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { serviceBodyOf } from './bodies.js'
import {
  type Change,
  deleteService,
  emptyChange,
  eventOf,
  merged,
  runningIn,
  startService,
  stopService,
} from './changes.js'
import type { ProjectBody, ProjectDetails, ProjectStatus, ServiceBody } from './contract.js'
import { isProblem, type Problem } from './problem.js'

/** Every project: those that have services, tags or metadata, by name. */
export function projectBodies(view: ClusterView, now: Instant): readonly ProjectBody[] {
  const names = new Set([
    ...view.projects.keys(),
    ...view.projectsWithMeta(),
    ...[...view.services.values()].map(({ project }) => project),
  ])
  return [...names].sort().map((name) => bodyOf(view, name, servicesOfProject(view, name), now))
}

/** One project with its services. */
export function projectDetails(view: ClusterView, name: string, now: Instant): ProjectDetails | Problem {
  const services = servicesOfProject(view, name)
  if (!isKnown(view, name)) return noSuchProject(name)
  return {
    ...bodyOf(view, name, services, now),
    services: services.map((service) => serviceBodyOf(view, service, now)),
    meta: view.metaOf(name).size,
  }
}

/** The services of a project by name. */
export function servicesOfProject(view: ClusterView, project: string): readonly Service[] {
  return [...view.services.values()]
    .filter((service) => service.project === project)
    .sort(byKeys(({ name }) => name))
}

/** Stops every service that has or wants instances; what is stopped already stays as it is. */
export function stopProject(view: ClusterView, project: string, now: Instant): Change | Problem {
  return changeEach(
    view,
    project,
    (service) => isToStop(view, service),
    ({ name }) => stopService(view, project, name, {}, now),
  )
}

/** Starts every service that was stopped at the scale it had. Services that are not continuous start by themselves. */
export function startProject(view: ClusterView, project: string, now: Instant): Change | Problem {
  const wasStopped = ({ stoppedFrom, deleting }: Service): boolean => (stoppedFrom ?? 0) > 0 && !deleting
  return changeEach(view, project, wasStopped, ({ name }) =>
    startService(view, project, name, undefined, now),
  )
}

/** Deletes a project: its services with their versions, its metadata and its tags. Refuses while instances run, unless forced. */
export function deleteProject(
  view: ClusterView,
  project: string,
  force: boolean,
  now: Instant,
): Change | Problem {
  const services = servicesOfProject(view, project)
  const running = services.filter((service) => runningIn(view, service) > 0).map(({ name }) => name)
  if (running.length > 0 && !force) {
    return {
      status: 409,
      code: 'project/still-running',
      message: `instances of ${running.join(', ')} still run in project ${project}`,
      hint: `stop it first (mariposa project stop --project ${project}), or add --force`,
    }
  }
  const isThere = ({ deleting }: Service): boolean => !deleting
  const change = changeEach(view, project, isThere, ({ name }) =>
    deleteService(view, project, name, { force: true }, now),
  )
  if (isProblem(change)) return change
  const kept = view.metaOf(project).size
  const message = `project ${project} is to be deleted${kept === 0 ? '' : `; its metadata is gone (${kept} key${kept === 1 ? '' : 's'})`}`
  return merged([
    change,
    {
      ...emptyChange,
      ops: [
        { op: 'delete-prefix', prefix: keys.metaOf(project) },
        { op: 'delete', key: keys.project(project) },
        { op: 'delete', key: keys.freezes(project) },
      ],
      events: [eventOf({ project, name: '' }, 'delete', message)],
    },
  ])
}

/** The record of a project, where its manifest says something new of it. */
export function projectOps(
  view: ClusterView,
  name: string,
  tags: Readonly<Record<string, string>> | null,
  now: Instant,
): readonly Op[] {
  if (tags === null) return []
  const before = view.projects.get(name)
  const project = { name, tags, createdAt: before?.createdAt ?? now }
  return JSON.stringify(before) === JSON.stringify(project) ? [] : [putOf('project', project)]
}

/** One change of all services of a project that it is about, or the first reason against it. */
function changeEach(
  view: ClusterView,
  project: string,
  isMeant: (service: Service) => boolean,
  decide: (service: Service) => Change | Problem,
): Change | Problem {
  if (!isKnown(view, project)) return noSuchProject(project)
  if (freezesOf(view, project, '').length > 0) return frozen(project)
  const changes: Change[] = []
  for (const service of servicesOfProject(view, project).filter(isMeant)) {
    const change = decide(service)
    if (isProblem(change)) return change
    changes.push(change)
  }
  return merged(changes)
}

/** Whether it has or wants instances that nobody stops yet. */
function isToStop(view: ClusterView, service: Service): boolean {
  if (service.deleting) return false
  if (service.type === 'continuous') return service.scale > 0
  const live = view
    .instancesOf(serviceKey(service.project, service.name))
    .some(({ retired }) => retired === null)
  return live && service.stopping === null
}

function noSuchProject(name: string): Problem {
  return {
    status: 404,
    code: 'project/unknown',
    message: `there is no project "${name}"`,
    hint: 'mariposa project list shows what there is',
  }
}

function frozen(name: string): Problem {
  return {
    status: 409,
    code: 'project/frozen',
    message: `project ${name} is frozen`,
    hint: `mariposa queue unfreeze --project ${name} lifts it`,
  }
}

function isKnown(view: ClusterView, name: string): boolean {
  return view.projects.has(name) || view.metaOf(name).size > 0 || servicesOfProject(view, name).length > 0
}

function bodyOf(view: ClusterView, name: string, services: readonly Service[], now: Instant): ProjectBody {
  const bodies = services.map((service) => serviceBodyOf(view, service, now))
  const record = view.projects.get(name)
  const sum = (of: (body: ServiceBody) => number): number => bodies.reduce((all, body) => all + of(body), 0)
  const worst = worstFirst.flatMap((status) => bodies.filter((body) => body.status === status))[0]
  const first = services.map(({ createdAt }) => createdAt).sort((a, b) => a - b)[0]
  const createdAt = record?.createdAt ?? first ?? null
  return {
    name,
    status: worst?.status ?? 'empty',
    serviceCount: bodies.length,
    scale: sum(({ scale }) => scale),
    running: sum(({ running }) => running),
    healthy: sum(({ healthy }) => healthy),
    tags: record?.tags ?? {},
    frozen: freezesOf(view, name, '').length > 0,
    createdAt: createdAt === null ? null : toIso(createdAt),
    reason: worst === undefined || worst.reason === '' ? '' : `${worst.name}: ${worst.reason}`,
  }
}

/** What is most in need of a look says how the project is. */
const worstFirst: readonly ProjectStatus[] = [
  'failing',
  'degraded',
  'deploying',
  'stopping',
  'running',
  'stopped',
]
