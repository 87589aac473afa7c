// Mounts fleet's API v1.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { describeError } from '../../lib/io/log.js'
import { StoreError } from '../../store/store.js'
import { openFleetFiles } from '../fleet/files.js'
import { openFleetLists } from '../fleet/lists.js'
import { errorJson, type FleetAnswer } from '../fleet/outcome.js'
import { answerFleet, type FleetParts, type FleetRequest } from '../fleet/routes.js'
import { type ApiContext, actorOf, applyChange, ProblemError } from './context.js'

/** Where fleet serves its API; both are the same. */
const mounts = ['/fleet/v1', '/v1-alpha'] as const

export function fleetRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry, units, version } = context
  const { view } = registry
  const lists = openFleetLists(view)
  server.addHook('onClose', (_server, done) => {
    unsubscribe()
    done()
  })
  const unsubscribe = registry.onChange((kinds) => lists.note(kinds))
  const parts: FleetParts = {
    view,
    lists,
    files: openFleetFiles((hash) => view.files.get(hash)),
    isGlobal: (unit) => units.needs(unit).fleet.global,
  }
  const send = (reply: FastifyReply, { status, body }: FleetAnswer): FastifyReply => {
    void reply.code(status).header('server', `fleetd/1.0.0 mariposa/${version}`)
    return body === null ? reply.send() : reply.type('application/json').send(body)
  }
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => send(reply, failed(context, error, request)))
    const answer = async (mount: string, request: FastifyRequest, reply: FastifyReply) => {
      const asked = readRequest(mount, request)
      const outcome = await applyChange(context, actorOf(request), (_view, now) =>
        answerFleet(parts, asked, now),
      )
      return send(reply, outcome.answer)
    }
    for (const mount of mounts) {
      scope.all(mount, (request, reply) => answer(mount, request, reply))
      scope.all(`${mount}/*`, (request, reply) => answer(mount, request, reply))
    }
  })
}

function readRequest(mount: string, { method, raw, body }: FastifyRequest): FleetRequest {
  const [path = '', query = ''] = (raw.url ?? '').split(/\?(.*)/s)
  const headers = raw.rawHeaders
  return {
    method,
    path: decodePath(path).slice(mount.length),
    query: new URLSearchParams(query),
    contentTypes: headers.flatMap((name, at) =>
      at % 2 === 0 && name.toLowerCase() === 'content-type' ? [headers[at + 1] ?? ''] : [],
    ),
    body: typeof body === 'string' ? body : '',
  }
}

/** The router has refused paths that cannot be decoded. */
function decodePath(path: string): string {
  return decodeURIComponent(path)
}

/** The error entity for what was refused before or after fleet's own checks. */
function failed(context: ApiContext, error: unknown, { method, url }: FastifyRequest): FleetAnswer {
  if (error instanceof StoreError) {
    context.log.warn('api', describeError(error), { method, path: url })
    return errorAnswer(503, 'fleet server unable to communicate with etcd')
  }
  if (error instanceof ProblemError) return errorAnswer(error.problem.status, error.message)
  const status =
    error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
      ? error.statusCode
      : 500
  if (status < 500) return errorAnswer(status, describeError(error))
  context.log.error('api', describeError(error), { method, path: url })
  return errorAnswer(500, '')
}

function errorAnswer(status: number, message: string): FleetAnswer {
  return { status, body: errorJson(status, message) }
}
