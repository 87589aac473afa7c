import type { Diagnostic } from '../model/diagnostic.js'
import type { UnitOption } from './parse.js'

/** An error at an option of a unit file. */
export function problemOf(
  { section, name, line }: UnitOption,
  code: string,
  message: string,
  hint?: string,
): Diagnostic {
  return {
    code,
    severity: 'error',
    message: `[${section}] ${name}=: ${message}`,
    path: `/${section}/${name}`,
    ...(line > 0 ? { line } : {}),
    ...(hint === undefined ? {} : { hint }),
  }
}
