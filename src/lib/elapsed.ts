// How long ago an instant was, by a clock that nobody has set. Instants are stored as the clock on the wall told them; where
// it was set since then, `now` less an instant is not the time that has gone by. Records stay as they are: the jumps that
// this process has seen are reckoned in whenever they are read.
import type { Instant } from './time.js'

/** The clock was set, at a moment that is not known exactly: it is noticed a little later. */
export interface ClockJump {
  readonly byMs: number
  /** What it said at the latest before that. */
  readonly before: Instant
  /** What it said at the earliest from then on. */
  readonly after: Instant
}

export const noJumps: readonly ClockJump[] = []

/** Jumps that are remembered. Whatever is measured across more of them is measured as if the oldest had not been. */
export const jumpsKept = 100

/** The jumps with one more, oldest first. */
export function withJump(jumps: readonly ClockJump[], jump: ClockJump): readonly ClockJump[] {
  return [...jumps, jump].slice(-jumpsKept)
}

/** What decides by time asks: nobody else compares instants. */
export interface Elapsed {
  readonly now: Instant
  /**
   * How long ago an instant was. Where the clock was set back, and has said the same again since, that is ambiguous: then
   * it is the shortest time that may have gone by, so that nothing is done early. Below zero for what is later than now
   * and than anything that the clock said before: another clock has told it, or ours before it was set back unseen.
   */
  readonly since: (instant: Instant) => number
  /** How much is left of a time that began at an instant; zero or less once it is over. */
  readonly left: (beganAt: Instant, forMs: number) => number
  /**
   * The same of a deadline of what others report: it is not over while what they did in time may not have been heard
   * yet, after a time in which nothing was heard of anybody.
   */
  readonly leftToReport: (beganAt: Instant, forMs: number) => number
  /** When that much time has gone by; null for none. */
  readonly wakeAt: (leftMs: number) => Instant | null
}

/** So long after a break everybody may take to be heard again, who tries every few seconds. */
export const heardAgainMs = 15_000

/**
 * Time as it is measured at an instant, where these jumps were seen before it. `heardForMs`: for how long others have been
 * heard without a break.
 */
export function elapsedAt(
  now: Instant,
  jumps: readonly ClockJump[] = noJumps,
  heardForMs = Number.POSITIVE_INFINITY,
): Elapsed {
  const since = (instant: Instant): number => now - instant + correctionOf(instant, now, jumps)
  const left = (beganAt: Instant, forMs: number): number => forMs - since(beganAt)
  return {
    now,
    since,
    left,
    leftToReport: (beganAt, forMs) => Math.max(left(beganAt, forMs), heardAgainMs - heardForMs),
    wakeAt: (leftMs) => (leftMs > 0 ? now + leftMs : null),
  }
}

/** What is to be added to `now` less the instant. The latest stretch between two jumps that has the instant counts. */
function correctionOf(instant: Instant, now: Instant, jumps: readonly ClockJump[]): number {
  let correction = 0
  let upTo = now
  let sincePassedOver: number | null = null
  for (let index = jumps.length - 1; index >= 0; index--) {
    const { byMs, before, after } = jumps[index] as ClockJump
    if (instant >= after && instant <= upTo) return correction
    // The clock never said it: it was set forward past it, and at the latest it was then.
    if (instant > before && instant < after) sincePassedOver ??= correction + instant - after
    correction -= byMs
    upTo = before
  }
  if (instant <= upTo) return correction
  return instant <= now ? (sincePassedOver ?? 0) : 0
}
