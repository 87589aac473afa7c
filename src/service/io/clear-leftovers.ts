// A pass of the leader that takes away what is left of services and instances whose records an operator removed.

import { type ClockJump, elapsedAt } from '../../lib/elapsed.js'
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import { ownTurn } from '../../lib/io/turns.js'
import type { UnitName } from '../../model/unit.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import { type ServiceKey, serviceKey } from '../../store/view.js'
import { type Cleared, clearOneOff, clearService, clearUnit } from '../leftovers.js'

/**
 * How often the leader looks. What it finds is taken away at the next look, if it is there still: somebody may just be putting
 * records back, one after the other, and no program of ours leaves any.
 */
export const lookForLeftoversEveryMs = 15_000
/** How many records are looked at in one turn. */
const lookedAtInATurn = 5000

interface ClearLeftoversOptions {
  readonly registry: Registry
  readonly events: EventLog
  readonly log: Log
  readonly epoch: () => number | null
  /** How the clock was set while this daemon ran. */
  readonly jumps: () => readonly ClockJump[]
}

export function clearLeftovers({ registry, events, log, epoch, jumps }: ClearLeftoversOptions): Pass {
  let before: ReadonlySet<string> = new Set()
  return async (now, signal) => {
    const leading = epoch()
    if (leading === null) return { wakeAt: null }
    const { view } = registry
    const time = elapsedAt(now, jumps())
    const clear = async (decide: () => Cleared | null): Promise<boolean> => {
      const { decision, committed } = await registry.decide(() => {
        const cleared = decide()
        const ops = cleared === null ? [] : [...cleared.ops, ...events.append(cleared.events)]
        return { decidedOn: cleared?.decidedOn ?? [], ops, told: cleared?.events ?? [] }
      }, [ledBy(leading)])
      if (committed) for (const { message } of decision.told) log.warn('service', message)
      return committed && decision.told.length > 0
    }
    const services = await servicesGone(registry)
    const units = await unitsAlone(registry)
    for (const key of services) {
      if (!before.has(key)) continue
      while (!signal.aborted && (await clear(() => clearService(view, key)))) await ownTurn()
    }
    for (const unit of units) {
      if (signal.aborted) break
      if (before.has(unit)) await clear(() => clearUnit(view, unit))
    }
    for (const { unit, oneOff } of view.instances.values()) {
      if (signal.aborted) break
      if (oneOff !== undefined) await clear(() => clearOneOff(view, unit, time))
    }
    before = new Set<string>([...services, ...units])
    return { wakeAt: null }
  }
}

/** Services that have instances and no record. */
async function servicesGone({ view }: Registry): Promise<ReadonlySet<ServiceKey>> {
  const found = new Set<ServiceKey>()
  let looked = 0
  for (const { project, service } of view.instances.values()) {
    const key = serviceKey(project, service)
    if (!view.services.has(key)) found.add(key)
    if (++looked % lookedAtInATurn === 0) await ownTurn()
  }
  return found
}

/** Units of instances that have no record. */
async function unitsAlone({ view }: Registry): Promise<readonly UnitName[]> {
  const found: UnitName[] = []
  let looked = 0
  for (const { name, instance } of view.units.values()) {
    if (instance !== null && !view.instances.has(name)) found.push(name)
    if (++looked % lookedAtInATurn === 0) await ownTurn()
  }
  return found
}
