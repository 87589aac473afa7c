// What becomes of an error that nobody caught: the fault of a request ends that request, any other ends the daemon.
import { countFault, currentRequest } from '../api/io/request-scope.js'
import { InvariantError } from '../lib/invariant.js'
import { describeError, type Log } from '../lib/io/log.js'

/** Errors of a connection whose other end has gone: nothing of ours is behind it. */
const brokenConnection = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
])

interface FaultGuard {
  readonly log: Log
  /** Ends the process: its state may not be what the code relies on. */
  readonly end: (error: unknown) => void
}

/** Takes what no handler caught, for as long as the process lives. */
export function guardProcess(guard: FaultGuard): void {
  process.on('uncaughtException', (error) => judgeFault(error, guard))
}

/** An InvariantError ends the daemon, whoever asked: it says that something does not hold for everybody. */
function judgeFault(error: unknown, { log, end }: FaultGuard): void {
  const request = currentRequest()
  const why = describeError(error)
  const where = error instanceof Error ? error.stack?.split('\n')[1]?.trim() : undefined
  if (!(error instanceof InvariantError) && request !== null) {
    countFault()
    log.error('api', 'uncaught error in a request; the daemon continues', {
      method: request.method,
      path: request.path,
      why,
      where,
    })
    request.drop()
    return
  }
  if (isBrokenConnection(error)) {
    countFault()
    log.error('daemon', 'uncaught connection error; the daemon continues', { why, where })
    return
  }
  log.error('daemon', 'uncaught error, exiting; running units continue', { why, where })
  end(error)
}

function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && brokenConnection.has(String(error.code))
}
