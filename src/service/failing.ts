// Which tasks cannot end well, and why.
import type { Elapsed } from '../lib/elapsed.js'
import { earlier, type Instant } from '../lib/time.js'
import type { Service } from '../model/service.js'
import { isRollout, type Task } from '../model/task.js'
import type { Finish } from './actions.js'
import { type Assessed, aboutTask, describeLate, isLive, isLostUnbegun, leftForTask } from './assess.js'
import { retirements } from './retire.js'
import { rolesOf } from './roles.js'
import type { ServiceSituation } from './situation.js'

/** Tasks that cannot end well, with the reason. */
export function planFailures(
  situation: ServiceSituation,
  instances: readonly Assessed[],
  time: Elapsed,
): readonly Finish[] {
  return situation.tasks.flatMap((task): readonly Finish[] => {
    const error = failureOf(task, situation, instances, time)
    return error === null ? [] : [{ kind: 'finish', task, state: 'failed', error }]
  })
}

/** Why an instance of a service is not made, for people. */
export function cannotBeMade(
  { name, type, scale, waitsForOthers }: Pick<Service, 'name' | 'type' | 'scale' | 'waitsForOthers'>,
  problem: string,
): string {
  // It could be made, or stopped, and waits for others first.
  if (waitsForOthers === true || (type === 'continuous' && scale === 0)) return `${name} ${problem}`
  return `no instance of ${name} can be created: ${problem}`
}

/** Why a task cannot end well; null while it can. Only instances made since the task began count. */
function failureOf(
  task: Task,
  situation: ServiceSituation,
  all: readonly Assessed[],
  time: Elapsed,
): string | null {
  if (task.state === 'queued' || task.kind === 'stop' || task.kind === 'delete') return null
  if (task.kind === 'replace' || task.kind === 'freeze') return null
  const { service, unit } = situation
  const instances = aboutTask(task, all)
  const isMissing =
    task.instance === undefined ? isShort(service, instances) : task.instance > service.lastInstance
  if (unit.kind === 'problem' && isMissing) return cannotBeMade(service, unit.message)
  const held = failureOfHold(task, situation, instances, time)
  if (held !== null) return held
  // What is being replaced is no task's trouble any more.
  const made = instances.filter((item) => isMadeFor(task, item, time) && !item.outdated)
  const live = made.filter(isLive)
  for (const { instance, cause, reason } of retirements(service, live, time)) {
    if (cause === 'unhealthy') return `${instance.name} is unhealthy: ${reason}`
    if (cause === 'failed') return `${instance.name} failed: ${reason}`
  }
  const [first] = waitedFor(task, service, instances, live).filter((item) => item.failing !== null)
  if (first !== undefined) return `${first.instance.name}: ${first.failing}`
  return task.deadlineMs === undefined
    ? null
    : lateness(task, task.deadlineMs, service, instances, live, time)
}

/** Why nobody waits any longer for a service that waits for others: one of them has failed, or takes too long. */
function failureOfHold(
  task: Task,
  situation: ServiceSituation,
  instances: readonly Assessed[],
  time: Elapsed,
): string | null {
  const { service, hold } = situation
  if (hold === undefined || !isShort(service, instances)) return null
  const told = cannotBeMade(service, hold.reason)
  if (hold.failed) return told
  const leftMs = isRollout(task) ? holdLeftMs(situation, time) : null
  if (leftMs === null || leftMs > 0) return null
  return `no instance of ${service.name} was created within ${(service.rollout?.deadlineMs ?? 0) / 1000} s: ${told}`
}

/** How long a rollout may still wait for other services before it has failed; null where none waits. */
export function holdLeftMs({ service: { rollout }, hold }: ServiceSituation, time: Elapsed): number | null {
  return rollout === null || hold === undefined
    ? null
    : time.leftToReport(rollout.startedAt, rollout.deadlineMs)
}

