// What a deploy makes beside its versions: receivers of webhooks and records of trigger URLs, with secrets for those that were given none. A made
// secret is in the answer of this deploy and, sealed, in the store; nobody is ever shown it again.

import type { DeployedService, MadeSecret } from '../contract/contract.js'
import type { Instant } from '../lib/time.js'
import { type TriggerUrl, triggerSecretPlace } from '../model/trigger-url.js'
import { secretPlace, type Webhook } from '../model/webhook.js'
import { newReceiver, receiverUuid } from '../notify/receivers.js'
import type { Decision } from '../store/decision.js'
import { putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { Deploy } from './deploy.js'
import type { MadeVersion } from './deploy-service.js'
import { isProblem, type Problem } from './problem.js'

/** Where secrets come from: both are told apart from the deciding, which has no randomness of its own. */
export interface SecretMaker {
  /** A new secret in the form of Standard Webhooks. */
  make(): string
  /** What of it may be stored; it opens only at the same place. */
  seal(secret: string, place: string): string
  /** Whether what is sealed can still be opened; asked for by who seals alone. */
  opens(sealed: { readonly text: string; readonly place: string }): boolean
  /** What holds a change to the key that was sealed with. */
  keyHeld(): Decision
}

/** The deploy with the receivers and the trigger URLs that its versions ask for. */
export function withSecrets(
  view: ClusterView,
  deploy: Deploy | Problem,
  secrets: SecretMaker,
  now: Instant,
): Deploy | Problem {
  if (isProblem(deploy)) return deploy
  const made = deploy.made.flatMap((one) => [
    ...(one.version.webhooks ?? []).map((webhook) => receiverOf(view, one.service, webhook, secrets, now)),
    ...(one.version.triggerUrls ?? []).map((trigger) => triggerOf(view, one.service, trigger, secrets)),
  ])
  const secretsOf = new Map<string, readonly MadeSecret[]>()
  for (const { service, shown } of made)
    if (shown.length > 0) secretsOf.set(service, [...(secretsOf.get(service) ?? []), ...shown])
  const services = deploy.response.services.map((answer): DeployedService => {
    const shown = secretsOf.get(answer.service)
    return shown === undefined ? answer : { ...answer, secrets: shown }
  })
  const held = secretsOf.size === 0 ? null : secrets.keyHeld()
  return {
    ...deploy,
    decidedOn: [...deploy.decidedOn, ...(held?.decidedOn ?? [])],
    ops: [...deploy.ops, ...made.map(({ op }) => op), ...(held?.ops ?? [])],
    response: { ...deploy.response, services },
  }
}

/** A record to be written. */
interface MadeRecord {
  readonly service: string
  readonly op: Op
  /** The secret that was made for it, or none. */
  readonly shown: readonly MadeSecret[]
}

/** A secret that nobody can open any more, as its key is lost, is as good as none: a new one is made in its place. */
function isKept(secrets: SecretMaker, text: string | null, place: string): boolean {
  return text !== null && secrets.opens({ text, place })
}

/** A receiver that is there already keeps its secret and its queue; a new deploy gives one that was gone another try. */
function receiverOf(
  view: ClusterView,
  service: MadeVersion['service'],
  webhook: Webhook,
  secrets: SecretMaker,
  now: Instant,
): MadeRecord {
  const uuid = receiverUuid(service.uuid, webhook.url)
  const before = view.receivers.get(uuid)?.receiver ?? newReceiver(service, webhook, null, now)
  const place = secretPlace(uuid)
  const isMade = webhook.secret === null && !isKept(secrets, before.madeSecret, place)
  const secret = isMade ? secrets.make() : null
  const madeSecret = secret === null ? before.madeSecret : secrets.seal(secret, place)
  const receiver = { ...before, webhook, madeSecret, retired: false, disabledAt: null }
  return {
    service: service.name,
    op: putOf('receiver', receiver),
    shown: secret === null ? [] : [{ of: 'webhook', name: webhook.url, secret }],
  }
}

/** A trigger that is there already keeps its secret and the calls that it knows. */
function triggerOf(
  view: ClusterView,
  { project, name: service }: MadeVersion['service'],
  { name, secret: given }: TriggerUrl,
  secrets: SecretMaker,
): MadeRecord {
  const place = { project, service, name }
  const before = view.triggersOf(serviceKey(project, service)).get(name) ?? {
    ...place,
    madeSecret: null,
    calls: 0,
    lastCalledAt: null,
    recent: [],
  }
  const sealedAt = triggerSecretPlace(place)
  const isMade = given === null && !isKept(secrets, before.madeSecret, sealedAt)
  const secret = isMade ? secrets.make() : null
  const madeSecret = secret === null ? before.madeSecret : secrets.seal(secret, sealedAt)
  return {
    service,
    op: putOf('trigger', { ...before, madeSecret }),
    shown: secret === null ? [] : [{ of: 'trigger', name, secret }],
  }
}
