// An answer of another daemon, handed on to the caller as it comes.
import type { ErrorBody } from '../../contract/contract.js'
import { lineBatches } from '../../lib/io/lines.js'
import { describeError } from '../../lib/io/log.js'

/**
 * The lines of an answer of newline-separated JSON, whole ones only. Where it ends early and the caller is still there, the
 * last line is a frame with an error that names the machine: a caller who is only told that a connection broke takes the
 * daemon that it asked for the one that is gone.
 * @param caller aborts once the caller has left
 */
export async function* relayed(
  answer: AsyncIterable<Uint8Array>,
  hostname: string,
  caller: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  try {
    for await (const lines of lineBatches(answer)) yield `${lines.join('\n')}\n`
  } catch (error) {
    if (caller.aborted) throw error
    yield `${JSON.stringify({ error: endedEarly(hostname, error) })}\n`
  }
}

function endedEarly(hostname: string, error: unknown): ErrorBody['error'] {
  return {
    code: 'api/peer-unreachable',
    message: `contact with ${hostname} is lost, and what becomes of the program there is not known: ${describeError(error)}`,
    hint: `mariposa machine show ${hostname} shows how it is`,
    details: [],
  }
}
