// Routes about projects as a whole.
import type { FastifyInstance } from 'fastify'
import { paths } from '../contract.js'
import { deleteProject, projectBodies, projectDetails, startProject, stopProject } from '../projects.js'
import { deleteProjectQuery } from '../queries.js'
import { type ApiContext, changeFor, orRefuse } from './context.js'

interface InProject {
  readonly project: string
}

export function projectRoutes(server: FastifyInstance, context: ApiContext): void {
  const { clock, registry } = context
  const { view } = registry
  server.get(paths.projects, () => projectBodies(view, clock.now()))
  server.get<{ Params: InProject }>('/v1/projects/:project', ({ params }) =>
    orRefuse(projectDetails(view, params.project, clock.now())),
  )
  server.post<{ Params: InProject }>('/v1/projects/:project/stop', (request) =>
    changeFor(context, request, (now, at) => stopProject(now, request.params.project, at)),
  )
  server.post<{ Params: InProject }>('/v1/projects/:project/start', (request) =>
    changeFor(context, request, (now, at) => startProject(now, request.params.project, at)),
  )
  server.delete<{ Params: InProject; Querystring: { force?: string } }>(
    '/v1/projects/:project',
    { schema: { querystring: deleteProjectQuery } },
    (request) =>
      changeFor(context, request, (now, at) =>
        deleteProject(now, request.params.project, request.query.force === 'true', at),
      ),
  )
}
