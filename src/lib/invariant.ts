/** A bug of ours: something that the code relies on does not hold. The process logs it and exits. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** Throws an InvariantError unless `condition` holds. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** The end of an exhaustive switch: does not compile while a variant is left over. */
export function assertNever(value: never): never {
  throw new InvariantError(`unhandled variant: ${JSON.stringify(value)}`)
}
