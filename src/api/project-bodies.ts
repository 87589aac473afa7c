// Projects as JSON: what there is of each, and how it is.

import type { Problem } from '../changes/problem.js'
import { isKnown, noSuchProject, servicesOfProject } from '../changes/projects.js'
import type { ProjectBody, ProjectDetails, ProjectStatus, ServiceBody } from '../contract/contract.js'
import { byKeys } from '../lib/sort.js'
import { toIso } from '../lib/time.js'
import { projectUuid } from '../model/project.js'
import type { Service } from '../model/service.js'
import { freezesOf } from '../service/queue.js'
import type { ClusterView } from '../store/view.js'
import type { Bodies } from './bodies.js'

/** Some projects, with what there is of each. */
export function projectBodies(
  view: ClusterView,
  names: readonly string[],
  bodies: Bodies,
): readonly ProjectBody[] {
  const services = new Map<string, Service[]>(names.map((name) => [name, []]))
  for (const service of view.services.values()) services.get(service.project)?.push(service)
  return names.map((name) =>
    bodyOf(view, name, [...(services.get(name) ?? [])].sort(byKeys(({ name: service }) => service)), bodies),
  )
}

/** One project with its services. */
export function projectDetails(view: ClusterView, name: string, bodies: Bodies): ProjectDetails | Problem {
  const services = servicesOfProject(view, name)
  if (!isKnown(view, name)) return noSuchProject(name)
  return {
    ...bodyOf(view, name, services, bodies),
    services: services.map(bodies.service),
    meta: view.metaOf(name).size,
  }
}

function bodyOf(view: ClusterView, name: string, services: readonly Service[], made: Bodies): ProjectBody {
  const bodies = services.map(made.service)
  const record = view.projects.get(name)
  const sum = (of: (body: ServiceBody) => number): number => bodies.reduce((all, body) => all + of(body), 0)
  const worst = worstFirst.flatMap((status) => bodies.filter((body) => body.status === status))[0]
  const first = services.map(({ createdAt }) => createdAt).sort((a, b) => a - b)[0]
  const createdAt = record?.createdAt ?? first ?? null
  return {
    name,
    uuid: projectUuid(name),
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
  'idle',
  'stopped',
]
