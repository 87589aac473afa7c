// What becomes of a process whose standard output or error cannot be written: a pipe that nobody reads any more, a disk that is
// full, a terminal that is gone.
import { writeSync } from 'node:fs'

/** A reader that has seen enough, as `| head` has, ends the command quietly. To be called before anything is written. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endCommand)
}

/** A daemon goes on whatever becomes of what it says: what it runs needs it. */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.off('error', endCommand).on('error', () => {})
}

/** A command that changes something goes on without its reader: its exit status says what has become of the change. */
export function goOnWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.off('error', endCommand).on('error', (error) => {
      if (!isGone(error)) endCommand(error)
    })
}

function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
}

function endCommand(error: NodeJS.ErrnoException): void {
  if (isGone(error)) process.exit(process.exitCode ?? 0)
  tellAtOnce(`mariposa: what is printed cannot be written: ${error.message}\n`)
  process.exit(1)
}

/** Standard error may be what cannot be written; then nobody can be told. */
function tellAtOnce(text: string): void {
  try {
    writeSync(2, text)
  } catch {
    // The exit status says it.
  }
}
