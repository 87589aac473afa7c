// Answers that go on: newline-separated JSON and server-sent events, written no faster than they are read.
import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { beatHeader } from '../../contract/contract.js'
import { every } from '../../lib/io/clock.js'
import { ownTurn } from '../../lib/io/turns.js'
import type { Timers } from '../../lib/time.js'
import { answersInStream } from './serving.js'

/** How often an answer on which nothing happens says that it is there: who hears nothing for longer knows that we hang. */
const beatEveryS = 2
/** A caller who has gone is noticed after two of these at the latest. */
const heldUpBeatMs = 1000

export interface Streaming {
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal
  /** Sends one value. Resolves when the caller keeps up, and also when the caller has gone. */
  send(value: unknown): Promise<void>
  /**
   * Sends all that a source gives, batch by batch, as fast as the caller takes it. Once the caller has gone the source
   * is ended; one that waits for something has to end by `signal`.
   */
  sendAll(batches: AsyncIterable<readonly unknown[]>): Promise<void>
  /** Sends a comment; one is also sent every few seconds, so that the connection is not taken for dead. */
  ping(): void
  /**
   * Notices that the caller has gone also while its body is held up. Nothing is read from the connection then, so nobody
   * sees it end: how much is ahead of the end has no bound, and the kernel tells of it only to readers and writers. So
   * something is written, which fails on a connection that the caller has closed, and is nothing to one who has only
   * finished sending. Returns the way to end that.
   */
  watchHeldUp(body: Readable): () => void
  end(): void
}

/** Begins an answer of newline-separated JSON. */
export function streamLines(reply: FastifyReply, clock: Timers): Streaming {
  return begin(reply, clock, 'application/x-ndjson', (value) => `${JSON.stringify(value)}\n`, '\n')
}

/** Begins an answer of server-sent events; each is a JSON value, with an id where there is one. */
export function streamEvents(
  reply: FastifyReply,
  clock: Timers,
  idOf: (value: unknown) => string | null = () => null,
): Streaming {
  const frame = (value: unknown): string => {
    const id = idOf(value)
    return `${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(value)}\n\n`
  }
  return begin(reply, clock, 'text/event-stream', frame, ': \n\n')
}

function begin(
  reply: FastifyReply,
  clock: Timers,
  contentType: string,
  frame: (value: unknown) => string,
  comment: string,
): Streaming {
  reply.hijack()
  const answer: ServerResponse = reply.raw
  answersInStream(answer)
  const signal = goneSignal(reply)
  answer.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': contentType,
    'cache-control': 'no-store',
    [beatHeader]: String(beatEveryS),
  })
  answer.flushHeaders()
  // Many may send at a time: they wait for the same moment, with one listener.
  let draining: Promise<unknown> | null = null
  const drained = (): Promise<unknown> => {
    draining ??= once(answer, 'drain', { signal })
      .catch(() => {})
      .finally(() => {
        draining = null
      })
    return draining
  }
  const sendTogether = async (values: readonly unknown[]): Promise<void> => {
    while (answer.writableNeedDrain && !signal.aborted) await drained()
    if (signal.aborted || answer.write(values.map(frame).join(''))) return
    await drained()
  }
  const ping = (): void => {
    if (!signal.aborted && !answer.writableNeedDrain) answer.write(comment)
  }
  const endBeat = every(clock, beatEveryS * 1000, ping)
  if (signal.aborted) endBeat()
  else signal.addEventListener('abort', endBeat)
  return {
    signal,
    send: (value) => sendTogether([value]),
    sendAll: async (batches) => {
      for await (const values of batches) {
        if (signal.aborted) return
        if (values.length === 0) continue
        await ownTurn()
        await sendTogether(values)
        if (signal.aborted) return
      }
    },
    ping,
    watchHeldUp: (body) =>
      every(clock, heldUpBeatMs, () => {
        // As full as this, the body takes no more from the connection.
        if (body.readableLength >= body.readableHighWaterMark) ping()
      }),
    end: () => {
      endBeat()
      answer.end()
    },
  }
}

/** Aborts when the caller has gone, at once where that was before it was asked for. */
export function goneSignal({ raw: answer }: FastifyReply): AbortSignal {
  const abort = new AbortController()
  answer.on('close', () => abort.abort())
  answer.on('error', () => abort.abort())
  if (answer.closed || answer.destroyed) abort.abort()
  return abort.signal
}

/**
 * The body of a request, no faster than it is taken. Whoever stops taking it ends only that: the connection stays for
 * the answer, and the rest of the body is dropped.
 */
export async function* bodyOf(body: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array
  } finally {
    body.resume()
  }
}

/** The same as a stream that can be destroyed while nothing comes: then too the connection stays for the answer. */
export function detachedBody(body: Readable): Readable {
  const detached = new PassThrough()
  pipeline(bodyOf(body), detached).catch(() => {})
  return detached
}
