import { ClientError } from '../client/client-error.js'
import type { SourceFile } from '../contract/contract.js'
import { abridgedMessage } from '../lib/abridge.js'
import { abridgedDiagnostic, type Diagnostic } from '../model/diagnostic.js'
import { CommandError, exitCodes } from './command-error.js'

/** An error as the command line reports it. */
export interface Failure {
  readonly exitCode: number
  readonly code: string
  readonly message: string
  readonly hint: string | undefined
  readonly details: readonly Diagnostic[]
  readonly sources: readonly SourceFile[]
}

/** What an error thrown by a command means to the caller; null for a bug of ours. */
export function judgeFailure(error: unknown): Failure | null {
  const failure = failureOf(error)
  return (
    failure && {
      ...failure,
      message: abridgedMessage(failure.message),
      hint: failure.hint && abridgedMessage(failure.hint),
      details: failure.details.map(abridgedDiagnostic),
    }
  )
}

function failureOf(error: unknown): Failure | null {
  if (error instanceof CommandError) {
    const { exitCode, code, message, hint, details, sources } = error
    return { exitCode, code, message, hint, details, sources }
  }
  if (error instanceof ClientError) {
    const { status, code, message, hint, details } = error
    const exitCode = code === 'client/bad-credentials' ? exitCodes.invalid : exitCodeOf(status)
    return { exitCode, code, message, hint, details, sources: [] }
  }
  // Whatever names a file from there fails so, and every command may.
  if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd') return nowhere
  return null
}

const nowhere: Failure = {
  exitCode: exitCodes.failed,
  code: 'cli/nowhere',
  message: 'the working directory no longer exists',
  hint: 'change to an existing one: cd',
  details: [],
  sources: [],
}

/** Input that the daemon refused as invalid is exit 2, as if it had been refused here. */
export function exitCodeOf(status: number | null): number {
  return status === 400 || status === 413 || status === 422 ? exitCodes.invalid : exitCodes.failed
}

/** The contract's JSON of an error: every detail has every key, null where it is unknown. */
export function errorJson(failure: Failure): unknown {
  const { code, message, hint, details } = failure
  return { error: { code, message, hint: hint ?? null, details: details.map(detailJson) } }
}

function detailJson(detail: Diagnostic): unknown {
  const { file = null, path = null, line = null, column = null, hint = null, docs = null } = detail
  return {
    code: detail.code,
    severity: detail.severity,
    file,
    path,
    line,
    column,
    message: detail.message,
    hint,
    docs,
  }
}

/** The same for people: message, details as they were made ready for printing, hint. */
export function describeFailure(failure: Failure, details: string): string {
  const lines = [`mariposa: ${failure.message}`]
  if (details !== '') lines.push(details.trimEnd())
  if (failure.hint !== undefined) lines.push(`  ${failure.hint}`)
  return `${lines.join('\n')}\n`
}
