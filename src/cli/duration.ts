import { parseDurationMs } from '../lib/duration.js'
import type { Instant } from '../lib/time.js'
import { toIso } from '../lib/time.js'

/** A duration back from `now`, or an RFC 3339 instant, as RFC 3339 text in UTC; null where the text is neither. */
export function parseSince(text: string, now: Instant): string | null {
  const durationMs = parseDurationMs(text)
  if (durationMs !== undefined) return durationMs < 0 ? null : toIso(Math.max(0, now - durationMs))
  if (!/^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)?)?$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : toIso(at)
}

/** How long ago, in the largest unit that fits: `12s`, `3m`, `5h`, `9d`. */
export function describeAge(at: Instant, now: Instant): string {
  const ms = Math.max(0, now - at)
  return ms < 1000 ? '0s' : describeDuration(ms)
}

/** A length of time in its largest unit. */
export function describeDuration(ms: number): string {
  if (ms > 0 && ms < 1000) return `${Math.ceil(ms)}ms`
  if (ms < 60_000) return `${Math.floor(ms / 1000)}s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)}m`
  if (ms < 2 * 86_400_000) return `${Math.floor(ms / 3_600_000)}h`
  return `${Math.floor(ms / 86_400_000)}d`
}
