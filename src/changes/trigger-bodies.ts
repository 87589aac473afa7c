// Trigger URLs in what is shown of a service: never with their secrets.

import type { TriggerUrlBody } from '../contract/contract.js'
import { toIso } from '../lib/time.js'
import { hideInLines } from '../manifest/hide-lines.js'
import { hiddenValue, hideSecrets } from '../manifest/hide-secrets.js'
import type { DeferredText } from '../model/deferred-text.js'
import type { Service, ServiceVersion } from '../model/service.js'
import { describeTriggerAction, triggerPath } from '../model/trigger-url.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/** The trigger URLs of a service's current version, without their secrets. `base` is where we serve them. */
export function triggerUrlBodiesOf(
  view: ClusterView,
  { project, name: service, current }: Service,
  base: string | null,
): readonly TriggerUrlBody[] {
  const records = view.triggersOf(serviceKey(project, service))
  return (view.versions.get(current)?.triggerUrls ?? []).map(({ name, action, body }) => {
    const { calls = 0, lastCalledAt = null } = records.get(name) ?? {}
    const path = triggerPath({ project, service, name })
    return {
      name,
      action: describeTriggerAction(action),
      ...(body !== undefined && { body }),
      path,
      url: base === null ? null : `${base}${path}`,
      calls,
      lastCalledAt: lastCalledAt === null ? null : toIso(lastCalledAt),
    }
  })
}

/** The manifest of a version for people to read: as submitted, but for the secrets of its triggers and webhooks. */
export function shownManifest({
  text,
  triggerUrls = [],
  webhooks = [],
}: Pick<ServiceVersion, 'text' | 'triggerUrls' | 'webhooks'>): string {
  if (triggerUrls.length === 0 && webhooks.length === 0) return text
  const secrets = [...triggerUrls, ...webhooks].flatMap(({ secret }) =>
    secret === null ? [] : writtenIn(secret),
  )
  // By their places, and wherever else they are mentioned, as in a comment.
  const found = hideSecrets(text) ?? hideInLines(text.split('\n')).join('\n')
  return secrets
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), secret.replaceAll("'", "''")])
    .reduce((shown, secret) => shown.replaceAll(secret, () => hiddenValue), found)
}

const shortestSecret = 8

function writtenIn(secret: DeferredText): readonly string[] {
  // Shorter ones, beside a template, are words that stand elsewhere, too.
  return secret.flatMap((piece) =>
    'text' in piece && piece.text.length >= shortestSecret ? [piece.text] : [],
  )
}
