// Schedules and their runs as JSON.
import { byKeys } from '../lib/sort.js'
import { toIso } from '../lib/time.js'
import type { Run, ScheduleState } from '../model/schedule.js'
import { timetableOf } from '../schedule/timetable.js'
import { describeRun } from '../schedule/writes.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { RunBody, ScheduleBody } from './contract.js'
import { noSuchService, type Problem } from './problem.js'

/** The schedules of a project, or that of one service, by service. */
export function schedulesOf(
  view: ClusterView,
  project: string,
  service: string | undefined,
): readonly ScheduleState[] | Problem {
  if (service !== undefined && !view.services.has(serviceKey(project, service)))
    return noSuchService(project, service)
  return [...view.schedules.values()]
    .filter((one) => one.project === project && (service === undefined || one.service === service))
    .sort(byKeys((one) => one.service))
}

export function scheduleBodyOf(view: ClusterView, state: ScheduleState): ScheduleBody {
  const { project, service, schedule, origin, decidedUpTo, pending, started, skipped, missed } = state
  const next = timetableOf(schedule, origin).nextAfter(decidedUpTo)
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

/** Runs of these schedules, the newest first. */
export function runBodiesOf(view: ClusterView, states: readonly ScheduleState[]): readonly RunBody[] {
  return states
    .flatMap(({ project, service }) => view.runsOf(serviceKey(project, service)))
    .sort(byKeys((run) => -run.dueAt))
    .map(runBodyOf)
}

function runBodyOf(run: Run): RunBody {
  const { service, dueAt, decidedAt, outcome, count, instance, endedAt, exit } = run
  return {
    service,
    dueAt: toIso(dueAt),
    decidedAt: toIso(decidedAt),
    outcome,
    count,
    instance,
    endedAt: endedAt === null ? null : toIso(endedAt),
    exitCode: exit?.code ?? null,
    signal: exit?.signal ?? null,
    result: describeRun(run),
  }
}
