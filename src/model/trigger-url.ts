// Trigger URLs (manifest seed: the second kind of `triggers`): what a call from outside does to a service.
import type { Instant } from '../lib/time.js'
import type { BodyUse } from './call-body.js'
import type { DeferredText } from './deferred-text.js'

/** What a call does. A `target` of `+1` or `-1` is relative. */
export type TriggerAction =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'scale'; readonly target: number | string }

/** One trigger URL of a service version. */
export interface TriggerUrl {
  readonly name: string
  readonly action: TriggerAction
  /** What a caller must know; null where a secret was made for it. */
  readonly secret: DeferredText | null
  /** How the run that a call starts gets its body; absent: it does not. */
  readonly body?: Exclude<BodyUse, 'none'>
}

/** What there is to remember of a trigger. Made by the deploy that first names it, and there as long as its service. */
export interface TriggerRecord {
  readonly project: string
  readonly service: string
  readonly name: string
  /** The secret that was made for it, sealed at the place `trigger/<project>/<service>/<name>`; null where none was. */
  readonly madeSecret: string | null
  /** Calls that took effect. */
  readonly calls: number
  readonly lastCalledAt: Instant | null
  /** The calls that named themselves, oldest first: the same call takes effect once. */
  readonly recent: readonly RecentCall[]
}

/** A call of a trigger URL that is remembered. */
export interface RecentCall {
  /** SHA-1 of the name that it gave itself. */
  readonly id: string
  readonly at: Instant
  /** The task that it began. */
  readonly task: string
  /** What its body is known again by, to who knows the secret; absent where it was not looked at. */
  readonly body?: string
}

/** Where the secret that was made for a trigger is sealed. */
export function triggerSecretPlace({
  project,
  service,
  name,
}: Pick<TriggerRecord, 'project' | 'service' | 'name'>): string {
  return `trigger/${project}/${service}/${name}`
}

/** The path of a trigger's URL. Names are plain words, so nothing in it has to be escaped. */
export function triggerPath({
  project,
  service,
  name,
}: Pick<TriggerRecord, 'project' | 'service' | 'name'>): string {
  return `/trigger/${project}/${service}/${name}`
}

/** What a call does, in words. */
export function describeTriggerAction(action: TriggerAction): string {
  return action.kind === 'scale' ? `scale ${action.target}` : action.kind
}
