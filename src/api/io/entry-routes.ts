// The route about the entry.
import type { FastifyInstance } from 'fastify'
import type { EntryBody } from '../../contract/contract.js'
import { entryQuery } from '../../contract/queries.js'
import { entryBodiesOf, entryRoutesOf } from '../entry.js'
import { entryOrder } from '../orders.js'
import { type ApiContext, ofKnownProject } from './context.js'
import { pageOf } from './pages.js'

export function entryRoutes(
  server: FastifyInstance,
  { registry: { view }, dns: { names }, entry, clock }: ApiContext,
): void {
  server.get<{ Params: { readonly project: string } }>(
    '/v1/projects/:project/entry',
    { ...ofKnownProject(view), schema: { querystring: entryQuery } },
    (request, reply): readonly EntryBody[] => {
      const routes = pageOf(request, reply, entryOrder, entryRoutesOf({ view }, request.params.project))
      return entryBodiesOf({ view, names, now: clock.now() }, entry, routes)
    },
  )
}
