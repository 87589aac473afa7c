// The order in which the services of a project come up and go down. It holds for the first start after a deploy or a start
// of the project, and for a stop of the project: what has been up goes on, whatever becomes of the services it comes after.
import type { Elapsed } from '../lib/elapsed.js'
import { uuidOf } from '../lib/hash.js'
import { earlier, type Instant } from '../lib/time.js'
import type { Condition } from '../model/after.js'
import { describeExit, exitFailed } from '../model/instance-state.js'
import type { Run } from '../model/schedule.js'
import { type Service, type ServiceVersion, withOneMoreStart } from '../model/service.js'
import type { Task } from '../model/task.js'
import type { RunOfOther } from './actions.js'
import { type Assessed, assess, isLive } from './assess.js'
import { type AwaitedService, type Hold, waitingFirst, withoutWait } from './awaited.js'
import type { ServiceInstance, ServiceSituation } from './situation.js'

type Awaited = AwaitedService<ServiceInstance>

/** The situation of a service with what holds it, or without its wait where nothing does any more. */
export function withHold(situation: ServiceSituation, time: Elapsed): ServiceSituation {
  const { service, awaited } = situation
  if (service.waitsForOthers === undefined) return situation
  const isEmpty = service.type === 'continuous' && service.scale === 0
  // At scale 0 it has still to wait when it is to have instances; what was stopped is started at once (decision 64).
  if (isEmpty && service.stoppedFrom === null && !service.deleting) return situation
  const isOver = service.deleting || isEmpty || situation.instances.some(isLive)
  const hold = isOver || awaited === undefined ? null : holdOf(situation, awaited, time)
  return hold === null
    ? { ...situation, service: withoutWait(service), comesUp: true }
    : { ...situation, hold }
}

function holdOf(situation: ServiceSituation, awaited: readonly Awaited[], time: Elapsed): Hold | null {
  const all = awaited.map((one) => waitStateOf(one, situation.runsEndWell === true, time))
  const missing = all.filter(({ reason }) => reason !== null)
  const failed = missing.find((one) => one.failed)
  const first = failed ?? missing[0]
  if (first === undefined || first.reason === null) return null
  return {
    reason: first.reason,
    failed: failed !== undefined,
    wakeAt: missing.map(({ wakeAt }) => wakeAt).reduce(earlier, null),
    runs: awaited.flatMap((one, n) =>
      all[n]?.unbegun === true ? runOf(one, situation.service, time.now) : [],
    ),
  }
}

interface WaitState {
  /** Why it is waited for; null where it need not be. */
  readonly reason: string | null
  readonly failed: boolean
  readonly wakeAt: Instant | null
  /** It is a run, and nobody has begun one. */
  readonly unbegun: boolean
}

const there: WaitState = { reason: null, failed: false, wakeAt: null, unbegun: false }

function waitStateOf(one: Awaited, runsEndWell: boolean, time: Elapsed): WaitState {
  const { after, service } = one
  const waits = `waits for ${after.service} ${words[after.condition]}`
  if (one.circular) return there
  if (service === null || service.deleting)
    return { ...there, reason: `${waits}: there is no service ${after.service}` }
  if (service.type !== 'continuous') return waitStateOfRuns(one, waits, runsEndWell)
  if (after.condition === 'completed')
    return { ...there, reason: `${waits}: it is continuous and never completes`, failed: true }
  const live = one.instances.filter(isLive).map((item) => assess(item, service, one.tasks, time))
  if (live.some((item) => isThere(item, after.condition))) return there
  const wakeAt = live.map(({ upAt }) => upAt).reduce(earlier, null)
  const trouble = troubleOf(one)
  if (trouble !== null)
    return { ...there, reason: `${waits}: ${after.service} has failed: ${trouble}`, failed: true, wakeAt }
  const hint = service.scale === 0 ? `: it is stopped (mariposa service start ${after.service})` : ''
  return { ...there, reason: `${waits}${hint}`, wakeAt }
}

const words: Readonly<Record<Condition, string>> = {
  started: 'to have started',
  healthy: 'to be healthy',
  completed: 'to have completed',
}

/** One instance is enough to be talked to: a missing one more holds up nobody. */
function isThere({ state, up }: Assessed, condition: Condition): boolean {
  return condition === 'started' ? state === 'running' : up
}

/** Why nothing of a service comes up any more by itself; null where something may. */
function troubleOf({ tasks }: Awaited): string | null {
  const last = tasks.at(-1)
  if (last?.state !== 'failed' || tasks.some(({ finishedAt }) => finishedAt === null)) return null
  return last.error ?? 'its last change failed'
}

/** Of a service that is not continuous: a run since its version was deployed. */
function waitStateOfRuns({ after, version, runs }: Awaited, waits: string, runsEndWell: boolean): WaitState {
  const own = runs.filter(
    (run) => run.outcome === 'started' && run.withdrawn !== true && isOfVersion(run, version),
  )
  const open = own.filter(({ endedAt }) => endedAt === null)
  const isOver = ({ endedAt, exit, failure }: Run): boolean =>
    endedAt !== null && failure === undefined && !hasFailed(exit)
  if (own.some(isOver) || (open.length > 0 && (after.condition !== 'completed' || runsEndWell))) return there
  const last = own.at(-1)
  if (last === undefined) return { ...there, reason: waits, unbegun: true }
  if (open.length > 0) return { ...there, reason: waits }
  const end = describeEnd(last)
  return {
    ...there,
    reason: `${waits}: its run ${last.instance ?? ''} ${end} (mariposa service start ${after.service} begins another)`,
    failed: true,
  }
}

/** By when it was decided only where its record does not say: the clock may have been set back since the version was deployed. */
function isOfVersion(run: Run, version: ServiceVersion | null): boolean {
  if (version === null) return true
  return run.version === undefined ? run.decidedAt >= version.createdAt : run.version === version.uuid
}

function describeEnd({ exit, failure }: Run): string {
  if (failure !== undefined) return `failed: ${failure}`
  return exit === null ? 'ended with an unknown status' : describeExit(exit)
}

function hasFailed(exit: Run['exit']): boolean {
  return exit === null || exitFailed(exit, false)
}

/** A run of an event service that nobody has begun: it begins with the first service that waits for it. */
function runOf(
  { service, version, tasks, frozen }: Awaited,
  waiting: Service,
  now: Instant,
): readonly RunOfOther[] {
  if (service === null || service.type !== 'event' || frozen) return []
  const isAsked = service.starts > service.lastInstance || service.stopping !== null
  if (isAsked || tasks.some(({ finishedAt }) => finishedAt === null)) return []
  const { project, name, current } = service
  const begun: Service = { ...withOneMoreStart(service).service, ...waitingFirst(version ?? undefined) }
  const task: Task = {
    uuid: uuidOf('task', service.uuid, 'start', String(now), String(begun.starts)),
    project,
    service: name,
    kind: 'start',
    state: 'active',
    target: { scale: service.scale, version: current },
    instance: begun.starts,
    createdAt: now,
    finishedAt: null,
    error: null,
    order: null,
    by: null,
  }
  return [
    {
      kind: 'run',
      service: begun,
      task,
      told: `${name} is started once: ${waiting.name} waits for it to complete`,
    },
  ]
}
