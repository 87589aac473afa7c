// Routes by which other software finds what runs.
import type { FastifyInstance } from 'fastify'
import { type PrometheusTarget, paths } from '../../contract/contract.js'
import { prometheusQuery } from '../../contract/queries.js'
import { prometheusTargets } from '../discovery.js'
import type { ApiContext } from './context.js'

export function discoveryRoutes(
  server: FastifyInstance,
  { registry: { view }, units, machine }: ApiContext,
): void {
  server.get<{ Querystring: { readonly project?: string } }>(
    paths.discoveryPrometheus,
    { schema: { querystring: prometheusQuery } },
    ({ query }): readonly PrometheusTarget[] => prometheusTargets({ view, units, machine }, query.project),
  )
}
