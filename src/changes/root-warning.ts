// Programs of the host that run as root: right, and more than most of them need.
import type { Diagnostic } from '../model/diagnostic.js'
import type { UnitName } from '../model/unit.js'
import type { UnitFile } from '../unit/parse.js'
import { programAsRoot } from '../unit/policy.js'
import { problemOf } from '../unit/problem.js'
import { optionsOf } from '../unit/values.js'

/** The warning of a unit that a daemon which is root runs as root; none for one that runs otherwise. Code: `deploy/runs-as-root`. */
export function rootWarning(file: UnitFile, name: UnitName): readonly Diagnostic[] {
  const root = programAsRoot(file, name, true)
  if (root === null) return []
  const code = 'deploy/runs-as-root'
  const message = 'it runs as root on a machine whose daemon is root'
  const isOfService = optionsOf(file, 'X-Mariposa', 'Service').length > 0
  const hint = isOfService ? 'set user: NAME' : 'say [Service] User=NAME'
  const { option } = root
  return option === undefined
    ? [{ code, severity: 'warning', message, hint }]
    : [{ ...problemOf(option, code, message, hint), severity: 'warning' }]
}
