// The list of a project's services, which programs ask for again and again: where it is kept as it was answered before, it is
// answered before Fastify is asked. What stands before every route costs three times the answer.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { namesTag } from '../etag.js'
import type { ListText } from '../kept-bodies.js'
import { tellAnswer } from './answer-log.js'
import type { ApiContext } from './context.js'
import { bytesOf, jsonType } from './listings.js'
import type { Serving } from './serving.js'

/** The route that answers it otherwise. */
export const listRoute = '/v1/projects/:project/services'
const listUrl = /^\/v1\/projects\/([a-z0-9-]+)\/services$/

type Known = Pick<ApiContext, 'bodies' | 'registry' | 'stale' | 'log' | 'clock'>

/**
 * Answers a list that is kept, and hands on all else: every request of which anything has to be said or refused. `admits` says
 * whether a caller may ask the route of the list.
 */
export function keptListsFirst(
  known: Known,
  serving: Serving,
  admits: (request: IncomingMessage) => boolean,
  handler: RequestListener,
): RequestListener {
  return (request, response) => {
    const list = plainList(known, request)
    if (list === null || serving.isEnding || !admits(request)) handler(request, response)
    else answer(known, serving, request, response, list)
  }
}

/** The list that a request is for, where its answer has nothing but that; null otherwise. */
function plainList(
  { bodies, registry, stale }: Known,
  { method, url = '', headers }: IncomingMessage,
): ListText | null {
  if (method !== 'GET') return null
  const project = listUrl.exec(url)?.[1]
  if (project === undefined || registry.view.unreadable.size > 0 || stale() !== null) return null
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return hasBody ? null : bodies.knownServiceList(project)
}

function answer(
  { log, clock }: Known,
  serving: Serving,
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
  list: ListText,
): void {
  const begunAt = clock.steady()
  serving.closesLater(response)
  response.once('finish', () => {
    const { statusCode: status } = response
    tellAnswer(log, () => ({ method, url, status, ms: clock.steady() - begunAt }))
  })
  if (namesTag(headers['if-none-match'], list.tag)) {
    response.writeHead(304, { etag: list.tag }).end()
    return
  }
  const bytes = bytesOf(list)
  response
    .writeHead(200, { etag: list.tag, 'content-type': jsonType, 'content-length': bytes.length })
    .end(bytes)
}
