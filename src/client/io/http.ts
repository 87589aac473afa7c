// One request to the daemon over its socket or over TCP, and what can go wrong on the way.

import { statSync } from 'node:fs'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { hostname, userInfo } from 'node:os'
import { pipeline } from 'node:stream/promises'
import manifest from '../../../package.json' with { type: 'json' }
import {
  beatHeader,
  type ErrorBody,
  staleBecauseHeader,
  staleHeader,
  unreadableHeader,
} from '../../contract/contract.js'
import { type Form, hasForm } from '../../lib/form.js'
import { refuseUpgrade } from '../../lib/io/refuse-upgrade.js'
import { ClientError } from '../client-error.js'
import type { Endpoint } from '../endpoint.js'
import { describeEndpoint } from '../endpoint.js'
import type { Query } from '../queries.js'
import { awaitDaemon, type Listener, type Patience, type Stage } from './silence.js'

/** How to prove who we are to a daemon on TCP. File contents, not names. */
export interface Credentials {
  readonly token?: string
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  /** Called with since when an answer may be out of date and why, where the daemon says so. */
  readonly onStale?: (since: string, because: string | undefined) => void
  /** Called with how many records the daemon cannot read, where there are any. */
  readonly onUnreadable?: (count: number) => void
  /** Called before something is asked for that changes something. */
  readonly onChange?: () => void
  /** Told where the daemon says nothing. */
  readonly listener?: Listener
}

export interface HttpRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  readonly path: string
  readonly query?: Query
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it comes, while the answer may already be coming in. */
  readonly body?: NodeJS.ReadableStream
  readonly signal?: AbortSignal
  /** 503 is no error, but an answer like another. */
  readonly unavailableIsAnswer?: boolean
  /** How long the beginning of the answer is waited for, where that is not as usual. */
  readonly patience?: Patience
}

/** Sends a request; resolves to an answer below 300, throws ClientError for everything else. */
export async function send(
  endpoint: Endpoint,
  credentials: Credentials,
  request: HttpRequest,
): Promise<IncomingMessage> {
  const answer = await open(endpoint, credentials, request)
  const status = answer.statusCode ?? 0
  const stale = answer.headers[staleHeader]
  const because = answer.headers[staleBecauseHeader]
  if (typeof stale === 'string') credentials.onStale?.(stale, [because].flat()[0])
  const unreadable = Number(answer.headers[unreadableHeader] ?? 0)
  if (unreadable > 0) credentials.onUnreadable?.(unreadable)
  if (status >= 200 && status < 300) return answer
  if (status === 503 && request.unavailableIsAnswer === true) return answer
  throw refusal(endpoint, status, await readText(answer, endpoint, credentials, request.signal))
}

/** The whole answer as JSON of a form. */
export async function readJson<T>(
  answer: IncomingMessage,
  form: Form<T>,
  endpoint: Endpoint,
  credentials: Credentials,
  signal: AbortSignal | undefined,
): Promise<T> {
  return parseJson<T>(await readText(answer, endpoint, credentials, signal), form, answer, endpoint)
}

/**
 * What of an answer comes in, piece by piece. `begun`: it goes on for as long as there is something to tell, and says how
 * often it shows a sign of life; one that says no such thing is waited for without end.
 */
export async function* chunksOf(
  answer: IncomingMessage,
  endpoint: Endpoint,
  { listener }: Credentials,
  begun: boolean,
): AsyncGenerator<Buffer | string, void, undefined> {
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>
  const stage = (): Stage => (begun ? 'begun' : 'asked')
  const beats = !begun || answer.headers[beatHeader] !== undefined
  try {
    for (;;) {
      // While what came is being worked on nobody waits for more.
      const wait = beats ? awaitDaemon(endpoint, listener, () => answer.destroy(lateError()), stage) : null
      const { done, value } = await chunks.next().finally(() => wait?.over())
      if (done === true) return
      wait?.heard()
      yield value
    }
  } finally {
    await chunks.return?.()
  }
}

/** A text of an answer as JSON; anything else did not come from a daemon of ours. */
export function parseJson<T>(text: string, form: Form<T>, answer: IncomingMessage, endpoint: Endpoint): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw strangeAnswer(endpoint, answer.statusCode ?? 0, cause)
  }
  if (hasForm(value, form)) return value as T
  throw otherForm(endpoint, answer)
}

/** A failure of the connection as a ClientError with a stable code. */
export function connectionError(endpoint: Endpoint, cause: unknown): ClientError {
  const where = describeEndpoint(endpoint)
  const reason = cause instanceof Error ? cause.message : String(cause)
  const code = (cause as NodeJS.ErrnoException).code ?? ''
  if (isSchemeWrong(endpoint, code, reason, cause)) return clientError(wrongScheme(endpoint), cause)
  return clientError(explainConnection(where, code, reason), cause)
}

function clientError({ code, message, hint }: Explained, cause?: unknown): ClientError {
  const told = { code, message, details: [], ...(hint === undefined ? {} : { hint }) }
  return new ClientError(null, told, { cause })
}

