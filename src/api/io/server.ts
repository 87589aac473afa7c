// The daemon's HTTP server: routes joined, errors answered in one form, and the sockets it listens on.
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  maxHeaderSize,
  type RequestListener,
} from 'node:http'
import { TLSSocket } from 'node:tls'
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from 'fastify'
import type { Problem } from '../../changes/problem.js'
import { maxBodyBytes, staleBecauseHeader, staleHeader, unreadableHeader } from '../../contract/contract.js'
import { isAddress } from '../../lib/address.js'
import { describeError } from '../../lib/io/log.js'
import { isLoopback } from '../../lib/loopback.js'
import type { Timers } from '../../lib/time.js'
import type { MachineId } from '../../model/machine.js'
import { SecretError } from '../../store/io/secret-box.js'
import { isOutOfReach, StoreError } from '../../store/store.js'
import { refuseCaller, type Token } from '../access.js'
import { originForm } from '../request-target.js'
import { followMethods } from './allowed-methods.js'
import { tellAnswer } from './answer-log.js'
import { takeUuids } from './by-uuid.js'
import { endsConnection, lastAnswer } from './connections.js'
import { type ApiContext, actorOf, answerProblem, ProblemError } from './context.js'
import { discoveryRoutes } from './discovery-routes.js'
import { dnsRoutes } from './dns-routes.js'
import { entryRoutes } from './entry-routes.js'
import { eventRoutes } from './event-routes.js'
import { execRoutes } from './exec-routes.js'
import { fleetRoutes } from './fleet-routes.js'
import { imageRoutes } from './images.js'
import { keptListsFirst, listRoute } from './kept-lists.js'
import { type Address, listen } from './listen.js'
import { logRoutes } from './log-routes.js'
import { machineAdoptRoutes } from './machine-adopt.js'
import { machineImageRoutes } from './machine-images.js'
import { makeServer, renewTls, type ServerTls } from './make-server.js'
import { metaRoutes } from './meta-routes.js'
import { metricsRoutes } from './metrics-routes.js'
import { oneOffRoutes } from './one-off-routes.js'
import { openApiRoutes } from './openapi-routes.js'
import { machineHeader } from './peers.js'
import { fetchImageRoutes } from './prefetch-routes.js'
import { progressRoutes } from './progress-routes.js'
import { projectRoutes } from './project-routes.js'
import { queueRoutes } from './queue-routes.js'
import { recordRoutes } from './record-routes.js'
import { noteRefusedCalls, type RefusedCalls } from './refused-calls.js'
import { registryRoutes } from './registry-routes.js'
import { requestChecks } from './request-checks.js'
import { scopeRequests } from './request-scope.js'
import { rotationRoutes } from './rotation-routes.js'
import { scheduleRoutes } from './schedule-routes.js'
import { serviceRoutes } from './service-routes.js'
import { answerWithinMs, lastAnswersMs, Serving } from './serving.js'
import { type Doors, noDoors } from './startup-server.js'
import { refuseWhatIsNotRead } from './strict-requests.js'
import { systemRoutes } from './system-routes.js'
import { unitKillRoute } from './unit-kill.js'
import { unitRoutes } from './unit-routes.js'
import { useRoutes } from './use-routes.js'
import { volumeBackupRoutes } from './volume-backup-routes.js'
import { volumeRoutes } from './volume-routes.js'
import { webhookRoutes } from './webhook-routes.js'

/** The HTTP server of a daemon. */
export interface ApiServer {
  /** What it listens on, as URLs. */
  readonly endpoints: readonly string[]
  /** Shows another certificate from now on. */
  renew(tls: ServerTls): void
  /** Listens no more, and resolves when what has come is answered, or cannot be soon. */
  end(): Promise<void>
  /** Cuts off what is left. */
  close(): Promise<void>
}

/** What is asked of callers on TCP. */
interface ServerAccess {
  /** Null: without TLS. */
  readonly tls: ServerTls | null
  readonly tokens: () => readonly Token[]
  /** Nothing is asked. */
  readonly open: boolean
}

