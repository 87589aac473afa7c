// Decides what the triggers of a service do to its scale (manifest seed: autoscale, triggers; contract §4). Pure: the
// same readings give the same decision.
import type { Instant } from '../lib/time.js'
import { entryMetricOf } from '../model/metric.js'
import type { MetricTrigger, Operator, ScalingPolicy } from '../model/scaling.js'
import { type Reading, since } from './readings.js'

export interface ScalingSituation {
  readonly policy: ScalingPolicy
  readonly scale: number
  /** Each trigger with the readings of its metric, oldest first. */
  readonly watched: readonly Watched[]
  /** When triggers last acted on this service, or told that they would; null for never. */
  readonly triggeredAt: Instant | null
  /** When its scale last changed, whoever did that; null when that was before anybody looked. */
  readonly changedAt: Instant | null
}

export interface Watched {
  readonly trigger: MetricTrigger
  readonly readings: readonly Reading[]
}

/** A trigger whose condition held for its whole window. */
export interface Firing {
  readonly trigger: MetricTrigger
  /** Those of the window. */
  readonly readings: readonly Reading[]
}

export type ScaleCause =
  | { readonly kind: 'trigger'; readonly firing: Firing }
  /** The scale is outside of what the manifest allows. */
  | { readonly kind: 'below-min' | 'above-max' }

export type ScaleDecision =
  | { readonly kind: 'scale'; readonly to: number; readonly cause: ScaleCause }
  /** A trigger fires, and its manifest wants that to be told only. */
  | { readonly kind: 'tell'; readonly to: number; readonly cause: ScaleCause }
  | { readonly kind: 'hold'; readonly why: HoldReason }

type HoldReason =
  /** No trigger fires. */
  | 'quiet'
  /** A service that was scaled to nothing is not woken by its own triggers. */
  | 'stopped'
  /** A trigger acted a short while ago. */
  | 'retrigger-delay'
  | 'at-max'
  | 'at-min'
  /** Fewer instances would make a trigger fire that adds them again. */
  | 'would-return'

/** Decides for one service. Adding instances wins over taking them away; what is not known takes none away. */
export function decideScale(situation: ScalingSituation, now: Instant): ScaleDecision {
  const { policy, scale } = situation
  if (scale === 0 && policy.min > 0) return hold('stopped')
  const bound = boundsOf(situation)
  if (bound !== null) return bound
  const firing = situation.watched.flatMap((watched) => firingOf(watched, situation, now))
  if (firing.length === 0) return hold('quiet')
  if (isTooSoon(situation, now)) return hold('retrigger-delay')
  const ups = firing.filter(({ trigger }) => trigger.action === 'increment')
  return ups.length > 0 ? scaleUp(situation, ups) : scaleDown(situation, firing)
}

/** What is told to have happened later than now is from before the clock was set back, and holds up nothing. */
function isTooSoon({ triggeredAt, policy }: ScalingSituation, now: Instant): boolean {
  return triggeredAt !== null && triggeredAt <= now && now < triggeredAt + policy.retriggerDelayMs
}

function hold(why: HoldReason): ScaleDecision {
  return { kind: 'hold', why }
}

function boundsOf({ policy: { enable, min, max }, scale }: ScalingSituation): ScaleDecision | null {
  if (enable !== true) return null
  if (scale < min) return { kind: 'scale', to: min, cause: { kind: 'below-min' } }
  if (max !== null && scale > max) return { kind: 'scale', to: max, cause: { kind: 'above-max' } }
  return null
}

/**
 * Whether a trigger's condition held from the beginning of its window until now. To take instances away it must have
 * held since the scale last changed, and every instance must have been heard.
 */
function firingOf(
  { trigger, readings }: Watched,
  { changedAt }: ScalingSituation,
  now: Instant,
): readonly Firing[] {
  const from = now - trigger.windowMs
  if (trigger.action === 'decrement' && changedAt !== null && from < changedAt) return []
  const inWindow = since(readings, from)
  if (inWindow === null) return []
  return inWindow.every((reading) => isMet(reading, trigger) === true)
    ? [{ trigger, readings: inWindow }]
    : []
}

/** Whether a trigger's condition holds for a reading; null where too little is known to say. */
export function isMet(reading: Reading, trigger: MetricTrigger): boolean | null {
  const isPart = reading.missing > 0 && (trigger.action === 'decrement' || isOfEntry(trigger))
  if (isPart && !(trigger.action === 'increment' && isAbove(trigger))) return null
  const value = isOfEntry(trigger) ? reading.value : cautious(reading, trigger)
  return value === null ? null : compare(value, trigger)
}

/** What the entries count that were heard is a part of the whole: the whole is no less, and may be more. */
function isOfEntry({ source }: MetricTrigger): boolean {
  return entryMetricOf(source) !== null
}

function isAbove({ operator }: MetricTrigger): boolean {
  return operator === '>' || operator === '>='
}

/** An instance that was just added and is not measured yet counts as idle, or it would be added again and again. */
function cautious({ value, known, missing }: Reading, trigger: MetricTrigger): number | null {
  if (value === null || trigger.aggregate !== 'avg' || !isAbove(trigger)) return value
  return (value * known) / (known + missing)
}

function compare(value: number, { operator, value: limit }: MetricTrigger): boolean {
  return comparisons[operator](value, limit)
}

const comparisons: Readonly<Record<Operator, (value: number, limit: number) => boolean>> = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '==': (value, limit) => value === limit,
  '!=': (value, limit) => value !== limit,
}

/** Of several that add instances, the one that adds most. */
function scaleUp({ policy, scale }: ScalingSituation, ups: readonly Firing[]): ScaleDecision {
  const [firing] = [...ups].sort((a, b) => b.trigger.instances - a.trigger.instances)
  if (firing === undefined) return hold('quiet')
  const to = Math.min(scale + firing.trigger.instances, policy.max ?? Number.POSITIVE_INFINITY)
  return to <= scale ? hold('at-max') : actOn(policy, to, firing)
}

/** Of several that take instances away, the one that takes fewest. */
function scaleDown(situation: ScalingSituation, downs: readonly Firing[]): ScaleDecision {
  const { policy, scale } = situation
  const [firing] = [...downs].sort((a, b) => a.trigger.instances - b.trigger.instances)
  if (firing === undefined) return hold('quiet')
  const to = Math.max(scale - firing.trigger.instances, policy.min)
  if (to >= scale) return hold('at-min')
  return wouldReturn(situation, firing, to) ? hold('would-return') : actOn(policy, to, firing)
}

/**
 * Whether what the instances share, shared by fewer, would make a trigger on the same metric fire that adds instances.
 * Without this a pair of triggers that lie close would scale down and up for ever.
 */
function wouldReturn({ watched, scale }: ScalingSituation, { trigger: down }: Firing, to: number): boolean {
  if (to === 0) return false
  return watched.some(({ trigger, readings }) => {
    const value = readings.at(-1)?.value ?? null
    if (trigger.action !== 'increment' || value === null || !isSameShare(trigger, down)) return false
    return isAbove(trigger) && compare((value * scale) / to, trigger)
  })
}

/** What another service measures is not shared out here, and a sum is the same however many share it. */
function isSameShare(up: MetricTrigger, down: MetricTrigger): boolean {
  if (up.source.service !== null || down.source.service !== null || up.aggregate === 'sum') return false
  return up.percent === down.percent && up.source.metric === down.source.metric
}

function actOn({ enable }: ScalingPolicy, to: number, firing: Firing): ScaleDecision {
  return { kind: enable === true ? 'scale' : 'tell', to, cause: { kind: 'trigger', firing } }
}
