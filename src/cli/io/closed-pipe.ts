// What becomes of a process whose standard output or error is a pipe that nobody reads any more.

/** A reader that has seen enough, as `| head` has, ends the command quietly. To be called before anything is written. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietly)
}

/** A daemon goes on without whoever read what it says: what it runs needs it. */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.off('error', endQuietly).on('error', isClosed)
}

function endQuietly(error: NodeJS.ErrnoException): void {
  if (isClosed(error)) process.exit(process.exitCode ?? 0)
}

function isClosed(error: NodeJS.ErrnoException): true {
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return true
  throw error
}
