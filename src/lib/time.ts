/** Milliseconds since the Unix epoch. */
export type Instant = number

/** Where the time comes from. Pure code takes an `Instant`, shells take a `Clock`. */
export interface Clock {
  now(): Instant
}

/** The earlier of two instants, where `null` means never. */
export function earlier(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null) return b
  if (b === null) return a
  return Math.min(a, b)
}

/** An instant as RFC 3339 text in UTC. */
export function toIso(at: Instant): string {
  return new Date(at).toISOString()
}
