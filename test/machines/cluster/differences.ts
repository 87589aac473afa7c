// What is not as it should be: the store's word on every unit beside what systemd on the machines themselves says.
import type { MachineId } from '../../../src/model/machine.js'
import type { DesiredUnit, UnitName } from '../../../src/model/unit.js'
import type { ClusterView } from '../../../src/store/view.js'

/** The units on each machine that is there, with systemd's active state. */
export type Found = ReadonlyMap<MachineId, ReadonlyMap<string, string>>

/** One line for each unit that is not where, or not as, it is desired; for what nobody wants; for what is there twice. */
export function differencesOf(
  view: ClusterView,
  found: Found,
  waiting: readonly string[],
): readonly string[] {
  return [
    ...[...found.keys()].filter((id) => !view.machines.has(id)).map((id) => `${id} is not known to be there`),
    ...[...view.machines.keys()].filter((id) => !found.has(id)).map((id) => `${id} is not there`),
    ...[...view.units.values()].flatMap((unit) => unitDifferences(view, found, unit, waiting)),
    ...[...found].flatMap(([id, units]) => strangers(view, id, units)),
  ]
}

function unitDifferences(
  view: ClusterView,
  found: Found,
  unit: DesiredUnit,
  waiting: readonly string[],
): readonly string[] {
  const placement = view.placements.get(unit.name)
  // One of a global unit waits for its machine where that is lost.
  const everywhere = [...view.globalPlacementsOf(unit.name).keys()].filter((id) => view.machines.has(id))
  const places = placement === undefined ? everywhere : [placement.machine]
  const here = [...found].filter(([, units]) => units.has(unit.name)).map(([id]) => id)
  // An instance that is not to run never runs again; its file stays to be looked at, or not.
  if (unit.instance !== null && unit.desired !== 'launched') {
    return here
      .filter((id) => isActive(found.get(id)?.get(unit.name)))
      .map((id) => `${unit.name} still runs on ${id}`)
  }
  // An instance of a lost machine has been replaced; it is looked at when its machine is back.
  if (unit.instance !== null && placement !== undefined && !view.machines.has(placement.machine)) return []
  if (waiting.includes(unit.name)) {
    return [...places, ...here].map((id) => `${unit.name} is on ${id} and was to wait`)
  }
  const nowhere = unit.desired !== 'inactive' && places.length === 0 ? [`${unit.name} is placed nowhere`] : []
  return [
    ...nowhere,
    ...here.filter((id) => !places.includes(id)).map((id) => `${unit.name} is on ${id} and not placed there`),
    ...places.flatMap((id) => stateDifferences(view, found, unit, id)),
  ]
}

function stateDifferences(
  view: ClusterView,
  found: Found,
  unit: DesiredUnit,
  machine: MachineId,
): readonly string[] {
  const state = found.get(machine)?.get(unit.name)
  if (state === undefined) return [`${unit.name} is not on ${machine}, where it is placed`]
  const wanted = unit.desired === 'launched' ? 'active' : 'inactive'
  const told = view.reportsOf(machine).get(unit.name)?.active
  return [
    ...(state === wanted ? [] : [`${unit.name} is ${state} on ${machine}, not ${wanted}`]),
    ...(told === state ? [] : [`${unit.name} is told to be ${told} on ${machine}, where it is ${state}`]),
  ]
}

/** What is on a machine, or told of it, of units that are in the cluster no longer or placed elsewhere. */
function strangers(
  view: ClusterView,
  machine: MachineId,
  units: ReadonlyMap<string, string>,
): readonly string[] {
  const gone = [...units.keys()].filter((name) => !view.units.has(name as UnitName))
  const told = [...view.reportsOf(machine).keys()].filter(
    (name) => !view.placedOn(machine).has(name) && !units.has(name),
  )
  return [
    ...gone.map((name) => `${name} is on ${machine} and not in the cluster`),
    ...told.map((name) => `${name} is told of ${machine} and not there`),
  ]
}

function isActive(state: string | undefined): boolean {
  return state !== undefined && state !== 'inactive' && state !== 'failed'
}
