// The Retry-After header of HTTP: seconds, or a date.
import type { Instant } from './time.js'

/** How long a header asks to wait, in milliseconds; null where it asks for nothing that can be understood. */
export function parseRetryAfter(header: string, now: Instant): number | null {
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
