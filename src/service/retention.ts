// Which versions of a service are kept: the newest, and those that something still uses. A pure rule over the view.

import type { Order } from '../model/order.js'
import type { Service, ServiceVersion } from '../model/service.js'
import type { Task } from '../model/task.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/** The versions of a service beyond the newest `keep` that nothing runs and nothing goes to, oldest first. */
export function versionsToForget(
  view: ClusterView,
  service: Service,
  keep: number,
): readonly ServiceVersion[] {
  const key = serviceKey(service.project, service.name)
  const older = view.versionsOf(key).slice(keep)
  if (older.length === 0 || service.deleting) return []
  const open = view.tasksOf(key).filter(({ finishedAt }) => finishedAt === null)
  // A version may be named in words there that mean another one once some are gone.
  if (open.some(({ order }) => order !== null && namesVersion(order))) return []
  const used = new Set([...versionsOfService(service), ...open.flatMap(versionsOfTask)])
  for (const { version } of view.allInstancesOf(key)) used.add(version)
  return older.filter(({ uuid }) => !used.has(uuid)).reverse()
}

/**
 * The writes that remove versions with their units. The service's record is written again as it is: a change that was
 * decided while one of them was still there, such as a revert to it, is then decided anew.
 */
export function forgetOps(
  view: ClusterView,
  service: Service,
  gone: readonly ServiceVersion[],
): readonly Op[] {
  const { project, name } = service
  const key = serviceKey(project, name)
  const uuids = new Set(gone.map(({ uuid }) => uuid))
  const needed = new Set([
    ...view.versionsOf(key).flatMap(({ uuid, hash }) => (uuids.has(uuid) ? [] : [hash])),
    ...view.allInstancesOf(key).flatMap(({ unit }) => view.units.get(unit)?.hash ?? []),
  ])
  const files = new Set(gone.map(({ hash }) => hash).filter((hash) => !needed.has(hash)))
  return [
    putOf('service', service),
    ...gone.map(({ ordinal }): Op => ({ op: 'delete', key: keys.version(project, name, ordinal) })),
    ...[...files].map((hash): Op => ({ op: 'delete', key: keys.file(hash) })),
  ]
}

function versionsOfService({ current, rollout, stopping, cameUp }: Service): readonly string[] {
  return [current, rollout?.revertTo, stopping, cameUp?.at(-1)].filter((uuid) => uuid != null)
}

function versionsOfTask({ target, replacing }: Task): readonly string[] {
  return [target?.version, replacing?.back?.to].filter((uuid) => uuid !== undefined)
}

function namesVersion(order: Order): boolean {
  if (order.kind === 'start' || order.kind === 'stop') return order.version !== null
  return order.kind === 'rollout' && (order.version !== null || order.filter.version !== null)
}
