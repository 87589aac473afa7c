// Problems of a compiled unit, told of the manifest that it comes from.
import type { ReadManifest } from '../manifest/manifest.js'
import { inSource } from '../manifest/manifest.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { UnitFile } from '../unit/parse.js'
import { keyOfOption } from './limits.js'

/**
 * A problem of a unit under its manifest, at the key that the unit's line comes from where that is known: the unit's own
 * lines mean nothing to who wrote that.
 */
export function inManifest(problem: Diagnostic, unit: UnitFile, read: ReadManifest): Diagnostic {
  const { line, column: _column, length: _length, ...rest } = problem
  const option = unit.options.find(
    (one) => one.line === line && `/${one.section}/${one.name}` === problem.path,
  )
  const path = option === undefined ? null : keyOfOption(option)
  if (path === null || read.placeAt(path) === null) return { ...rest, file: read.file }
  return inSource({ ...rest, file: read.file, path }, read)
}
