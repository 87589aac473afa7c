// Projects as a whole: what there is of them, and stopping, starting and deleting all of one.

import { defaultProject } from '../contract/contract.js'
import type { Steps } from '../lib/sliced-work.js'
import { byKeys } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import type { Service } from '../model/service.js'
import type { TaskKind } from '../model/task.js'
import { freezesOf } from '../service/queue.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { Found } from './draft-parts.js'
import { isProblem, type Problem } from './problem.js'
import {
  type Change,
  deleteService,
  emptyChange,
  eventOf,
  joining,
  merged,
  openTask,
  runningIn,
  startService,
  stopService,
} from './services.js'

/** The names of all projects: of those that have services, tags or metadata. */
export function projectNames(view: ClusterView): readonly string[] {
  const names = new Set([
    ...view.projects.keys(),
    ...view.projectsWithMeta(),
    ...[...view.services.values()].map(({ project }) => project),
  ])
  return [...names]
}

/** The services of a project by name. */
export function servicesOfProject(view: ClusterView, project: string): readonly Service[] {
  return sorted([...view.services.values()].filter((service) => service.project === project))
}

/** The services of several projects. */
export function servicesOfProjects(view: ClusterView, projects: readonly string[]): readonly Service[] {
  const wanted = new Set(projects)
  return [...view.services.values()].filter(({ project }) => wanted.has(project))
}

function sorted(services: readonly Service[]): readonly Service[] {
  return [...services].sort(byKeys(({ name }) => name))
}

/** What was found out already about the change of each service. */
export type FoundChanges = Found<Service, Change | Problem>

/**
 * Stops every service that has or wants instances, one in each step, those first that come after others; what is stopped
 * already stays as it is.
 */
export function stopProject(
  view: ClusterView,
  project: string,
  now: Instant,
  found: FoundChanges,
): Steps<Change | Problem> {
  return changeEach(
    view,
    project,
    (service) => isToStop(view, service),
    ({ name }) => stopService(view, project, name, { inOrder: true }, now),
    found,
    ['stop', 'delete'],
  )
}

/**
 * Starts every service that was stopped at the scale it had, one in each step; they come up in their order. Services that are not continuous start by
 * themselves.
 */
export function startProject(
  view: ClusterView,
  project: string,
  now: Instant,
  found: FoundChanges,
): Steps<Change | Problem> {
  const wasStopped = ({ stoppedFrom, deleting }: Service): boolean => (stoppedFrom ?? 0) > 0 && !deleting
  return changeEach(
    view,
    project,
    wasStopped,
    ({ name }) => startService(view, project, name, undefined, now, undefined, { inOrder: true }),
    found,
  )
}

/**
 * Deletes a project: its services with their versions, one in each step, its metadata and its tags. Refuses while instances
 * run, unless forced.
 */
export function* deleteProject(
  view: ClusterView,
  project: string,
  force: boolean,
  now: Instant,
  found: FoundChanges,
): Steps<Change | Problem> {
  const isRunning = (service: Service): boolean => runningIn(view, service) > 0
  const running = force ? [] : servicesOfProject(view, project).filter(isRunning)
  if (running.length > 0) {
    return {
      status: 409,
      code: 'project/still-running',
      message: `instances of ${running.map(({ name }) => name).join(', ')} still run in project ${project}`,
      hint: `stop it first (mariposa project stop --project ${project}), or add --force`,
    }
  }
  const isThere = ({ deleting }: Service): boolean => !deleting
  const change = yield* changeEach(
    view,
    project,
    isThere,
    ({ name }) => deleteService(view, project, name, { force: true }, now),
    found,
    ['delete'],
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

/**
 * One change of all services of a project that it is about, or the first reason against it. `goingOn`: what is as good where
 * it is being done already, and so is waited for with the rest.
 */
function* changeEach(
  view: ClusterView,
  project: string,
  isMeant: (service: Service) => boolean,
  decide: (service: Service) => Change | Problem,
  found: FoundChanges,
  goingOn: readonly TaskKind[] = [],
): Steps<Change | Problem> {
  if (!isKnown(view, project)) return noSuchProject(project)
  if (freezesOf(view, project, '').length > 0) return frozen(project)
  const changes: Change[] = []
  for (const service of servicesOfProject(view, project)) {
    if (!isMeant(service)) {
      changes.push(
        ...goingOn.flatMap((kind) => openTask(view, project, service.name, kind) ?? []).map(joining),
      )
      continue
    }
    const change = found.of(view, project, service.name, service, () => decide(service))
    if (isProblem(change)) return change
    changes.push(change)
    yield
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

/** What is said of a project that nobody has heard of. */
export function noSuchProject(name: string): Problem {
  return {
    status: 404,
    code: 'project/unknown',
    message: `there is no project "${name}"`,
    hint: 'mariposa project list shows the projects',
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

/** Refuses a project that nobody has heard of: an empty list would say that it has nothing. */
export function unknownProject(view: ClusterView, name: string): Problem | null {
  if (isKnown(view, name)) return null
  // What was deleted may still be asked for what became of it.
  for (const { project } of view.tasks.values()) if (project === name) return null
  return noSuchProject(name)
}

/** Whether there is anything of a project: services, metadata or a record. The default one is there before it has any. */
export function isKnown(view: ClusterView, name: string): boolean {
  if (name === defaultProject) return true
  if (view.projects.has(name) || view.metaOf(name).size > 0) return true
  for (const { project } of view.services.values()) if (project === name) return true
  return false
}