/** Why a scale or a start has failed by its deadline: an instance that it waits for is not up; null where all are. */
function lateness(
  task: Task,
  deadlineMs: number,
  service: Service,
  instances: readonly Assessed[],
  made: readonly Assessed[],
  time: Elapsed,
): string | null {
  const there = instances.filter((item) => isLive(item) && item.state !== 'lost')
  const late = (service.rollout === null ? there : made).filter(
    (item) => !item.up && item.state !== 'lost' && leftForTask(item.instance, task, deadlineMs, time) <= 0,
  )
  const lost = instances.filter(
    (item) => isLostUnbegun(task, item) && leftForTask(item.instance, task, deadlineMs, time) <= 0,
  )
  const [first] = [...lost, ...withoutNewest(late, surplusOf(service, there))]
  if (first !== undefined) return `${first.instance.name}: ${describeLate(first, deadlineMs)}`
  const missing = service.rollout !== null || service.type !== 'continuous' ? 0 : service.scale - there.length
  if (missing <= 0 || time.leftToReport(task.createdAt, deadlineMs) > 0) return null
  return `${missing} of ${service.scale} instances ${missing === 1 ? 'is' : 'are'} still missing after ${deadlineMs / 1000} s`
}

/** When tasks with a deadline could fail by time alone. */
export function lateAt(tasks: readonly Task[], live: readonly Assessed[], time: Elapsed): Instant | null {
  return tasks
    .flatMap((task) => {
      const { deadlineMs } = task
      if (deadlineMs === undefined || task.state !== 'active') return []
      const coming = live
        .filter((item) => !item.up)
        .map((item) => leftForTask(item.instance, task, deadlineMs, time))
      return [time.leftToReport(task.createdAt, deadlineMs), ...coming].map(time.wakeAt)
    })
    .reduce(earlier, null)
}

/** Whether an instance was made since a task began. */
export function isMadeFor({ createdAt }: Task, { instance }: Assessed, time: Elapsed): boolean {
  return time.since(instance.createdAt) <= time.since(createdAt)
}

/** Those whose trouble is the task's: it ends well when they are up. */
function waitedFor(
  task: Task,
  service: Service,
  instances: readonly Assessed[],
  made: readonly Assessed[],
): readonly Assessed[] {
  if (service.rollout === null)
    return withoutSurplus(
      service,
      instances.filter((item) => isAbout(task, item)),
    )
  if (!isRollout(task)) return made
  const { going, staying, awaited } = rolesOf(
    service,
    instances.filter((item) => isLive(item) && item.state !== 'lost'),
  )
  const isHeldUp = awaited.length > 0 && awaited.every((item) => item.up) && going.length > 0
  // What a rollout leaves alone is its trouble only where nothing can go on without it.
  return isHeldUp ? staying : awaited
}

/** What a rollout of picks has left alone is no trouble of its task either once the rollout is over. */
function isAbout({ replacing }: Task, item: Assessed): boolean {
  return isLive(item) && (replacing?.picks == null || item.instance.n > replacing.after)
}

/** What is in trouble goes first of what is too many, and no task waits for it. */
function withoutSurplus(service: Service, live: readonly Assessed[]): readonly Assessed[] {
  const failing = live.filter((item) => item.failing !== null)
  return withoutNewest(failing, surplusOf(service, live))
}

/** Of what is in trouble the newest goes first. */
function withoutNewest(items: readonly Assessed[], count: number): readonly Assessed[] {
  return items.slice(0, Math.max(0, items.length - count))
}

/** How many are too many. What is in trouble goes first of them, and no task waits for it. */
function surplusOf({ type, scale }: Service, live: readonly Assessed[]): number {
  if (type !== 'continuous') return 0
  return Math.max(0, live.filter(({ state }) => state !== 'lost').length - scale)
}

/** Whether there are fewer instances of what is current than there are to be. */
function isShort(service: Service, instances: readonly Assessed[]): boolean {
  if (service.deleting) return false
  if (service.type !== 'continuous') return service.starts > service.lastInstance
  return instances.filter((item) => isLive(item) && !item.outdated).length < service.scale
}
