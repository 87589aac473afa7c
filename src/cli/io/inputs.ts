// What commands are given to read: files, and what takes the place of one, as `<(…)` of a shell does.
import { closeSync, constants, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { exitCodes } from '../command-error.js'

/** How often somebody who writes to a pipe is looked for. */
const lookAgainMs = 20
const chunkBytes = 65_536

/**
 * What is in a file, in pieces. What is no regular one is read without holding up the process, as a thread that waits for a
 * pipe would; no longer than until `signal` aborts.
 */
export function chunksOf(file: string, signal?: AbortSignal): AsyncIterable<Buffer> {
  const found = statSync(file)
  if (found.isFile() || found.isDirectory()) return createReadStream(file)
  return chunksOfOther(file, found.isFIFO(), signal)
}

async function* chunksOfOther(
  file: string,
  isPipe: boolean,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    // A pipe that nobody has opened for writing yet looks like one that has ended.
    for (let hasBegun = !isPipe; signal?.aborted !== true; ) {
      const chunk = readNow(fd)
      if (chunk?.length === 0 && hasBegun) return
      if (chunk === null || chunk.length > 0) hasBegun = true
      if (chunk !== null && chunk.length > 0) yield chunk
      else await delay(lookAgainMs)
    }
  } finally {
    closeSync(fd)
  }
}

/** What is there now; null where somebody may still write something. */
function readNow(fd: number): Buffer | null {
  const buffer = Buffer.allocUnsafe(chunkBytes)
  try {
    return buffer.subarray(0, readSync(fd, buffer))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null
    throw error
  }
}

/** Reads something before anything has begun: Ctrl-C ends the command at once. */
export async function readFirst<T>(read: () => Promise<T>): Promise<T> {
  const end = (): void => process.exit(exitCodes.interrupted)
  process.once('SIGINT', end)
  try {
    return await read()
  } finally {
    process.off('SIGINT', end)
  }
}
