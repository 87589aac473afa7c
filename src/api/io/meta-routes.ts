// Routes about a project's metadata.
import type { FastifyInstance } from 'fastify'
import {
  countMeta,
  findMeta,
  type IsSecret,
  importMeta,
  type MetaChange,
  metaBodyOf,
  removeMeta,
  setMeta,
} from '../../changes/meta.js'
import type {
  MetaBody,
  MetaCountRequest,
  MetaImportRequest,
  MetaImportResponse,
  MetaSetRequest,
} from '../../contract/contract.js'
import { pageQuery, removeMetaQuery } from '../../contract/queries.js'
import { metaCountRequest, metaImportRequest, metaSetRequest } from '../../contract/requests.js'
import type { Instant } from '../../lib/time.js'
import { type SecretBox, SecretError } from '../../store/io/secret-box.js'
import type { ClusterView } from '../../store/view.js'
import { metaOrder } from '../orders.js'
import { type ApiContext, actorOf, applyChange, ofKnownProject, orRefuse } from './context.js'
import { sealing } from './make-secret.js'
import { pageOf } from './pages.js'

interface InProject {
  readonly project: string
}
interface OfKey extends InProject {
  readonly key: string
}

export function metaRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry, secrets } = context
  const { view } = registry
  const isSecret = sameSecret(secrets)
  server.get<{ Params: InProject }>(
    '/v1/projects/:project/meta',
    { ...ofKnownProject(view), schema: { querystring: pageQuery } },
    (request, reply): MetaBody[] =>
      pageOf(request, reply, metaOrder, [...view.metaOf(request.params.project).values()]).map(metaBodyOf),
  )
  server.get<{ Params: OfKey }>('/v1/projects/:project/meta/:key', ({ params: { project, key } }) =>
    metaBodyOf(orRefuse(findMeta(view, project, key))),
  )
  server.put<{ Params: OfKey; Body: MetaSetRequest }>(
    '/v1/projects/:project/meta/:key',
    { schema: { body: metaSetRequest } },
    async (request) => {
      const { project, key } = request.params
      const decide = (now: ClusterView, at: Instant) =>
        sealing(secrets, now, (seal) => setMeta(now, project, key, request.body, seal, at, isSecret))
      return one(await applyChange(context, actorOf(request), decide))
    },
  )
  server.delete<{ Params: OfKey; Querystring: { cas?: string } }>(
    '/v1/projects/:project/meta/:key',
    { schema: { querystring: removeMetaQuery } },
    async (request) => {
      const { project, key } = request.params
      const { cas } = request.query
      await applyChange(context, actorOf(request), (now) => removeMeta(now, project, key, cas))
      return { key }
    },
  )
  for (const [verb, sign] of [
    ['incr', 1],
    ['decr', -1],
  ] as const) {
    server.post<{ Params: OfKey; Body: MetaCountRequest }>(
      `/v1/projects/:project/meta/:key/${verb}`,
      { schema: { body: metaCountRequest } },
      async (request) => {
        const { project, key } = request.params
        const { by = 1 } = request.body
        const decide = (now: ClusterView, at: Instant) => countMeta(now, project, key, sign * by, at)
        return one(await applyChange(context, actorOf(request), decide))
      },
    )
  }
  server.post<{ Params: InProject; Body: MetaImportRequest }>(
    '/v1/projects/:project/meta/import',
    { schema: { body: metaImportRequest } },
    async (request): Promise<MetaImportResponse> => {
      const { set, skipped } = await applyChange(context, actorOf(request), (now, at) =>
        sealing(secrets, now, (seal) =>
          importMeta(now, request.params.project, request.body, seal, at, isSecret),
        ),
      )
      return { set, skipped }
    },
  )
}

/** A secret that this daemon cannot open is taken for another one. */
function sameSecret({ open }: SecretBox): IsSecret {
  return (sealed, secret, place) => {
    try {
      return open(sealed, place) === secret
    } catch (error) {
      if (error instanceof SecretError) return false
      throw error
    }
  }
}

function one({ set }: MetaChange): MetaBody | undefined {
  return set[0]
}
