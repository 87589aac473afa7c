// How far something has come that is one long request: bytes as they go by, and else for how long.
import { describeSize } from '../../model/pull.js'
import { describeDuration } from '../duration.js'
import type { Shell } from './shell.js'

/** Shown while something goes on; `end` shows it no more. */
interface ByteProgress {
  /** The same chunks, counted. */
  count<T extends Uint8Array>(chunks: AsyncIterable<T>): AsyncGenerator<T, void, undefined>
  end(): void
}

/** Calls something again and again, until the function that it returns is called. */
export type Every = (ms: number, call: () => void) => () => void

/** On a terminal a line is redrawn; elsewhere there is one now and then, so that a log does not fill with them. */
const redrawnEveryMs = 500
const toldEveryMs = 10_000

/** Shows on standard error how far `what` has come; nothing with --quiet, and nothing of what is over at once. */
export function openByteProgress(
  { globals, terminal }: Pick<Shell, 'globals' | 'terminal'>,
  what: string,
  every: Every = onTimer,
): ByteProgress {
  const block = globals.quiet ? null : terminal.liveBlock('stderr')
  const everyMs = block === null ? toldEveryMs : redrawnEveryMs
  let bytes = 0
  let rounds = 0
  const show = (): void => {
    rounds++
    const far = bytes > 0 ? describeSize(bytes) : describeDuration(rounds * everyMs)
    if (block === null) terminal.err(`${what}: ${far} so far\n`)
    // What takes less than a second needs no word.
    else if (rounds > 1) block.draw([`${what}: ${far}`])
  }
  const stop = globals.quiet ? () => {} : every(everyMs, show)
  return {
    async *count(chunks) {
      for await (const chunk of chunks) {
        bytes += chunk.length
        yield chunk
      }
    },
    end: () => {
      stop()
      block?.draw([])
    },
  }
}

function onTimer(ms: number, call: () => void): () => void {
  const timer = setInterval(call, ms)
  timer.unref()
  return () => clearInterval(timer)
}
