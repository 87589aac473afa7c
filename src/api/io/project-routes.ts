// Routes about projects as a whole.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Found } from '../../changes/draft-parts.js'
import type { Problem } from '../../changes/problem.js'
import {
  deleteProject,
  type FoundChanges,
  projectNames,
  servicesOfProject,
  servicesOfProjects,
  startProject,
  stopProject,
} from '../../changes/projects.js'
import type { Change } from '../../changes/services.js'
import { paths, type TasksResponse } from '../../contract/contract.js'
import { deleteProjectQuery, pageQuery } from '../../contract/queries.js'
import { type Steps, toEnd } from '../../lib/sliced-work.js'
import type { Instant } from '../../lib/time.js'
import type { ClusterView } from '../../store/view.js'
import { projectOrder } from '../orders.js'
import { projectBodies, projectDetails } from '../project-bodies.js'
import { type ApiContext, changeFor, orRefuse } from './context.js'
import { bodiesFor } from './listings.js'
import { pageOf } from './pages.js'

interface InProject {
  readonly project: string
}

export function projectRoutes(server: FastifyInstance, context: ApiContext): void {
  const { view } = context.registry
  server.get(paths.projects, { schema: { querystring: pageQuery } }, async (request, reply) => {
    const page = (): readonly string[] => pageOf(request, reply, projectOrder, projectNames(view))
    const bodies = await bodiesFor(context, () => servicesOfProjects(view, page()))
    return projectBodies(view, page(), bodies)
  })
  server.get<{ Params: InProject }>('/v1/projects/:project', async ({ params: { project } }) => {
    const bodies = await bodiesFor(context, () => servicesOfProject(view, project))
    return orRefuse(projectDetails(view, project, bodies))
  })
  server.post<{ Params: InProject }>('/v1/projects/:project/stop', (request) =>
    changeAll(context, request, (now, at, found) => stopProject(now, request.params.project, at, found)),
  )
  server.post<{ Params: InProject }>('/v1/projects/:project/start', (request) =>
    changeAll(context, request, (now, at, found) => startProject(now, request.params.project, at, found)),
  )
  server.delete<{ Params: InProject; Querystring: { force?: string } }>(
    '/v1/projects/:project',
    { schema: { querystring: deleteProjectQuery } },
    (request) =>
      changeAll(context, request, (now, at, found) =>
        deleteProject(now, request.params.project, request.query.force === 'true', at, found),
      ),
  )
}

/** There may be a thousand services: what becomes of each is found out in slices, and decided at once of all. */
async function changeAll(
  context: ApiContext,
  request: FastifyRequest,
  decide: (view: ClusterView, now: Instant, found: FoundChanges) => Steps<Change | Problem>,
): Promise<TasksResponse> {
  const found: FoundChanges = new Found()
  const now = context.clock.now()
  await context.slices.run(decide(context.registry.view, now, found), Number.POSITIVE_INFINITY)
  return await changeFor(context, request, (view) => toEnd(decide(view, now, found)))
}
