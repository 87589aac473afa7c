// The API's own description, made of the routes that the server has.
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { paths } from '../../contract/contract.js'
import { openApiDocument, type ServedRoute } from '../../contract/openapi.js'

/** Goes before the routes that it describes, and after what adds to their schemas. */
export function openApiRoutes(server: FastifyInstance, version: string): void {
  const routes: ServedRoute[] = []
  server.addHook('onRoute', ({ method, url, schema }) => {
    for (const one of [method].flat() as readonly HTTPMethods[]) {
      if (one !== 'HEAD') routes.push({ method: one, url, query: schema?.querystring, body: schema?.body })
    }
  })
  let document: string | null = null
  server.get(paths.openapi, async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(routes, version))
    return reply.type('application/json').send(document)
  })
}
