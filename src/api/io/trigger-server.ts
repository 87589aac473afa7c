// The listener of trigger URLs: a server of its own, with nothing else behind it, so that it may stand where anybody can
// reach it.
import { createServer, type RequestListener, type Server } from 'node:http'
import https from 'node:https'
import { type FastifyInstance, fastify } from 'fastify'
import { isProblem, type Problem, problemBody } from '../../changes/problem.js'
import {
  type AdmittedCall,
  decideCall,
  type FoundTrigger,
  findTrigger,
  noTrigger,
  type TriggerPlace,
  tooOften,
} from '../../changes/trigger-calls.js'
import type { TriggerCallResponse } from '../../contract/contract.js'
import { uuidByChance } from '../../lib/hash.js'
import { describeError } from '../../lib/io/log.js'
import { RateLimiter } from '../../lib/rate-limit.js'
import type { Instant } from '../../lib/time.js'
import type { Actor } from '../../model/actor.js'
import { bodyAtMost } from '../../model/call-body.js'
import { describeTriggerAction, triggerPath, triggerSecretPlace } from '../../model/trigger-url.js'
import { MissingMetaError, resolveDeferred } from '../../store/io/deferred-text.js'
import { SecretError } from '../../store/io/secret-box.js'
import { isFull, isOutOfReach, StoreError } from '../../store/store.js'
import { describeActor } from '../actor.js'
import { checkProof, printOfBody, type TriggerCall } from '../trigger-proof.js'
import { bounded, boundedListener, endsConnection, lastAnswer } from './connections.js'
import { type ApiContext, answerProblem, applyChange, type ChangeContext, ProblemError } from './context.js'
import { type Address, listen } from './listen.js'
import { sealing } from './make-secret.js'
import { renewTls } from './make-server.js'
import { countRefusedCall } from './refused-calls.js'
import { requestChecks } from './request-checks.js'
import { scopeRequests } from './request-scope.js'
import { answerWithinMs, lastAnswersMs, Serving } from './serving.js'

export interface TriggerServer {
  /** What it listens on, as URLs. */
  readonly endpoints: readonly string[]
  /** Shows another certificate from now on. */
  renew(tls: TriggerTls): void
  /** Listens no more, and resolves when what has come is answered, or cannot be soon. */
  end(): Promise<void>
  /** Cuts off what is left. */
  close(): Promise<void>
}

/** What a call needs of the daemon. */
type TriggerContext = ChangeContext & Pick<ApiContext, 'log' | 'secrets'>

/** Calls of one trigger that take effect. */
const callLimit = { burst: 20, everyMs: 3_000 }
/** Calls that are not let in, of one address. */
const refusalLimit = { burst: 10, everyMs: 6_000 }
const connectionsAtMost = 256
/** How long a caller may take to send a request, looked at every second; after that its place is for others. */
const patience = {
  requestTimeout: 5_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false,
}

/** Contents of PEM files. */
interface TriggerTls {
  readonly cert: string
  readonly key: string
}

/** Serves trigger URLs on every address; `tls` null: without TLS. Throws ListenError when one of them cannot be had. */
export async function startTriggerServer(
  context: TriggerContext,
  addresses: readonly Address[],
  tls: TriggerTls | null,
): Promise<TriggerServer> {
  const limits = newLimits()
  const servers: FastifyInstance[] = []
  const endpoints: string[] = []
  const serving = new Serving(context.clock)
  const close = async (): Promise<void> => {
    await serving.end(lastAnswersMs)
    serving.cut()
    await Promise.all(servers.map((server) => server.close()))
  }
  try {
    for (const address of addresses) {
      const server = buildTriggerServer(context, address.kind === 'tcp' ? tls : null, limits, serving)
      servers.push(server)
      endpoints.push((await listen(server, address, { open: false }, '--trigger-listen')).url)
    }
  } catch (error) {
    await close()
    throw error
  }
  const renew = ({ cert, key }: TriggerTls): void =>
    renewTls(
      servers.map(({ server }) => server),
      { cert, key, ca: null },
    )
  return { endpoints, renew, end: () => serving.end(answerWithinMs), close }
}

interface Limits {
  readonly calls: RateLimiter
  readonly refusals: RateLimiter
}

