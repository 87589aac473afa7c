// Standard output and error, and what becomes of a process where they cannot be written: a pipe that nobody reads any more, a
// disk that is full, a terminal that is gone.
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import type { WriteStream } from 'node:tty'

type Name = 'stdout' | 'stderr'
const fds = { stdout: 1, stderr: 2 } as const

/** A reader that has seen enough, as `| head` has, ends a command quietly. */
let onError: (error: NodeJS.ErrnoException) => void = endCommand
const opened = new Map<Name, WriteStream>()

/** A daemon goes on whatever becomes of what it says: what it runs needs it. */
export function outliveReader(): void {
  onError = () => {}
  for (const name of ['stdout', 'stderr'] as const) outputStream(name)
}

/** A command that changes something goes on without its reader: its exit status says what has become of the change. */
export function goOnWithoutReader(): void {
  onError = (error) => {
    if (!isGone(error)) endCommand(error)
  }
}

/** Node's own stream, which takes a fifth of the time in which Node starts to open. */
export function outputStream(name: Name): WriteStream {
  const stream = opened.get(name) ?? process[name].on('error', (error) => onError(error))
  opened.set(name, stream)
  return stream
}

/** Whether that is a terminal. */
export function isTerminal(name: Name): boolean {
  return fstatSync(fds[name]).isCharacterDevice() && Boolean(process[name].isTTY)
}

/** Writes what there is to say: at once where that goes into a file or a pipe that has room, and as Node does elsewhere. */
export function writeOutput(name: Name, text: string): void {
  const rest = opened.has(name) ? text : writeAtOnce(fds[name], Buffer.from(text))
  if (rest.length > 0) outputStream(name).write(rest)
}

/** Writes bytes, and resolves when more may be written. What cannot be written ends the command as all else that cannot. */
export async function writeAndDrain(name: Name, bytes: Buffer): Promise<void> {
  const stream = outputStream(name)
  // A stream that has failed never drains, and whoever is told of its failure has ended the command by then.
  if (!stream.write(bytes)) await new Promise<void>((resolve) => stream.once('drain', resolve))
}

/** Returns what was not written. */
function writeAtOnce(fd: number, bytes: Buffer): Buffer {
  const found = fstatSync(fd)
  if (found.isFile()) return writeTo(fd, bytes)
  if (!found.isFIFO()) return bytes
  let own: number
  try {
    // The pipe once more, to be told where it has no room: who reads may read nothing for hours.
    own = openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return bytes
  }
  try {
    return writeTo(own, bytes)
  } finally {
    closeSync(own)
  }
}

function writeTo(fd: number, bytes: Buffer): Buffer {
  let rest = bytes
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return rest
    // As a stream tells it: whoever writes has not said yet with what status to end.
    process.nextTick(() => onError(error as NodeJS.ErrnoException))
    return Buffer.alloc(0)
  }
  return rest
}

function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
}

function endCommand(error: NodeJS.ErrnoException): void {
  if (isGone(error)) process.exit(process.exitCode ?? 0)
  tellAtOnce(`mariposa: cannot write the output: ${error.message}\n`)
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
