import type { ErrorBody } from '../contract/contract.js'
import type { Diagnostic } from '../model/diagnostic.js'

/**
 * A request was not answered, or answered with an error. `status` is the HTTP status of the answer and null where
 * there was none; `code` is stable (`client/no-daemon`, `client/denied`, … or the daemon's own code).
 */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly code: string
  readonly status: number | null
  readonly hint: string | undefined
  readonly details: readonly Diagnostic[]

  constructor(status: number | null, error: ErrorBody['error'], options?: ErrorOptions) {
    super(error.message, options)
    this.code = error.code
    this.status = status
    this.hint = error.hint
    this.details = error.details
  }
}

/** The error of a change that may have been made all the same: it was asked for, and no answer came. */
export function undecided(error: unknown, look: string): unknown {
  const hint = `the change may have been made, or be made when the daemon goes on: look with ${look}`
  if (isAbort(error)) {
    const message = 'interrupted before the daemon answered'
    return new ClientError(null, { code: 'cli/interrupted', message, hint, details: [] }, { cause: error })
  }
  if (!(error instanceof ClientError) || !unanswered.has(error.code)) return error
  const { status, code, message, details } = error
  return new ClientError(status, { code, message, hint, details }, { cause: error })
}

/** Whether a request was given up by who made it. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'CanceledError')
}

const unanswered: ReadonlySet<string> = new Set(['client/timeout', 'client/disconnected'])

/** Whether the same request may succeed a moment later: nobody answered, or the daemon is just starting. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false
  if (error.status !== null) return error.status === 502 || error.status === 503 || error.status === 504
  return ['client/no-daemon', 'client/disconnected', 'client/timeout', 'client/unreachable'].includes(
    error.code,
  )
}
