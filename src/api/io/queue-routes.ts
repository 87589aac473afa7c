// Routes about tasks and the queue.
import type { FastifyInstance } from 'fastify'
import { freezeScope, releaseScope, terminateTask, unfreezeScope } from '../../changes/queue.js'
import { paths, type ScopeRequest, type TerminateRequest } from '../../contract/contract.js'
import { ofProjectQuery } from '../../contract/queries.js'
import { scopeRequest, terminateRequest } from '../../contract/requests.js'
import { taskBodyOf } from '../bodies.js'
import { taskOrder } from '../orders.js'
import { type ApiContext, changeFor, ofKnownProject } from './context.js'
import { pageOf } from './pages.js'
import { findTask } from './system-routes.js'

interface InProject {
  readonly project: string
}

export function queueRoutes(server: FastifyInstance, context: ApiContext): void {
  const { view } = context.registry
  server.get<{ Querystring: { project?: string } }>(
    paths.tasks,
    { ...ofKnownProject(view), schema: { querystring: ofProjectQuery } },
    (request, reply) => {
      const { project } = request.query
      const tasks = [...view.tasks.values()].filter((one) => project === undefined || one.project === project)
      return pageOf(request, reply, taskOrder, tasks).map((task) =>
        taskBodyOf(view, task, context.clock.now()),
      )
    },
  )
  server.get<{ Params: { uuid: string } }>('/v1/tasks/:uuid', (request) =>
    taskBodyOf(view, findTask(context, request.params.uuid), context.clock.now()),
  )
  server.post<{ Params: { uuid: string }; Body: TerminateRequest }>(
    '/v1/tasks/:uuid/terminate',
    { schema: { body: terminateRequest } },
    (request) => {
      const { params, body } = request
      return changeFor(context, request, (now, at) =>
        terminateTask(now, params.uuid, body.freeze ?? false, at),
      )
    },
  )
  for (const [verb, decide] of scopeVerbs) {
    server.post<{ Params: InProject; Body: ScopeRequest }>(
      `/v1/projects/:project/${verb}`,
      { schema: { body: scopeRequest } },
      (request) => {
        const { project } = request.params
        return changeFor(context, request, (now, at) => decide(now, project, request.body.service, at))
      },
    )
  }
}

const scopeVerbs = [
  ['freeze', freezeScope],
  ['unfreeze', unfreezeScope],
  ['release', releaseScope],
] as const
