// What a deploy makes beside its versions: receivers of webhooks and records of trigger URLs, with secrets for those that were given none. A made
// secret is in the answer of this deploy and, sealed, in the store; nobody is ever shown it again.
import type { Instant } from '../lib/time.js'
import { type TriggerUrl, triggerSecretPlace } from '../model/trigger-url.js'
import type { Webhook } from '../model/webhook.js'
import { newReceiver, receiverUuid, secretPlace } from '../notify/receivers.js'
import { putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { DeployedService, MadeSecret } from './contract.js'
import type { Deploy } from './deploy.js'
import type { MadeVersion } from './deploy-service.js'
import { isProblem, type Problem } from './problem.js'

/** Where secrets come from: both are told apart from the deciding, which has no randomness of its own. */
export interface SecretMaker {
  /** A new secret in the form of Standard Webhooks. */
  make(): string
  /** What of it may be stored; it opens only at the same place. */
  seal(secret: string, place: string): string
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
  return {
    ...deploy,
    ops: [...deploy.ops, ...made.map(({ op }) => op)],
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
  const secret = webhook.secret === null && before.madeSecret === null ? secrets.make() : null
  const madeSecret = secret === null ? before.madeSecret : secrets.seal(secret, secretPlace(uuid))
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
  const secret = given === null && before.madeSecret === null ? secrets.make() : null
  const madeSecret = secret === null ? before.madeSecret : secrets.seal(secret, triggerSecretPlace(place))
  return {
    service,
    op: putOf('trigger', { ...before, madeSecret }),
    shown: secret === null ? [] : [{ of: 'trigger', name, secret }],
  }
}
