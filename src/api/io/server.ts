// The daemon's HTTP server: routes joined, errors answered in one form, and the sockets it listens on.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http'
import https from 'node:https'
import { TLSSocket } from 'node:tls'
import { type FastifyError, type FastifyInstance, fastify } from 'fastify'
import { describeError } from '../../lib/io/log.js'
import type { MachineId } from '../../model/machine.js'
import { SecretError } from '../../store/io/secret-box.js'
import { isOutOfReach, StoreError } from '../../store/store.js'
import { refuseCaller, type Token } from '../access.js'
import { maxBodyBytes, staleBecauseHeader, staleHeader } from '../contract.js'
import type { Problem } from '../problem.js'
import { originForm } from '../request-target.js'
import { type ApiContext, answerProblem, ProblemError } from './context.js'
import { type Doors, noDoors } from './doors.js'
import { eventRoutes } from './event-routes.js'
import { execRoutes } from './exec-routes.js'
import { fleetRoutes } from './fleet-routes.js'
import { imageRoutes } from './images.js'
import { type Address, listen } from './listen.js'
import { machineAdoptRoutes } from './machine-adopt.js'
import { machineImageRoutes } from './machine-images.js'
import { metaRoutes } from './meta-routes.js'
import { metricsRoutes } from './metrics-routes.js'
import { machineHeader } from './peers.js'
import { projectRoutes } from './project-routes.js'
import { queueRoutes } from './queue-routes.js'
import { recordRoutes } from './record-routes.js'
import { scopeRequests } from './request-scope.js'
import { scheduleRoutes } from './schedule-routes.js'
import { serviceRoutes } from './service-routes.js'
import { streamRoutes } from './stream-routes.js'
import { refuseWhatIsNotRead } from './strict-requests.js'
import { systemRoutes } from './system-routes.js'
import { unitKillRoute } from './unit-kill.js'
import { unitRoutes } from './unit-routes.js'
import { webhookRoutes } from './webhook-routes.js'

export interface ApiServer {
  /** What it listens on, as URLs. */
  readonly endpoints: readonly string[]
  close(): Promise<void>
}

