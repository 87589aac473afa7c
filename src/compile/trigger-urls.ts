// Trigger URLs of a manifest as the version keeps them: no part of the unit, but of what the API does when it is called.
import type { ServiceManifest } from '../manifest/schema.js'
import type { UrlTrigger } from '../manifest/schema-scaling.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { TriggerAction, TriggerUrl } from '../model/trigger-url.js'
import { deferredTextOf } from './deferred-text.js'
import { pointer, problemAt } from './problem.js'

interface CompiledTriggerUrls {
  readonly triggerUrls: readonly TriggerUrl[]
  readonly problems: readonly Diagnostic[]
}

/** The trigger URLs of a manifest. Code: `compile/no-instance`. */
export function compileTriggerUrls({ triggers }: ServiceManifest): CompiledTriggerUrls {
  const read = triggers.flatMap((trigger, index) => ('url' in trigger ? [triggerOf(trigger, index)] : []))
  return {
    triggerUrls: read.map(({ triggerUrl }) => triggerUrl),
    problems: read.flatMap(({ problems }) => problems),
  }
}

function triggerOf(
  trigger: UrlTrigger,
  index: number,
): { readonly triggerUrl: TriggerUrl; readonly problems: readonly Diagnostic[] } {
  const { name, secret, body = 'none' } = trigger
  const made = { name, action: actionOf(trigger), ...(body !== 'none' && { body }) }
  if (secret === undefined) return { triggerUrl: { ...made, secret: null }, problems: [] }
  const pieces = deferredTextOf(secret)
  if (!('variable' in pieces)) return { triggerUrl: { ...made, secret: pieces }, problems: [] }
  const message = `a call of a URL is not about one instance, so there is no ${pieces.variable}`
  const path = pointer('triggers', index, 'secret')
  const problem = problemAt(path, 'compile/no-instance', message, 'use a value of the metadata')
  return { triggerUrl: { ...made, secret: null }, problems: [problem] }
}

/** The rules of the manifest let `scale` have one of the two numbers, and the others none. */
function actionOf({ action, scale, instances = 0 }: UrlTrigger): TriggerAction {
  if (action !== 'scale') return { kind: action }
  return { kind: 'scale', target: scale ?? (instances < 0 ? String(instances) : `+${instances}`) }
}
