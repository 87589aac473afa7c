// A small HTTP server that speaks the contract: each test says what it answers, and may look at what was asked.
import { mkdtempSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ErrorBody, TaskProgress } from '../../src/contract/contract.js'
import { removeDir } from '../remove-dir.js'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  /** The body as JSON, or as text where it is none; undefined while it is still coming in. */
  readonly body: unknown
}

/** Answers one request: a value is sent as JSON, a function writes what it likes. */
export type Answer = ((asked: Asked, response: ServerResponse, request: IncomingMessage) => void) | object

export interface SpeakingDaemon {
  readonly endpoint: string
  readonly asked: readonly Asked[]
  close(): Promise<void>
}

/** Listens on a fresh unix socket (or the path given) and answers `METHOD /path` as the table says, 404 otherwise. */
export async function startDaemon(
  answers: Readonly<Record<string, Answer>>,
  listen: { readonly path?: string; readonly tcp?: true } = {},
): Promise<SpeakingDaemon> {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-cli-'))
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const method = request.method ?? ''
    const answer = answers[`${method} ${url.pathname}`]
    const { headers } = request
    const note = (body: unknown): Asked => ({
      method,
      path: url.pathname,
      query: url.searchParams,
      headers,
      body,
    })
    if (headers['content-type'] === 'application/octet-stream' && typeof answer === 'function') {
      asked.push(note(undefined))
      answer(note(undefined), response, request)
      return
    }
    readBody(request, (body) => {
      asked.push(note(body))
      if (typeof answer === 'function') answer(note(body), response, request)
      else if (answer === undefined)
        refuse(response, 404, { code: 'api/not-found', message: `no ${url.pathname}`, details: [] })
      else respond(response, 200, answer)
    })
  })
  const socket = listen.path ?? join(dir, 'mariposa.sock')
  await new Promise<void>((resolve) => {
    if (listen.tcp) server.listen(0, '127.0.0.1', resolve)
    else server.listen(socket, resolve)
  })
  return {
    endpoint: listen.tcp ? `http://127.0.0.1:${portOf(server)}` : `unix://${socket}`,
    asked,
    close: () => close(server, dir),
  }
}

export function respond(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

export function refuse(response: ServerResponse, status: number, error: ErrorBody['error']): void {
  respond(response, status, { error } satisfies ErrorBody)
}

/** Begins a stream of server-sent events. */
export function beginEvents(response: ServerResponse): {
  send(look: unknown): void
  end(): void
  cut(): void
} {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(': hello\n\n')
  return {
    send: (look) => void response.write(`event: progress\ndata: ${JSON.stringify(look)}\n\n`),
    end: () => void response.end(),
    cut: () => void response.destroy(),
  }
}

/** Answers a task's progress with these looks at it, then ends. */
export function progress(...looks: readonly TaskProgress[]): Answer {
  return (_asked, response) => {
    const events = beginEvents(response)
    for (const look of looks) events.send(look)
    events.end()
  }
}

/** Answers with one JSON value per line. */
export function jsonLines(...values: readonly unknown[]): Answer {
  return (_asked, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.end(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
  }
}

function readBody(request: IncomingMessage, done: (body: unknown) => void): void {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    text += chunk
  })
  request.on('end', () => done(text === '' ? undefined : (JSON.parse(text) as unknown)))
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function close(server: Server, dir: string): Promise<void> {
  return new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => {
      removeDir(dir)
      resolve()
    })
  })
}
