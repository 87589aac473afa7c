// What one connection may ask: so much at a time, and nothing more behind a call that is refused. Whoever is not let in could
// otherwise keep the daemon busy with requests that are sent in one go.
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Problem, problemBody } from '../../changes/problem.js'
import { errorCode } from '../../lib/io/error-code.js'
import type { Timers } from '../../lib/time.js'

/** Requests of a connection that are under way. Clients send one and wait; those that send more at once get by with that. */
const underWayAtMost = 8
/** Requests that are passed over, until the connection is cut. */
const passedOverAtMost = 10_000
/** How long the body of a refused request is taken in: whoever still sends would not see the answer otherwise. */
const bodyMs = 2_000

interface Connection {
  underWay: number
  passedOver: number
  /** What comes from now on is not looked at. */
  ends: boolean
}

const connections = new WeakMap<Duplex, Connection>()

function connectionOf(socket: Duplex): Connection {
  const known = connections.get(socket)
  if (known !== undefined) return known
  const connection = { underWay: 0, passedOver: 0, ends: false }
  connections.set(socket, connection)
  return connection
}

/** A server whose connections are bounded, and which says in our form what Node refuses by itself. */
export function bounded<T extends Server>(server: T, clock: Timers): T {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (admits(request, response, clock)) refuse(request, response, noExpectation, clock)
  })
  server.on('clientError', answerUnreadable)
  return server
}

/** Hands on the requests that a connection may make. */
export function boundedListener(handler: RequestListener, clock: Timers): RequestListener {
  return (request, response) => {
    if (!admits(request, response, clock)) return
    if (request.httpVersion === '1.1' && request.headers.host === undefined)
      refuse(request, response, noHost, clock)
    else handler(request, response)
  }
}

function admits(request: IncomingMessage, response: ServerResponse, clock: Timers): boolean {
  const { socket } = request
  const connection = connectionOf(socket)
  if (connection.ends) {
    connection.passedOver += 1
    if (connection.passedOver > passedOverAtMost) socket.destroy()
    return false
  }
  if (connection.underWay >= underWayAtMost) {
    refuse(request, response, tooMany, clock)
    return false
  }
  connection.underWay += 1
  // An answer that goes on has some ten parts that mind its end.
  response.setMaxListeners(20)
  response.once('close', () => {
    connection.underWay -= 1
  })
  return true
}

/** The answer to this request is the last of its connection: no further one is read. Its answer has to say so (`lastAnswer`). */
export function endsConnection(request: IncomingMessage, clock: Timers): void {
  const { socket } = request
  connectionOf(socket).ends = true
  if (hasBody(request)) closeAfterBody(request, socket, clock)
}

/** What an answer says that is the last of its connection. */
export const lastAnswer = { connection: 'close' } as const

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  return encoding !== undefined || length !== '0'
}

/** A connection that is closed while its caller sends is reset, and the answer with it. */
function closeAfterBody(request: IncomingMessage, socket: Socket, clock: Timers): void {
  const close = socket.destroySoon
  if (close === undefined) return
  socket.destroySoon = () => {
    if (request.complete || socket.destroyed) {
      close.call(socket)
      return
    }
    const late = clock.after(bodyMs, () => socket.destroy()).unref()
    request.once('end', () => close.call(socket))
    socket.once('close', () => late.cancel())
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, problem: Problem, clock: Timers): void {
  endsConnection(request, clock)
  const body = JSON.stringify(problemBody(problem))
  const length = Buffer.byteLength(body)
  response.writeHead(problem.status, {
    'content-type': 'application/json',
    'content-length': length,
    ...lastAnswer,
  })
  response.end(body)
}

/** Why bytes that are no request are refused. */
export function problemOfUnreadable(error: Error): Problem {
  return unreadable[errorCode(error) ?? ''] ?? noRequest
}

function answerUnreadable(error: Error, socket: Duplex): void {
  const connection = connectionOf(socket)
  connection.ends = true
  // Bytes between those of an answer would be taken for its own.
  if (!socket.writable || connection.underWay > 0 || errorCode(error) === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const problem = problemOfUnreadable(error)
  const body = JSON.stringify(problemBody(problem))
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

const tooMany: Problem = {
  status: 429,
  code: 'api/too-many-requests',
  message: `a connection may have at most ${underWayAtMost} requests under way`,
  hint: 'wait for answers before sending more requests, or open more connections',
}

const noExpectation: Problem = {
  status: 417,
  code: 'api/bad-request',
  message: 'of the header Expect only 100-continue is understood',
}

const noHost: Problem = {
  status: 400,
  code: 'api/bad-request',
  message: 'an HTTP/1.1 request needs a Host header',
}

const noRequest: Problem = {
  status: 400,
  code: 'api/bad-request',
  message: 'this is not a valid HTTP request',
}

const unreadable: Readonly<Record<string, Problem>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'api/too-slow',
    message: 'the request did not come in time',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'api/too-large',
    message: 'the headers of the request are too large',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'api/too-large',
    message: 'the chunk extensions of the request are too large',
  },
}
