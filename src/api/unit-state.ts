// The state that a unit is in, in fleet's three words (seed: fleet-states).
import { runHash } from '../agent/unit-to-run.js'
import type { DesiredState, DesiredUnit, LoadState, UnitReport } from '../model/unit.js'
import type { ClusterView } from '../store/view.js'

/**
 * `inactive` until the machine that a unit is placed on has loaded it, `loaded` until that has started it, `launched`
 * until it has stopped it. A machine that still holds another text of it has not loaded it. Of a global unit it is
 * `inactive`: it has a state on each machine and none in the cluster.
 */
export function currentStateOf(view: ClusterView, unit: DesiredUnit): DesiredState {
  const placement = view.placements.get(unit.name)
  if (placement === undefined || !view.machines.has(placement.machine)) return 'inactive'
  const report = view.reportOf(unit.name)
  // A report without a hash tells that the driver does not hold the unit.
  if (report === null || report.hash !== runHash(unit.hash, placement)) return 'inactive'
  return report.launched ? 'launched' : 'loaded'
}

/**
 * Whether systemd refuses to start a unit that is to be launched. fleetd calls it launched from the order on, whatever becomes of
 * that, and its clients wait for the word.
 */
export function isStartRefused(view: ClusterView, unit: DesiredUnit): boolean {
  const report = view.reportOf(unit.name)
  if (unit.desired !== 'launched' || report?.driver !== 'systemd' || report.failure === null) return false
  return report.attempts > 0 && refusedStarts.has(report.failure.code)
}

/** What the systemd driver says of a start that came to nothing. */
const refusedStarts: ReadonlySet<string> = new Set([
  'systemd/start-failed',
  'systemd/bad-unit',
  'systemd/not-executable',
  'systemd/unknown-unit',
  'systemd/refused',
])

/** How systemd calls what a driver has loaded. */
export function loadWordOf({ load, badSetting }: UnitReport): LoadState | 'bad-setting' {
  return badSetting === true ? 'bad-setting' : load
}
