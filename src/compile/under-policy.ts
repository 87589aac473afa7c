// What of a compiled unit the operator of a machine would not let be.
import { inSource, type ReadManifest } from '../manifest/manifest.js'
import { isInObjectStore } from '../model/backup.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { PolicyHere } from '../model/policy.js'
import type { UnitName } from '../model/unit.js'
import { parseUnit } from '../unit/parse.js'
import { hostPathCode, hostPathProblem, policyProblems } from '../unit/policy.js'
import { requirementsOf } from '../unit/requirements.js'
import { inManifest } from './in-manifest.js'
import { pointer, problemAt } from './problem.js'

/** Judges the unit of a manifest whose machine is not known: a driver is refused where it can run under no other. */
export function underPolicy(
  here: PolicyHere,
  text: string,
  template: UnitName,
  read: ReadManifest,
): readonly Diagnostic[] {
  const { file } = parseUnit(text, template)
  const { drivers } = requirementsOf(file, template)
  const allowed = here.policy.drivers
  const isAnyAllowed = allowed === null || drivers.some((driver) => allowed.includes(driver))
  const problems = policyProblems(here, file, template, isAnyAllowed ? [] : drivers)
  return [...problems.map((problem) => inManifest(problem, file, read)), ...backupsUnderPolicy(here, read)]
}

/** Where a manifest has backups go that the operator of a machine would not let them: `policy/host-path`. */
export function backupsUnderPolicy(here: PolicyHere, read: ReadManifest): readonly Diagnostic[] {
  return read.manifest.volumes.flatMap(({ backup }, index) => {
    const message =
      backup?.to === undefined || isInObjectStore(backup.to) ? null : hostPathProblem(here, backup.to)
    if (message === null) return []
    const problem = problemAt(pointer('volumes', index, 'backup', 'to'), hostPathCode, message)
    return [inSource({ ...problem, file: read.file }, read)]
  })
}
