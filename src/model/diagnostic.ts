import { abridged, abridgedMessage } from '../lib/abridge.js'

/**
 * A problem in a user's text. Diagnostics are values and come all at once; they are never thrown one by one.
 * Codes are stable and listed in docs/errors.md; the wording may change.
 */
export interface Diagnostic {
  readonly code: string
  readonly severity: 'error' | 'warning'
  /** What is wrong, one sentence, no full stop. */
  readonly message: string
  /** What to do about it. */
  readonly hint?: string
  /** The name of the file or document, as the user would call it. */
  readonly file?: string
  /** 1-based, in characters. */
  readonly line?: number
  readonly column?: number
  /** How many characters the problem spans on its line; for the caret. */
  readonly length?: number
  /** Where in the document: `/healthchecks/0/port`. */
  readonly path?: string
  /** Where to read on, as a path in this project: `docs/manifest.md#healthchecks`. */
  readonly docs?: string
}

/** The same with what its sentences quote cut where that makes them long. */
export function abridgedDiagnostic(diagnostic: Diagnostic): Diagnostic {
  const { message, hint, path } = diagnostic
  return {
    ...diagnostic,
    message: abridgedMessage(message),
    ...(hint !== undefined && { hint: abridgedMessage(hint) }),
    ...(path !== undefined && { path: abridged(path, longestPath) }),
  }
}

/** Longer ones have keys that somebody made up. */
const longestPath = 1000

/** Whether any of them forbids going on. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error')
}

/** `file:line:column`, as far as known. */
export function describePlace(diagnostic: Diagnostic): string {
  const { file, line, column } = diagnostic
  return [file, line, column].filter((part) => part !== undefined).join(':')
}
