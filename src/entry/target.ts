// The names by which the proxy knows the addresses of instances: each says its address itself.
import { isAddress, plainAddress } from '../lib/address.js'

const [four, six] = ['.four.entry', '.six.entry'] as const

/** `10-0-0-1.four.entry`; null for what is no address. */
export function targetOf(address: string): string | null {
  const plain = plainAddress(address)
  if (plain === null) return null
  return plain.includes(':') ? `${plain.replaceAll(':', '-')}${six}` : `${plain.replaceAll('.', '-')}${four}`
}

/** The address that a target's name says; null for what is no such name. */
export function addressOf(name: string): string | null {
  const [separator, suffix] = name.endsWith(six) ? [':', six] : ['.', four]
  if (!name.endsWith(suffix)) return null
  const address = name.slice(0, -suffix.length).replaceAll('-', separator)
  return isAddress(address) ? address : null
}

/** Whether a target's name says an address of IPv6. */
export function isSix(name: string): boolean {
  return name.endsWith(six)
}
