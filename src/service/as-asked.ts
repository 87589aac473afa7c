// Whether a service is as its manifest says, so that deploying that once more has nothing to wait for.
import type { Elapsed } from '../lib/elapsed.js'
import type { Service } from '../model/service.js'
import type { Task } from '../model/task.js'
import { assess, isLive } from './assess.js'
import type { ServiceInstance } from './situation.js'

/** Whether all that is asked for is up, at the current version, and nothing is going on; `open` are its unfinished tasks. */
export function isAsAsked(
  service: Service,
  instances: readonly ServiceInstance[],
  open: readonly Task[],
  time: Elapsed,
): boolean {
  if (service.type !== 'continuous') return true
  if (open.some(({ kind }) => kind !== 'freeze') || service.rollout !== null || service.blocked !== null)
    return false
  const live = instances.filter(isLive).map((item) => assess(item, service, open, time))
  return (
    live.length === service.scale &&
    live.every((item) => item.up && item.instance.version === service.current)
  )
}
