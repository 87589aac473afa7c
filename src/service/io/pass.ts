// One pass over all services: read the view, decide for each, commit under our epoch. The deciding is in `planService`.
import type { UnitOfVersion } from '../../compile/version-unit.js'
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import { earlier, type Instant } from '../../lib/time.js'
import type { Service } from '../../model/service.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import { keys } from '../../store/records.js'
import type { ServicePlan } from '../actions.js'
import { planService } from '../plan.js'
import { situationOf } from '../situation.js'
import { fullAllowance, heldUntil, refill, type StormGuard } from '../storm.js'
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
  let allowance = fullAllowance
  return async (now, signal) => {
    const epoch = options.epoch()
    if (epoch === null) return { wakeAt: null }
    const { view } = options.registry
    const held = heldUntil(view, now)
    allowance = refill(allowance, now)
    let wakeAt: Instant | null = null
    for (const service of [...view.services.values()]) {
      if (signal.aborted) break
      const storm = { heldUntil: held, allowance: allowance.left }
      const settled = await settle(options, service, storm, epoch, now)
      allowance = { ...allowance, left: allowance.left - settled.replacements }
      wakeAt = earlier(wakeAt, settled.wakeAt)
    }
    return { wakeAt }
  }
}

/** Decides and commits for one service; returns when to look again, and how many lost instances it replaced. */
async function settle(
  { registry, events, unitOf, log }: ServicePassOptions,
  service: Service,
  storm: StormGuard,
  epoch: number,
  now: Instant,
): Promise<Pick<ServicePlan, 'wakeAt' | 'replacements'>> {
  const decided = planService(situationOf(registry.view, service, unitOf, storm), now)
  const { ops, events: told } = writesOf(registry.view, service, decided, now)
  if (ops.length === 0) return decided
  const key = keys.service(service.project, service.name)
  const unchanged = { key, modRevision: registry.view.revisionOf(key) }
  if (!(await registry.commit([ledBy(epoch), unchanged], [...ops, ...events.append(told)])))
    return { wakeAt: now, replacements: 0 }
  for (const event of told) log.info('service', event.message)
  return decided
}
