// The history as a stream: what has happened, and what happens from then on.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type EventBody, paths } from '../../contract/contract.js'
import { eventsQuery } from '../../contract/queries.js'
import { inBatches } from '../../lib/io/batches.js'
import type { Timers } from '../../lib/time.js'
import type { HistoryEvent } from '../../model/event.js'
import { eventBodyOf } from '../bodies.js'
import { type EventsQuerystring, readEventsQuery, selectEvents, unknownInHistory } from '../history.js'
import { type ApiContext, orRefuse, ProblemError } from './context.js'
import { FellBehindError, HistoryFeed } from './history-feed.js'
import { type Streaming, streamEvents, streamLines } from './streams.js'

export function eventRoutes(server: FastifyInstance, { registry, clock, log }: ApiContext): void {
  const { view } = registry
  const feed = new HistoryFeed(registry)
  const options = { schema: { querystring: eventsQuery } }
  server.get<{ Querystring: EventsQuerystring }>(paths.events, options, async (request, reply) => {
    const { query } = request
    // As a browser's EventSource does it: with the last event that it got.
    const since = lastEventOf(request) ?? query.since
    const asked = orRefuse(readEventsQuery(view, { ...query, ...(since !== undefined && { since }) }))
    const { entries, place } = feed.read()
    const unknown = unknownInHistory(view, entries, query)
    if (unknown !== null) throw new ProblemError(unknown)
    const stream = begin(request, reply, clock)
    try {
      const { isWanted } = asked
      await stream.sendAll(bodies(inBatches(selectEvents(entries, asked))))
      if (asked.follow) await stream.sendAll(bodies(wantedOf(feed.after(place, stream.signal), isWanted)))
    } catch (error) {
      if (!(error instanceof FellBehindError)) throw error
      // It can ask for what came after the last one that it has.
      log.info('api', 'event stream closed: the client reads too slowly')
    } finally {
      stream.end()
    }
  })
}

async function* wantedOf(
  events: AsyncIterable<HistoryEvent>,
  isWanted: (event: HistoryEvent) => boolean,
): AsyncGenerator<readonly HistoryEvent[], void, undefined> {
  for await (const event of events) if (isWanted(event)) yield [event]
}

async function* bodies(
  batches: AsyncIterable<readonly HistoryEvent[]>,
): AsyncGenerator<readonly EventBody[], void, undefined> {
  for await (const events of batches) yield events.map(eventBodyOf)
}

function lastEventOf({ headers }: FastifyRequest): string | undefined {
  const value = headers['last-event-id']
  return typeof value === 'string' ? value : undefined
}

/** Newline-separated JSON for who asks for it, else server-sent events with their ids. */
function begin({ headers }: FastifyRequest, reply: FastifyReply, clock: Timers): Streaming {
  if (headers.accept?.includes('application/x-ndjson') === true) return streamLines(reply, clock)
  return streamEvents(reply, clock, (value) => (value as EventBody).id)
}
