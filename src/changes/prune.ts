// Removing the services of a project that a deploy of it does not name any more.

import type { DeployedService, DeployRequest } from '../contract/contract.js'
import type { Steps } from '../lib/sliced-work.js'
import type { Instant } from '../lib/time.js'
import type { Service } from '../model/service.js'
import { takersOf } from '../model/task.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { Found } from './draft-parts.js'
import type { HandedOver } from './entry-claims.js'
import { isProblem, type Problem } from './problem.js'
import { servicesOfProject } from './projects.js'
import { type Change, changeOf, emptyChange, joining, openTask } from './services.js'

export interface Removed {
  readonly change: Change
  readonly answer: DeployedService
}

/** What is known of the routes of services that go. */
type HandedOverOf = (service: Service) => readonly HandedOver[]

/**
 * Deletes the services of the project that the deploy does not name, with what runs of them; one in each step. One whose routes
 * others take over goes once those serve.
 */
export function* pruneOthers(
  view: ClusterView,
  project: string,
  named: readonly string[],
  now: Instant,
  found: Found<Service, Change | Problem>,
  handedOverOf: HandedOverOf = () => [],
): Steps<readonly Removed[] | Problem> {
  const kept = new Set(named)
  const others = servicesOfProject(view, project).filter(({ name }) => !kept.has(name))
  const removed: Removed[] = []
  for (const service of others) {
    const handsOver = handedOverOf(service)
    const change =
      handsOver.length > 0
        ? handOver(view, service, handsOver, now)
        : found.of(view, project, service.name, service, () => deletionOf(view, service, now))
    if (isProblem(change)) return change
    const { name, current, lastOrdinal } = service
    const ordinal = view.versions.get(current)?.ordinal ?? lastOrdinal
    const task = [...change.tasks, ...(change.joined ?? [])][0]?.uuid ?? null
    const answer = { service: name, outcome: 'removed', version: current, ordinal, task } as const
    const routes = handsOver.map(({ claim, to }) => ({ route: claim, service: to }))
    removed.push({ change, answer: { ...answer, ...(routes.length > 0 && { handsOver: routes }) } })
    yield
  }
  return removed
}

/** One that waits for the same services already goes on to. */
function handOver(
  view: ClusterView,
  service: Service,
  routes: readonly HandedOver[],
  now: Instant,
): Change | Problem {
  const handsOver = [...new Set(routes.map(({ to }) => to))].sort()
  const going = view
    .tasksOf(serviceKey(service.project, service.name))
    .find((task) => JSON.stringify(takersOf(task)) === JSON.stringify(handsOver))
  if (going !== undefined) return joining(going)
  const claims = routes.map(({ claim }) => claim)
  // What has come to nothing before it has still.
  const all = [...new Set([...(service.handsOver ?? []), ...claims])].sort()
  return changeOf(view, { ...service, handsOver: all }, { kind: 'delete', handsOver }, 'delete', now)
}

/** One that is being deleted already is waited for with the others. */
function deletionOf(view: ClusterView, service: Service, now: Instant): Change | Problem {
  if (!service.deleting) return changeOf(view, service, { kind: 'delete' }, 'delete', now)
  const going = openTask(view, service.project, service.name, 'delete')
  return going === null ? emptyChange : joining(going)
}

/** Why a deploy is not to remove what it does not name: it is about some services, not about the project. */
export function pruneProblem(request: DeployRequest): Problem | null {
  const { prune, service, only, previous, canary } = request
  if (prune !== true) return null
  const about =
    service !== undefined || only !== undefined || previous !== undefined
      ? 'it deploys a single service'
      : canary === undefined
        ? null
        : 'a canary replaces only some instances at first'
  if (about === null) return null
  return {
    status: 400,
    code: 'project/bad-prune',
    message: `this deploy cannot remove the services that it does not name: ${about}`,
    hint: 'prune with a deploy of the whole project',
  }
}
