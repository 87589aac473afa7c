// Who a registry of images is asked as, by every machine of the cluster.
import { isMisspeltAddress } from '../lib/address.js'
import type { Instant } from '../lib/time.js'

export interface RegistryLogin {
  /** As `registryName` gives it. */
  readonly host: string
  readonly username: string
  /** The password, sealed at `loginPlace`. */
  readonly sealed: string
  readonly updatedAt: Instant
}

/** Docker's own registry, whatever of its names is used. */
export const dockerHub = 'docker.io'

/**
 * The name of a registry from what people write: `registry.example:5000`, with or without `https://`, in any case. Null for what
 * is none: a path, a blank, credentials in a URL.
 */
export function registryName(text: string): string | null {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '')
  if (/^(?:(?:index|registry-1|registry)\.)?docker\.io(?:\/v[12])?$/.test(host)) return dockerHub
  const fits = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:]{2,45}\])(?::[1-9]\d{0,4})?$/
  return fits.test(host) && !isMisspeltAddress(host.replace(/:\d+$/, '')) ? host : null
}

/** The registry that an image comes from, as logins name it. */
export function registryOfImage(image: string): string {
  const [host = '', ...path] = image.split('/')
  const isHost = path.length > 0 && (/[.:]/.test(host) || host === 'localhost')
  return isHost ? (registryName(host) ?? host) : dockerHub
}

/** Where the password of a registry is sealed; no project is called so. */
export function loginPlace(host: string): string {
  return `registry:${host}`
}
