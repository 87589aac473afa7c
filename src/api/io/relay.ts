// An answer of another daemon, handed on to the caller as it comes.
import type { ErrorBody } from '../../contract/contract.js'
import { describeError } from '../../lib/io/log.js'

/** Ends a line. */
const newline = 0x0a

/**
 * The bytes of an answer of newline-separated JSON, whole lines only. Where it ends early and the caller is still there, the
 * last line is a frame with an error that names the machine: a caller who is only told that a connection broke takes the
 * daemon that it asked for the one that is gone.
 * @param caller aborts once the caller has left
 */
export async function* relayed(
  answer: AsyncIterable<Uint8Array>,
  hostname: string,
  caller: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let begun: Uint8Array[] = []
  try {
    for await (const chunk of answer) {
      const whole = chunk.lastIndexOf(newline) + 1
      if (whole === 0) {
        begun.push(chunk)
        continue
      }
      const lines = Buffer.concat([...begun, chunk.subarray(0, whole)])
      begun = whole === chunk.length ? [] : [chunk.subarray(whole)]
      yield lines
    }
  } catch (error) {
    if (caller.aborted) throw error
    yield Buffer.from(`${JSON.stringify({ error: endedEarly(hostname, error) })}\n`)
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
