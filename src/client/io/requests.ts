// The kinds of requests that the client's methods are made of: one that reads, lists, changes, or is answered in a stream.
import type { IncomingHttpHeaders } from 'node:http'
import type { Form } from '../../lib/form.js'
import { undecided } from '../client-error.js'
import type { Endpoint } from '../endpoint.js'
import { type Next, type PageQuery, pageParameters, withNext } from '../page.js'
import type { Query } from '../queries.js'
import { type Credentials, type HttpRequest, readJson, readText, send } from './http.js'
import { readJsonLines, readServerSentEvents } from './streams.js'
import { archiveOf, type VolumeArchive } from './volume-archive.js'

/** Requests to one daemon. All throw ClientError. */
export interface Requests {
  json<T>(form: Form<T>, request: HttpRequest, signal?: AbortSignal): Promise<T>
  get<T>(form: Form<T>, path: string, signal?: AbortSignal, query?: Query): Promise<T>
  /** Of a list, all or a page. */
  list<T extends object>(
    form: Form<T>,
    path: string,
    signal?: AbortSignal,
    page?: PageQuery,
    query?: Query,
  ): Promise<T & Next>
  text(path: string, signal?: AbortSignal): Promise<string>
  /** Reads, though with a body. */
  post<T>(form: Form<T>, path: string, body: unknown, signal?: AbortSignal): Promise<T>
  /** Asks for a change. `look` is the command that shows whether it was made, where no answer comes. */
  change<T>(form: Form<T>, look: string, request: HttpRequest, signal?: AbortSignal): Promise<T>
  /** The same by POST. */
  changeBy<T>(form: Form<T>, look: string, path: string, body: unknown, signal?: AbortSignal): Promise<T>
  lines<T>(
    form: Form<T>,
    request: HttpRequest,
    signal?: AbortSignal,
    onBegin?: (headers: IncomingHttpHeaders) => void,
  ): AsyncGenerator<T, void, undefined>
  sse<T>(form: Form<T>, request: HttpRequest, signal?: AbortSignal): AsyncGenerator<T, void, undefined>
  download(request: HttpRequest, signal?: AbortSignal): Promise<VolumeArchive>
}

/** Requests to a daemon. Connects with each, not before. */
export function requestsTo(endpoint: Endpoint, credentials: Credentials): Requests {
  const ask = async (request: HttpRequest, signal: AbortSignal | undefined) =>
    send(endpoint, credentials, signal === undefined ? request : { ...request, signal })
  const json: Requests['json'] = async <T>(form: Form<T>, request: HttpRequest, signal?: AbortSignal) =>
    readJson<T>(await ask(request, signal), form, endpoint, credentials, signal)
  const change: Requests['change'] = async (form, look, request, signal) => {
    credentials.onChange?.()
    try {
      return await json(form, request, signal)
    } catch (error) {
      throw undecided(error, look)
    }
  }
  return {
    json,
    change,
    get: (form, path, signal, query = {}) => json(form, { method: 'GET', path, query }, signal),
    post: (form, path, body, signal) => json(form, { method: 'POST', path, json: body }, signal),
    changeBy: (form, look, path, body, signal) =>
      change(form, look, { method: 'POST', path, json: body }, signal),
    list: async <T extends object>(
      form: Form<T>,
      path: string,
      signal?: AbortSignal,
      page: PageQuery = {},
      query: Query = {},
    ) => {
      const answer = await ask({ method: 'GET', path, query: { ...query, ...pageParameters(page) } }, signal)
      const link = [answer.headers.link].flat()[0]
      return withNext(await readJson<T>(answer, form, endpoint, credentials, signal), link)
    },
    text: async (path, signal) =>
      readText(await ask({ method: 'GET', path }, signal), endpoint, credentials, signal),
    lines: async function* (form, request, signal, onBegin) {
      const answer = await ask(request, signal)
      onBegin?.(answer.headers)
      yield* readJsonLines(answer, form, endpoint, credentials)
    },
    sse: async function* (form, request, signal) {
      yield* readServerSentEvents(await ask(request, signal), form, endpoint, credentials)
    },
    download: async (request, signal) => archiveOf(await ask(request, signal), endpoint, credentials),
  }
}
