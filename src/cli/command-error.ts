import type { SourceFile } from '../contract/contract.js'
import type { Diagnostic } from '../model/diagnostic.js'

/** What a command's exit status says (contract §2). */
export const exitCodes = { done: 0, failed: 1, invalid: 2, notConverged: 3, interrupted: 130 } as const

/** A command cannot go on; says why, and which exit status that is. Not a bug. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: string
  readonly exitCode: number
  readonly hint: string | undefined
  readonly details: readonly Diagnostic[]
  /** The texts that `details` point into, for showing the place. */
  readonly sources: readonly SourceFile[]

  constructor(exitCode: number, code: string, message: string, more: ErrorMore = {}) {
    super(message)
    this.code = code
    this.exitCode = exitCode
    this.hint = more.hint
    this.details = more.details ?? []
    this.sources = more.sources ?? []
  }
}

interface ErrorMore {
  readonly hint?: string | undefined
  readonly details?: readonly Diagnostic[]
  readonly sources?: readonly SourceFile[]
}

/** The command line itself is wrong: exit 2. */
export function usageError(message: string, hint?: string): CommandError {
  return new CommandError(exitCodes.invalid, 'cli/usage', message, hint === undefined ? {} : { hint })
}
