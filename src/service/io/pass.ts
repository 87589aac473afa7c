// One pass over all services: read the view, decide for each, commit under our epoch. The deciding is in `planService`.
import type { UnitOfVersion } from '../../compile/version-unit.js'
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import { earlier, type Instant } from '../../lib/time.js'
import type { Service } from '../../model/service.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import { keys } from '../../store/records.js'
import { planService } from '../plan.js'
import { situationOf } from '../situation.js'
import { writesOf } from '../writes.js'

export interface ServicePassOptions {
  readonly registry: Registry
  readonly events: EventLog
  readonly unitOf: UnitOfVersion
  readonly log: Log
  /** Our epoch, or null while we do not lead. */
  readonly epoch: () => number | null
}

export function servicePass(options: ServicePassOptions): Pass {
  return async (now, signal) => {
    const epoch = options.epoch()
    if (epoch === null) return { wakeAt: null }
    let wakeAt: Instant | null = null
    for (const service of [...options.registry.view.services.values()]) {
      if (signal.aborted) break
      wakeAt = earlier(wakeAt, await settle(options, service, epoch, now))
    }
    return { wakeAt }
  }
}

/** Decides and commits for one service; returns when to look again. */
async function settle(
  { registry, events, unitOf, log }: ServicePassOptions,
  service: Service,
  epoch: number,
  now: Instant,
): Promise<Instant | null> {
  const decided = planService(situationOf(registry.view, service, unitOf), now)
  const { ops, events: told } = writesOf(registry.view, service, decided, now)
  if (ops.length === 0) return decided.wakeAt
  const key = keys.service(service.project, service.name)
  const unchanged = { key, modRevision: registry.view.revisionOf(key) }
  if (!(await registry.commit([ledBy(epoch), unchanged], [...ops, ...events.append(told)]))) return now
  for (const event of told) log.info('service', event.message)
  return decided.wakeAt
}
