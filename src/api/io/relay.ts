// An answer of another daemon, handed on to the caller as it comes.
import type { ErrorBody } from '../../contract/contract.js'
import { pause } from '../../lib/io/clock.js'
import { lineBatches } from '../../lib/io/lines.js'
import { describeError } from '../../lib/io/log.js'
import type { Timers } from '../../lib/time.js'

interface SilenceLimits {
  /** How long the other daemon may say nothing, signs of life neither, before the caller is told. */
  readonly tellAfterMs: number
  /** How often we show a sign of life in its place from then on. */
  readonly beatEveryMs: number
}

const usualSilence: SilenceLimits = { tellAfterMs: 4500, beatEveryMs: 2000 }

/**
 * The lines of an answer of newline-separated JSON, whole ones only. Where it ends early and the caller is still there, the
 * last line is a frame with an error that names the machine: a caller who is only told that a connection broke takes the
 * daemon that it asked for the one that is gone. So the caller is told as well where nothing comes for a while.
 * @param caller aborts once the caller has left
 */
export async function* relayed(
  answer: AsyncIterable<Uint8Array>,
  hostname: string,
  caller: AbortSignal,
  time: Timers,
  silence = usualSilence,
): AsyncGenerator<string, void, undefined> {
  try {
    for await (const come of withSilences(lineBatches(answer), time, silence)) {
      if (come === 'silent') yield `${JSON.stringify({ waiting: silentFor(hostname) })}\n`
      else yield come === 'still silent' ? '\n' : `${come.join('\n')}\n`
    }
  } catch (error) {
    if (caller.aborted) throw error
    yield `${JSON.stringify({ error: endedEarly(hostname, error) })}\n`
  }
}

/** What comes, and in between that nothing does. */
async function* withSilences(
  batches: AsyncIterable<readonly string[]>,
  time: Timers,
  { tellAfterMs, beatEveryMs }: SilenceLimits,
): AsyncGenerator<readonly string[] | 'silent' | 'still silent', void, undefined> {
  const source = batches[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = source.next()
      for (let told = false; ; told = true) {
        const over = new AbortController()
        const late = pause(time, told ? beatEveryMs : tellAfterMs, over.signal)
        const come = await Promise.race([next, late]).finally(() => over.abort())
        if (come === undefined) {
          yield told ? 'still silent' : 'silent'
          continue
        }
        if (come.done === true) return
        yield come.value
        break
      }
    }
  } finally {
    await source.return?.()
  }
}

function silentFor(hostname: string): string {
  return `the daemon of ${hostname} says nothing; mariposa machine show ${hostname} shows how it is`
}

function endedEarly(hostname: string, error: unknown): ErrorBody['error'] {
  return {
    code: 'api/peer-unreachable',
    message: `contact with ${hostname} is lost, and what becomes of the program there is not known: ${describeError(error)}`,
    hint: `mariposa machine show ${hostname} shows how it is`,
    details: [],
  }
}
