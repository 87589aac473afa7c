// Where a registry is asked for how long it is to be left alone.
import { registryOf } from './credentials.js'

/** Nobody is kept waiting for longer on one word of a registry. */
export const longestRetryAfterMs = 15 * 60_000

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
