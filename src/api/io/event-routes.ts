// The history as a stream: what has happened, and what happens from then on.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HistoryEvent } from '../../model/event.js'
import { decodeEvents, prefixes } from '../../store/records.js'
import { eventBodyOf } from '../bodies.js'
import { type EventBody, paths } from '../contract.js'
import { type EventsAsked, type EventsQuerystring, readEventsQuery, selectEvents } from '../history.js'
import { type ApiContext, orRefuse } from './context.js'
import { type Streaming, streamEvents, streamLines } from './streams.js'

/** How often a stream on which nothing happens says that it is there. */
const beatEveryMs = 15_000

export function eventRoutes(server: FastifyInstance, { registry }: ApiContext): void {
  const { store, view } = registry
  server.get<{ Querystring: EventsQuerystring }>(paths.events, async (request, reply) => {
    const { query } = request
    // As a browser's EventSource does it: with the last event that it got.
    const since = lastEventOf(request) ?? query.since
    const asked = orRefuse(readEventsQuery(view, { ...query, ...(since !== undefined && { since }) }))
    const { revision, entries } = await store.range(prefixes.event)
    const stream = begin(request, reply)
    const beat = setInterval(() => stream.ping(), beatEveryMs)
    try {
      for (const event of selectEvents(entries, asked)) await stream.send(eventBodyOf(event))
      if (!asked.follow) return
      for await (const event of eventsAfter(revision, asked, stream.signal))
        await stream.send(eventBodyOf(event))
    } finally {
      clearInterval(beat)
      stream.end()
    }
  })

  async function* eventsAfter(
    revision: number,
    { isWanted }: EventsAsked,
    signal: AbortSignal,
  ): AsyncGenerator<HistoryEvent> {
    for await (const { changes } of store.watch(prefixes.event, revision, signal)) {
      const added = changes.flatMap((change) => (change.type === 'put' ? decodeEvents(change.entry) : []))
      yield* added.filter(isWanted)
    }
  }
}

function lastEventOf({ headers }: FastifyRequest): string | undefined {
  const value = headers['last-event-id']
  return typeof value === 'string' ? value : undefined
}

/** Newline-separated JSON for who asks for it, else server-sent events with their ids. */
function begin({ headers }: FastifyRequest, reply: FastifyReply): Streaming {
  if (headers.accept?.includes('application/x-ndjson') === true) return streamLines(reply)
  return streamEvents(reply, (value) => (value as EventBody).id)
}
