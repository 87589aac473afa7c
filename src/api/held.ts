// Why nothing is decided, whatever it is that somebody waits for.

import type { HeldBody } from '../contract/contract.js'
import { type Instant, toIso } from '../lib/time.js'
import type { UnitName } from '../model/unit.js'
import { type Unreadable, unreadableHint } from '../store/quarantine.js'
import { describeUnreadable, unreadableOf, unreadableOfUnit } from '../store/unreadable.js'
import type { ClusterView, ServiceKey } from '../store/view.js'
import type { Staleness } from './staleness.js'

/** How long nobody may lead before that is news: the lead goes from one daemon to the next in less. */
export const vacantAfterMs = 2000

/** Why no daemon decides anything now; null where one does. `vacantForMs`: for how long nobody has led. */
export function heldUp(
  view: Pick<ClusterView, 'hasNewer' | 'unreadable' | 'leader'>,
  stale: Staleness | null,
  vacantForMs: number,
): HeldBody | null {
  if (stale !== null) return { code: stale.because, message: `${whyStale[stale.because]} ${since(stale)}` }
  if (view.hasNewer) return heldByNewer(view)
  if (view.leader !== null || vacantForMs < vacantAfterMs) return null
  return {
    code: 'cluster/no-leader',
    message: 'no daemon leads the cluster, so no instances are placed, replaced or removed',
    hint: 'a daemon that may lead (one without --no-engine) has to run and to reach the store; its log has the reason',
  }
}

/** Why nothing is decided about services or units of which a record cannot be read; null where all can be. */
export function heldByRecords(
  view: ClusterView,
  services: readonly ServiceKey[],
  units: readonly UnitName[] = [],
): HeldBody | null {
  for (const service of services) {
    const found = unreadableOf(view, service)
    const [first] = found
    if (first !== undefined) return heldByRecord(service, first, found)
  }
  for (const unit of units) {
    const found = unreadableOfUnit(view, unit)
    const [first] = found
    if (first !== undefined) return heldByRecord(unit, first, found)
  }
  return null
}

function heldByRecord(what: string, first: Unreadable, found: readonly Unreadable[]): HeldBody {
  return {
    code: 'store/unreadable',
    message: `${what}: ${describeUnreadable(found)}`,
    hint: unreadableHint(first),
  }
}

const whyStale: Readonly<Record<Staleness['because'], string>> = {
  'store/unreachable': 'the daemon has been out of touch with its store since',
  'store/full': 'the store of the daemon has had no space left since',
}

function since({ since: at }: { readonly since: Instant }): string {
  return toIso(at)
}

function heldByNewer({ unreadable }: Pick<ClusterView, 'unreadable'>): HeldBody {
  const newer = [...unreadable.values()].filter(({ unfit }) => unfit === 'newer')
  const first = newer[0]?.entry.key ?? ''
  const which = newer.length === 1 ? `the record ${first} is` : `${newer.length} records (${first}, …) are`
  return {
    code: 'cluster/newer-records',
    message: `no daemon leads the cluster: ${which} of a newer Mariposa than this one`,
    hint: 'upgrade the older daemons, or remove those records: mariposa store check lists them',
  }
}
