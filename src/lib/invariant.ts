/** A bug of ours: something that the code relies on does not hold. The process logs it and exits. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/**
 * Whether an error is our own bug and nothing that the world did: an invariant, or what the language throws at code that
 * is wrong. What Node throws of the world has a code.
 */
export function isBug(error: unknown): boolean {
  if (error instanceof InvariantError) return true
  const byLanguage = [TypeError, RangeError, ReferenceError, SyntaxError].some((one) => error instanceof one)
  return byLanguage && !('code' in (error as Error))
}

/** Throws an InvariantError unless `condition` holds. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** The end of an exhaustive switch: does not compile while a variant is left over. */
export function assertNever(value: never): never {
  throw new InvariantError(`unhandled variant: ${JSON.stringify(value)}`)
}
