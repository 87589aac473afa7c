import type { Clock } from '../time.js'

/** The machine's own clock: for when. It may be set, forward and back. */
export const systemClock: Clock = { now: () => Date.now() }

/** Time that passes at one pace, whatever is done to the clock on the wall: for how long, never for when. */
export const steadyClock: Clock = { now: () => performance.now() }

/** A clock that was off by less than this was corrected, not set. */
const jumpMs = 500
const lookEveryMs = 1000

/**
 * Calls back within a second after the clock on the wall was set, with by how much: what waits for an instant has to look
 * at it again. Returns the way to end that.
 */
export function watchForJumps(
  clock: Clock,
  onJump: (byMs: number) => void,
  steady = steadyClock,
): () => void {
  let offset = clock.now() - steady.now()
  const timer = setInterval(() => {
    const byMs = clock.now() - steady.now() - offset
    offset += byMs
    if (Math.abs(byMs) >= jumpMs) onJump(Math.round(byMs))
  }, lookEveryMs).unref()
  return () => clearInterval(timer)
}
