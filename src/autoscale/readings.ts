// What the instances of a service measure, as one number at a time, and how such numbers add up to a window.
import type { Instant } from '../lib/time.js'
import type { Aggregate } from '../model/scaling.js'

/** The instances of a service at one moment, aggregated. */
export interface Reading {
  readonly at: Instant
  /** Null where no instance has a value. */
  readonly value: number | null
  /** Instances that have a value. */
  readonly known: number
  /** Instances that have none; for what an entry counts, entries that have said nothing. */
  readonly missing: number
}

/** One reading of these values; null stands for an instance without one. */
export function readingOf(values: readonly (number | null)[], aggregate: Aggregate, at: Instant): Reading {
  const known = values.filter((value): value is number => value !== null)
  const value = known.length === 0 ? null : aggregates[aggregate](known)
  return { at, value, known: known.length, missing: values.length - known.length }
}

/** Of one value at least. */
const aggregates: Readonly<Record<Aggregate, (values: readonly number[]) => number>> = {
  avg: (values) => sum(values) / values.length,
  sum,
  min: (values) => values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
  max: (values) => values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  p90: (values) => {
    const sorted = [...values].sort((a, b) => a - b)
    return sorted[Math.ceil(0.9 * sorted.length) - 1] ?? 0
  },
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/**
 * The readings with one more, oldest first. Kept are those of the window and the last before it, which says what held
 * when the window began.
 */
export function remember(
  readings: readonly Reading[],
  reading: Reading,
  windowMs: number,
): readonly Reading[] {
  const all = [...readings, reading]
  const inside = all.findIndex(({ at }) => at > reading.at - windowMs)
  return all.slice(Math.max(0, inside - 1))
}

/** The readings from the last at or before `from`; null where there is none so early: the window is not full yet. */
export function since(readings: readonly Reading[], from: Instant): readonly Reading[] | null {
  const first = readings.findLastIndex(({ at }) => at <= from)
  return first === -1 ? null : readings.slice(first)
}
