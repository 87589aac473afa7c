// The daemon's HTTP server: routes joined, errors answered in one form, and the sockets it listens on.
import { chmod, lstat, mkdir, unlink } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { type FastifyError, type FastifyInstance, fastify } from 'fastify'
import { describeError } from '../../lib/io/log.js'
import { SecretError } from '../../store/io/secret-box.js'
import { isOutOfReach, StoreError } from '../../store/store.js'
import { maxBodyBytes } from '../contract.js'
import type { Problem } from '../problem.js'
import { type ApiContext, answerProblem, ProblemError } from './context.js'
import { fleetRoutes } from './fleet-routes.js'
import { metaRoutes } from './meta-routes.js'
import { metricsRoutes } from './metrics-routes.js'
import { queueRoutes } from './queue-routes.js'
import { scheduleRoutes } from './schedule-routes.js'
import { serviceRoutes } from './service-routes.js'
import { streamRoutes } from './stream-routes.js'
import { systemRoutes } from './system-routes.js'
import { unitRoutes } from './unit-routes.js'
import { webhookRoutes } from './webhook-routes.js'

/** Where to listen. */
export type Address =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }

export interface ApiServer {
  /** What it listens on, as URLs. */
  readonly endpoints: readonly string[]
  close(): Promise<void>
}

/** A socket that cannot be listened on; `code` is stable. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly code: string
  readonly hint: string
  constructor(code: string, message: string, hint: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.hint = hint
  }
}

/** Serves the API on every address. Throws ListenError when one of them cannot be had. */
export async function startApiServer(context: ApiContext, addresses: readonly Address[]): Promise<ApiServer> {
  const servers: FastifyInstance[] = []
  const endpoints: string[] = []
  try {
    for (const address of addresses) {
      const server = buildServer(context)
      servers.push(server)
      endpoints.push(await listen(server, address))
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

function buildServer(context: ApiContext): FastifyInstance {
  const server = fastify({
    bodyLimit: maxBodyBytes,
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
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
  server.addHook('onRequest', (request, _reply, done) => {
    // No page reaches a unix socket, where fleetctl calls us "domain-sock". Such a connection has no address.
    const reachable = request.raw.socket.remoteAddress !== undefined
    done(reachable && isFromPage(request.headers) ? new ProblemError(fromPage) : undefined)
  })
  systemRoutes(server, context)
  serviceRoutes(server, context)
  queueRoutes(server, context)
  metaRoutes(server, context)
  unitRoutes(server, context)
  metricsRoutes(server, context)
  streamRoutes(server, context)
  webhookRoutes(server, context)
  scheduleRoutes(server, context)
  fleetRoutes(server, context)
  return server
}

/**
 * A page in a browser can send requests to the loopback of its own machine. They name the page's origin, or reach us
 * under a name that somebody else's DNS gave our address; the command line does neither.
 */
function isFromPage({ origin, host = '' }: IncomingHttpHeaders): boolean {
  return origin !== undefined || !/^(localhost|127(\.\d+){3}|\[::1\])?(:\d+)?$/i.test(host)
}

const fromPage: Problem = {
  status: 403,
  code: 'api/foreign-origin',
  message: 'the API answers no web pages, and only under the names of the loopback',
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

async function listen(server: FastifyInstance, address: Address): Promise<string> {
  if (address.kind === 'tcp') {
    try {
      return await server.listen({ host: address.host, port: address.port })
    } catch (cause) {
      const taken = codeOf(cause) === 'EADDRINUSE'
      const where = `${address.host}:${address.port}`
      throw new ListenError(
        taken ? 'daemon/address-taken' : 'daemon/cannot-listen',
        taken ? `something else listens on ${where}` : `cannot listen on ${where}: ${describeError(cause)}`,
        'choose another address with --listen',
        { cause },
      )
    }
  }
  await makeWayFor(address.path)
  try {
    await server.listen({ path: address.path })
    await chmod(address.path, 0o660)
  } catch (cause) {
    throw new ListenError(
      'daemon/cannot-listen',
      `cannot listen on ${address.path}: ${describeError(cause)}`,
      'choose another path with --listen unix:PATH',
      { cause },
    )
  }
  return `unix://${address.path}`
}

/** Removes the socket file that a killed daemon left behind, but never one that somebody answers on. */
async function makeWayFor(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 })
    const found = await lstat(path)
    if (!found.isSocket())
      throw new ListenError(
        'daemon/cannot-listen',
        `${path} is there and no socket`,
        'remove it, or choose another path',
      )
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return
    if (cause instanceof ListenError) throw cause
    throw new ListenError(
      'daemon/cannot-listen',
      `cannot listen on ${path}: ${describeError(cause)}`,
      'choose another path with --listen unix:PATH',
      { cause },
    )
  }
  if (await answers(path)) {
    throw new ListenError(
      'daemon/address-taken',
      `another daemon answers on ${path}`,
      'stop it, or choose another path with --listen unix:PATH',
    )
  }
  await unlink(path)
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
