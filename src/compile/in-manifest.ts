// Problems of a compiled unit, told of the manifest that it comes from.
import type { ReadManifest } from '../manifest/manifest.js'
import { inSource } from '../manifest/manifest.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { UnitFile } from '../unit/parse.js'
import { keyOfOption } from './key-of-option.js'

/** The keys that problems of a whole unit are about: what is wrong is often that they are missing. */
const keys: Readonly<Record<string, string>> = {
  'deploy/no-driver': '/compute_type',
  // Where no user is given, nothing says that it is root but that it is no container.
  'deploy/runs-as-root': '/compute_type',
  'deploy/volume-not-pinned': '/volumes',
  'policy/driver': '/compute_type',
  'policy/root': '/user',
}

/**
 * A problem of a unit at the place of its manifest that the unit's line comes from: the unit's own lines mean nothing to who
 * wrote that. A problem of the whole unit is at the key that it is about, or at the beginning of the service.
 */
export function inManifest(problem: Diagnostic, unit: UnitFile, read: ReadManifest): Diagnostic {
  const { line, column: _column, length: _length, path: ofUnit, ...rest } = problem
  const option = unit.options.find((one) => one.line === line && `/${one.section}/${one.name}` === ofUnit)
  const path = (option && keyOfOption(option, unit, read.manifest)) ?? keys[problem.code] ?? ''
  return inSource({ ...rest, file: read.file, path }, read)
}
