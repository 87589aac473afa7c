// Long work in small pieces, each in a turn of the event loop of its own, so that no other request waits for all of it.

const waiting: (() => void)[] = []

/**
 * Resolves in a turn that nobody else is given. A hundred readers of logs have a piece of work each: if all of those were
 * done in one turn, everything else would wait for the hundred.
 */
export function ownTurn(): Promise<void> {
  return new Promise(inOwnTurn)
}

/** Does work in such a turn. */
export function inOwnTurn(work: () => void): void {
  waiting.push(work)
  if (waiting.length === 1) setImmediate(next)
}

function next(): void {
  const work = waiting.shift()
  // An immediate that is set by an immediate runs after the loop has looked for sockets and files.
  if (waiting.length > 0) setImmediate(next)
  work?.()
}
