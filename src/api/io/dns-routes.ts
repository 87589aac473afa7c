// Routes about names: who is listed, and what a question is answered with.
import type { FastifyInstance } from 'fastify'
import type { DnsInstanceBody, DnsLookupBody } from '../../contract/contract.js'
import { dnsQuery, ofServiceQuery } from '../../contract/queries.js'
import { dnsBodiesOf, dnsInstancesOf, dnsLookup, type NamesAsked } from '../dns.js'
import { namedInstanceOrder } from '../orders.js'
import { type ApiContext, ofKnownProject, orRefuse } from './context.js'
import { pageOf } from './pages.js'

export function dnsRoutes(
  server: FastifyInstance,
  { registry: { view }, dns, manifests, clock, random }: ApiContext,
): void {
  const asked = (): NamesAsked => ({ view, names: dns.names, suffixes: manifests.cns, now: clock.now() })
  const ofService = { ...ofKnownProject(view), schema: { querystring: ofServiceQuery } }
  server.get<{ Params: { readonly project: string }; Querystring: { readonly service?: string } }>(
    '/v1/projects/:project/dns',
    ofService,
    (request, reply): readonly DnsInstanceBody[] => {
      const { params, query } = request
      const instances = orRefuse(dnsInstancesOf(asked(), params.project, query.service))
      return dnsBodiesOf(asked(), pageOf(request, reply, namedInstanceOrder, instances))
    },
  )
  server.get<{ Params: { readonly name: string }; Querystring: { readonly type?: string } }>(
    '/v1/dns/:name',
    { schema: { querystring: dnsQuery } },
    ({ params: { name }, query: { type = 'A' } }): DnsLookupBody => {
      const [endpoints, upstream] = [dns.endpoints(), dns.upstream()]
      return orRefuse(dnsLookup(asked(), { name, type }, { random, endpoints, upstream }))
    },
  )
}