/** Whether plain HTTP has answered who spoke TLS, or an alert of TLS who spoke plain HTTP. */
function isSchemeWrong(endpoint: Endpoint, code: string, reason: string, cause: unknown): boolean {
  if (endpoint.kind === 'unix') return false
  if (endpoint.secure) return /^(EPROTO|ERR_SSL)/.test(code) && notTls.test(reason)
  const { rawPacket } = cause as { readonly rawPacket?: Uint8Array }
  return code.startsWith('HPE_') && rawPacket?.[0] === tlsAlert
}

/** OpenSSL's words for what is no TLS at all. */
const notTls = /wrong version number|packet length too long|unexpected message|unknown protocol/i
/** The first byte of an alert. */
const tlsAlert = 0x15

function wrongScheme(endpoint: Endpoint): Explained {
  const where = describeEndpoint(endpoint)
  return where.startsWith('https:')
    ? {
        code: 'client/tls',
        message: `what answers at ${where} speaks no TLS`,
        hint: `give --endpoint ${where.replace(/^https/, 'http')}`,
      }
    : {
        code: 'client/tls',
        message: `what answers at ${where} wants TLS`,
        hint: `give --endpoint ${where.replace(/^http/, 'https')}`,
      }
}

async function open(
  endpoint: Endpoint,
  credentials: Credentials,
  request: HttpRequest,
): Promise<IncomingMessage> {
  const missing = missingSocket(endpoint)
  if (missing !== null) throw failureOf(endpoint, missing, request.signal)
  const { makeRequest, tls } = await transport(endpoint, credentials)
  return new Promise((resolve, reject) => {
    const outgoing = makeRequest({ ...requestOptions(endpoint, credentials, request), ...tls }, (answer) => {
      wait.heard()
      resolve(answer)
    })
    const wait = awaitDaemon(
      endpoint,
      credentials.listener,
      () => outgoing.destroy(lateError()),
      () => (outgoing.socket?.connecting === false ? 'asked' : 'connecting'),
      request.patience,
    )
    const failed = (cause: Error): void => {
      wait.over()
      unanswered(endpoint, cause, request.signal).then(reject, reject)
    }
    outgoing.on('error', failed)
    refuseUpgrade(outgoing, failed)
    sendBody(outgoing, request)
  })
}

/** Why a socket cannot be connected to that is not there: to learn that from HTTP takes as long as to start a command. */
function missingSocket(endpoint: Endpoint): Error | null {
  if (endpoint.kind !== 'unix') return null
  try {
    statSync(endpoint.path)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? (error as Error) : null
  }
}

/** What a request means that was not answered: what hangs up at once may want TLS, and is asked whether it does. */
async function unanswered<E extends Error>(
  endpoint: Endpoint,
  cause: E,
  signal: AbortSignal | undefined,
): Promise<E | ClientError> {
  const isHungUp = (cause as NodeJS.ErrnoException).code === 'ECONNRESET'
  if (isHungUp && signal?.aborted !== true && endpoint.kind !== 'unix' && !endpoint.secure) {
    const { speaksTls } = await import('./speaks-tls.js')
    if (await speaksTls(endpoint)) return clientError(wrongScheme(endpoint), cause)
  }
  return failureOf(endpoint, cause, signal)
}

/** What a request means that failed. One that was given up by its caller fails as that was asked for, unless for time. */
function failureOf<E>(endpoint: Endpoint, cause: E, signal: AbortSignal | undefined): E | ClientError {
  if (signal?.aborted !== true) return connectionError(endpoint, cause)
  return isTimeUp(signal) ? connectionError(endpoint, lateError()) : cause
}

function isTimeUp({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError'
}

function lateError(): Error {
  return Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })
}

type MakeRequest = (options: RequestOptions, onAnswer: (answer: IncomingMessage) => void) => ClientRequest

/** Both cost start time: HTTP is loaded by commands that ask a daemon, TLS only for https. */
async function transport(
  endpoint: Endpoint,
  { ca, cert, key }: Credentials,
): Promise<{ makeRequest: MakeRequest; tls: { ca?: string; cert?: string; key?: string } }> {
  if (endpoint.kind === 'unix' || !endpoint.secure) {
    const { default: http } = await import('node:http')
    return { makeRequest: http.request, tls: {} }
  }
  const { default: https } = await import('node:https')
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  }
  const { tlsFault } = await import('../../lib/io/tls-fault.js')
  const why = tlsFault(tls)
  if (why !== null)
    throw clientError({
      code: 'client/bad-credentials',
      message: `the authority, the certificate and the key are no PEM texts that go together: ${why}`,
      hint: 'give PEM files (--ca-file, --cert-file, --key-file), and the key that the certificate was made for',
    })
  return { makeRequest: https.request, tls }
}

