// Which tasks cannot end well, and why.
import type { Instant } from '../lib/time.js'
import { describeExit, restartsUntilFailing } from '../model/instance-state.js'
import type { Service } from '../model/service.js'
import type { Task } from '../model/task.js'
import type { Finish } from './actions.js'
import type { Assessed } from './assess.js'
import { retirements } from './retire.js'
import type { ServiceSituation } from './situation.js'

/** Tasks that cannot end well, with the reason. */
export function planFailures(
  situation: ServiceSituation,
  instances: readonly Assessed[],
  now: Instant,
): readonly Finish[] {
  return situation.tasks.flatMap((task): readonly Finish[] => {
    const error = failureOf(task, situation, instances, now)
    return error === null ? [] : [{ kind: 'finish', task, state: 'failed', error }]
  })
}

/** Why an instance of a service is not made, for people. */
export function cannotBeMade({ name }: Service, problem: string): string {
  return `no instance of ${name} can be made: ${problem}`
}

/** Why a task cannot end well; null while it can. Only instances made since the task began count. */
function failureOf(
  task: Task,
  situation: ServiceSituation,
  instances: readonly Assessed[],
  now: Instant,
): string | null {
  if (task.state === 'queued' || task.kind === 'stop' || task.kind === 'delete') return null
  if (task.kind === 'replace' || task.kind === 'freeze') return null
  const { service, unit } = situation
  if (unit.kind === 'problem' && isShort(service, instances)) return cannotBeMade(service, unit.message)
  const made = instances.filter((item) => item.instance.createdAt >= task.createdAt)
  const live = made.filter((item) => item.instance.retired === null)
  for (const { instance, cause, reason } of retirements(service, live, now)) {
    if (cause === 'unhealthy') return `${instance.name} is unhealthy: ${reason}`
    if (cause === 'failed') return `${instance.name} failed: ${reason}`
  }
  const waitedFor = service.rollout === null ? instances : made
  for (const item of waitedFor) {
    const reason = item.up || item.instance.retired !== null ? null : failingReason(item, service, now)
    if (reason !== null) return `${item.instance.name}: ${reason}`
  }
  return null
}

/** Whether there are fewer instances of what is current than there are to be. */
function isShort(service: Service, instances: readonly Assessed[]): boolean {
  if (service.deleting) return false
  if (service.type !== 'continuous') return service.starts > service.lastInstance
  return instances.filter((item) => item.instance.retired === null && !item.outdated).length < service.scale
}

/** Why an instance that is not up will not come up by waiting; null while it may. */
function failingReason(item: Assessed, { rollout }: Service, now: Instant): string | null {
  const { report, instance } = item
  if (report?.failure != null && (report.failure.permanent || report.attempts >= restartsUntilFailing)) {
    return report.failure.message
  }
  if (report !== null && report.restarts >= restartsUntilFailing) {
    return `restarted ${report.restarts} times, last ${report.exit === null ? 'ended' : describeExit(report.exit)}`
  }
  if (rollout === null || !item.fresh || instance.createdAt + rollout.deadlineMs > now) return null
  return `it was not up after ${rollout.deadlineMs / 1000} s: ${describeStage(item)}`
}

/** How far an instance has come that is not up. */
function describeStage({ state, waiting }: Assessed): string {
  if (waiting !== null) return 'no machine can take it'
  return state === 'running' ? 'it runs and is not healthy' : `it is ${state}`
}
