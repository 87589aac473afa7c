// What a decision about a schedule means in the store.
import type { Instant } from '../lib/time.js'
import type { HistoryEvent } from '../model/event.js'
import { describeExit, instanceStateOf, isUnderWay } from '../model/instance-state.js'
import { type Run, runsKept, type ScheduleState } from '../model/schedule.js'
import { type Instance, type Service, withAllStopped, withOneMoreStart } from '../model/service.js'
import { keyOf, keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { Decision } from './decide.js'

type EventDraft = Omit<HistoryEvent, 'id' | 'at'>

interface ScheduleWrites {
  readonly ops: readonly Op[]
  readonly events: readonly EventDraft[]
}

/** Whether an instance of a service runs, or has not stopped yet. */
export function isRunning(view: ClusterView, service: Service): boolean {
  return (
    service.starts > service.lastInstance ||
    service.stopping !== null ||
    view.instancesOf(serviceKey(service.project, service.name)).some((one) => isUp(view, one))
  )
}

/** Whether a firing of a service that was due at an instant has started an instance, as far as its history goes back. */
export function hasStarted(view: ClusterView, { project, name, uuid }: Service, dueAt: Instant): boolean {
  return view
    .runsOf(serviceKey(project, name))
    .some(
      (run) =>
        run.dueAt === dueAt && run.serviceUuid === uuid && run.by === 'schedule' && run.outcome === 'started',
    )
}

/** One whose machine is lost counts no more. */
function isUp(view: ClusterView, instance: Instance): boolean {
  const placement = view.placements.get(instance.unit) ?? null
  const machinePresent = placement !== null && view.machines.has(placement.machine)
  const report = view.reportOf(instance.unit)
  const state = instanceStateOf({ instance, placement, report, machinePresent })
  return instance.retired === null ? state !== 'lost' : isUnderWay(state)
}

/** The writes of a decision. `before` is the state in the store. */
export function writesOf(
  view: ClusterView,
  service: Service,
  decision: Decision,
  before: ScheduleState | undefined,
): ScheduleWrites {
  const { state, action, run, withdrawn } = decision
  const started = action === 'start' ? withOneMoreStart(service) : null
  const next = action === 'stop' ? withAllStopped(service) : started?.service
  const written = run === null ? null : { ...run, instance: started?.instance ?? null }
  return {
    ops: [
      ...(state === before ? [] : [putOf('schedule', state)]),
      ...(next === undefined ? [] : [putOf('service', next)]),
      ...(withdrawn?.withdrawn ?? []).map((dueAt): Op => {
        return { op: 'delete', key: keys.run(service.project, service.name, dueAt, null) }
      }),
      ...(written === null ? [] : [putOf('run', written), ...forgotten(view, service)]),
    ],
    events:
      withdrawn !== null
        ? withdrawalOf(service, withdrawn.stillToCome)
        : written === null
          ? []
          : [eventOf(written)],
  }
}

function withdrawalOf({ project, name }: Service, count: number): readonly EventDraft[] {
  if (count === 0) return []
  const what = count === 1 ? 'a firing' : `${count} firings`
  const message = `the clock was set back: ${what} of ${name} that ${count === 1 ? 'was' : 'were'} reported as missed ${count === 1 ? 'is' : 'are'} still to come`
  return [{ kind: 'schedule-missed', project, service: name, instance: null, machine: null, message }]
}

function forgotten(view: ClusterView, service: Service): readonly Op[] {
  const runs = view.runsOf(serviceKey(service.project, service.name))
  return runs
    .slice(0, Math.max(0, runs.length + 1 - runsKept))
    .map((run) => ({ op: 'delete', key: keyOf('run', run) }))
}

function eventOf({ project, service, instance, outcome, count, dueAt }: Run): EventDraft {
  const due = new Date(dueAt).toISOString()
  const about = { project, service, instance, machine: null }
  switch (outcome) {
    case 'started':
      return { ...about, kind: 'schedule-fired', message: `${instance ?? service} is to run, due ${due}` }
    case 'skipped':
      return {
        ...about,
        kind: 'schedule-skipped',
        message: `no instance of ${service} is started, due ${due}: an earlier one still runs`,
      }
    case 'missed': {
      const what =
        count === 1
          ? `the firing of ${service} due ${due} was`
          : `${count} firings of ${service}, the last due ${due}, were`
      return {
        ...about,
        kind: 'schedule-missed',
        message: `${what} missed: no daemon could start it in time`,
      }
    }
  }
}

/** How a run ended, for people; empty while it goes on. */
export function describeRun({ outcome, endedAt, exit, failure, count, withdrawn }: Run): string {
  if (outcome === 'missed') return count === 1 ? 'missed' : `${count} missed`
  if (outcome === 'skipped') return 'an earlier instance still ran'
  if (endedAt === null) return ''
  if (withdrawn) return 'it was stopped before it started'
  return failure ?? (exit === null ? 'it is gone, and its exit status is unknown' : describeExit(exit))
}
