// What is refused before it is desired: a unit that no machine's driver can run, or not as it says.

import { checkDockerUnit } from '../agent/docker/container.js'
import type { CheckUnit } from '../agent/driver.js'
import { checkProcessUnit } from '../agent/process/check.js'
import { checkSystemdUnit } from '../agent/systemd/check-unit.js'
import { type Diagnostic, hasErrors } from '../model/diagnostic.js'
import { type DriverKind, driverKinds } from '../model/driver-kind.js'
import type { UnitName } from '../model/unit.js'
import type { ClusterView } from '../store/view.js'
import { checkUnit } from '../unit/check.js'
import type { UnitFile } from '../unit/parse.js'
import { requirementsOf } from '../unit/requirements.js'

const checks: Readonly<Record<DriverKind, CheckUnit>> = {
  systemd: checkSystemdUnit,
  docker: checkDockerUnit,
  process: checkProcessUnit,
}

/**
 * Problems of a unit with the drivers of the cluster. A machine hands a unit to the first driver that it can run
 * under, so every driver that some machine would choose has to be able to honour it.
 * Codes: `deploy/no-driver`, and those of the drivers.
 */
export function admit(view: ClusterView, file: UnitFile, name: UnitName): readonly Diagnostic[] {
  const inUnit = checkUnit(file, name)
  if (hasErrors(inUnit)) return inUnit
  const { drivers } = requirementsOf(file, name)
  const chosen = driverKinds.filter((kind) =>
    [...view.machines.values()].some(
      (machine) => drivers.find((driver) => machine.drivers.includes(driver)) === kind,
    ),
  )
  if (chosen.length === 0) return [noDriver(view, drivers)]
  return [...inUnit, ...chosen.flatMap((kind) => checks[kind](file, name))]
}

function noDriver(view: ClusterView, drivers: readonly DriverKind[]): Diagnostic {
  const offered = [...new Set([...view.machines.values()].flatMap((machine) => machine.drivers))].sort()
  const there = offered.length === 0 ? 'there is no machine yet' : `the machines offer ${offered.join(', ')}`
  return {
    code: 'deploy/no-driver',
    severity: 'error',
    message: `it needs the driver ${drivers.join(' or ')}, and no machine has it: ${there}`,
    hint: drivers.includes('docker')
      ? 'start Docker on a machine and restart its mariposa daemon, or use compute_type: process'
      : 'start a daemon on a machine that has it',
  }
}
