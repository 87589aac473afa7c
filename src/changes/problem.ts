// What the API refuses, as values that become an answer.

import type { ErrorBody } from '../contract/contract.js'
import { abridgedMessage } from '../lib/abridge.js'
import { abridgedDiagnostic, type Diagnostic } from '../model/diagnostic.js'
import { unreadableError } from '../store/quarantine.js'
import { keys } from '../store/records.js'
import type { ClusterView } from '../store/view.js'

/** The HTTP statuses that the API refuses a request with. */
const problemStatuses = [
  400, 401, 403, 404, 405, 408, 409, 413, 415, 417, 421, 422, 429, 431, 500, 502, 503,
] as const
type ProblemStatus = (typeof problemStatuses)[number]

export function isProblemStatus(status: number): status is ProblemStatus {
  return (problemStatuses as readonly number[]).includes(status)
}

/** A request that is refused: its HTTP status, a stable code, and what to do about it. */
export interface Problem {
  readonly status: ProblemStatus
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly details?: readonly Diagnostic[]
}

export function problemBody({ code, message, hint, details = [] }: Problem): ErrorBody {
  return {
    error: {
      code,
      message: abridgedMessage(message),
      ...(hint === undefined ? {} : { hint: abridgedMessage(hint) }),
      details: details.map(abridgedDiagnostic),
    },
  }
}

/** Tells a problem from what was asked for. */
export function isProblem(value: object): value is Problem {
  return 'status' in value && 'code' in value && 'message' in value
}

/** There is no such service, or there is one that cannot be read: then nobody is told that it is gone. */
export function noSuchService(
  { unreadable }: Pick<ClusterView, 'unreadable'>,
  /** Null: none is named. */
  project: string | null,
  name: string,
): Problem {
  const found = project === null ? undefined : unreadable.get(keys.service(project, name))
  if (found !== undefined) {
    const { code, message, hint } = unreadableError(found)
    return {
      status: 503,
      code,
      message: `${project}/${name}: ${message}`,
      ...(hint !== undefined && { hint }),
    }
  }
  return {
    status: 404,
    code: 'service/unknown',
    message: `there is no service "${name}"${project === null ? '' : ` in project "${project}"`}`,
    hint: 'mariposa service list shows the services',
  }
}
