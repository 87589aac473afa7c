// Routes about schedules and their runs.
import type { FastifyInstance } from 'fastify'
import type { RunBody, ScheduleBody } from '../contract.js'
import { ofServiceQuery } from '../queries.js'
import { runBodiesOf, scheduleBodyOf, schedulesOf } from '../schedules.js'
import { type ApiContext, ofKnownProject, orRefuse } from './context.js'

interface Asked {
  readonly Params: { readonly project: string }
  readonly Querystring: { readonly service?: string }
}

export function scheduleRoutes(server: FastifyInstance, { registry: { view }, clock }: ApiContext): void {
  const asked = ({ params, query }: { params: Asked['Params']; query: Asked['Querystring'] }) =>
    orRefuse(schedulesOf(view, params.project, query.service))
  const options = { ...ofKnownProject(view), schema: { querystring: ofServiceQuery } }
  server.get<Asked>('/v1/projects/:project/schedules', options, (request): readonly ScheduleBody[] =>
    asked(request).map((state) => scheduleBodyOf(view, state, clock.now())),
  )
  server.get<Asked>('/v1/projects/:project/schedules/runs', options, (request): readonly RunBody[] =>
    orRefuse(runBodiesOf(view, request.params.project, request.query.service)),
  )
}
