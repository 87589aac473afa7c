// What is wrong with a unit whatever runs it. Drivers add what they in particular cannot honour (agent/driver.ts).
import type { Diagnostic } from '../model/diagnostic.js'
import type { UnitName } from '../model/unit.js'
import { deferredEnvironmentOf } from './deferred-environment.js'
import { filesOf } from './files.js'
import type { UnitFile } from './parse.js'
import { problemOf } from './problem.js'
import { namedVolumesOf } from './volumes.js'
import { fleetOptionsOf } from './x-fleet.js'
import { readXMariposa } from './x-mariposa.js'

/** Judges a unit before it is let into the cluster: its `[X-Mariposa]`, its volumes, its files, its ports and its `[X-Fleet]` options. */
export function checkUnit(file: UnitFile, name: UnitName): readonly Diagnostic[] {
  return [...checkOurs(file, name), ...fleetOptionsOf(file, name).diagnostics]
}

/** The same of what fleet knows nothing of. */
export function checkOurs(file: UnitFile, name: UnitName): readonly Diagnostic[] {
  // Which machine it will be is open: %m and %H stand for anything.
  const anywhere = { name, machine: { id: '0'.repeat(32), hostname: 'localhost' } }
  return [
    ...oddSections(file),
    ...readXMariposa(file, anywhere).diagnostics,
    ...deferredEnvironmentOf(file, anywhere).diagnostics,
    ...namedVolumesOf(file, anywhere).diagnostics,
    ...filesOf(file, anywhere).diagnostics,
  ]
}

const properties: readonly string[] = Object.getOwnPropertyNames(Object.prototype)

/**
 * Sections that are named like what every object has, as `[toString]`: nothing reads them, and they break programs that read units as
 * objects, daemons of before among them. Code: `unit/odd-section`.
 */
export function oddSections({ options }: UnitFile): readonly Diagnostic[] {
  return options
    .filter(({ section }) => properties.includes(section))
    .map((option) => problemOf(option, 'unit/odd-section', `no program knows a section [${option.section}]`))
}
