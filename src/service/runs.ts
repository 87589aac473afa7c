// The history of services that are not continuous: one run for each instance, from when it was asked for to its end.
import type { Instant } from '../lib/time.js'
import { hasStopped } from '../model/instance-state.js'
import type { Run } from '../model/schedule.js'
import { runsKept } from '../model/schedule.js'
import { type Instance, inputOf, isBehind, type Service } from '../model/service.js'
import { keyOf, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { ServiceAction, ServicePlan } from './actions.js'

/**
 * The writes about runs that go with a plan. An end is written with the first step that takes the instance away, so that
 * how it ended is known as long as the run is. A run that a schedule began is there before its instance.
 */
export function runOps(view: ClusterView, service: Service, plan: ServicePlan, now: Instant): readonly Op[] {
  if (plan.service === null) return []
  const before = view.runsOf(serviceKey(service.project, service.name))
  const failing = plan.actions.flatMap((action) => failureOf(view, before, action))
  const known = before.map((run) => failing.find((one) => keyOf('run', one) === keyOf('run', run)) ?? run)
  const ended = plan.actions.flatMap((action) => endOf(view, known, action, now))
  const withdrawn = withdrawnOf(view, service, known, ended, now)
  const made = plan.actions.flatMap((action) => runOfMade(service, known, action, now))
  // One that fails may end in the same step.
  const written = new Map(
    [...failing, ...ended, ...withdrawn, ...made].map((run) => [keyOf('run', run), run]),
  )
  const knownKeys = known.map((run) => keyOf('run', run))
  const begun = made.filter((run) => !knownKeys.includes(keyOf('run', run))).length
  const forgotten = knownKeys
    .slice(0, begun === 0 ? 0 : Math.max(0, known.length + begun - runsKept))
    .filter((key) => !written.has(key))
  return [
    ...[...written.values()].map((run) => putOf('run', run)),
    ...forgotten.map((key): Op => ({ op: 'delete', key })),
  ]
}

/** The run of an instance that is made to stop, as it took too long or is not well: that it then ends with 0 says nothing. */
function failureOf(view: ClusterView, known: readonly Run[], action: ServiceAction): readonly Run[] {
  if (action.kind !== 'retire' || (action.cause !== 'failed' && action.cause !== 'unhealthy')) return []
  const run = openRunOf(known, action.instance)
  const report = view.reportOf(action.instance.unit)
  if (run === undefined || (report !== null && hasStopped(report))) return []
  return [{ ...run, failure: action.reason }]
}

function endOf(
  view: ClusterView,
  known: readonly Run[],
  action: ServiceAction,
  now: Instant,
): readonly Run[] {
  if (action.kind !== 'keep' && action.kind !== 'unload' && action.kind !== 'remove') return []
  const run = openRunOf(known, action.instance)
  if (run === undefined) return []
  const report = view.reportOf(action.instance.unit)
  // The exit of what ran when it was last heard of is that of an earlier start.
  const exit = report !== null && hasStopped(report) ? report.exit : null
  const output = report?.output
  return [
    {
      ...run,
      endedAt: exit?.at ?? now,
      exit,
      ...(output !== undefined && output.length > 0 && { output }),
    },
  ]
}

/** Runs of instances that were told to stop before they were made: their numbers are passed over. */
function withdrawnOf(
  view: ClusterView,
  service: Service,
  known: readonly Run[],
  ended: readonly Run[],
  now: Instant,
): readonly Run[] {
  const open = known.filter(({ instance, endedAt }) => instance !== null && endedAt === null)
  if (open.length === 0) return []
  const there = new Set(view.instancesOf(serviceKey(service.project, service.name)).map(({ name }) => name))
  const seen = new Set(ended.map(({ instance }) => instance))
  return open
    .filter(({ instance }) => !there.has(instance ?? '') && !seen.has(instance))
    .filter(({ instance }) => {
      const n = Number(instance?.slice(service.name.length + 1))
      return isBehind(service, n)
    })
    .map((run) => ({ ...run, endedAt: now, withdrawn: true as const }))
}

function openRunOf(known: readonly Run[], { name }: Instance): Run | undefined {
  return known.find(({ instance, endedAt }) => instance === name && endedAt === null)
}

/** The run of an instance that is made: one that a schedule has begun already, or a new one. */
function runOfMade(
  service: Service,
  known: readonly Run[],
  action: ServiceAction,
  now: Instant,
): readonly Run[] {
  if (service.type === 'continuous' || action.kind !== 'create') return []
  const instance = `${service.name}-${action.n}`
  const version = action.version.uuid
  const scheduled = known.find((run) => run.instance === instance)
  if (scheduled !== undefined) return [{ ...scheduled, version }]
  const { project, name, uuid } = service
  const input = inputOf(service, action.n)
  return [
    {
      project,
      service: name,
      serviceUuid: uuid,
      by: 'start',
      dueAt: now,
      decidedAt: now,
      outcome: 'started',
      count: 1,
      instance,
      version,
      ...input,
      endedAt: null,
      exit: null,
    },
  ]
}
