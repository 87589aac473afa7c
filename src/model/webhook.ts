// Webhooks: who is told of a service's events, and what there is to tell.
import type { Instant } from '../lib/time.js'
import type { DeferredText } from './deferred-text.js'

/** What a receiver may ask for: webhooks all but `autoscale`, as the manifest names them; mailboxes that one alone. */
export type WebhookEvent = 'start' | 'stop' | 'health' | 'scale' | 'deploy' | 'autoscale'

/** One webhook of a service version, or one mailbox. */
export interface Webhook {
  /** `https://…`; `mailto:…` for a mailbox. */
  readonly url: string
  readonly events: readonly WebhookEvent[]
  /** A Standard Webhooks secret (`whsec_…`); null where one was made for it. */
  readonly secret: DeferredText | null
  readonly headers: Readonly<Record<string, DeferredText>>
  /** Whether it may lead to a loopback or private address. */
  readonly allowPrivate: boolean
}

/** Where the secret that was made for a receiver is sealed. */
export function secretPlace(receiver: string): string {
  return `receiver/${receiver}`
}

const mailScheme = 'mailto:'

/** The receiver's URL of a mailbox. */
export function mailUrlOf(address: string): string {
  return `${mailScheme}${address}`
}

export function isMailbox(url: string): boolean {
  return url.startsWith(mailScheme)
}

/** The address of a mailbox. */
export function addressOf(url: string): string {
  return url.slice(mailScheme.length)
}

/**
 * Where a service's events go. Made by the deploy that first names the URL, kept in step with the current version by
 * the outbox pass, and there until its last delivery is over, also when the service is gone.
 */
export interface Receiver {
  /** Derives from the service and the URL. */
  readonly uuid: string
  readonly project: string
  readonly service: string
  /** uuid of the service. */
  readonly serviceUuid: string
  readonly webhook: Webhook
  /** The secret that was made for it, sealed at the place `receiver/<uuid>`; null where its author gave one. */
  readonly madeSecret: string | null
  readonly createdAt: Instant
  /** It answered 410 Gone: nothing is sent until it is enabled again. */
  readonly disabledAt: Instant | null
  /** The current version does not name it any more: it gets what is queued and nothing new. */
  readonly retired: boolean
  /** Attempts that failed since the last that did not. */
  readonly failures: number
  /** Events that found its queue full. */
  readonly lost: number
}

type DeliveryState = 'queued' | 'delivered' | 'dead'

/** One event on its way to one receiver. The body is the same, byte for byte, in every attempt. */
export interface Delivery {
  readonly receiver: string
  /** Sorts a receiver's deliveries as the events happened: the store's revision, and a number in it. */
  readonly sequence: string
  /** The CloudEvents id, sent as `webhook-id` too. */
  readonly id: string
  readonly event: WebhookEvent
  readonly subject: string
  /** The CloudEvent as JSON; null once it is delivered. */
  readonly body: string | null
  readonly createdAt: Instant
  readonly state: DeliveryState
  /** The last attempts, oldest first. */
  readonly attempts: readonly Attempt[]
  readonly attemptCount: number
  readonly firstAttemptAt: Instant | null
  /** When it is to be sent; null once it is over. */
  readonly nextAt: Instant | null
}

/** One attempt to send a webhook. */
export interface Attempt {
  readonly at: Instant
  readonly tookMs: number
  /** Null where there was no answer. */
  readonly status: number | null
  /** Why it failed, in one line; null when it did not. */
  readonly error: string | null
}
