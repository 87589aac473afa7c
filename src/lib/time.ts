/** Milliseconds since the Unix epoch. */
export type Instant = number

/** Where the time comes from. Pure code takes an `Instant`, shells take a `Clock`. */
export interface Clock {
  now(): Instant
}

/** Time as a shell has it: when it is, how long something takes, and what is to happen later. */
export interface Time extends Clock {
  /** Milliseconds at one pace, whatever is done to the clock on the wall: for how long, never for when. */
  steady(): number
  /**
   * Calls once, when `ms` have gone by. `latestMs`: until when it would find nothing to do, unless it is told before; whoever
   * only plays time through may leave it out until then. Default: it has something to do.
   */
  after(ms: number, run: () => void, latestMs?: number): Timer
}

/** What lets something happen later. */
export type Timers = Pick<Time, 'after'>

/** Something that is to happen later. */
export interface Timer {
  /** It is not to happen any more; nothing where it has. */
  cancel(): void
  /** The process need not stay for it. */
  unref(): Timer
}

/** What a timer of Node can wait for at once; whoever waits for longer looks again then. */
export const longestTimerMs = 2 ** 31 - 1

/** The earlier of two instants, where `null` means never. */
export function earlier(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null) return b
  if (b === null) return a
  return Math.min(a, b)
}

/** An instant that is yet to come; null for one that is over, and for never. */
export function upcoming(at: Instant | null, now: Instant): Instant | null {
  return at !== null && at > now ? at : null
}

/** An instant as RFC 3339 text in UTC. */
export function toIso(at: Instant): string {
  return new Date(at).toISOString()
}

/** A time whose clock is the one that nobody sets. */
export function steadyTime(time: Time): Time {
  return {
    now: () => time.steady(),
    steady: () => time.steady(),
    after: (ms, run, latestMs) => time.after(ms, run, latestMs),
  }
}
