// Mounts fleet's API v1.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { describeError } from '../../lib/io/log.js'
import type { UnitName } from '../../model/unit.js'
import { StoreError } from '../../store/store.js'
import type { ClusterView } from '../../store/view.js'
import { toUnitName } from '../../unit/name.js'
import { openFleetFiles } from '../fleet/files.js'
import { openFleetLists } from '../fleet/lists.js'
import { errorJson, type FleetAnswer } from '../fleet/outcome.js'
import { Restarts } from '../fleet/restarts.js'
import { answerFleet, type FleetParts, type FleetRequest } from '../fleet/routes.js'
import { type ApiContext, actorOf, applyChange, ProblemError } from './context.js'

/** Where fleet serves its API; both are the same. */
const mounts = ['/fleet/v1', '/v1-alpha'] as const

export function fleetRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry, units, version, clock } = context
  const restarts = new Restarts()
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
    policy: () => context.manifests.policy ?? null,
  }
  const send = (reply: FastifyReply, { status, body }: FleetAnswer): FastifyReply => {
    void reply.code(status).header('server', `fleetd/1.0.0 mariposa/${version}`)
    // An answer without a body is of the type that fleetd, by Go's guess, takes nothing for.
    return body === null
      ? reply.type('text/plain; charset=utf-8').send()
      : reply.type('application/json').send(body)
  }
  // fleetd serves nothing there, and says so of any method.
  server.all('/', (_request, reply) => send(reply, errorAnswer(405, '')))
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => send(reply, failed(context, error, request)))
    const answer = async (mount: string, request: FastifyRequest, reply: FastifyReply) => {
      const client = clientOf(request)
      const asked = readRequest(mount, request, restarts.told(client, clock.steady()))
      const unit = asked.method === 'PUT' || asked.method === 'DELETE' ? unitIn(asked.path) : null
      if (unit !== null && restarts.isRestart(client, unit, clock.steady())) {
        // Its machine could overlook a stop that is taken back at once.
        await viewHas(context, () => !isRunning(view, unit), seesStopWithinMs)
        restarts.forget(client, unit)
      }
      const outcome = await applyChange(context, actorOf(request), (_view, now) =>
        answerFleet(parts, asked, now),
      )
      if (outcome.stops !== undefined) restarts.note(client, outcome.stops, clock.steady())
      return send(reply, outcome.answer)
    }
    for (const mount of mounts) {
      scope.all(mount, (request, reply) => answer(mount, request, reply))
      scope.all(`${mount}/*`, (request, reply) => answer(mount, request, reply))
    }
  })
}

/** How long a launch waits for the machine to begin with the stop before it. */
const seesStopWithinMs = 5000

/** Who asks, as far as that can be told: `fleetctl` opens a connection for each request. */
function clientOf({ socket, headers }: FastifyRequest): string {
  return `${socket.remoteAddress ?? ''} ${headers['user-agent'] ?? ''}`
}

/** The unit that a path below the mount is about. */
function unitIn(path: string): UnitName | null {
  const [, resource, name = ''] = path.split('/')
  return resource === 'units' ? toUnitName(name) : null
}

function isRunning(view: ClusterView, name: UnitName): boolean {
  const unit = view.units.get(name)
  const report = view.reportOf(name)
  return unit?.desired === 'loaded' && report?.launched === true && report.active === 'active'
}

/** Resolves when something holds of the view, at the latest after so many milliseconds. */
async function viewHas(
  { registry, clock }: Pick<ApiContext, 'registry' | 'clock'>,
  holds: () => boolean,
  withinMs: number,
): Promise<void> {
  if (holds()) return
  await new Promise<void>((resolve) => {
    const done = (): void => {
      timer.cancel()
      unsubscribe()
      resolve()
    }
    const timer = clock.after(withinMs, done)
    const unsubscribe = registry.onChange(() => {
      if (holds()) done()
    })
  })
}

function readRequest(
  mount: string,
  { method, raw, body }: FastifyRequest,
  restarting: ReadonlySet<UnitName>,
): FleetRequest {
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
    restarting,
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
