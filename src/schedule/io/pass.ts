// One pass over the schedules: read the view, decide for each, commit under our epoch. The deciding is in `decideFiring`.

import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import type { Instant } from '../../lib/time.js'
import type { Schedule, ScheduleState } from '../../model/schedule.js'
import { isFrozen } from '../../service/queue.js'
import { eachService, servicesWhere } from '../../store/io/each-service.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import { keys } from '../../store/records.js'
import type { Op } from '../../store/store.js'
import { unreadableOf } from '../../store/unreadable.js'
import { serviceKey } from '../../store/view.js'
import { decideFiring, stateFor } from '../decide.js'
import { type Timetable, timetableOf } from '../timetable.js'
import { hasStarted, isRunning, writesOf } from '../writes.js'

interface SchedulePassOptions {
  readonly registry: Registry
  readonly events: EventLog
  readonly log: Log
  /** Our epoch, or null while we do not lead. */
  readonly epoch: () => number | null
}

export function schedulePass(options: SchedulePassOptions): Pass {
  const { registry, events, log } = options
  const timetables = new Timetables()
  return async (now, signal) => {
    const epoch = options.epoch()
    if (epoch === null) return { wakeAt: null }
    const wakeAt = await eachService(registry, {
      log,
      epoch,
      now,
      signal,
      services: servicesWhere(registry.view, ({ schedule }) => schedule !== undefined),
      decide: (view, service) => {
        const version = view.versions.get(service.current)
        if (version?.schedule === undefined || service.deleting) return null
        // Nothing starts, and what is too late afterwards is missed.
        if (isFrozen(view, service.project, service.name)) return null
        const before = view.schedules.get(serviceKey(service.project, service.name))
        const state = stateFor(service, version.schedule, version.createdAt, before, now)
        const wasStarted = (due: Instant): boolean => hasStarted(view, service, due)
        const decided = decideFiring(state, timetables.of(state), isRunning(view, service), now, wasStarted)
        const { ops, events: drafts } = writesOf(view, service, decided, before)
        // A firing and what it starts are one write.
        const all = ops.length === 0 ? [] : [...ops, ...events.append(drafts)]
        const decidedOn = [keys.schedule(service.project, service.name)]
        return { decidedOn, ops: all, wakeAt: decided.wakeAt, told: drafts }
      },
      onDecided: ({ ops, told: drafts }) => {
        if (ops.length > 0) for (const { message } of drafts) log.info('schedule', message)
      },
    })
    await forget(options, epoch)
    return { wakeAt }
  }
}

/** Each is two comparisons, of which etcd takes 128. The rest goes with the next pass. */
const forgottenAtOnce = 50

/** Schedules of services that are gone, or have none any more. Their runs go with the service. */
async function forget({ registry }: SchedulePassOptions, epoch: number): Promise<void> {
  await registry.decide(
    (view) => {
      const left = [...view.schedules.values()].filter(({ project, service }) => {
        const key = serviceKey(project, service)
        if (unreadableOf(view, key).length > 0) return false
        const current = view.services.get(key)?.current
        return current === undefined || view.versions.get(current)?.schedule === undefined
      })
      const some = left.slice(0, forgottenAtOnce)
      return {
        decidedOn: some.map(({ project, service }) => keys.service(project, service)),
        ops: some.map(({ project, service }): Op => ({ op: 'delete', key: keys.schedule(project, service) })),
      }
    },
    [ledBy(epoch)],
  )
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
