// Problems of a compiled unit, told of the manifest that it comes from.
import type { ReadManifest } from '../manifest/manifest.js'
import { inSource } from '../manifest/manifest.js'
import { stepsOf } from '../manifest/pointer.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { UnitFile } from '../unit/parse.js'
import { keyOfName, keyOfOption } from './key-of-option.js'

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
  const { line, column: _column, length: _length, path: ofUnit, message, hint, ...rest } = problem
  const option = unit.options.find((one) => one.line === line && `/${one.section}/${one.name}` === ofUnit)
  const path = (option && keyOfOption(option, unit, read.manifest)) ?? keys[problem.code] ?? ''
  const told = {
    ...rest,
    message: withoutOption(message, path),
    ...(hint !== undefined && { hint: inKeys(hint) }),
  }
  return inSource({ ...told, file: read.file, path }, read)
}

/** A message that begins with the unit's option has the manifest's key there; where nobody knows one, nothing. */
function withoutOption(message: string, path: string): string {
  const [, text] = /^\[[\w-]+\] \w+=: (.*)$/s.exec(message) ?? []
  if (text === undefined) return inKeys(message)
  const key = stepsOf(path)
    .filter((step) => !/^\d+$/.test(step))
    .join('.')
  return key === '' ? inKeys(text) : `${key}: ${inKeys(text)}`
}

/** A text with the manifest's keys for the unit's options. */
function inKeys(text: string): string {
  return text
    .replaceAll(/, or \[[\w-]+\] [A-Z]\w*=\S*/g, '')
    .replaceAll(
      /(?:\[[\w-]+\] )?\b([A-Z]\w*)=(?![\w"])/g,
      (option, name: string) => keyOfName(name) ?? option,
    )
}
