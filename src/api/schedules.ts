// Schedules and their runs as JSON.

import { noSuchService, type Problem } from '../changes/problem.js'
import { servicesOfProject } from '../changes/projects.js'
import type { LogRecord, RunBody, ScheduleBody } from '../contract/contract.js'
import { type Instant, toIso } from '../lib/time.js'
import type { NamedBody } from '../model/call-body.js'
import type { Run, ScheduleState } from '../model/schedule.js'
import { timetableOf } from '../schedule/timetable.js'
import { describeRun } from '../schedule/writes.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/** The schedules of a project, or that of one service. */
export function schedulesOf(
  view: ClusterView,
  project: string,
  service: string | undefined,
): readonly ScheduleState[] | Problem {
  if (service !== undefined && !view.services.has(serviceKey(project, service)))
    return noSuchService(view, project, service)
  return [...view.schedules.values()].filter(
    (one) => one.project === project && (service === undefined || one.service === service),
  )
}

/** `next` is to come, also while nobody decides what is due already. */
export function scheduleBodyOf(view: ClusterView, state: ScheduleState, now: Instant): ScheduleBody {
  const { project, service, schedule, origin, decidedUpTo, pending, started, skipped, missed } = state
  const next = timetableOf(schedule, origin).nextAfter(Math.max(decidedUpTo, now))
  const last = view.runsOf(serviceKey(project, service)).findLast(({ outcome }) => outcome === 'started')
  return {
    project,
    service,
    kind: schedule.kind,
    expression: schedule.expression,
    timezone: schedule.timezone,
    overlap: schedule.overlap,
    epsilonMs: schedule.epsilonMs,
    next: next === null ? null : toIso(next),
    waiting: pending === null ? null : toIso(pending),
    last: last === undefined ? null : toIso(last.dueAt),
    started,
    skipped,
    missed,
  }
}

/** The runs of a project's services, or of one service. */
export function runsOf(
  view: ClusterView,
  project: string,
  service: string | undefined,
): readonly Run[] | Problem {
  const key = service === undefined ? null : serviceKey(project, service)
  if (key !== null && !view.services.has(key)) return noSuchService(view, project, service ?? '')
  const services = key === null ? servicesOfProject(view, project) : [{ name: service ?? '' }]
  return services.flatMap(({ name }) => view.runsOf(serviceKey(project, name)))
}

/** The runs that a service's or an instance's name stands for whose instances are gone, the oldest first. */
export function pastRunsNamed(view: ClusterView, project: string, name: string): readonly Run[] {
  const service = view.services.has(serviceKey(project, name)) ? name : (/^(.+)-\d+$/.exec(name)?.[1] ?? '')
  const there = new Set(view.instancesOf(serviceKey(project, service)).map((one) => one.name))
  return view
    .runsOf(serviceKey(project, service))
    .filter(({ instance }) => instance !== null && !there.has(instance))
    .filter(({ instance }) => service === name || instance === name)
}

/** The lines that are kept of a run, as far as they are asked for. */
export function keptLines(
  { instance, output = [] }: Run,
  { since, tail }: { readonly since: Instant | null; readonly tail: number | null },
): readonly LogRecord[] {
  const wanted = output.filter(({ at }) => since === null || at >= since)
  return wanted
    .slice(tail === null ? 0 : Math.max(0, wanted.length - tail))
    .map(({ at, stream, line }) => ({ at: toIso(at), instance: instance ?? '', stream, line }))
}

function bodyOfRun({ bytes, file, variables }: NamedBody): NonNullable<RunBody['body']> {
  return { as: file ? 'file' : 'variables', bytes, variables: [...variables] }
}

export function runBodyOf(run: Run): RunBody {
  const { service, by, dueAt, decidedAt, outcome, count, instance, set, body, endedAt, exit } = run
  return {
    service,
    by,
    dueAt: toIso(dueAt),
    decidedAt: toIso(decidedAt),
    outcome,
    count,
    instance,
    ...(set !== undefined && { set }),
    ...(body !== undefined && { body: bodyOfRun(body) }),
    endedAt: endedAt === null ? null : toIso(endedAt),
    exitCode: exit?.code ?? null,
    signal: exit?.signal ?? null,
    result: describeRun(run),
  }
}
