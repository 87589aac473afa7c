// Routes by which other software finds what runs.
import type { FastifyInstance } from 'fastify'
import { type PrometheusTarget, paths, type TraefikBody } from '../../contract/contract.js'
import { discoveryQuery, projectDiscoveryQuery } from '../../contract/queries.js'
import { incompleteError } from '../../store/io/registry.js'
import { prometheusTargets } from '../discovery.js'
import { projectDiscovery } from '../project-discovery.js'
import { traefikConfiguration } from '../traefik.js'
import { type ApiContext, ofKnownProject } from './context.js'
import { type Look, sendLooks } from './progress-stream.js'
import { streamEvents } from './streams.js'

export function discoveryRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry, units, machine, dns, clock, manifests } = context
  const { view } = registry
  // Part of the instances would take the others out of proxies and files: whoever asks keeps what was told last.
  const onRequest = async (): Promise<void> => {
    if (!registry.isComplete()) throw incompleteError()
  }
  server.get<{ Querystring: { readonly project?: string } }>(
    paths.discoveryPrometheus,
    { onRequest, schema: { querystring: discoveryQuery } },
    ({ query }): readonly PrometheusTarget[] => prometheusTargets({ view, units, machine }, query.project),
  )
  server.get<{ Querystring: { readonly project?: string } }>(
    paths.discoveryTraefik,
    { onRequest, schema: { querystring: discoveryQuery } },
    ({ query }): TraefikBody =>
      traefikConfiguration({ view, units, names: dns.names, now: clock.now() }, query.project),
  )
  server.get<{ Params: { readonly project: string }; Querystring: { readonly follow?: string } }>(
    '/v1/projects/:project/discovery',
    { ...ofKnownProject(view), onRequest, schema: { querystring: projectDiscoveryQuery } },
    async ({ params: { project }, query }, reply) => {
      const take = (): Promise<Look> => {
        const asked = { view, units, names: dns.names, suffixes: manifests.cns, now: clock.now() }
        return Promise.resolve({ look: projectDiscovery(asked, project), over: query.follow !== 'true' })
      }
      await sendLooks(context, streamEvents(reply, context.clock), take)
    },
  )
}
