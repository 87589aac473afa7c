import type { Diagnostic } from '../model/diagnostic.js'

/** An error at a place of the manifest, given as a JSON pointer. */
export function problemAt(path: string, code: string, message: string, hint?: string): Diagnostic {
  return { code, severity: 'error', message, path, ...(hint === undefined ? {} : { hint }) }
}

/** One more step of a JSON pointer (RFC 6901). */
export function pointer(...steps: readonly (string | number)[]): string {
  return steps.reduce((path: string, step) => `${path}/${escapeStep(step)}`, '')
}

function escapeStep(step: string | number): string {
  if (typeof step === 'number' || !/[~/]/.test(step)) return String(step)
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}