/** Serves the API on every address. Throws ListenError when one of them cannot be had. */
export async function startApiServer(
  context: ApiContext,
  addresses: readonly Address[],
  access: ServerAccess,
  doors: Doors = noDoors,
): Promise<ApiServer> {
  const servers: FastifyInstance[] = []
  const endpoints: string[] = []
  const serving = new Serving(context.clock)
  try {
    for (const address of addresses) {
      // A client may be faster than what follows the first moment of listening.
      const reach = { local: address.kind === 'unix' }
      const server = buildServer(context, address, access, reach, doors, serving)
      servers.push(server)
      const { url, local } = await listen(server, address, access)
      reach.local = local
      doors.handOver(address)
      endpoints.push(url)
    }
  } catch (error) {
    await Promise.all(servers.map((server) => server.close()))
    throw error
  }
  return {
    endpoints,
    renew: (tls) =>
      renewTls(
        servers.map(({ server }) => server),
        tls,
      ),
    end: () => serving.end(answerWithinMs),
    close: async () => {
      // What waited for the store has just been told that it is closed.
      await serving.end(lastAnswersMs)
      serving.cut()
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

/** The server of one address. `reach` says, once it listens, whether it is reached over a unix socket. */
export function buildServer(
  context: ApiContext,
  address: Address,
  access: ServerAccess,
  reach: { readonly local: boolean },
  doors: Doors,
  serving: Serving = new Serving(context.clock),
): FastifyInstance {
  const { tls } = access
  const calls = noteRefusedCalls(context.log, () => context.clock.now())
  const refusalOf = (request: IncomingMessage, path: string): Problem | null =>
    problemOfAddressee(request, context.machine) ??
    (reach.local ? null : problemOfCaller(request, path, access))
  const server = fastify({
    bodyLimit: maxBodyBytes,
    rewriteUrl: ({ url = '' }) => originForm(url),
    // Names are told apart by us, with our words: a unit's may have 256 characters, each up to nine when it is escaped.
    routerOptions: { maxParamLength: maxHeaderSize },
    forceCloseConnections: true,
    schemaController: requestChecks(),
    // What is asked on a connection while the daemon ends is carried out.
    return503OnClosing: false,
    // The server itself has answered.
    clientErrorHandler: (error, socket) => calls.noteUnreadable(error, socket),
    // Nothing else asks who makes a request that no route is looked for.
    frameworkErrors: (_error, request, reply) => {
      turnAway(calls, context.clock, request, reply, refusalOf(request.raw, '') ?? noPath)
    },
    serverFactory: (fastifys: RequestListener) => {
      const admits = (request: IncomingMessage): boolean => refusalOf(request, listRoute) === null
      const handler = keptListsFirst(context, serving, admits, fastifys)
      return serving.made(doors.take(address, handler) ?? makeServer(address, tls, context.clock, handler))
    },
  })
  serving.follow(server)
  server.setErrorHandler<FastifyError>((error, request, reply) => {
    const problem = problemOf(error)
    if (problem.status >= 500 && !isOutOfReach(error)) {
      context.log.error('api', describeError(error), { method: request.method, path: request.url })
    }
    return answerProblem(reply, problem)
  })
  const methodsOf = followMethods(server)
  server.setNotFoundHandler((request, reply) => answerNoRoute(request, reply, methodsOf))
  scopeRequests(server)
  server.addHook('onRequest', (request, reply, done) => {
    const problem = refusalOf(request.raw, request.routeOptions.url ?? '')
    if (problem === null) done()
    else turnAway(calls, context.clock, request, reply, problem)
  })
  // Before the answer is made, so that those that go on bear them, too.
  server.addHook('preHandler', (request, reply, done) => {
    const unreadable = context.registry.view.unreadable.size
    if (unreadable > 0 && request.method === 'GET') reply.header(unreadableHeader, unreadable)
    const stale = context.stale()
    if (stale !== null) {
      reply.header(staleHeader, new Date(stale.since).toISOString())
      reply.header(staleBecauseHeader, stale.because)
    }
    done()
  })
  server.addHook('onResponse', ({ method, url }, reply, done) => {
    tellAnswer(context.log, () => ({ method, url, status: reply.statusCode, ms: reply.elapsedTime }))
    done()
  })
  addRoutes(server, context)
  return server
}

/** Everything that we answer. */
export function addRoutes(server: FastifyInstance, context: ApiContext): void {
  // What is no JSON is none of ours: a text would be refused for what it does not say.
  server.removeContentTypeParser('text/plain')
  refuseWhatIsNotRead(server)
  openApiRoutes(server, context.version)
  takeUuids(server, context.registry.view)
  systemRoutes(server, context)
  recordRoutes(server, context)
  serviceRoutes(server, context)
  projectRoutes(server, context)
  queueRoutes(server, context)
  metaRoutes(server, context)
  registryRoutes(server, context)
  rotationRoutes(server, context)
  unitRoutes(server, context)
  unitKillRoute(server, context)
  machineAdoptRoutes(server, context)
  machineImageRoutes(server, context)
  fetchImageRoutes(server, context)
  imageRoutes(server, context)
  metricsRoutes(server, context)
  useRoutes(server, context)
  volumeRoutes(server, context)
  progressRoutes(server, context)
  logRoutes(server, context)
  eventRoutes(server, context)
  webhookRoutes(server, context)
  scheduleRoutes(server, context)
  volumeBackupRoutes(server, context)
  dnsRoutes(server, context)
  entryRoutes(server, context)
  discoveryRoutes(server, context)
  execRoutes(server, context)
  oneOffRoutes(server, context)
  fleetRoutes(server, context)
}

/** Answers a request that no route is for: of its path, or of its path with its method. */
function answerNoRoute(
  { method, url }: FastifyRequest,
  reply: FastifyReply,
  methodsOf: (path: string) => readonly string[],
): FastifyReply {
  const path = url.split('?')[0] ?? ''
  const methods = methodsOf(path)
  if (methods.length === 0) {
    const message = `there is nothing at ${method} ${path}`
    return answerProblem(reply, { status: 404, code: 'api/unknown-path', message })
  }
  const message = `${path} does not take ${method}, but ${methods.join(', ')}`
  reply.header('allow', methods.join(', '))
  return answerProblem(reply, { status: 405, code: 'api/wrong-method', message })
}

/** Answers who is not let in, notes it, and reads nothing more of the connection. */
function turnAway(
  calls: RefusedCalls,
  clock: Timers,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): FastifyReply {
  const { method = '', url = '' } = request.raw
  calls.note({ method, url, by: actorOf(request), code: problem.code })
  endsConnection(request.raw, clock)
  return answerProblem(reply.headers(lastAnswer), problem)
}

function problemOfAddressee({ headers }: IncomingMessage, machine: MachineId): Problem | null {
  const meant = headers[machineHeader]
  return meant === undefined || meant === machine ? null : anotherMachine
}

/** Why a request over TCP is refused before it is looked at. `path`: of the route that would answer. */
function problemOfCaller(
  { socket, headers, method = '' }: IncomingMessage,
  path: string,
  { tls, tokens, open }: ServerAccess,
): Problem | null {
  const secure = socket instanceof TLSSocket ? socket : null
  const rules = { open, tokens: tokens(), certificates: tls !== null && tls.ca !== null }
  const refusal = refuseCaller(rules, {
    method,
    path,
    authorization: headers.authorization,
    certificate:
      secure?.authorized === true ? { units: unitsOf(secure.getPeerCertificate().subject.OU) } : null,
    unfit: secure === null ? null : faultOfCertificate(secure),
  })
  if (refusal !== null) return refusal
  return isFromPage(headers, secure !== null, open) ? fromPage : null
}

/** Why the certificate that was shown does not count; null for none, or one that does. */
function faultOfCertificate(socket: TLSSocket): string | null {
  const { authorized, authorizationError } = socket
  if (authorized || socket.getPeerX509Certificate() === undefined) return null
  // Node's types say an error; it is the code.
  return String(authorizationError)
}

function unitsOf(unit: string | readonly string[] | undefined): readonly string[] {
  return unit === undefined ? [] : typeof unit === 'string' ? [unit] : unit
}

/**
 * A page in a browser can send requests to the loopback of its own machine. They name the page's origin, or reach us
 * under a name that somebody else's DNS gave our address; the command line does neither. With TLS the certificate is for
 * our names alone. An address that is open to others than the loopback is reached by its number: no DNS gave that.
 */
function isFromPage({ origin, host = '' }: IncomingHttpHeaders, secure: boolean, open: boolean): boolean {
  const name = host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
  const isOurs = host === '' || isLoopback(name) || (open && isAddress(name))
  return origin !== undefined || (!secure && !isOurs)
}

const fromPage: Problem = {
  status: 403,
  code: 'api/foreign-origin',
  message: 'the API does not answer requests from web pages, and only answers to the names of the loopback',
}

const anotherMachine: Problem = {
  status: 421,
  code: 'api/another-machine',
  message: 'this daemon belongs to another machine than the one addressed',
  hint: 'two machines announce one address: give each its own with --advertise',
}

const noPath: Problem = {
  status: 400,
  code: 'api/bad-request',
  message: 'the path of the request is not valid: two hexadecimal digits of UTF-8 have to follow each %',
}

const stopping: Problem = {
  status: 503,
  code: 'store/closed',
  message: 'the daemon is being stopped',
  hint: 'it is not known whether the change was written: check before you try again',
}

function problemOf(error: FastifyError): Problem {
  if (error instanceof ProblemError) return error.problem
  if (error instanceof StoreError && error.code === 'store/closed') return stopping
  if (error instanceof StoreError || error instanceof SecretError)
    return { status: 503, code: error.code, message: error.message, hint: error.hint }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { status: 413, code: 'api/too-large', message: `a request may hold ${maxBodyBytes} bytes` }
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return {
        status: 400,
        code: 'api/bad-request',
        message: 'the body is not JSON, or an object in it has the key __proto__',
      }
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return { status: 415, code: 'api/bad-media-type', message: 'only application/json is accepted' }
    default:
      if (error.statusCode !== undefined && error.statusCode < 500) {
        return { status: 400, code: 'api/bad-request', message: error.message }
      }
      return { status: 500, code: 'api/internal', message: 'the daemon failed to answer; its log says why' }
  }
}
