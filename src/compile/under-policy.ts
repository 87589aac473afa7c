// What of a compiled unit the operator of a machine would not let be.
import type { ReadManifest } from '../manifest/manifest.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { PolicyHere } from '../model/policy.js'
import type { UnitName } from '../model/unit.js'
import { parseUnit } from '../unit/parse.js'
import { policyProblems } from '../unit/policy.js'
import { requirementsOf } from '../unit/requirements.js'
import { inManifest } from './in-manifest.js'

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
  return problems.map((problem) => inManifest(problem, file, read))
}
