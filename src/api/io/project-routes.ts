// Routes about projects as a whole.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Instant } from '../../lib/time.js'
import type { ClusterView } from '../../store/view.js'
import { taskBodyOf } from '../bodies.js'
import type { Change } from '../changes.js'
import { paths, type TasksResponse } from '../contract.js'
import type { Problem } from '../problem.js'
import { deleteProject, projectBodies, projectDetails, startProject, stopProject } from '../projects.js'
import { type ApiContext, actorOf, applyChange, orRefuse } from './context.js'

interface InProject {
  readonly project: string
}

export function projectRoutes(server: FastifyInstance, context: ApiContext): void {
  const { clock, registry } = context
  const { view } = registry
  const change = async (
    request: FastifyRequest,
    decide: (now: ClusterView, at: Instant) => Change | Problem,
  ): Promise<TasksResponse> => {
    const { tasks } = await applyChange(context, actorOf(request), decide)
    return { tasks: tasks.map(taskBodyOf) }
  }
  server.get(paths.projects, () => projectBodies(view, clock.now()))
  server.get<{ Params: InProject }>('/v1/projects/:project', ({ params }) =>
    orRefuse(projectDetails(view, params.project, clock.now())),
  )
  server.post<{ Params: InProject }>('/v1/projects/:project/stop', (request) =>
    change(request, (now, at) => stopProject(now, request.params.project, at)),
  )
  server.post<{ Params: InProject }>('/v1/projects/:project/start', (request) =>
    change(request, (now, at) => startProject(now, request.params.project, at)),
  )
  server.delete<{ Params: InProject; Querystring: { force?: string } }>('/v1/projects/:project', (request) =>
    change(request, (now, at) =>
      deleteProject(now, request.params.project, request.query.force === 'true', at),
    ),
  )
}
