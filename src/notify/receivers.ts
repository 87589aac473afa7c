// Receivers: what they are called, and how a deploy makes them.
import { uuidOf } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import type { Service } from '../model/service.js'
import { addressOf, isMailbox, type Receiver, type Webhook } from '../model/webhook.js'

/** The uuid of the receiver at a URL: one service has one of each. */
export function receiverUuid(service: string, url: string): string {
  return uuidOf('receiver', service, url)
}

/** The host of a receiver, or the address of a mailbox, for people: the rest of a URL may itself be a secret. */
export function hostOf(url: string): string {
  if (isMailbox(url)) return addressOf(url)
  return /^https?:\/\/(?:[^@/?#]*@)?([^/?#]+)/i.exec(url)?.[1] ?? url
}

/** A receiver as a deploy makes it. `madeSecret` is sealed. */
export function newReceiver(
  service: Pick<Service, 'uuid' | 'project' | 'name'>,
  webhook: Webhook,
  madeSecret: string | null,
  now: Instant,
): Receiver {
  return {
    uuid: receiverUuid(service.uuid, webhook.url),
    project: service.project,
    service: service.name,
    serviceUuid: service.uuid,
    webhook,
    madeSecret,
    createdAt: now,
    disabledAt: null,
    retired: false,
    failures: 0,
    lost: 0,
  }
}
