import type { Clock } from '../time.js'

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() }
