// How long others remember the names of an instance.
import { defaultTtl, readCnsLabels } from '../model/cns-labels.js'
import { leadsNowhere, routesOfVersion } from '../model/entry.js'
import type { ServiceVersion } from '../model/service.js'
import type { DesiredUnit } from '../model/unit.js'
import type { UnitReader } from '../unit/reader.js'

/** A stop waits for so long at most: who remembers answers for longer has been told so by a manifest. */
const leavesWithinMs = 60_000
/** What every daemon needs at most to learn of a change. */
const newsMs = 500

/** How long the proxies of the entry need at most to learn of a change, and to be done with the list of before. */
export const entryNewsMs = newsMs + 500

/** For how long an instance that has left the names is to serve on, for what has reached it by way of the entry. */
export function drainMs(version: Pick<ServiceVersion, 'entry' | 'tcpEntry'>): number {
  const drains = routesOfVersion(version).flatMap((route) => (leadsNowhere(route) ? [] : [route.drainMs]))
  return drains.length === 0 ? 0 : Math.min(Math.max(...drains) + entryNewsMs, leavesWithinMs)
}

/** For how long others may be sent to a unit after it has left the names; 0 where nobody finds it by one. */
export function rememberedMs(unit: DesiredUnit, units: Pick<UnitReader, 'needs'>): number {
  const { labels, ports } = units.needs(unit)
  const { disabled, up, services, ttl } = readCnsLabels(labels)
  if (disabled || !up || (ports.length === 0 && services.length === 0)) return 0
  const ms = (ttl ?? defaultTtl) * 1000
  return ms === 0 ? 0 : Math.min(ms + newsMs, leavesWithinMs)
}
