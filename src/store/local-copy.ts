// Which records a machine keeps a copy of, so that it can do its local duties while the store is away.
import type { MachineId } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import { clusterKey, keyOf, keys } from './records.js'
import type { ClusterView } from './view.js'

/** The keys of what is placed on a machine, and of all that is read to run, check and show it. */
export function keysOfCopy(view: ClusterView, machine: MachineId): readonly string[] {
  const found = new Set<string>([clusterKey, keys.machine(machine), keys.order(machine)])
  for (const placement of view.placedOn(machine).values()) {
    found.add(keyOf('placement', placement))
    for (const key of keysOfUnit(view, placement.unit)) found.add(key)
  }
  for (const report of view.reportsOf(machine).values()) found.add(keyOf('report', report))
  return [...found]
}

function keysOfUnit(view: ClusterView, name: UnitName): readonly string[] {
  const unit = view.units.get(name)
  if (unit === undefined) return []
  const found = [keyOf('unit', unit), keys.file(unit.hash)]
  const instance = view.instances.get(name)
  if (instance === undefined) return found
  const { project, service } = instance
  const version = view.versionsOf(`${project}/${service}`).find(({ uuid }) => uuid === instance.version)
  return [
    ...found,
    keyOf('instance', instance),
    keys.service(project, service),
    ...(instance.slot === undefined ? [] : view.volumesOf(`${project}/${service}`).keys()),
    keys.project(project),
    ...(version === undefined ? [] : [keyOf('version', version)]),
    ...[...view.metaOf(project).keys()].map((key) => keys.meta(project, key)),
  ]
}
