// Routes about schedules and their runs.
import type { FastifyInstance } from 'fastify'
import type { RunBody, ScheduleBody } from '../../contract/contract.js'
import { ofServiceQuery } from '../../contract/queries.js'
import { runOrder, scheduleOrder } from '../orders.js'
import { runBodyOf, runsOf, scheduleBodyOf, schedulesOf } from '../schedules.js'
import { type ApiContext, ofKnownProject, orRefuse } from './context.js'
import { pageOf } from './pages.js'

interface Asked {
  readonly Params: { readonly project: string }
  readonly Querystring: { readonly service?: string }
}

export function scheduleRoutes(server: FastifyInstance, { registry: { view }, clock }: ApiContext): void {
  const options = { ...ofKnownProject(view), schema: { querystring: ofServiceQuery } }
  server.get<Asked>('/v1/projects/:project/schedules', options, (request, reply): readonly ScheduleBody[] => {
    const { params, query } = request
    const schedules = orRefuse(schedulesOf(view, params.project, query.service))
    return pageOf(request, reply, scheduleOrder, schedules).map((one) =>
      scheduleBodyOf(view, one, clock.now()),
    )
  })
  server.get<Asked>('/v1/projects/:project/schedules/runs', options, (request, reply): readonly RunBody[] => {
    const runs = orRefuse(runsOf(view, request.params.project, request.query.service))
    return pageOf(request, reply, runOrder, runs).map(runBodyOf)
  })
}
