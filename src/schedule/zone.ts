// Time zones: what the clock on the wall says. Rules come from the time zone database of the runtime.
import type { Instant } from '../lib/time.js'

/** A time on the wall, as the milliseconds that UTC would have then. */
export type Wall = number

export interface Zone {
  /** Milliseconds that the wall clock is ahead of UTC. */
  offsetAt(at: Instant): number
}

export const utc: Zone = { offsetAt: () => 0 }

export function fixedZone(offsetMs: number): Zone {
  return { offsetAt: () => offsetMs }
}

/** A zone by its name in the time zone database. Throws RangeError where there is none. */
export function namedZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    era: 'short',
  })
  return {
    offsetAt: (at) => {
      const second = Math.floor(at / 1000) * 1000
      const parts = new Map(format.formatToParts(second).map(({ type, value }) => [type, value]))
      const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type))
      const wall = Date.UTC(
        part('year'),
        part('month') - 1,
        part('day'),
        part('hour'),
        part('minute'),
        part('second'),
      )
      return wall - second
    },
  }
}

const dayMs = 86_400_000

/**
 * The instant of a time on the wall. One that comes twice, when clocks are put back, is the first of the two; one that
 * does not come, when they are put forward, is as much later as clocks were put forward (`compatible` in Temporal).
 */
export function instantOf(wall: Wall, zone: Zone): Instant {
  const [before, after] = [zone.offsetAt(wall - dayMs), zone.offsetAt(wall + dayMs)]
  const possible = [wall - before, wall - after].filter((at) => at + zone.offsetAt(at) === wall)
  return possible.length === 0 ? wall - before : Math.min(...possible)
}

/** Zones change their offsets further apart than this. */
const probeMs = 7 * dayMs

/** The first instant after `from` and up to `to` at which another offset begins; null where there is none. */
export function nextTransition(zone: Zone, from: Instant, to: Instant): Instant | null {
  if (zone === utc) return null
  const offset = zone.offsetAt(from)
  for (let low = from; low < to; low += probeMs) {
    const high = Math.min(low + probeMs, to)
    if (zone.offsetAt(high) !== offset) return bisect(zone, offset, low, high)
  }
  return null
}

/** `low` has the offset, `high` has not; offsets begin at whole seconds. */
function bisect(zone: Zone, offset: number, low: Instant, high: Instant): Instant {
  let [has, hasNot] = [Math.floor(low / 1000), Math.ceil(high / 1000)]
  while (hasNot - has > 1) {
    const middle = Math.floor((has + hasNot) / 2)
    if (zone.offsetAt(middle * 1000) === offset) has = middle
    else hasNot = middle
  }
  return hasNot * 1000
}
