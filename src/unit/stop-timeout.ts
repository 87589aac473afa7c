// How long a unit's stop takes at most, as its own text says.
import type { UnitFile } from './parse.js'
import { hasSection, lastOf, parseTimeSpan } from './values.js'

/** What Docker, and systemd, wait where a unit says nothing. */
const defaultsMs = { container: 10_000, service: 90_000 }

/** The time from asking a unit's programs to stop to killing them; infinite where that waits without end. */
export function stopTimeoutOf(file: UnitFile): number {
  const seconds = lastOf(file, 'Container', 'StopTimeout')
  if (seconds !== null) return Number(seconds) < 0 ? Number.POSITIVE_INFINITY : Number(seconds) * 1000
  const span = lastOf(file, 'Service', 'TimeoutStopSec')
  const defaultMs = hasSection(file, 'Container') ? defaultsMs.container : defaultsMs.service
  const spanMs = span === null ? defaultMs : (parseTimeSpan(span) ?? defaultMs)
  // As systemd reads it.
  return spanMs === 0 ? Number.POSITIVE_INFINITY : spanMs
}
