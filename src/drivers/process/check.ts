import type { CheckUnit } from '../../agent/driver.js'
import type { UnitName } from '../../model/unit.js'
import { readService } from './read-service.js'

/** What of a unit the process driver cannot honour: a diagnostic for each option, with what to use instead. */
export const checkProcessUnit: CheckUnit = (file, name) =>
  readService(file, { name, machine: someMachine(name) }).diagnostics

/** At submission the machine is not chosen yet; any one shows whether the text can be read. */
function someMachine(name: UnitName): { readonly id: string; readonly hostname: string } {
  return { id: '0'.repeat(32), hostname: name }
}