function newLimits(): Limits {
  return { calls: new RateLimiter(callLimit), refusals: new RateLimiter(refusalLimit) }
}

/** The server of one address, which does not listen yet. Those of a daemon share their limits. */
export function buildTriggerServer(
  context: TriggerContext,
  tls: TriggerTls | null,
  limits: Limits = newLimits(),
  serving: Serving = new Serving(context.clock),
): FastifyInstance {
  const server = fastify({
    bodyLimit: bodyAtMost,
    forceCloseConnections: true,
    return503OnClosing: false,
    schemaController: requestChecks(),
    // Callers have the secret to show, and no certificate.
    serverFactory: (handler: RequestListener): Server =>
      serving.made(
        bounded(
          tls === null
            ? createServer(patience, boundedListener(handler, context.clock))
            : https.createServer({ ...patience, ...tls }, boundedListener(handler, context.clock)),
          context.clock,
        ),
      ),
    // The server itself has answered.
    clientErrorHandler: () => {},
    frameworkErrors: (_error, request, reply) => {
      endsConnection(request.raw, context.clock)
      answerProblem(reply.headers(lastAnswer), nothingHere)
    },
  })
  serving.follow(server)
  scopeRequests(server)
  // Who is refused gets a connection for the next try, and keeps no place meanwhile.
  server.addHook('onSend', async ({ raw }, reply) => {
    if (reply.statusCode < 400) return
    endsConnection(raw, context.clock)
    reply.headers(lastAnswer)
  })
  server.server.maxConnections = connectionsAtMost
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.setNotFoundHandler((_request, reply) => reply.code(404).send(problemBody(nothingHere)))
  server.setErrorHandler((error, _request, reply) => {
    const problem = problemOf(error)
    if (problem.status === 500 || error instanceof SecretError)
      context.log.error('trigger', describeError(error))
    return reply.code(problem.status).send(problemBody(problem))
  })
  server.post<{ Params: TriggerPlace }>(
    triggerPath({ project: ':project', service: ':service', name: ':name' }),
    async ({ params, headers, body, raw }, reply): Promise<TriggerCallResponse | object> => {
      const now = context.clock.now()
      const from = raw.socket.remoteAddress ?? null
      const bytes = body instanceof Uint8Array ? body : new Uint8Array()
      const admitted = admit(context, limits, params, { headers, body: bytes }, from, now)
      if ('waitMs' in admitted) return refuse(reply, tooOften, admitted.waitMs)
      if (isProblem(admitted)) return refuse(reply, admitted)
      const actor = describeActor(headers, from)
      const { id, print } = admitted
      const sent = { bytes, type: headers['content-type'] ?? null, print }
      const answer = await call(context, { ...params, id, body: sent }, actor)
      return reply.code(202).send(answer)
    },
  )
  return server
}

