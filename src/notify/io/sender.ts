// Sends one delivery to one receiver: a POST that is signed, never redirected, and goes to no private address.

import { lookup as resolve } from 'node:dns'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { isLocalName, isPublicAddress } from '../../lib/address.js'
import { abortAfter } from '../../lib/io/clock.js'
import { refuseUpgrade } from '../../lib/io/refuse-upgrade.js'
import { parseRetryAfter } from '../../lib/retry-after.js'
import type { Clock, Time } from '../../lib/time.js'
import { isMailbox } from '../../model/webhook.js'
import type { Outcome } from '../next.js'
import { signatureHeaders } from '../signature.js'

/** What is sent, with everything that is secret in it filled in. */
export interface Letter {
  readonly url: string
  readonly id: string
  readonly body: string
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly allowPrivate: boolean
}

/** Sends webhooks. */
export interface Sender {
  /** Sends once. Every failure is an outcome; rejects only when `signal` aborts. */
  send(letter: Letter, signal: AbortSignal): Promise<Outcome>
  close(): void
}

/** How long a receiver may take to answer: the longest that Standard Webhooks proposes is 30 s, the shortest 15 s. */
const answerWithinMs = 15_000
/** Of an answer only the beginning is looked at, for people. */
const answerShown = 200

/** A sender; `mailer` sends what goes to mailboxes. It keeps connections that receivers keep, so that many deliveries share one. */
export function openSender(clock: Time, mailer: Sender): Sender {
  const open = agents()
  const guarded = agents(publicLookup)
  return {
    send: async (letter, signal) => {
      if (isMailbox(letter.url)) return mailer.send(letter, signal)
      signal.throwIfAborted()
      const at = clock.now()
      const deadline = AbortSignal.any([signal, abortAfter(clock, answerWithinMs)])
      const ended = await attempt(letter, letter.allowPrivate ? open : guarded, clock, deadline)
      signal.throwIfAborted()
      return { retryAfterMs: null, status: null, ...ended, at, tookMs: clock.now() - at }
    },
    close: () => {
      mailer.close()
      for (const agent of [open.httpAgent, open.httpsAgent, guarded.httpAgent, guarded.httpsAgent])
        agent.destroy()
    },
  }
}

interface Agents {
  readonly httpAgent: HttpAgent
  readonly httpsAgent: HttpsAgent
}

function agents(lookup?: LookupFunction): Agents {
  const options = { keepAlive: true, maxFreeSockets: 16, ...(lookup !== undefined && { lookup }) }
  return { httpAgent: new HttpAgent(options), httpsAgent: new HttpsAgent(options) }
}

type Ended = Pick<Outcome, 'error'> & Partial<Pick<Outcome, 'status' | 'retryAfterMs'>>

async function attempt(letter: Letter, using: Agents, clock: Clock, deadline: AbortSignal): Promise<Ended> {
  const refusal = letter.allowPrivate ? null : refusalOf(letter.url)
  if (refusal !== null) return { error: refusal }
  try {
    const response = await post(letter, using, clock, deadline)
    const said = await beginningOf(response, deadline)
    return judge(response.statusCode ?? 0, response.headers['retry-after'] ?? '', said, clock.now())
  } catch (error) {
    return { error: deadline.aborted ? `no answer within ${answerWithinMs / 1000} s` : describe(error) }
  }
}

/** The answer of a receiver, once its head is there. */
function post(letter: Letter, using: Agents, clock: Clock, deadline: AbortSignal): Promise<IncomingMessage> {
  const body = Buffer.from(letter.body, 'utf8')
  const headers = {
    accept: '*/*',
    'user-agent': 'mariposa-webhooks',
    ...letter.headers,
    'content-length': body.length,
    'content-type': 'application/cloudevents+json; charset=utf-8',
    ...signatureHeaders(letter.secret, letter.id, letter.body, clock.now()),
  }
  const options = { method: 'POST', headers, signal: deadline }
  const url = new URL(letter.url)
  return new Promise((resolve, reject) => {
    const asked =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: using.httpsAgent })
        : httpRequest(url, { ...options, agent: using.httpAgent })
    refuseUpgrade(asked, reject)
    asked.on('response', resolve).on('error', reject).end(body)
  })
}

function judge(status: number, retryAfter: string, said: string, now: number): Ended {
  if (status >= 200 && status < 300) return { status, error: null }
  const redirect = status >= 300 && status < 400 ? ' (redirects are not followed)' : ''
  const words = said === '' ? '' : `: ${said}`
  return {
    status,
    error: `it answers ${status}${redirect}${words}`,
    retryAfterMs: parseRetryAfter(retryAfter, now),
  }
}

/** A literal address is connected to without a lookup, so it is judged here. */
function refusalOf(url: string): string | null {
  const { hostname } = new URL(url)
  const isPrivate = isLocalName(hostname) || isPublicAddress(hostname) === false
  return isPrivate ? privateRefusal(hostname) : null
}

function privateRefusal(host: string): string {
  return `${host} is a private address, and allow_private is not set`
}

/** Resolves a name to public addresses alone: what is judged is what is connected to. */
const publicLookup: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error, '')
    const [first, ...more] = addresses.filter(({ address }) => isPublicAddress(address) === true)
    if (first === undefined) return done(new Error(privateRefusal(hostname)), '')
    if (options.all === true) return done(null, [first, ...more])
    return done(null, first.address, first.family)
  })
}

/** The beginning of an answer's text, on one line. The rest is read and dropped, so that the connection can be kept. */
async function beginningOf(body: Readable, deadline: AbortSignal): Promise<string> {
  const drop = (): void => {
    body.destroy()
  }
  deadline.addEventListener('abort', drop, { once: true })
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (text.length < answerShown) text += chunk.toString('utf8')
      if (bytes > bodyReadBytes) break
    }
  } catch {
    // The status came whole, and it is what counts.
  } finally {
    deadline.removeEventListener('abort', drop)
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, answerShown)
}

const bodyReadBytes = 64 * 1024

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A host with several addresses fails for a reason with each.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describe).join('; ')
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return error.message === '' ? (code ?? 'it failed') : error.message
}