function requestOptions(endpoint: Endpoint, credentials: Credentials, request: HttpRequest): RequestOptions {
  const query = encodeQuery(request.query ?? {})
  const target =
    endpoint.kind === 'unix'
      ? { socketPath: endpoint.path, host: 'localhost' }
      : { host: endpoint.host, port: endpoint.port }
  const prefix = endpoint.kind === 'unix' ? '' : endpoint.prefix
  return {
    ...target,
    agent: false,
    method: request.method,
    path: `${prefix}${request.path}${query}`,
    headers: {
      'user-agent': `mariposa/${manifest.version}`,
      'x-mariposa-user': `${userName()}@${hostname()}`,
      // Why an archive has broken off comes behind it.
      te: 'trailers',
      // On a unix socket the kernel says who asks; who listens there may be anybody.
      ...(credentials.token !== undefined &&
        endpoint.kind !== 'unix' && { authorization: `Bearer ${credentials.token}` }),
      // The answer may end before the body does: a connection that stays open takes the rest instead of breaking.
      ...(request.body !== undefined && {
        'content-type': 'application/octet-stream',
        connection: 'keep-alive',
      }),
      ...(request.json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(request.signal !== undefined && { signal: request.signal }),
  }
}

/** Who runs this program, for the history of what was changed; an account without a name goes by its number. */
function userName(): string {
  try {
    return process.env['SUDO_USER'] ?? userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

function encodeQuery(query: Query): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    (value === undefined ? [] : typeof value === 'string' ? [value] : value).map(
      (one) => `${key}=${encodeURIComponent(one)}`,
    ),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function sendBody(outgoing: ClientRequest, request: HttpRequest): void {
  if (request.body !== undefined) {
    outgoing.flushHeaders()
    // What fails on the way is told by the request itself.
    pipeline(request.body, outgoing).catch(() => {})
  } else if (request.json !== undefined) {
    outgoing.end(JSON.stringify(request.json))
  } else {
    outgoing.end()
  }
}

/** The whole answer. */
export async function readText(
  answer: IncomingMessage,
  endpoint: Endpoint,
  credentials: Credentials,
  signal: AbortSignal | undefined,
): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of chunksOf(answer, endpoint, credentials, false)) chunks.push(chunk as Buffer)
  } catch (cause) {
    throw failureOf(endpoint, cause, signal)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function refusal(endpoint: Endpoint, status: number, text: string): ClientError {
  try {
    const { error } = JSON.parse(text) as ErrorBody
    if (typeof error.message !== 'string') throw new TypeError('an error without a message')
    return new ClientError(status, { ...error, details: error.details ?? [] })
  } catch (cause) {
    return strangeAnswer(endpoint, status, cause)
  }
}

function strangeAnswer(endpoint: Endpoint, status: number, cause: unknown): ClientError {
  const message = `what answers at ${describeEndpoint(endpoint)} does not speak Mariposa's API (HTTP ${status})`
  return new ClientError(
    status,
    { code: 'client/bad-answer', message, hint: 'check --endpoint', details: [] },
    { cause },
  )
}

/** Of an answer that is well-formed, and that no daemon gives to what was asked. */
export function otherForm(endpoint: Endpoint, { statusCode: status = 0 }: IncomingMessage): ClientError {
  const message = `what answers at ${describeEndpoint(endpoint)} is not a Mariposa daemon, or one of another version (HTTP ${status})`
  const hint = 'check --endpoint, and that the daemon there is of the version of this program'
  return new ClientError(status, { code: 'client/bad-answer', message, hint, details: [] })
}

interface Explained {
  readonly code: string
  readonly message: string
  readonly hint?: string
}

function explainConnection(where: string, code: string, reason: string): Explained {
  const timedOut = { code: 'client/timeout', message: `the daemon at ${where} did not answer in time` }
  const unreachable = {
    code: 'client/unreachable',
    message: `${where} cannot be reached: ${reason}`,
    hint: 'check --endpoint',
  }
  const noDaemon = {
    code: 'client/no-daemon',
    message: `no daemon answers at ${where}`,
    hint: 'start one with: mariposa daemon',
  }
  const denied = {
    code: 'client/denied',
    message: `you may not use the daemon's socket at ${where}`,
    hint: "run the command with sudo, or as a user of the socket's group",
  }
  const disconnected = {
    code: 'client/disconnected',
    message: `the daemon at ${where} closed the connection`,
  }
  const known: Readonly<Record<string, Explained>> = {
    ENOENT: noDaemon,
    ECONNREFUSED: noDaemon,
    ENOTSOCK: noDaemon,
    EACCES: denied,
    EPERM: denied,
    ETIMEDOUT: timedOut,
    ENOTFOUND: unreachable,
    EAI_AGAIN: unreachable,
    EHOSTUNREACH: unreachable,
    ENETUNREACH: unreachable,
    ECONNRESET: disconnected,
    EPIPE: disconnected,
    ERR_STREAM_PREMATURE_CLOSE: disconnected,
  }
  if (code.startsWith('HPE_'))
    return {
      code: 'client/bad-answer',
      message: `what answers at ${where} does not speak HTTP`,
      hint: 'check --endpoint',
    }
  const tls = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|ERR_OSSL)/.test(code)
  if (tls)
    return {
      code: 'client/tls',
      message: `no secure connection to ${where}: ${reason}`,
      hint: 'check --ca-file, --cert-file and --key-file',
    }
  return (
    known[code] ?? { code: 'client/disconnected', message: `the connection to ${where} failed: ${reason}` }
  )
}
