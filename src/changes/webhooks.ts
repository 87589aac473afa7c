// Webhooks as JSON, and what an operator can do about deliveries that have failed.

import type { DeliveryBody, WebhookBody, WebhookState } from '../contract/contract.js'
import { byKeys } from '../lib/sort.js'
import { type Instant, toIso, upcoming } from '../lib/time.js'
import type { Delivery, Receiver } from '../model/webhook.js'
import { keys, putOf } from '../store/records.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { noSuchService, type Problem } from './problem.js'
import type { Change } from './services.js'

/** The receivers of a project, or of one of its services, by service and URL. */
export function receiversOf(
  view: ClusterView,
  project: string,
  service: string | undefined,
): readonly Receiver[] | Problem {
  const known = [...view.receivers.values()]
    .map(({ receiver }) => receiver)
    .filter((one) => one.project === project && (service === undefined || one.service === service))
    .sort(byKeys(byService, byUrl))
  const isUnknown =
    service !== undefined && known.length === 0 && !view.services.has(serviceKey(project, service))
  return isUnknown ? noSuchService(view, project, service) : known
}

const byService = ({ service }: Receiver): string => service
const byUrl = ({ webhook }: Receiver): string => webhook.url

export function webhookBodyOf(view: ClusterView, receiver: Receiver, now: Instant): WebhookBody {
  const { uuid, project, service, webhook, failures, lost } = receiver
  const queue = view.queueOf(uuid)
  const over = view.finishedDeliveriesOf(uuid)
  const nextAt = upcoming(queue[0]?.nextAt ?? null, now)
  const last = [...over, ...queue.slice(0, 1)]
    .flatMap(({ attempts }) => attempts)
    .sort(byKeys(({ at }) => at))
  return {
    uuid,
    project,
    service,
    url: webhook.url,
    events: webhook.events,
    state: stateOf(receiver),
    queued: queue.length,
    dead: over.filter(({ state }) => state === 'dead').length,
    lost,
    failures,
    nextAt: nextAt === null ? null : toIso(nextAt),
    reason: failures === 0 ? '' : (last.at(-1)?.error ?? ''),
  }
}

function stateOf({ disabledAt, retired, failures }: Receiver): WebhookState {
  if (disabledAt !== null) return 'disabled'
  if (retired) return 'retired'
  return failures > 0 ? 'failing' : 'ok'
}

/** The deliveries of receivers, or those in one state. */
export function deliveriesOf(
  view: ClusterView,
  receivers: readonly Receiver[],
  state: string | undefined,
): readonly Delivery[] {
  return receivers
    .flatMap(({ uuid }) => [...view.finishedDeliveriesOf(uuid), ...view.queueOf(uuid)])
    .filter((delivery) => state === undefined || delivery.state === state)
}

/** Deliveries of some receivers as JSON. */
export function deliveryBodiesOf(
  deliveries: readonly Delivery[],
  receivers: readonly Receiver[],
  now: Instant,
): readonly DeliveryBody[] {
  const byUuid = new Map(receivers.map((receiver) => [receiver.uuid, receiver]))
  return deliveries.flatMap((delivery) => {
    const receiver = byUuid.get(delivery.receiver)
    return receiver === undefined ? [] : [deliveryBodyOf(receiver, delivery, now)]
  })
}

function deliveryBodyOf({ service, webhook }: Receiver, delivery: Delivery, now: Instant): DeliveryBody {
  const { id, event, subject, state, createdAt, attempts, attemptCount } = delivery
  const nextAt = upcoming(delivery.nextAt, now)
  return {
    id,
    service,
    url: webhook.url,
    event,
    subject,
    state,
    createdAt: toIso(createdAt),
    nextAt: nextAt === null ? null : toIso(nextAt),
    attemptCount,
    attempts: attempts.map(({ at, ...rest }) => ({ at: toIso(at), ...rest })),
  }
}

interface Retry extends Change {
  /** How many deliveries are tried again. */
  readonly retried: number
}

/**
 * Tries again what a service's receivers did not get: those given up, or the one with this id, and what waits in line.
 * A receiver that was disabled is enabled.
 */
export function retryDeliveries(
  view: ClusterView,
  receivers: readonly Receiver[],
  id: string | undefined,
  now: Instant,
): Retry | Problem {
  const again = receivers.flatMap(({ uuid }) => {
    const dead = view.finishedDeliveriesOf(uuid).filter(({ state }) => state === 'dead')
    const waiting = view.queueOf(uuid).slice(0, 1)
    return [...dead, ...waiting].filter((delivery) => id === undefined || delivery.id === id)
  })
  if (id !== undefined && again.length === 0) {
    const message = `no delivery ${id} has failed`
    return {
      status: 404,
      code: 'webhook/unknown-delivery',
      message,
      hint: 'mariposa webhook deliveries shows them',
    }
  }
  const enabled = receivers.filter(({ disabledAt }) => disabledAt !== null)
  return {
    decidedOn: again.map(({ receiver, sequence }) => keys.delivery(receiver, sequence)),
    ops: [
      ...enabled.map((receiver) => putOf('receiver', { ...receiver, disabledAt: null })),
      ...again.map((delivery) => putOf('delivery', queuedAgain(delivery, now))),
    ],
    events: [],
    tasks: [],
    retried: again.length,
  }
}

/** One that was given up has its whole time again. */
function queuedAgain(delivery: Delivery, now: Instant): Delivery {
  if (delivery.state === 'queued') return { ...delivery, nextAt: now }
  return { ...delivery, state: 'queued', createdAt: now, firstAttemptAt: null, attemptCount: 0, nextAt: now }
}
