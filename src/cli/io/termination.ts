// A command that is told to end, and has something to do before it does.

const signals = ['SIGTERM', 'SIGHUP'] as const

/**
 * Calls `end` when this process is told to end, until the function that it returns is called. Whoever handles a signal ends the
 * process by it afterwards (`process.kill`): it has no handler any more by then, and does what it would have done without one.
 */
export function onTermination(end: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of signals) process.once(signal, end)
  return () => {
    for (const signal of signals) process.off(signal, end)
  }
}
