// Which changes of the cluster may change what a plan would be.

import type { UnitName } from '../model/unit.js'
import type { RecordKind } from '../store/record-types.js'
import { kindOfKey } from '../store/records.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'

/** Whether what lies at a key counts for a plan about these services: all that takes room, and all that is known of them. */
export function bearsOnPlan(view: ClusterView, services: readonly ServiceKey[], key: string): boolean {
  const kind = kindOfKey(key)
  if (kind === null || unrelated.has(kind)) return false
  if (kind !== 'report' && kind !== 'waiting') return true
  const name = key.slice(key.lastIndexOf('/') + 1) as UnitName
  const instance = view.instances.get(name)
  return instance !== undefined && services.includes(serviceKey(instance.project, instance.service))
}

const unrelated: ReadonlySet<RecordKind> = new Set<RecordKind>([
  'metrics',
  'event',
  'delivery',
  'receiver',
  'run',
  'trigger',
  'schedule',
  'scaling',
])
