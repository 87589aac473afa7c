// What keeps an instance down may take as long as its data do, and no longer because somebody at the other end of the
// connection neither reads nor writes.
import type { Time } from '../../lib/time.js'
import { DriverError } from '../../model/driver-error.js'

/** How often it is looked at, and how much is to have gone through by then where the other end was waited for. */
const windowMs = 60_000
const atLeastBytes = 1024 ** 2

/** A stream whose other end may hold it up. */
interface WatchedStream {
  /** How much has gone through so far. */
  bytes(): number
  /** Whether it waits for the other end now. */
  isHeldUp(): boolean
}

/** Calls `breakOff` once hardly anything has gone through for a minute, and the other end is waited for. Returns how to end that. */
export function watchSlowEnd(
  time: Pick<Time, 'after'>,
  { bytes, isHeldUp }: WatchedStream,
  breakOff: (error: DriverError) => void,
): () => void {
  let before = bytes()
  const look = (): void => {
    const now = bytes()
    if (isHeldUp() && now - before < atLeastBytes) {
      breakOff(tooSlow())
      return
    }
    before = now
    timer = time.after(windowMs, look).unref()
  }
  let timer = time.after(windowMs, look).unref()
  return () => timer.cancel()
}

function tooSlow(): DriverError {
  return new DriverError(
    'volume/too-slow',
    'its instance was stopped for it, but the other end of the connection read or sent less than 1 MiB in a minute',
  )
}
