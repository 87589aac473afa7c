// What is left where an operator removed a record that others hang on: instances of a service that is gone, and units of
// instances that are gone. Nobody lists these, and their programs would run for ever.
import type { Elapsed } from '../lib/elapsed.js'
import type { EventDraft } from '../model/event.js'
import type { Instance } from '../model/service.js'
import type { DesiredUnit, UnitName } from '../model/unit.js'
import type { Decision } from '../store/decision.js'
import { keys } from '../store/records.js'
import type { Op } from '../store/store.js'
import { isGone, unreadableOf } from '../store/unreadable.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'

export interface Cleared extends Decision {
  readonly events: readonly EventDraft[]
}

/** Of how many instances one change takes the rest away. */
const clearedAtMost = 50

/**
 * Takes away what is left of a service whose record is gone; null where nothing is, or where it may only be that it cannot
 * be read. Of many instances those that are left after it are for another time.
 */
export function clearService(view: ClusterView, key: ServiceKey): Cleared | null {
  const [project = '', name = ''] = key.split('/')
  const instances = view.allInstancesOf(key)
  if (instances.length === 0 || !isGone(view, key) || unreadableOf(view, key).length > 0) return null
  const now = instances.slice(0, clearedAtMost)
  const rest: readonly Op[] =
    instances.length > now.length
      ? []
      : [
          { op: 'delete-prefix', prefix: keys.versionsOf(project, name) },
          { op: 'delete-prefix', prefix: keys.triggersOf(project, name) },
          { op: 'delete-prefix', prefix: keys.callBodiesOf(project, name) },
          { op: 'delete-prefix', prefix: keys.runsOf(project, name) },
          ...view.versionsOf(key).map(({ hash }): Op => ({ op: 'delete', key: keys.file(hash) })),
        ]
  return {
    decidedOn: [keys.service(project, name), ...now.map(({ n }) => keys.instance(project, name, n))],
    ops: [
      ...now.flatMap(({ n, unit }): readonly Op[] => [
        { op: 'delete', key: keys.instance(project, name, n) },
        ...(isUnitOf(view.units.get(unit), key) ? [{ op: 'delete' as const, key: keys.unit(unit) }] : []),
      ]),
      ...rest,
    ],
    events: now.map((instance) => removed(instance, 'there is no record of its service')),
  }
}

/**
 * Takes away a unit whose instance has no record; null where it is to stay. Its service makes another in its place, and what
 * runs serves on until that is up, or waits for its room.
 */
export function clearUnit(view: ClusterView, unit: UnitName): Cleared | null {
  const desired = view.units.get(unit)
  if (desired?.instance == null || view.instances.has(unit)) return null
  const { project, service: name, n } = desired.instance
  const key = serviceKey(project, name)
  if (unreadableOf(view, key).length > 0 || (!isGone(view, key) && !isReplaced(view, key))) return null
  return {
    decidedOn: [keys.service(project, name), keys.instance(project, name, n), keys.unit(unit)],
    ops: [{ op: 'delete', key: keys.unit(unit) }],
    events: [removed(desired.instance, 'there is no record of it')],
  }
}

/** How long a machine may be down whose daemon waits for the end of an instance: whoever asked has not been joined to it for long. */
const unattendedForMs = 60 * 60_000

/** Takes away an instance that runs once for a caller of a machine that has gone; null where it is to stay. */
export function clearOneOff(view: ClusterView, unit: UnitName, time: Elapsed): Cleared | null {
  const instance = view.instances.get(unit)
  if (instance?.oneOff === undefined || view.machines.has(instance.oneOff.attendedBy)) return null
  const known = view.knownMachines.get(instance.oneOff.attendedBy)
  if (known !== undefined && time.since(known.downSince ?? time.now) < unattendedForMs) return null
  const { project, service, n } = instance
  return {
    decidedOn: [keys.unit(unit), keys.instance(project, service, n)],
    ops: [
      { op: 'delete', key: keys.instance(project, service, n) },
      { op: 'delete', key: keys.unit(unit) },
    ],
    events: [removed(instance, 'the machine that waited for it to end is gone')],
  }
}

/** Whether as many instances as are asked for are up, or one of them cannot be placed as things are. */
function isReplaced(view: ClusterView, key: ServiceKey): boolean {
  const service = view.services.get(key)
  if (service === undefined || service.type !== 'continuous') return true
  const live = view.instancesOf(key).filter(({ retired }) => retired === null)
  const isUp = ({ unit }: Instance): boolean => {
    const report = view.reportOf(unit)
    return report?.active === 'active' && report.health !== 'unhealthy'
  }
  return live.filter(isUp).length >= service.scale || live.some((one) => view.waiting.has(one.unit))
}

function isUnitOf(unit: DesiredUnit | undefined, key: ServiceKey): boolean {
  return unit?.instance != null && `${unit.instance.project}/${unit.instance.service}` === key
}

function removed(
  { project, service, name }: Pick<Instance, 'project' | 'service' | 'name'>,
  why: string,
): EventDraft {
  return {
    kind: 'instance-removed',
    project,
    service,
    instance: name,
    machine: null,
    message: `${name} is removed: ${why}`,
  }
}
