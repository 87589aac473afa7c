import type { Diagnostic } from '../model/diagnostic.js'

/** An error at a place of the manifest, given as a JSON pointer. */
export function problemAt(path: string, code: string, message: string, hint?: string): Diagnostic {
  return { code, severity: 'error', message, path, ...(hint === undefined ? {} : { hint }) }
}

/** One more step of a JSON pointer (RFC 6901). */
export function pointer(...steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
