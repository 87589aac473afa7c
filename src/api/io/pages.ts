// The page of a list that a request asks for, and where its answer says that there is more: the body stays the list.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Order, type PageAsked, printPlace, readPlace, takePage } from '../paging.js'
import { ProblemError } from './context.js'

/** What of the address of a request is about pages. */
interface PageQuery {
  readonly limit?: string
  readonly after?: string
}

/** The entries that are asked for, in the order of the list. Whatever comes after them, the header `link` leads to. */
export function pageOf<T>(
  request: Pick<FastifyRequest, 'query' | 'url'>,
  reply: FastifyReply,
  order: Order<T>,
  entries: readonly T[],
): readonly T[] {
  const page = takePage(order, entries, readPage(request, order))
  reply.removeHeader('link')
  if (page.next !== null) reply.header('link', linkTo(request, printPlace(order, page.next)))
  return page.entries
}

/** Whether a part of a list is asked for, and not all of it. */
export function isPaged({ query }: Pick<FastifyRequest, 'query'>): boolean {
  const { limit, after } = query as PageQuery
  return limit !== undefined || after !== undefined
}

function readPage({ query }: Pick<FastifyRequest, 'query'>, order: Pick<Order<never>, 'list'>): PageAsked {
  const { limit, after } = query as PageQuery
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    throw badPage('limit has to be a whole number from 1 on')
  const place =
    after === undefined ? null : readPlace(order, Buffer.from(after, 'base64url').toString('utf8'))
  if (after !== undefined && place === null)
    throw badPage(
      'after is not a position in this list',
      'take it from the Link header of the previous page, or leave it out',
    )
  return { limit: limit === undefined ? null : Number(limit), after: place }
}

/** Relative to the address that was asked, so that it holds behind whatever stands in front of the daemon. */
function linkTo({ url }: Pick<FastifyRequest, 'url'>, place: string): string {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'))
  query.set('after', Buffer.from(place, 'utf8').toString('base64url'))
  return `<?${query.toString()}>; rel="next"`
}

function badPage(message: string, hint?: string): ProblemError {
  return new ProblemError({
    status: 400,
    code: 'api/bad-request',
    message,
    ...(hint !== undefined && { hint }),
  })
}
