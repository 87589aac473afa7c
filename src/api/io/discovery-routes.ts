// Routes by which other software finds what runs.
import type { FastifyInstance } from 'fastify'
import { type PrometheusTarget, paths, type TraefikBody } from '../../contract/contract.js'
import { discoveryQuery } from '../../contract/queries.js'
import { prometheusTargets } from '../discovery.js'
import { traefikConfiguration } from '../traefik.js'
import type { ApiContext } from './context.js'

export function discoveryRoutes(
  server: FastifyInstance,
  { registry: { view }, units, machine, dns, clock }: ApiContext,
): void {
  server.get<{ Querystring: { readonly project?: string } }>(
    paths.discoveryPrometheus,
    { schema: { querystring: discoveryQuery } },
    ({ query }): readonly PrometheusTarget[] => prometheusTargets({ view, units, machine }, query.project),
  )
  server.get<{ Querystring: { readonly project?: string } }>(
    paths.discoveryTraefik,
    { schema: { querystring: discoveryQuery } },
    ({ query }): TraefikBody =>
      traefikConfiguration({ view, units, names: dns.names, now: clock.now() }, query.project),
  )
}
