import type { Instant } from '../lib/time.js'
import { toIso } from '../lib/time.js'

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90` (seconds), `30s`, `5m`, `1h30m`, `500ms`, `2d` as milliseconds; null where the text is none of these. */
export function parseDurationMs(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text) * 1000
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return null
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)]
  return parts.reduce((sum, [, amount = '0', unit = 's']) => sum + Number(amount) * (unitMs[unit] ?? 0), 0)
}

/** A duration back from `now`, or an RFC 3339 instant, as RFC 3339 text in UTC; null where the text is neither. */
export function parseSince(text: string, now: Instant): string | null {
  const durationMs = parseDurationMs(text)
  if (durationMs !== null) return toIso(Math.max(0, now - durationMs))
  if (!/^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)?)?$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : toIso(at)
}

/** How long ago, in the largest unit that fits: `12s`, `3m`, `5h`, `9d`. */
export function describeAge(at: Instant, now: Instant): string {
  return describeDuration(Math.max(0, now - at))
}

/** A length of time in its largest unit. */
export function describeDuration(ms: number): string {
  if (ms < 60_000) return `${Math.floor(ms / 1000)}s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)}m`
  if (ms < 2 * 86_400_000) return `${Math.floor(ms / 3_600_000)}h`
  return `${Math.floor(ms / 86_400_000)}d`
}