function refuse(
  reply: { code(status: number): { headers(all: object): { send(body: object): object } } },
  problem: Problem,
  waitMs = 0,
): object {
  const headers = {
    ...(problem.status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(waitMs > 0 && { 'retry-after': String(Math.ceil(waitMs / 1000)) }),
  }
  return reply.code(problem.status).headers(headers).send(problemBody(problem))
}

interface Admitted {
  readonly id: string | null
  /** Of its body. */
  readonly print: string
}

/** Lets a call in, or says why not. Nothing is waited for here, so that many calls at once count as many. */
function admit(
  { registry, secrets, clock, log }: TriggerContext,
  { calls, refusals }: Limits,
  place: TriggerPlace,
  shown: TriggerCall,
  from: string | null,
  now: Instant,
): Admitted | { readonly waitMs: number } | Problem {
  const caller = neighbourhood(from)
  // A limit is about how long, never about when: a clock that is set back keeps nobody out.
  const at = clock.steady()
  const refusedForMs = refusals.waitMs(caller, at)
  if (refusedForMs > 0) {
    countRefusedCall(tooOften.code)
    return { waitMs: refusedForMs }
  }
  const found = findTrigger(registry.view, place)
  const secret = found === null ? null : secretOf({ registry, secrets, log }, place, found)
  // Who asks for what is not there is kept as busy as who knows a name.
  const proof = checkProof(shown, secret ?? 'no such trigger', now)
  if (secret === null || 'refused' in proof) {
    const problem = 'refused' in proof ? refusedFor[proof.refused] : noTrigger
    refusals.take(caller, at)
    countRefusedCall(problem.code)
    log.warn('trigger', `a call of ${triggerPath(place)} is refused`, { address: from })
    return problem
  }
  const key = triggerPath(place)
  const waitMs = calls.waitMs(key, at)
  if (waitMs > 0) return { waitMs }
  calls.take(key, at)
  return { ...proof, print: printOfBody(shown.body, secret) }
}

/** The secret of a trigger; null where it has none that could be known, and the log says why. */
function secretOf(
  { registry, secrets, log }: Pick<TriggerContext, 'registry' | 'secrets' | 'log'>,
  place: TriggerPlace,
  { trigger, record }: FoundTrigger,
): string | null {
  try {
    const secret =
      trigger.secret === null
        ? secrets.open(record.madeSecret ?? '', triggerSecretPlace(place))
        : resolveDeferred(trigger.secret, registry.view, place.project, secrets)
    if (secret.length >= shortestSecret) return secret
    log.warn('trigger', `the secret of ${triggerPath(place)} is too short`)
  } catch (error) {
    if (!(error instanceof MissingMetaError || error instanceof SecretError)) throw error
    log.warn('trigger', `${triggerPath(place)} cannot be called: ${error.message}`)
  }
  return null
}

const shortestSecret = 8

async function call(
  context: TriggerContext,
  admitted: AdmittedCall,
  { client, address }: Actor,
): Promise<TriggerCallResponse> {
  const { name } = admitted
  const by: Actor = { user: `trigger ${name}`, client, address }
  const id = uuidByChance(context.random, 'call')
  const change = await applyChange(context, by, (view, now) =>
    sealing(context.secrets, view, (seal) => decideCall(view, admitted, { id, seal }, now)),
  )
  const found = findTrigger(context.registry.view, admitted)
  const action = found === null ? '' : describeTriggerAction(found.trigger.action)
  const how = change.repeated ? 'is repeated' : 'is taken'
  context.log.info('trigger', `a call of ${triggerPath(admitted)} ${how}: ${action}`, { address })
  return { trigger: name, task: change.task, repeated: change.repeated }
}

/** Whose refusals count together: an IPv4 address, or the /64 of an IPv6 one, which one caller has whole. */
function neighbourhood(address: string | null): string {
  if (address === null) return ''
  const four = /^(?:::ffff:)?(\d+(?:\.\d+){3})$/i.exec(address)?.[1]
  return four ?? address.split(':').slice(0, 4).join(':')
}

const refusedFor: Readonly<Record<'secret' | 'time' | 'id', Problem>> = {
  secret: noTrigger,
  time: {
    status: 401,
    code: 'trigger/bad-time',
    message: 'the time of the call is missing, or more than 5 minutes off',
    hint: 'webhook-timestamp is in seconds since 1970',
  },
  id: {
    status: 400,
    code: 'trigger/bad-id',
    message: 'a signed call has a webhook-id, of 256 characters at most',
  },
}

const nothingHere: Problem = {
  status: 404,
  code: 'trigger/unknown-path',
  message: 'only POST /trigger/PROJECT/SERVICE/NAME is answered here',
}

/** What is said to callers from outside: the code and the sentence, and nothing of what to do on the inside. */
function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) {
    const { status, code, message } = error.problem
    return { status, code, message }
  }
  if (isOutOfReach(error))
    return { status: 503, code: 'trigger/not-now', message: 'the store cannot be reached' }
  if (isFull(error)) return { status: 503, code: 'trigger/not-now', message: 'the store has no space left' }
  if (error instanceof SecretError)
    return { status: 503, code: 'trigger/not-now', message: 'this daemon has no key to keep a body with' }
  if (error instanceof StoreError && error.code === 'store/closed')
    return { status: 503, code: 'trigger/not-now', message: 'the daemon is being stopped' }
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500
  if (status === 413)
    return { status, code: 'trigger/too-large', message: `a body has ${bodyAtMost} bytes at most` }
  if (typeof status === 'number' && status < 500)
    return { status: 400, code: 'trigger/bad-request', message: 'this is not a valid request' }
  return { status: 500, code: 'trigger/internal', message: 'the call failed; the log of the daemon says why' }
}
