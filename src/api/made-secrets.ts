// What a deploy makes beside its versions: receivers of webhooks, with secrets for those that were given none. A made
// secret is in the answer of this deploy and, sealed, in the store; nobody is ever shown it again.
import type { Instant } from '../lib/time.js'
import type { Webhook } from '../model/webhook.js'
import { newReceiver, receiverUuid, secretPlace } from '../notify/receivers.js'
import { keys, putOf } from '../store/records.js'
import type { Compare, Op } from '../store/store.js'
import type { ClusterView } from '../store/view.js'
import type { DeployedService, MadeSecret } from './contract.js'
import type { Deploy, MadeVersion } from './deploy.js'
import { isProblem, type Problem } from './problem.js'

/** Where secrets come from: both are told apart from the deciding, which has no randomness of its own. */
export interface SecretMaker {
  /** A new secret in the form of Standard Webhooks. */
  make(): string
  /** What of it may be stored; it opens only at the same place. */
  seal(secret: string, place: string): string
}

/** The deploy with the receivers that its versions ask for. */
export function withReceivers(
  view: ClusterView,
  deploy: Deploy | Problem,
  secrets: SecretMaker,
  now: Instant,
): Deploy | Problem {
  if (isProblem(deploy)) return deploy
  const made = deploy.made.map((one) => receiversOf(view, one, secrets, now))
  const services = deploy.response.services.map((answer): DeployedService => {
    const shown = made.flatMap((one) => (one.service === answer.service ? one.shown : []))
    return shown.length === 0 ? answer : { ...answer, secrets: shown }
  })
  return {
    ...deploy,
    compare: [...deploy.compare, ...made.flatMap(({ compare }) => compare)],
    ops: [...deploy.ops, ...made.flatMap(({ ops }) => ops)],
    response: { ...deploy.response, services },
  }
}

interface MadeReceivers {
  readonly service: string
  readonly compare: readonly Compare[]
  readonly ops: readonly Op[]
  readonly shown: readonly MadeSecret[]
}

function receiversOf(
  view: ClusterView,
  { service, version: { webhooks = [] } }: MadeVersion,
  secrets: SecretMaker,
  now: Instant,
): MadeReceivers {
  const made = webhooks.map((webhook) => receiverOf(view, service, webhook, secrets, now))
  return {
    service: service.name,
    compare: made.map(({ compare }) => compare),
    ops: made.map(({ op }) => op),
    shown: made.flatMap(({ shown }) => shown),
  }
}

/** A receiver that is there already keeps its secret and its queue; a new deploy gives one that was gone another try. */
function receiverOf(
  view: ClusterView,
  service: MadeVersion['service'],
  webhook: Webhook,
  secrets: SecretMaker,
  now: Instant,
): { readonly compare: Compare; readonly op: Op; readonly shown: readonly MadeSecret[] } {
  const uuid = receiverUuid(service.uuid, webhook.url)
  const key = keys.receiver(uuid)
  const compare = { key, modRevision: view.revisionOf(key) }
  const before = view.receivers.get(uuid)?.receiver ?? newReceiver(service, webhook, null, now)
  const secret = webhook.secret === null && before.madeSecret === null ? secrets.make() : null
  const madeSecret = secret === null ? before.madeSecret : secrets.seal(secret, secretPlace(uuid))
  const receiver = { ...before, webhook, madeSecret, retired: false, disabledAt: null }
  return {
    compare,
    op: putOf('receiver', receiver),
    shown: secret === null ? [] : [{ of: 'webhook', name: webhook.url, secret }],
  }
}
