// What the planner makes of each instance.
import type { Instant } from '../lib/time.js'
import { instanceStateOf } from '../model/instance-state.js'
import type { Instance, InstanceState, Rollout, Service } from '../model/service.js'
import type { ServiceInstance } from './situation.js'

/** An instance with what the planner makes of it. */
export interface Assessed extends ServiceInstance {
  readonly state: InstanceState
  /** Serving: healthy, or running for the settling time where nothing is checked. */
  readonly up: boolean
  /** When it counts as up if nothing happens; null when that is not a matter of time. */
  readonly upAt: Instant | null
  /** To be replaced, by the running rollout or because its machine is drained. */
  readonly outdated: boolean
  /** Made by the running rollout, or since it began; without one, all that no drain replaces. */
  readonly fresh: boolean
  /** Its machine was away and is back: what is reported of it may be from before. */
  readonly returning: boolean
}

/** An instance without checks counts as up when it has run for so long. */
export const settleMs = 1000
/** How long an instance whose machine was away has to be seen again before it counts as up. */
export const returnSettleMs = 5000

export function assess(item: ServiceInstance, service: Service, now: Instant): Assessed {
  const { instance } = item
  const state = instanceStateOf(item)
  const returning = instance.lost !== null && state !== 'lost'
  const marks = { outdated: isOutdated(item, service), fresh: isFresh(item, service), returning }
  const base = { ...item, ...marks, state }
  if (state !== 'running' || item.report === null) return { ...base, up: false, upAt: null }
  if (instance.lost !== null)
    return { ...base, up: false, upAt: (instance.lost.backAt ?? now) + returnSettleMs }
  if (item.version?.checked === true) return { ...base, up: item.report.health === 'healthy', upAt: null }
  const upAt = (item.report.since ?? now) + settleMs
  return { ...base, up: upAt <= now, upAt: upAt > now ? upAt : null }
}

function isOutdated(item: ServiceInstance, { type, rollout, current }: Service): boolean {
  if (rollout !== null) return isToBeReplaced(item.instance, rollout, current)
  return type === 'continuous' && item.drain !== null
}

/** Whether a rollout to the version `current` replaces an instance. */
export function isToBeReplaced(instance: Instance, rollout: Rollout, current: string): boolean {
  if (instance.n > rollout.after) return false
  if (rollout.replaces === 'all') return true
  if (rollout.replaces === 'other-versions') return instance.version !== current
  return rollout.replaces.includes(instance.n)
}

function isFresh(item: ServiceInstance, service: Service): boolean {
  const { rollout } = service
  return rollout === null ? !isOutdated(item, service) : item.instance.n > rollout.after
}
