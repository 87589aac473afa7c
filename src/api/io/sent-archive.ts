// An archive that another daemon sends.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { decodeFailure, failureHeader } from '../../contract/archive-failure.js'
import { askedStream } from '../../lib/io/asked-stream.js'
import { ProblemError } from './context.js'

/** What an answer holds; fails with ProblemError where the daemon of a machine that sends it says that it has broken off, or is lost. */
export function sentArchive(answer: IncomingMessage, hostname: string): Readable {
  const archive = askedStream(() => chunksOf(answer, hostname))
  // What nobody has begun to read is let go as well, and so is a connection on which nothing comes any more.
  archive.once('close', () => answer.destroy())
  return archive
}

/** Why it has broken off counts for more than what can be made of the rest. */
async function* chunksOf(
  answer: IncomingMessage,
  hostname: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* answer as AsyncIterable<Uint8Array>
  } catch (error) {
    throw cutOff(hostname, error)
  }
  const failure = decodeFailure(answer.trailers[failureHeader])
  if (failure !== null) throw new ProblemError({ status: 502, ...failure })
}

function cutOff(hostname: string, cause: unknown): ProblemError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new ProblemError({
    status: 502,
    code: 'volume/cut-off',
    message: `the connection to the daemon of ${hostname}, which sends the data, was lost: ${why}`,
    hint: `the log of the daemon on ${hostname} says why; try again`,
  })
}
