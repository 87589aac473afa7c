// How long a registry asks to be left alone (RFC 9110, Retry-After).
import type { Instant } from '../../lib/time.js'
import { registryOf } from './credentials.js'

/** Nobody is kept waiting for longer on one word of a registry. */
export const longestRetryAfterMs = 15 * 60_000

/** Reads `Retry-After`, in seconds or as a date, up to a bound; null for nothing that can be understood. */
export function parseRetryAfter(text: string | undefined, now: Instant): number | null {
  if (text === undefined) return null
  const trimmed = text.trim()
  const at = /^\d+$/.test(trimmed) ? now + Number(trimmed) * 1000 : Date.parse(trimmed)
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), longestRetryAfterMs)
}

/**
 * Where a registry tells of an image, without scheme. Null for names without a host: what those mean is Docker's own to
 * know.
 */
export function manifestAddress(image: string): { readonly host: string; readonly path: string } | null {
  const [named = '', digest] = image.split('@')
  const [host = '', ...path] = named.split('/')
  if (path.length === 0 || registryOf(image) !== host) return null
  const own = path.join('/')
  const colon = own.indexOf(':')
  const [name, tag] = colon === -1 ? [own, 'latest'] : [own.slice(0, colon), own.slice(colon + 1)]
  return { host, path: `/v2/${name}/manifests/${digest ?? tag}` }
}
