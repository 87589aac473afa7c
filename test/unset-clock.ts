import type { JumpWatch } from '../src/lib/io/clock.js'

/** Says that nobody sets the clock, and waits for nothing: nobody has to end it. */
export const unsetClock: JumpWatch = {
  jumps: () => [],
  onJump: () => () => {},
  noticing: (time) => time,
  end: () => {},
}
