// Answers that go on: newline-separated JSON and server-sent events, written no faster than they are read.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

export interface Streaming {
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal
  /** Sends one value. Resolves when the caller keeps up. */
  send(value: unknown): Promise<void>
  /** Sends a comment that keeps the connection from being taken for dead. */
  ping(): void
  end(): void
}

/** Begins an answer of newline-separated JSON. */
export function streamLines(reply: FastifyReply): Streaming {
  return begin(reply, 'application/x-ndjson', (value) => `${JSON.stringify(value)}\n`, '\n')
}

/** Begins an answer of server-sent events; each is a JSON value, with an id where there is one. */
export function streamEvents(
  reply: FastifyReply,
  idOf: (value: unknown) => string | null = () => null,
): Streaming {
  const frame = (value: unknown): string => {
    const id = idOf(value)
    return `${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(value)}\n\n`
  }
  return begin(reply, 'text/event-stream', frame, ': \n\n')
}

function begin(
  reply: FastifyReply,
  contentType: string,
  frame: (value: unknown) => string,
  comment: string,
): Streaming {
  reply.hijack()
  const answer: ServerResponse = reply.raw
  const abort = new AbortController()
  answer.on('close', () => abort.abort())
  answer.on('error', () => abort.abort())
  answer.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' })
  answer.flushHeaders()
  return {
    signal: abort.signal,
    send: async (value) => {
      if (abort.signal.aborted || answer.write(frame(value))) return
      await once(answer, 'drain', { signal: abort.signal }).catch(() => {})
    },
    ping: () => {
      if (!abort.signal.aborted) answer.write(comment)
    },
    end: () => {
      answer.end()
    },
  }
}
