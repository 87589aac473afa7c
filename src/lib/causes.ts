/** Why something failed: the message of an error and those of its causes, each of them once. */
export function reasonsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause === undefined) return error.message
  const why = reasonsOf(error.cause)
  // Whoever gives an error a code of its own often keeps the sentence.
  return error.message.endsWith(why)
    ? error.message
    : why.startsWith(error.message)
      ? why
      : `${error.message}: ${why}`
}
