// Records as the JSON of fleet's API. Keys come in fleet's order, and what is empty is left out, as Go does.
import { runHash } from '../../agent/unit-to-run.js'
import type { Machine } from '../../model/machine.js'
import type { DesiredUnit, UnitName, UnitReport } from '../../model/unit.js'
import type { ClusterView } from '../../store/view.js'
import { currentStateOf, isStartRefused, loadWordOf } from '../unit-state.js'
import type { FleetFiles } from './files.js'
import type { ListName } from './lists.js'

/**
 * A Unit entity. A global unit has neither machine nor current state: it may run on any. `launched` are those that are still
 * told to be that; so are those that systemd refuses to start.
 */
export function unitJson(
  view: ClusterView,
  files: FleetFiles,
  unit: DesiredUnit,
  global: boolean,
  launched: ReadonlySet<UnitName>,
): string {
  const state = currentStateOf(view, unit)
  const isLaunched = state === 'loaded' && (launched.has(unit.name) || isStartRefused(view, unit))
  const head = JSON.stringify({
    ...(!global && { currentState: isLaunched ? 'launched' : state }),
    desiredState: unit.desired,
    ...machineOf(view, unit),
    name: unit.name,
  })
  return `${head.slice(0, -1)},"options":${files.of(unit.hash).optionsJson}}`
}

function machineOf(view: ClusterView, unit: DesiredUnit): { readonly machineID?: string } {
  const machine = view.placements.get(unit.name)?.machine
  return machine === undefined ? {} : { machineID: machine }
}

/** A UnitState entity, with the states as the machine's driver reports them. */
export function stateJson(view: ClusterView, files: FleetFiles, report: UnitReport): string {
  return JSON.stringify({
    hash: files.of(loadedHash(view, report)).hash,
    machineID: report.machine,
    name: report.name,
    systemdActiveState: report.active,
    systemdLoadState: loadWordOf(report),
    systemdSubState: report.sub,
  })
}

/** The hash of the text that a machine has loaded: what it reports covers the ports of the placement too. */
function loadedHash(view: ClusterView, report: UnitReport): string {
  const unit = view.units.get(report.name)
  const placement = view.placedOn(report.machine).get(report.name)
  if (unit === undefined || placement === undefined) return report.hash
  return runHash(unit.hash, placement) === report.hash ? unit.hash : report.hash
}

/** A Machine entity. */
export function machineJson({ id, ip, metadata }: Machine): string {
  const some = Object.keys(metadata).length > 0
  return JSON.stringify({ id, ...(some && { metadata }), ...(ip !== '' && { primaryIP: ip }) })
}

/** A page of entities; an empty one is `{}`. */
export function pageJson(name: ListName, items: readonly string[], next: string | null): string {
  const parts = [
    ...(name === 'machines' && items.length > 0 ? [`"machines":[${items.join(',')}]`] : []),
    ...(next === null ? [] : [`"nextPageToken":${JSON.stringify(next)}`]),
    ...(name !== 'machines' && items.length > 0 ? [`"${name}":[${items.join(',')}]`] : []),
  ]
  return `{${parts.join(',')}}`
}
