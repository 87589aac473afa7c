// Waiting for a change to take effect: over a lost connection, until time is up or Ctrl-C.
import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from '../../client/client-error.js'
import type { Diagnostic } from '../../model/diagnostic.js'
import { CommandError, exitCodes } from '../command-error.js'
import { describeDuration } from '../duration.js'
import type { Deadline } from './shell.js'

/** How long a lost connection is tried again before giving up, and the waits between tries. */
const reconnectForMs = 30_000
const firstRetryMs = 200
const longestRetryMs = 2_000

/**
 * Looks at something until `onLook` says that it is over; takes up a lost connection again for a while, and throws
 * CommandError when the daemon stays away.
 */
export async function keepFollowing<T>(
  open: () => AsyncIterable<T>,
  signal: AbortSignal,
  onLook: (look: T) => boolean,
): Promise<void> {
  let lostAt: number | null = null
  let retryMs = firstRetryMs
  for (;;) {
    try {
      for await (const look of open()) {
        lostAt = null
        retryMs = firstRetryMs
        if (onLook(look)) return
      }
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error
    }
    lostAt ??= Date.now()
    if (Date.now() - lostAt > reconnectForMs) throw connectionLost()
    await sleep(retryMs, undefined, { signal })
    retryMs = Math.min(retryMs * 2, longestRetryMs)
  }
}

/** Time is up (exit 3), and what was still missing, one sentence each. */
export function notConverged(missing: readonly string[], { timeoutMs }: Deadline): CommandError {
  const details = missing.map(
    (message): Diagnostic => ({ code: 'cli/not-converged', severity: 'error', message }),
  )
  const message = `not done after ${describeDuration(timeoutMs)}; the change stays in effect and continues`
  return new CommandError(exitCodes.notConverged, 'cli/not-converged', message, { details })
}

/** Ctrl-C (exit 130). */
export function interrupted(): CommandError {
  return new CommandError(exitCodes.interrupted, 'cli/interrupted', 'stopped waiting; the change continues')
}

function connectionLost(): CommandError {
  const message = 'the connection to the daemon was lost while waiting'
  const hint = 'the change continues as soon as the daemon runs'
  return new CommandError(exitCodes.failed, 'client/disconnected', message, { hint })
}
