// Networks, as health checks name them (manifest seed: healthchecks, containerpilot). A machine says in its metadata which
// networks it is on, and by which address: `network.backbone=10.0.0.5`.
import { isAddress } from '../lib/address.js'

/** The network of checks that name none: each machine asks its instances where they answer. */
export const publicNetwork = 'public'

/** Names and uuids of networks. */
export const networkName = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$/

const prefix = 'network.'

/** The address that a machine with this metadata has on a network; null where it is not on it. */
export function addressOn(network: string, metadata: Readonly<Record<string, string>>): string | null {
  const key = `${prefix}${network}`
  const address = Object.hasOwn(metadata, key) ? metadata[key] : undefined
  return address !== undefined && isAddress(address) ? address : null
}

/** The networks that a machine with this metadata says an address on. */
export function networkNames(metadata: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(metadata).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
}

/** What is wrong with metadata that tells of a network; null where nothing is, and for metadata of other kinds. */
export function networkProblem(key: string, value: string): string | null {
  if (!key.startsWith(prefix)) return null
  const name = key.slice(prefix.length)
  if (name === publicNetwork) return `instances answer on ${publicNetwork} without an address of the machine`
  if (!networkName.test(name)) return `"${name}" is not a network name`
  return isAddress(value) ? null : `"${value}" is not an IPv4 or IPv6 address, which ${key} has to be`
}
