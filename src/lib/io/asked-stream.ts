// Streams of what somebody else sends.
import { Readable } from 'node:stream'

/**
 * A stream of what `ask` returns, which is called when the stream is first read. To destroy the stream aborts the signal: unlike one
 * of `Readable.from` it ends at once, also while a piece is waited for that never comes.
 */
export function askedStream(ask: (signal: AbortSignal) => AsyncIterable<Uint8Array>): Readable {
  const over = new AbortController()
  let pieces: AsyncIterator<Uint8Array> | null = null
  return new Readable({
    read() {
      pieces ??= ask(over.signal)[Symbol.asyncIterator]()
      pieces.next().then(
        ({ done, value }) => {
          if (!this.destroyed) this.push(done === true ? null : value)
        },
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      over.abort()
      done(error)
    },
  })
}
