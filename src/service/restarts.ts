// Restarts for a change of the metadata that nobody asked for but the manifest (`on_change: restart`): when one begins, which
// instances it replaces, and what is not tried again. The rollout that it is does the rest.
import type { Instant } from '../lib/time.js'
import { type InstanceSituation, instanceStateOf } from '../model/instance-state.js'
import type { Meta } from '../model/meta.js'
import { type MadeOf, madeOf, otherByNow } from '../model/meta-fingerprints.js'
import { defaultDeadlineMs } from '../model/order.js'
import type { Service, ServiceVersion } from '../model/service.js'
import type { Task } from '../model/task.js'
import { admitTask } from './queue.js'

/** What a change of the metadata is to restart. */
export interface RestartDue {
  /** Numbers of instances, the oldest first. */
  readonly instances: readonly number[]
  /** The keys that have changed, as templates name them; sorted. */
  readonly keys: readonly string[]
  /** Of all keys that may restart it, what they are now. */
  readonly values: MadeOf
  /** How many at a time. */
  readonly parallel: number
}

/**
 * What of a service is to be restarted for the metadata of now; null for nothing. Only the current version is restarted: what
 * is of another one would come back as the current one.
 */
export function restartDueOf(
  current: ServiceVersion | null,
  instances: readonly InstanceSituation[],
  meta: ReadonlyMap<string, Meta>,
): RestartDue | null {
  const { restartOn } = current ?? {}
  if (current === null || restartOn === undefined || current.type !== 'continuous') return null
  const changed = new Set<string>()
  const due = instances.filter((item) => {
    const { instance } = item
    if (instance.retired !== null || instance.version !== current.uuid) return false
    const keys = changedFor(item, meta).filter((key) => Object.hasOwn(restartOn, key))
    for (const key of keys) changed.add(key)
    return keys.length > 0
  })
  if (due.length === 0) return null
  const widths = [...changed].map((key) => restartOn[key] ?? 1)
  return {
    instances: due.filter(isReachable).map(({ instance }) => instance.n),
    keys: [...changed].sort().map((key) => `meta.${key}`),
    values: madeOf(Object.keys(restartOn), meta),
    parallel: Math.max(1, Math.min(...widths)),
  }
}

/** What is filled in at each start is what it was at the last one. */
function changedFor(
  { instance, report }: InstanceSituation,
  meta: ReadonlyMap<string, Meta>,
): readonly string[] {
  return otherByNow({ ...instance.madeOf, ...report?.madeOf }, meta)
}

/** What nobody can look at is waited for: it is restarted once it is seen again. */
function isReachable(item: InstanceSituation): boolean {
  const state = instanceStateOf(item)
  return state !== 'lost' && state !== 'unknown' && item.instance.lost === null
}

/** The record of a service that is restarted from now on, and one sentence for the history. */
interface BegunRestart {
  readonly service: Service
  readonly told: string
}

/** The restart that begins now; null where none is due, it was tried already, or something else goes on. */
export function beginRestart(
  service: Service,
  due: RestartDue | null,
  open: readonly Task[],
  now: Instant,
): BegunRestart | null {
  if (due === null || due.instances.length === 0 || service.rollout !== null) return null
  if (service.stopping !== null || service.deleting || service.waitsForOthers === true) return null
  if (isTried(service, due) || !goesBeside(service, open)) return null
  const { heldRestart: _, ...rest } = service
  const count = due.instances.length
  const parallel = Math.min(due.parallel, count)
  return {
    service: {
      ...rest,
      rollout: {
        parallel,
        startedAt: now,
        after: service.lastInstance,
        replaces: due.instances,
        deadlineMs: defaultDeadlineMs,
        revertTo: null,
        values: due.values,
      },
      failures: null,
      blocked: null,
    },
    told: `${count} instance${count === 1 ? ' is' : 's are'} restarted for ${due.keys.join(', ')}${count === 1 ? '' : `, ${parallel} at a time`}`,
  }
}

function isTried({ heldRestart }: Service, { values }: RestartDue): boolean {
  if (heldRestart === undefined) return false
  const keys = Object.keys(values)
  const tried = heldRestart.values
  return keys.length === Object.keys(tried).length && keys.every((key) => tried[key] === values[key])
}

/** Nothing that somebody asked for is ended, or kept waiting, for what nobody asked for. */
function goesBeside(service: Service, open: readonly Task[]): boolean {
  const admission = admitTask(service, open, 'reprovision')
  return admission.kind === 'admitted' && admission.after.length + admission.terminates.length === 0
}

/** A service of which nothing is to be restarted any more: what was tried is forgotten. */
export function withoutSettledRestart(service: Service, due: RestartDue | null): Service {
  if (due !== null || service.heldRestart === undefined) return service
  const { heldRestart: _, ...rest } = service
  return rest
}
