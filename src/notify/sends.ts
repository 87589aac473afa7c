// Which deliveries are due, and what follows from an attempt: for the delivery, its receiver and the history.
import { earlier, type Instant } from '../lib/time.js'
import type { HistoryEvent } from '../model/event.js'
import type { Delivery, Receiver } from '../model/webhook.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import type { ClusterView } from '../store/view.js'
import { isGone, isSuccess, next, type Outcome } from './next.js'
import { hostOf } from './receivers.js'

/** Requests under way at most, and how many of them may be to receivers that failed last time. */
export const sendsAtMost = 256
const sendsToFailingAtMost = 128

/** Deliveries that are over are kept for people to look at: so many of a receiver. */
const deliveredKept = 50
const deadKept = 200

export interface Send {
  readonly receiver: Receiver
  readonly delivery: Delivery
}

interface SendPlan {
  readonly sends: readonly Send[]
  readonly wakeAt: Instant | null
}

/**
 * The head of each queue that is due. A receiver gets one delivery at a time, so that it gets them in order; receivers
 * that fail, which may take long to do so, leave half of the room to those that do not. `queues`: those to look at, by
 * their receivers; all that are not empty where it is left out.
 */
export function planSends(
  view: ClusterView,
  busy: ReadonlyMap<string, Receiver>,
  now: Instant,
  queues: Iterable<string> = view.queuedReceivers(),
): SendPlan {
  let room = sendsAtMost - busy.size
  let roomForFailing = sendsToFailingAtMost - [...busy.values()].filter(isFailing).length
  let wakeAt: Instant | null = null
  const sends: Send[] = []
  for (const uuid of queues) {
    const receiver = view.receivers.get(uuid)?.receiver
    const [delivery] = view.queueOf(uuid)
    if (receiver === undefined || delivery === undefined || receiver.disabledAt !== null) continue
    if (busy.has(uuid)) continue
    const dueAt = dueOf(delivery, now)
    if (dueAt > now) {
      wakeAt = earlier(wakeAt, dueAt)
      continue
    }
    if (room <= 0 || (isFailing(receiver) && roomForFailing <= 0)) continue
    room -= 1
    if (isFailing(receiver)) roomForFailing -= 1
    sends.push({ receiver, delivery })
  }
  return { sends, wakeAt }
}

/**
 * What was put into the queue or tried later than now, by a clock that was set back since or by a leader whose clock was
 * ahead, goes at once: nobody knows how long it has to wait.
 */
function dueOf({ createdAt, nextAt, attempts }: Delivery, now: Instant): Instant {
  return (attempts.at(-1)?.at ?? createdAt) > now ? now : (nextAt ?? now)
}

function isFailing({ failures }: Receiver): boolean {
  return failures > 0
}

interface Settled {
  readonly ops: readonly Op[]
  readonly events: readonly Omit<HistoryEvent, 'id' | 'at'>[]
}

/** The writes after an attempt. */
export function settle(
  view: ClusterView,
  { receiver, delivery }: Send,
  outcome: Outcome,
  now: Instant,
): Settled {
  const after = next(delivery, outcome, now, receiver.failures)
  const told = nextReceiver(receiver, outcome, now)
  return {
    ops: [
      putOf('delivery', after),
      ...(told === receiver ? [] : [putOf('receiver', told)]),
      ...(after.state === 'queued' ? [] : forgotten(view, after)),
    ],
    events: eventsOf(receiver, after, outcome),
  }
}

/** Whether what came of an attempt is written already, and nobody heard that it was. */
export function isNoted(delivery: Delivery, asSent: Delivery, { at }: Outcome): boolean {
  return delivery.attemptCount > asSent.attemptCount && delivery.attempts.at(-1)?.at === at
}

function nextReceiver(receiver: Receiver, outcome: Outcome, now: Instant): Receiver {
  if (isSuccess(outcome)) return receiver.failures === 0 ? receiver : { ...receiver, failures: 0 }
  return {
    ...receiver,
    failures: receiver.failures + 1,
    disabledAt: isGone(outcome) ? now : receiver.disabledAt,
  }
}

/** The oldest deliveries that are over, beyond those that are kept. */
function forgotten(view: ClusterView, over: Delivery): readonly Op[] {
  const kept = over.state === 'dead' ? deadKept : deliveredKept
  const same = view.finishedDeliveriesOf(over.receiver).filter(({ state }) => state === over.state)
  return same
    .slice(0, Math.max(0, same.length + 1 - kept))
    .map(({ receiver, sequence }) => ({ op: 'delete', key: keys.delivery(receiver, sequence) }))
}

/** Told once when a delivery fails first, and when it is over. */
function eventsOf(receiver: Receiver, after: Delivery, outcome: Outcome): Settled['events'] {
  const kind = kindOf(after)
  if (kind === null) return []
  const [, , instance = null] = after.subject.split('/')
  const what = `${after.event} of ${instance ?? receiver.service}`
  const host = hostOf(receiver.webhook.url)
  const messages = {
    'webhook-delivered': `${what} delivered to ${host}${after.attemptCount > 1 ? `, attempt ${after.attemptCount}` : ''}`,
    'webhook-failed': `${what} not delivered to ${host}: ${outcome.error ?? ''}; retrying`,
    'webhook-dead': `${what} not delivered to ${host}: ${outcome.error ?? ''}; given up after ${after.attemptCount} attempts`,
  } as const
  const { project, service } = receiver
  return [{ kind, project, service, instance, machine: null, message: messages[kind] }]
}

function kindOf({ state, attemptCount }: Delivery) {
  if (state === 'delivered') return 'webhook-delivered' as const
  if (state === 'dead') return 'webhook-dead' as const
  return attemptCount === 1 ? ('webhook-failed' as const) : null
}