/** What is asked of callers on TCP. */
export interface ServerAccess {
  /** Contents of PEM files; null: without TLS. */
  readonly tls: { readonly cert: string; readonly key: string; readonly ca: string | null } | null
  readonly tokens: readonly Token[]
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
  try {
    for (const address of addresses) {
      const reach = { local: false }
      const server = buildServer(context, address, access, reach, doors)
      servers.push(server)
      const { url, local } = await listen(server, address)
      reach.local = local
      endpoints.push(url)
    }
  } catch (error) {
    await Promise.all(servers.map((server) => server.close()))
    throw error
  }
  return {
    endpoints,
    close: async () => {
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
): FastifyInstance {
  const { tls } = access
  const server = fastify({
    bodyLimit: maxBodyBytes,
    rewriteUrl: ({ url = '' }) => originForm(url),
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
    ...(address.kind === 'tcp' && tls !== null && { serverFactory: secureServer(tls) }),
    ...(address.kind === 'inherited' && {
      serverFactory: (handler: RequestListener) => doors.take(address.fd, handler) ?? createServer(handler),
    }),
  })
  server.setErrorHandler<FastifyError>((error, request, reply) => {
    const problem = problemOf(error)
    if (problem.status >= 500 && !isOutOfReach(error)) {
      context.log.error('api', describeError(error), { method: request.method, path: request.url })
    }
    return answerProblem(reply, problem)
  })
  server.setNotFoundHandler((request, reply) =>
    answerProblem(reply, {
      status: 404,
      code: 'api/unknown-path',
      message: `there is nothing at ${request.method} ${request.url.split('?')[0]}`,
    }),
  )
  scopeRequests(server)
  server.addHook('onRequest', (request, _reply, done) => {
    const problem =
      problemOfAddressee(request.raw, context.machine) ??
      (reach.local ? null : problemOfCaller(request.raw, access))
    done(problem === null ? undefined : new ProblemError(problem))
  })
  server.addHook('onSend', async (request, reply) => {
    const stale = request.method === 'GET' ? context.stale() : null
    if (stale === null) return
    reply.header(staleHeader, new Date(stale.since).toISOString())
    reply.header(staleBecauseHeader, stale.because)
  })
  server.addHook('preClose', (done) => {
    server.server.closeAllConnections()
    done()
  })
  addRoutes(server, context)
  return server
}

/** Everything that we answer. */
export function addRoutes(server: FastifyInstance, context: ApiContext): void {
  refuseWhatIsNotRead(server)
  systemRoutes(server, context)
  recordRoutes(server, context)
  serviceRoutes(server, context)
  projectRoutes(server, context)
  queueRoutes(server, context)
  metaRoutes(server, context)
  unitRoutes(server, context)
  unitKillRoute(server, context)
  machineAdoptRoutes(server, context)
  machineImageRoutes(server, context)
  imageRoutes(server, context)
  metricsRoutes(server, context)
  streamRoutes(server, context)
  eventRoutes(server, context)
  webhookRoutes(server, context)
  scheduleRoutes(server, context)
  execRoutes(server, context)
  fleetRoutes(server, context)
}

/** Certificates are asked for, and judged with the tokens: a caller without one gets an answer that says so. */
function secureServer({ cert, key, ca }: NonNullable<ServerAccess['tls']>) {
  return (handler: RequestListener): Server => {
    const asked = ca === null ? {} : { ca, requestCert: true, rejectUnauthorized: false }
    // For Fastify it is a server as any other.
    return https.createServer({ cert, key, ...asked }, handler)
  }
}

function problemOfAddressee({ headers }: IncomingMessage, machine: MachineId): Problem | null {
  const meant = headers[machineHeader]
  return meant === undefined || meant === machine ? null : anotherMachine
}

/** Why a request over TCP is refused before it is looked at. */
function problemOfCaller(
  { socket, headers, method = '', url = '' }: IncomingMessage,
  { tls, tokens }: ServerAccess,
): Problem | null {
  const secure = socket instanceof TLSSocket ? socket : null
  const rules = { tokens, certificates: tls !== null && tls.ca !== null }
  const refusal = refuseCaller(rules, {
    method,
    path: url.split('?')[0] ?? '',
    authorization: headers.authorization,
    certificate:
      secure?.authorized === true ? { unit: textOf(secure.getPeerCertificate().subject.OU) } : null,
  })
  if (refusal !== null) return refusal
  return isFromPage(headers, secure !== null) ? fromPage : null
}

function textOf(unit: string | readonly string[] | undefined): string | undefined {
  return typeof unit === 'object' ? unit[0] : unit
}

/**
 * A page in a browser can send requests to the loopback of its own machine. They name the page's origin, or reach us
 * under a name that somebody else's DNS gave our address; the command line does neither. With TLS the certificate is for
 * our names alone.
 */
function isFromPage({ origin, host = '' }: IncomingHttpHeaders, secure: boolean): boolean {
  return origin !== undefined || (!secure && !/^(localhost|127(\.\d+){3}|\[::1\])?(:\d+)?$/i.test(host))
}

const fromPage: Problem = {
  status: 403,
  code: 'api/foreign-origin',
  message: 'the API answers no web pages, and only under the names of the loopback',
}

const anotherMachine: Problem = {
  status: 421,
  code: 'api/another-machine',
  message: 'this daemon is that of another machine than the one that was meant',
  hint: 'two machines announce one address: give each its own with --advertise',
}

function problemOf(error: FastifyError): Problem {
  if (error instanceof ProblemError) return error.problem
  if (error instanceof StoreError || error instanceof SecretError)
    return { status: 503, code: error.code, message: error.message, hint: error.hint }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { status: 413, code: 'api/too-large', message: `a request may hold ${maxBodyBytes} bytes` }
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return { status: 415, code: 'api/bad-media-type', message: 'only application/json is read' }
    default:
      if (error.statusCode !== undefined && error.statusCode < 500) {
        return { status: 400, code: 'api/bad-request', message: error.message }
      }
      return { status: 500, code: 'api/internal', message: 'the daemon failed to answer; its log says why' }
  }
}
