// What the API refuses, as values that become an answer.
import type { Diagnostic } from '../model/diagnostic.js'
import type { ErrorBody } from './contract.js'

/** A request that is refused: its HTTP status, a stable code, and what to do about it. */
export interface Problem {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 421 | 422 | 429 | 500 | 502 | 503
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly details?: readonly Diagnostic[]
}

export function problemBody({ code, message, hint, details = [] }: Problem): ErrorBody {
  return { error: { code, message, ...(hint === undefined ? {} : { hint }), details } }
}

/** Tells a problem from what was asked for. */
export function isProblem(value: object): value is Problem {
  return 'status' in value && 'code' in value && 'message' in value
}

export function noSuchService(project: string, name: string): Problem {
  return {
    status: 404,
    code: 'service/unknown',
    message: `there is no service "${name}" in project "${project}"`,
    hint: 'mariposa service list shows what there is',
  }
}
