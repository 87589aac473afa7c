// An archive that another daemon sends.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { decodeFailure, failureHeader } from '../../contract/archive-failure.js'
import { askedStream } from '../../lib/io/asked-stream.js'
import { ProblemError } from './context.js'

/** What an answer holds; fails with ProblemError where the daemon that sends it says that it has broken off. */
export function sentArchive(answer: IncomingMessage): Readable {
  const archive = askedStream(() => chunksOf(answer))
  // What nobody has begun to read is let go as well, and so is a connection on which nothing comes any more.
  archive.once('close', () => answer.destroy())
  return archive
}

/** Why it has broken off counts for more than what can be made of the rest. */
async function* chunksOf(answer: IncomingMessage): AsyncGenerator<Uint8Array, void, undefined> {
  yield* answer as AsyncIterable<Uint8Array>
  const failure = decodeFailure(answer.trailers[failureHeader])
  if (failure !== null) throw new ProblemError({ status: 502, ...failure })
}
