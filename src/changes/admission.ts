// What is refused before it is desired: a unit that no machine's driver can run, or not as it says.

import type { CheckUnit } from '../agent/driver.js'
import { checkDockerUnit } from '../drivers/docker/container.js'
import { checkProcessUnit } from '../drivers/process/check.js'
import { checkSystemdUnit } from '../drivers/systemd/check-unit.js'
import { type Diagnostic, hasErrors } from '../model/diagnostic.js'
import { type DriverKind, driverKinds } from '../model/driver-kind.js'
import type { Machine } from '../model/machine.js'
import type { PolicyHere } from '../model/policy.js'
import type { UnitName } from '../model/unit.js'
import { checkUnit } from '../unit/check.js'
import type { UnitFile } from '../unit/parse.js'
import { policyProblems } from '../unit/policy.js'
import { type Requirements, requirementsOf } from '../unit/requirements.js'
import { namedVolumesOf } from '../unit/volumes.js'
import { listedMachines, type Machines } from './machines.js'

const checks: Readonly<Record<DriverKind, CheckUnit>> = {
  systemd: checkSystemdUnit,
  docker: checkDockerUnit,
  process: checkProcessUnit,
}

/**
 * Problems of a unit with the drivers of the cluster. A machine hands a unit to the first driver that it can run
 * under, so every driver that some machine would choose has to be able to honour it.
 * What breaks the policy of this machine is among them.
 * Codes: `deploy/no-driver`, `deploy/volume-not-pinned` (a warning), and those of the drivers and of the policy.
 */
export function admit(
  view: Machines,
  file: UnitFile,
  name: UnitName,
  policy: PolicyHere | null = null,
): readonly Diagnostic[] {
  const inUnit = checkUnit(file, name)
  if (hasErrors(inUnit)) return inUnit
  const requirements = requirementsOf(file, name)
  const { drivers } = requirements
  const chosen = chosenIn(view, drivers)
  const ofPolicy = policy === null ? [] : policyProblems(policy, file, name, chosen)
  if (chosen.length === 0) return [noDriver(view, drivers), ...ofPolicy]
  const ofDrivers = chosen.flatMap((kind) => checks[kind](file, name))
  return [...inUnit, ...ofDrivers, ...ofPolicy, ...unpinnedVolumes(view, file, name, requirements)]
}

/** The first thing of a unit that the operator of this machine does not let be; null for nothing. */
export function refusedByPolicy(
  view: Machines,
  file: UnitFile,
  name: UnitName,
  policy: PolicyHere | null,
): Diagnostic | null {
  if (policy === null) return null
  const chosen = chosenIn(view, requirementsOf(file, name).drivers)
  return policyProblems(policy, file, name, chosen)[0] ?? null
}

/** Whether some machine would run a unit under the process driver. */
export function isForProcesses(view: Machines, file: UnitFile, name: UnitName): boolean {
  return chosenIn(view, requirementsOf(file, name).drivers).includes('process')
}

/**
 * The drivers that some machine would choose of those that a unit can run under. Where no machine that is up has any, those
 * that are down are asked: after the store was away for longer than their leases, all of them are for a moment.
 */
function chosenIn(view: Machines, drivers: readonly DriverKind[]): readonly DriverKind[] {
  const up = chosenOn([...view.machines.values()], drivers)
  return up.length > 0 ? up : chosenOn(listedMachines(view), drivers)
}

function chosenOn(machines: readonly Machine[], drivers: readonly DriverKind[]): readonly DriverKind[] {
  return driverKinds.filter((kind) =>
    machines.some((machine) => drivers.find((driver) => machine.drivers.includes(driver)) === kind),
  )
}

/** Each machine has volumes of its own, so that an instance placed elsewhere would begin without its data. */
function unpinnedVolumes(
  view: Machines,
  file: UnitFile,
  name: UnitName,
  { drivers, fleet, affinity }: Requirements,
): readonly Diagnostic[] {
  const able = [...view.machines.values()].filter((one) => drivers.some((kind) => one.drivers.includes(kind)))
  const isPinned =
    fleet.machineId !== null ||
    Object.keys(fleet.metadata).length > 0 ||
    affinity.some(({ key, operator }) => key.startsWith('machine.') && operator === '==')
  const named = namedVolumesOf(file, { name, machine: null }).volumes
  // One of a slot keeps its instances where it is.
  const [volume] = named.filter(({ perSlot }) => perSlot !== true)
  if (volume === undefined || isPinned || able.length < 2) return []
  return [
    {
      code: 'deploy/volume-not-pinned',
      severity: 'warning',
      message: `each machine has a volume ${volume.name} of its own: an instance that is placed on another one begins with an empty volume`,
      hint: 'if it has to find its data, choose its machine by affinity, such as machine.NAME==VALUE',
    },
  ]
}

function noDriver(view: Machines, drivers: readonly DriverKind[]): Diagnostic {
  const offered = [...new Set(listedMachines(view).flatMap((machine) => machine.drivers))].sort()
  const there = offered.length === 0 ? 'there is no machine yet' : `the machines offer ${offered.join(', ')}`
  return {
    code: 'deploy/no-driver',
    severity: 'error',
    message: `it needs the driver ${drivers.join(' or ')}, and no machine has it: ${there}`,
    hint: drivers.includes('docker')
      ? 'start Docker on a machine (its daemon finds it by itself within seconds), or use compute_type: process'
      : 'start a daemon on a machine that has it',
  }
}
