// Trigger URLs in what is shown of a service: never with their secrets.

import type { TriggerUrlBody } from '../contract/contract.js'
import { toIso } from '../lib/time.js'
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
  return (view.versions.get(current)?.triggerUrls ?? []).map(({ name, action }) => {
    const { calls = 0, lastCalledAt = null } = records.get(name) ?? {}
    const path = triggerPath({ project, service, name })
    return {
      name,
      action: describeTriggerAction(action),
      path,
      url: base === null ? null : `${base}${path}`,
      calls,
      lastCalledAt: lastCalledAt === null ? null : toIso(lastCalledAt),
    }
  })
}

/** What stands for a secret in a manifest that is shown. No secret has a blank, so it is refused when it comes back. */
const hidden = 'not shown'

/** The manifest of a version for people to read: as submitted, but for the secrets of its trigger URLs. */
export function shownManifest({ text, triggerUrls = [] }: ServiceVersion): string {
  const secrets = triggerUrls.flatMap(({ secret }) => (secret === null ? [] : writtenIn(secret)))
  return secrets
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), secret.replaceAll("'", "''")])
    .reduce((shown, secret) => shown.replaceAll(secret, () => hidden), text)
}

function writtenIn(secret: DeferredText): readonly string[] {
  return secret.flatMap((piece) => ('text' in piece && piece.text !== '' ? [piece.text] : []))
}
