// The outbox: what of the history is to be told to whom, and which receivers there are. A pure function of the view and
// the events that it has not seen yet.
import type { Instant } from '../lib/time.js'
import type { HistoryEvent } from '../model/event.js'
import type { Delivery, Receiver, Webhook } from '../model/webhook.js'
import { readLone } from '../store/reading.js'
import { decodeEvents, keys, outboxKey, prefixes, putOf } from '../store/records.js'
import type { Entry, Op, Revision } from '../store/store.js'
import { unreadableOf } from '../store/unreadable.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { tell, webhookEventOf } from './cloud-event.js'
import { receiverUuid } from './receivers.js'

/** A queue longer than this loses what is new: its receiver has been away for long. */
const queuedAtMost = 10_000
/** So many events may pass that concern nobody before it is written down how far the outbox is. */
export const unwrittenAtMost = 500

interface OutboxPlan {
  readonly ops: readonly Op[]
  /** Up to which revision events are told once the writes are made. */
  readonly cursor: Revision
  /** More receivers are to be changed than one transaction compares: the rest is for the next one. */
  readonly receiversLeft: boolean
}

/** Each is a comparison, of which etcd takes 128 in one transaction. */
const receiversAtOnce = 100

interface Outbox {
  readonly cluster: string
  /** Up to which revision events have been told, and up to which the store knows that. */
  readonly cursor: Revision
  readonly writtenCursor: Revision
  /** Whether services, versions or receivers have changed, so that receivers are compared with them. */
  readonly compareReceivers: boolean
}

/**
 * Decides the writes for the events that were added since. They go with the cursor in one transaction, so that each
 * event becomes one delivery to each receiver, whenever the process dies. The view has to be as new as the events.
 */
export function planOutbox(
  view: ClusterView,
  added: readonly Entry[],
  outbox: Outbox,
  now: Instant,
): OutboxPlan {
  const entries = [...added].sort(inOrder).filter((entry) => entry.createRevision > outbox.cursor)
  const cursor = entries.at(-1)?.createRevision ?? outbox.cursor
  // What is for nobody is not read.
  const read = view.receivers.size === 0 ? [] : entries
  const deliveries = read.flatMap((entry) =>
    decodeEvents(entry).flatMap((event) => deliveriesOf(view, entry, event, outbox.cluster, now)),
  )
  const { queued, lost } = admitted(view, deliveries)
  const changes = outbox.compareReceivers ? receiverOps(view, lost, deliveries) : lostOps(view, lost)
  const receivers = changes.slice(0, receiversAtOnce).flat()
  const receiversLeft = changes.length > receiversAtOnce
  const ops = [...queued.map((delivery) => putOf('delivery', delivery)), ...receivers]
  const isToBeWritten =
    deliveries.length > 0 ||
    entries.length > unwrittenAtMost ||
    cursor - outbox.writtenCursor > unwrittenAtMost
  const mark: Op = { op: 'put', key: outboxKey, value: JSON.stringify({ revision: cursor }) }
  const written = isToBeWritten && cursor > outbox.writtenCursor ? [...ops, mark] : ops
  return { ops: written, cursor, receiversLeft }
}

function inOrder(a: Entry, b: Entry): number {
  return a.createRevision - b.createRevision || (a.key < b.key ? -1 : 1)
}

function deliveriesOf(
  view: ClusterView,
  entry: Entry,
  event: HistoryEvent,
  cluster: string,
  now: Instant,
): readonly Delivery[] {
  const as = webhookEventOf(event)
  if (as === null || event.project === null || event.service === null) return []
  const told = view
    .receiversOf(serviceKey(event.project, event.service))
    .filter(({ receiver, since }) => isFor(receiver, since, entry) && receiver.webhook.events.includes(as))
  if (told.length === 0) return []
  const telling = tell(event, as, view, cluster)
  return told.map(({ receiver }) => ({
    receiver: receiver.uuid,
    sequence: `${String(entry.createRevision).padStart(16, '0')}-${event.id}`,
    ...telling,
    createdAt: now,
    state: 'queued',
    attempts: [],
    attemptCount: 0,
    firstAttemptAt: null,
    nextAt: now,
  }))
}

