// Routes about webhooks: receivers, deliveries, tests, and trying again.
import type { FastifyInstance } from 'fastify'
import { isProblem, type Problem } from '../../changes/problem.js'
import {
  deliveriesOf,
  deliveryBodiesOf,
  receiversOf,
  retryDeliveries,
  webhookBodyOf,
} from '../../changes/webhooks.js'
import type {
  AttemptBody,
  DeliveryBody,
  WebhookBody,
  WebhookRetryRequest,
  WebhookRetryResponse,
  WebhookTestRequest,
  WebhookTestResponse,
} from '../../contract/contract.js'
import { deliveriesQuery, ofServiceQuery } from '../../contract/queries.js'
import { webhookRetryRequest, webhookTestRequest } from '../../contract/requests.js'
import { uuidByChance } from '../../lib/hash.js'
import { toIso } from '../../lib/time.js'
import type { Receiver } from '../../model/webhook.js'
import { tellTest } from '../../notify/cloud-event.js'
import { letterFor } from '../../notify/io/letters.js'
import { deliveryOrder, receiverOrder } from '../orders.js'
import { type ApiContext, actorOf, applyChange, ofKnownProject, orRefuse, ProblemError } from './context.js'
import { pageOf } from './pages.js'

interface InProject {
  readonly project: string
}

export function webhookRoutes(server: FastifyInstance, context: ApiContext): void {
  const { clock, registry } = context
  const { view } = registry
  server.get<{ Params: InProject; Querystring: { service?: string } }>(
    '/v1/projects/:project/webhooks',
    { ...ofKnownProject(view), schema: { querystring: ofServiceQuery } },
    (request, reply): readonly WebhookBody[] => {
      const { params, query } = request
      const receivers = orRefuse(receiversOf(view, params.project, query.service))
      return pageOf(request, reply, receiverOrder, receivers).map((one) =>
        webhookBodyOf(view, one, clock.now()),
      )
    },
  )
  server.get<{ Params: InProject; Querystring: { service?: string; state?: string } }>(
    '/v1/projects/:project/webhooks/deliveries',
    { ...ofKnownProject(view), schema: { querystring: deliveriesQuery } },
    (request, reply): readonly DeliveryBody[] => {
      const { params, query } = request
      const receivers = orRefuse(receiversOf(view, params.project, query.service))
      const deliveries = pageOf(request, reply, deliveryOrder, deliveriesOf(view, receivers, query.state))
      return deliveryBodiesOf(deliveries, receivers, clock.now())
    },
  )
  server.post<{ Params: InProject; Body: WebhookTestRequest }>(
    '/v1/projects/:project/webhooks/test',
    { schema: { body: webhookTestRequest } },
    ({ params, body }, reply) => {
      const abort = new AbortController()
      reply.raw.on('close', () => abort.abort())
      return sendTests(context, params.project, body, abort.signal)
    },
  )
  server.post<{ Params: InProject; Body: WebhookRetryRequest }>(
    '/v1/projects/:project/webhooks/retry',
    { schema: { body: webhookRetryRequest } },
    async (request): Promise<WebhookRetryResponse> => {
      const { params, body } = request
      const { retried } = await applyChange(context, actorOf(request), (now, at) => {
        const receivers = receiversOf(now, params.project, body.service)
        return isProblem(receivers) ? receivers : retryDeliveries(now, receivers, body.delivery, at)
      })
      return { retried }
    },
  )
}

/** Tests go past the queue: they say whether the way is open, and nothing of the service. */
async function sendTests(
  context: ApiContext,
  project: string,
  { service, url }: WebhookTestRequest,
  signal: AbortSignal,
): Promise<WebhookTestResponse> {
  const receivers = orRefuse(receiversOf(context.registry.view, project, service)).filter(
    (one) => !one.retired && (url === undefined || one.webhook.url === url),
  )
  if (receivers.length === 0) throw new ProblemError(noReceiver(service, url))
  return Promise.all(
    receivers.map(async (receiver) => ({
      url: receiver.webhook.url,
      ...(await sendTest(context, receiver, signal)),
    })),
  )
}

async function sendTest(
  { registry, secrets, sender, cluster, clock, random }: ApiContext,
  receiver: Receiver,
  signal: AbortSignal,
): Promise<AttemptBody> {
  const id = `test_${uuidByChance(random, 'test')}`
  const { project, service } = receiver
  const body = tellTest({ id, project, service, cluster }, clock.now())
  const letter = letterFor(registry.view, secrets, receiver, { id, body })
  if (typeof letter === 'string') return { at: toIso(clock.now()), tookMs: 0, status: null, error: letter }
  const { at, tookMs, status, error } = await sender.send(letter, signal)
  return { at: toIso(at), tookMs, status, error }
}

function noReceiver(service: string, url: string | undefined): Problem {
  return {
    status: 404,
    code: 'webhook/unknown',
    message: url === undefined ? `${service} has no webhooks` : `${service} has no webhook at ${url}`,
    hint: 'mariposa webhook list shows the webhooks',
  }
}
