// What a route of our API does not read is refused at the door, and never passed over: who sends it means something by it.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { noQuery } from '../../contract/queries.js'
import { ProblemError } from './context.js'

/**
 * Goes before the routes. Each of ours that says nothing of parameters gets a schema that refuses all; one that says
 * nothing of its body gets none, or an empty object. fleet's API has its own manners, and the pages for monitors
 * (`/metrics`, `/healthz`) are asked with whatever these add.
 */
export function refuseWhatIsNotRead(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (!isStrict(route)) return
    const { schema = {} } = route
    route.schema = { ...schema, querystring: schema.querystring ?? noQuery }
    if (schema.body !== undefined) return
    route.preValidation = [
      ...[route.preValidation ?? []].flat(),
      (request, _reply, done) => done(readsNothingOf(request) ? undefined : unread),
    ]
  })
}

/** Whether a route takes only what it says that it reads. */
function isStrict({ url }: Pick<RouteOptions, 'url'>): boolean {
  return url.startsWith('/v1/') && url !== '/v1/:uuid/metrics'
}

/** A stream is the input of a program, and not for us to read. */
function readsNothingOf({ body }: FastifyRequest): boolean {
  if (body === undefined || body instanceof Readable) return true
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
}

const unread = new ProblemError({
  status: 400,
  code: 'api/bad-request',
  message: 'this takes no body, or {}',
})