function isFor(receiver: Receiver, since: Revision, entry: Entry): boolean {
  return !receiver.retired && receiver.disabledAt === null && entry.createRevision >= since
}

/** As many as fit into each queue. */
function admitted(
  view: ClusterView,
  deliveries: readonly Delivery[],
): { readonly queued: readonly Delivery[]; readonly lost: ReadonlyMap<string, number> } {
  const lengths = new Map<string, number>()
  const lost = new Map<string, number>()
  const queued = deliveries.filter(({ receiver }) => {
    const length = lengths.get(receiver) ?? view.queueOf(receiver).length
    if (length >= queuedAtMost) lost.set(receiver, (lost.get(receiver) ?? 0) + 1)
    else lengths.set(receiver, length + 1)
    return length < queuedAtMost
  })
  return { queued, lost }
}

/** By receiver. */
function lostOps(view: ClusterView, lost: ReadonlyMap<string, number>): readonly (readonly Op[])[] {
  return [...lost].flatMap(([uuid, count]) => {
    const receiver = view.receivers.get(uuid)?.receiver
    return receiver === undefined ? [] : [[putOf('receiver', { ...receiver, lost: receiver.lost + count })]]
  })
}

/** Keeps receivers in step with the versions of their services, and forgets those that nothing names any more; by receiver. */
function receiverOps(
  view: ClusterView,
  lost: ReadonlyMap<string, number>,
  deliveries: readonly Delivery[],
): readonly (readonly Op[])[] {
  const waited = new Set(deliveries.map(({ receiver }) => receiver))
  return [...view.receivers.values()].flatMap(({ receiver }): readonly (readonly Op[])[] => {
    if (unreadableOf(view, serviceKey(receiver.project, receiver.service)).length > 0) return []
    const { named, current } = webhooksFor(view, receiver)
    const idle = view.queueOf(receiver.uuid).length === 0 && !waited.has(receiver.uuid)
    if (!named && idle) return [forget(receiver)]
    const after = stepped(receiver, current, lost.get(receiver.uuid) ?? 0)
    return after === receiver ? [] : [[putOf('receiver', after)]]
  })
}

/** Whether any version of its service names it, and what the current one says of it. */
function webhooksFor(view: ClusterView, receiver: Receiver): { named: boolean; current: Webhook | null } {
  const key = serviceKey(receiver.project, receiver.service)
  const service = view.services.get(key)
  if (service === undefined || service.uuid !== receiver.serviceUuid) return { named: false, current: null }
  const isIt = ({ url }: Webhook): boolean => receiverUuid(service.uuid, url) === receiver.uuid
  const versions = view.versionsOf(key)
  const version = versions.find(({ uuid }) => uuid === service.current)
  return {
    named: versions.some(({ webhooks = [] }) => webhooks.some(isIt)),
    current: version?.webhooks?.find(isIt) ?? null,
  }
}

function forget({ uuid }: Receiver): readonly Op[] {
  return [
    { op: 'delete', key: keys.receiver(uuid) },
    { op: 'delete-prefix', prefix: keys.deliveriesOf(uuid) },
  ]
}

function stepped(receiver: Receiver, current: Webhook | null, lost: number): Receiver {
  const webhook = current ?? receiver.webhook
  const retired = current === null
  const isSame = retired === receiver.retired && JSON.stringify(webhook) === JSON.stringify(receiver.webhook)
  return isSame && lost === 0 ? receiver : { ...receiver, webhook, retired, lost: receiver.lost + lost }
}

/** The revision that the store's cursor says; 0 where there is none, null where it cannot be read. */
export function cursorOf(entry: Entry | null): Revision | null {
  if (entry === null) return 0
  const found = readLone(outboxKey, entry.value)
  return 'record' in found ? found.record.revision : null
}

/** Whether a change adds to the history. */
export function isEventKey(key: string): boolean {
  return key.startsWith(prefixes.event)
}
