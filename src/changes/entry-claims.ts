// What the entry serves for one service it serves for no other: whoever is second is refused.
import type { Instant } from '../lib/time.js'
import { claimOf } from '../model/entry.js'
import type { Service, ServiceVersion } from '../model/service.js'
import { keys } from '../store/records.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { Problem } from './problem.js'
import { type Change, emptyChange } from './services.js'

type Claiming = Pick<ServiceVersion, 'project' | 'service' | 'entry'>

/**
 * What has to be written with versions that become current, so that of two changes at the same moment that claim the same
 * only one takes effect; or why they cannot become current.
 */
export function claimEntry(view: ClusterView, versions: readonly Claiming[], now: Instant): Change | Problem {
  const claiming = versions.filter(({ entry }) => entry !== undefined)
  if (claiming.length === 0) return emptyChange
  const changed = new Set(versions.map(({ project, service }) => serviceKey(project, service)))
  const others = [...view.services.values()].filter(
    ({ project, name }) => !changed.has(serviceKey(project, name)),
  )
  const holders = new Map(others.flatMap((service) => claimsOf(view, service)))
  for (const { project, service, entry = [] } of claiming) {
    for (const claim of entry.map(claimOf)) {
      const holder = holders.get(claim)
      if (holder !== undefined) return taken(claim, `${project}/${service}`, holder)
      holders.set(claim, `${project}/${service}`)
    }
  }
  const op = { op: 'put' as const, key: keys.entries, value: JSON.stringify({ at: now }) }
  return { ...emptyChange, decidedOn: [keys.entries], ops: [op] }
}

/** What a service serves now, and what it will once what waits for its turn has had it. */
function claimsOf(view: ClusterView, { project, name, current }: Service): readonly [string, string][] {
  const key = serviceKey(project, name)
  const waiting = view.tasksOf(key).flatMap(({ finishedAt, order }) => {
    const version = finishedAt === null && order?.kind === 'rollout' ? order.version : null
    return version === null ? [] : [version]
  })
  return [current, ...waiting].flatMap((uuid) =>
    (view.versions.get(uuid)?.entry ?? []).map((route): [string, string] => [claimOf(route), key]),
  )
}

function taken(claim: string, who: string, holder: string): Problem {
  return {
    status: 409,
    code: 'entry/taken',
    message: `${who} cannot have ${claim} of the entry: ${holder} has it`,
    hint: 'choose another host or path, or take it away from the other service first',
  }
}
