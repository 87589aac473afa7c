// One pass over the schedules: read the view, decide for each, commit under our epoch. The deciding is in `decideFiring`.
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import { earlier, type Instant } from '../../lib/time.js'
import type { Schedule, ScheduleState } from '../../model/schedule.js'
import type { Service } from '../../model/service.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import { keys } from '../../store/records.js'
import type { Op } from '../../store/store.js'
import { serviceKey } from '../../store/view.js'
import { decideFiring, stateFor } from '../decide.js'
import { type Timetable, timetableOf } from '../timetable.js'
import { isRunning, writesOf } from '../writes.js'

export interface SchedulePassOptions {
  readonly registry: Registry
  readonly events: EventLog
  readonly log: Log
  /** Our epoch, or null while we do not lead. */
  readonly epoch: () => number | null
  /** Whether an operator has frozen a service: then nothing starts, and what is too late afterwards is missed. */
  readonly isFrozen: (project: string, service: string) => boolean
}

export function schedulePass(options: SchedulePassOptions): Pass {
  const timetables = new Timetables()
  return async (now, signal) => {
    const epoch = options.epoch()
    if (epoch === null) return { wakeAt: null }
    const { view } = options.registry
    let wakeAt: Instant | null = null
    for (const [key, service] of [...view.services]) {
      const schedule = view.versions.get(service.current)?.schedule
      if (signal.aborted || schedule === undefined || service.deleting) continue
      if (options.isFrozen(service.project, service.name)) continue
      const deployedAt = view.versions.get(service.current)?.createdAt ?? now
      const state = stateFor(service, schedule, deployedAt, view.schedules.get(key))
      wakeAt = earlier(wakeAt, await settle(options, service, state, timetables.of(state), epoch, now))
    }
    await forget(options, epoch)
    return { wakeAt }
  }
}

/** Decides and commits for one service; returns when to look again. A firing and what it starts are one write. */
async function settle(
  { registry, events, log }: SchedulePassOptions,
  service: Service,
  state: ScheduleState,
  timetable: Timetable,
  epoch: number,
  now: Instant,
): Promise<Instant | null> {
  const { view } = registry
  const decision = decideFiring(state, timetable, isRunning(view, service), now)
  const before = view.schedules.get(serviceKey(service.project, service.name))
  const { ops, events: told } = writesOf(view, service, decision, before)
  if (ops.length === 0) return decision.wakeAt
  const decidedOn = [
    keys.service(service.project, service.name),
    keys.schedule(service.project, service.name),
  ].map((key) => ({ key, modRevision: view.revisionOf(key) }))
  const all = [...ops, ...events.append(told)]
  if (!(await registry.commit([ledBy(epoch), ...decidedOn], all))) return now
  for (const { message } of told) log.info('schedule', message)
  return decision.wakeAt
}

/** Schedules of services that are gone, or have none any more. Their runs go with the service. */
async function forget({ registry }: SchedulePassOptions, epoch: number): Promise<void> {
  const { view } = registry
  const left = [...view.schedules.values()].filter(({ project, service }) => {
    const current = view.services.get(serviceKey(project, service))?.current
    return current === undefined || view.versions.get(current)?.schedule === undefined
  })
  if (left.length === 0) return
  const ops = left.map(({ project, service }): Op => ({ op: 'delete', key: keys.schedule(project, service) }))
  await registry.commit([ledBy(epoch)], ops)
}

/** Timetables by what they are made of, so that texts and zones are read once. */
class Timetables {
  readonly #known = new Map<string, { readonly schedule: Schedule; readonly timetable: Timetable }>()

  of({ project, service, schedule, origin }: ScheduleState): Timetable {
    const key = `${project}/${service}/${origin}`
    const known = this.#known.get(key)
    if (known !== undefined && known.schedule === schedule) return known.timetable
    if (this.#known.size > 10_000) this.#known.clear()
    const timetable = timetableOf(schedule, origin)
    this.#known.set(key, { schedule, timetable })
    return timetable
  }
}
